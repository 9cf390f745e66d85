#pragma once

#include "saltus/base/id.hpp"
#include "saltus/laws/law.hpp"
#include "saltus/model/interaction_source.hpp"
#include "saltus/relations/relation.hpp"
#include "saltus/systems/system.hpp"

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

namespace saltus {

/// The bodies an interaction is tied to, in the order of the relation's columns.
struct Endpoints : std::vector<Endpoint> {
  Endpoints(SystemId id) : std::vector<Endpoint>{Endpoint(id)} {}
  Endpoints(Endpoint one) : std::vector<Endpoint>{one} {}
  Endpoints(std::initializer_list<Endpoint> list) : std::vector<Endpoint>(list) {}
  explicit Endpoints(std::vector<Endpoint> list) : std::vector<Endpoint>(std::move(list)) {}
};

/// State in which a system starts. Empty v, z are zero-sized or zero; q (or x) must be given.
struct Initial {
  Values q = {};
  Values v = {};
  Values x = {};
  Values z = {};
};

/// Who is tied to whom, by which relation, under which law (PL:IN-01).
struct Interaction {
  std::vector<Endpoint> endpoints;
  Relation relation;
  Law law;
  std::string name;
};

/// A system in a model, and where its variables stand in the State.
struct SystemEntry {
  System system;
  std::string name;
  Index offset = 0;    ///< in v, or in x
  Index q_offset = 0;  ///< in q: another one behind systems whose q and v differ in size
  Index z_offset = 0;  ///< in z
  Index z_size = 0;
};

/// Systems tied by interactions (PL:PL-02): what is simulated, ignorant of how (PL:PL-03). Constant
/// while a simulation runs. Contacts are declared up front, all that may ever close, or found in
/// every step by a source.
class Model {
 public:
  Model();
  ~Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;

  /// Adds a system with its initial state. Throws Error on sizes that disagree, values that are not
  /// finite, and a mass matrix that is not symmetric positive definite.
  SystemId add(System system, Initial initial, std::string name = {});
  /// Ties bodies by a relation under a law. Throws Error on unknown ids, sizes that disagree, and
  /// a law that does not fit the relation.
  InteractionId link(Endpoints endpoints, Relation relation, Law law, std::string name = {});
  /// A source of contacts, asked in every step (PL:PL-02). Throws Error if it does not suit.
  void add(InteractionSource source);

  [[nodiscard]] std::span<const SystemEntry> systems() const { return systems_; }
  [[nodiscard]] std::span<const Interaction> interactions() const { return interactions_; }
  [[nodiscard]] std::span<const InteractionSource> sources() const { return sources_; }
  [[nodiscard]] const SystemEntry& operator[](SystemId id) const;
  [[nodiscard]] const Interaction& operator[](InteractionId id) const;

  /// Velocities of the second-order systems: the size of v.
  [[nodiscard]] Index dof() const { return static_cast<Index>(v_.size()); }
  /// The size of q.
  [[nodiscard]] Index positions() const { return static_cast<Index>(q_.size()); }
  [[nodiscard]] Index first_order_size() const { return static_cast<Index>(x_.size()); }
  /// Rows of all declared interactions together: the size of y, u and r.
  [[nodiscard]] Index rows() const { return rows_; }
  [[nodiscard]] Index row_offset(InteractionId id) const { return row_offset_.at(id.index); }

  [[nodiscard]] State initial_state() const;

  /// What system `entry` sees of `state`.
  [[nodiscard]] static StateView view(const SystemEntry& entry, const State& state);

 private:
  std::vector<SystemEntry> systems_;
  std::vector<Interaction> interactions_;
  std::vector<InteractionSource> sources_;
  std::vector<Index> row_offset_;
  std::vector<double> q_, v_, x_, z_;  // initial state
  Index rows_ = 0;
};

}  // namespace saltus
