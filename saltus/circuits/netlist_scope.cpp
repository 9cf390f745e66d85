#include "saltus/circuits/netlist_scope.hpp"

#include <fmt/format.h>

namespace saltus::circuits {

Fields split_fields(const Line& line) {
  Fields fields{line.front(), {}, {}};
  Line words;
  for (std::size_t k = 1; k < line.size(); ++k)
    if (line[k].kind != Token::Kind::open && line[k].kind != Token::Kind::close)
      words.push_back(line[k]);
  for (std::size_t k = 0; k < words.size(); ++k) {
    const bool key = k + 1 < words.size() && words[k + 1].kind == Token::Kind::equals;
    if (words[k].kind == Token::Kind::equals || (key && words[k].kind != Token::Kind::word))
      netlist_error(words[k].place, "'=' without a name before it, expected name=value");
    if (!key) {
      fields.words.push_back(words[k]);
      continue;
    }
    if (k + 2 >= words.size() || words[k + 2].kind == Token::Kind::equals)
      netlist_error(words[k + 1].place,
                    fmt::format("'{}=' has no value, expected a number", words[k].text));
    fields.keys.emplace_back(words[k], words[k + 2]);
    k += 2;
  }
  return fields;
}

void Scope::define(const Token& name, const Token& value) {
  parameters_[name.text] = {value, 0, Parameter::State::open};
}

void Scope::define(const Token& name, double value) {
  parameters_[name.text] = {name, value, Parameter::State::known};
}

void Scope::define(const ModelCard& card) { models_[card.name.text] = card; }

double Scope::number(const Token& token) const {
  if (token.kind == Token::Kind::expression)
    return evaluate(token.text, token.place, [this](const std::string& name, Place place) {
      return parameter(name, place);
    });
  return parse_number(token.text, token.place);
}

double Scope::parameter(const std::string& name, Place place) const {
  const auto found = parameters_.find(name);
  if (found == parameters_.end()) {
    if (around_ != nullptr) return around_->parameter(name, place);
    netlist_error(place, fmt::format("the parameter '{}' is unknown, expected one that .param "
                                     "defines",
                                     name));
  }
  Parameter& parameter = found->second;
  if (parameter.state == Parameter::State::busy)
    netlist_error(place, fmt::format("the parameter '{}' is defined by itself", name));
  if (depth_ > max_depth)
    netlist_error(place, fmt::format("more than {} parameters are defined by each other", depth_));
  if (parameter.state == Parameter::State::open) {
    parameter.state = Parameter::State::busy;
    ++depth_;
    parameter.value = number(parameter.text);
    --depth_;
    parameter.state = Parameter::State::known;
  }
  return parameter.value;
}

const ModelCard* Scope::model(const std::string& name, const Scope*& where) const {
  const auto found = models_.find(name);
  if (found == models_.end()) return around_ == nullptr ? nullptr : around_->model(name, where);
  where = this;
  return &found->second;
}

std::string Scope::known_models() const {
  std::string names = around_ == nullptr ? "" : around_->known_models();
  for (const auto& [name, card] : models_) names += (names.empty() ? "" : ", ") + name;
  return names.empty() ? "no .model" : names;
}

}  // namespace saltus::circuits
