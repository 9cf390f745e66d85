#pragma once

#include "saltus/circuits/netlist_lines.hpp"

#include <map>
#include <string>
#include <vector>

namespace saltus::circuits {

/// The words of a line after its name, parted into those in order and those given as key=value.
/// Parentheses are left out.
struct Fields {
  Token name;
  Line words;
  std::vector<std::pair<Token, Token>> keys;
};

/// Throws Error on a key without value or `=` without key.
[[nodiscard]] Fields split_fields(const Line& line);

/// .model: its type and numbers.
struct ModelCard {
  Token name, type;
  std::vector<std::pair<Token, Token>> numbers;
};

/// Parameters and models that can be seen from a place: those of the subcircuit, then those around
/// it. A parameter is evaluated when it is first asked for, so the order does not matter.
class Scope {
 public:
  explicit Scope(const Scope* around = nullptr) : around_(around) {}

  void define(const Token& name, const Token& value);
  void define(const Token& name, double value);
  void define(const ModelCard& card);

  /// The value of a word or expression. Throws Error if it is none, or on parameters that are
  /// defined by themselves.
  [[nodiscard]] double number(const Token& token) const;
  [[nodiscard]] double parameter(const std::string& name, Place place) const;
  /// The model of that name and the scope in which it stands; null if there is none.
  [[nodiscard]] const ModelCard* model(const std::string& name, const Scope*& where) const;
  /// Known models of these types, for messages.
  [[nodiscard]] std::string known_models() const;

 private:
  struct Parameter {
    Token text;
    double value = 0;
    enum class State { open, busy, known } state = State::open;
  };
  static constexpr int max_depth = 200;  // of parameters that need each other
  const Scope* around_;
  mutable int depth_ = 0;
  mutable std::map<std::string, Parameter> parameters_;
  std::map<std::string, ModelCard> models_;
};

}  // namespace saltus::circuits
