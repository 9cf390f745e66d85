#include "saltus/model/model.hpp"

#include "saltus/base/overloaded.hpp"

#include <Eigen/Cholesky>
#include <Eigen/SparseCholesky>

#include <cmath>
#include <limits>

namespace saltus {

namespace {

void append(std::vector<double>& whole, const Vector& part) {
  whole.insert(whole.end(), part.begin(), part.end());
}

Vector to_vector(const std::vector<double>& values) {
  return view_of(values.data(), static_cast<Index>(values.size()));
}

void require_finite(const Vector& values, const std::string& who, const char* what) {
  for (Index i = 0; i < values.size(); ++i)
    require(std::isfinite(values[i]), "Model::add: {}: {}[{}] is {}, expected a finite number", who,
            what, i, values[i]);
}

/// Fills empty v, checks sizes and values.
void check_initial(const System& system, Initial& initial, const std::string& who) {
  const Index n = system.size();
  const bool second = system.order() == Order::second;
  const char* unit = second ? "dof" : "states";
  if (second && initial.v.size() == 0) initial.v = Vector::Zero(n);
  const Vector& main = second ? initial.q : initial.x;
  const Index expected = second ? system.positions() : n;
  require(main.size() == expected, "Model::add: {}: {} has size {}, system has {} {}", who,
          second ? "q" : "x", main.size(), expected, expected == n ? unit : "positions");
  require(!second || initial.v.size() == n, "Model::add: {}: v has size {}, system has {} {}", who,
          initial.v.size(), n, unit);
  require(second || (initial.q.size() == 0 && initial.v.size() == 0),
          "Model::add: {}: q, v were given, but the system is of first order: give x", who);
  require(!second || initial.x.size() == 0,
          "Model::add: {}: x was given, but the system is of second order: give q and v", who);
  require_finite(initial.q, who, "q");
  require_finite(initial.v, who, "v");
  require_finite(initial.x, who, "x");
  require_finite(initial.z, who, "z");
  if (second && !system.flat()) {  // q ⊕ 0 is q on its manifold
    const Vector given = initial.q, zero = Vector::Zero(n);
    const VectorView q = view_of(given.data(), given.size());
    system.check_positions(q);
    system.move(q, view_of(zero.data(), n), initial.q);
  }
}

/// M must be symmetric and positive definite: pivots of its Cholesky factor above n ε max|M|.
void check_mass(const Matrix& M, const std::string& who, Index body) {
  const Index n = M.rows();
  require(M.allFinite(), "Model::add: {}: mass matrix of body {} has entries that are not finite",
          who, body);
  const double largest = M.cwiseAbs().maxCoeff();
  require((M - M.transpose()).cwiseAbs().maxCoeff() <= 1e-12 * largest,
          "Model::add: {}: mass matrix of body {} is not symmetric", who, body);
  const Eigen::LDLT<Matrix> factor(M);
  const double smallest = factor.vectorD().minCoeff();
  const double threshold = static_cast<double>(n) * 2.2e-16 * largest;
  require(
      smallest > threshold,
      "Model::add: {}: mass matrix of body {} must be positive definite, its smallest pivot is {}",
      who, body, smallest);
}

/// A sparse operator of a coupled system: its size and its values.
void check_coupled(const SparseMatrix& A, Index n, const char* name, const std::string& who) {
  require(A.rows() == n && A.cols() == n, "Model::add: {}: {} is {}x{}, the system has {} unknowns",
          who, name, A.rows(), A.cols(), n);
  for (int j = 0; j < A.cols(); ++j)
    for (SparseMatrix::InnerIterator it(A, j); it; ++it)
      require(std::isfinite(it.value()),
              "Model::add: {}: {}({}, {}) is {}, expected a finite number", who, name, it.row(), j,
              it.value());
}

/// As check_mass, by a sparse Cholesky factor.
void check_coupled_mass(const SparseMatrix& M, const std::string& who) {
  const double largest = M.nonZeros() > 0 ? M.coeffs().abs().maxCoeff() : 0;
  const SparseMatrix difference = M - SparseMatrix(M.transpose());
  require(difference.nonZeros() == 0 || difference.coeffs().abs().maxCoeff() <= 1e-12 * largest,
          "Model::add: {}: mass matrix is not symmetric", who);
  const Eigen::SimplicialLDLT<SparseMatrix> factor(M);
  const double smallest = factor.info() == Eigen::Success ? factor.vectorD().minCoeff() : -largest;
  require(smallest > static_cast<double>(M.cols()) * 2.2e-16 * largest,
          "Model::add: {}: mass matrix must be positive definite, its smallest pivot is {}", who,
          smallest);
}

void check_coupled_operators(const System& system, const StateView& x, const std::string& who) {
  const bool second = system.order() == Order::second;
  const Index n = system.size();
  SparseMatrix M, C, K;
  system.coupled_mass(x, M);
  system.coupled_damping(x, C);
  system.coupled_stiffness(x, K);
  M.makeCompressed();
  check_coupled(M, n, second ? "M" : "E", who);
  check_coupled(C, n, second ? "C" : "A", who);
  check_coupled(K, n, "K", who);
  if (second) check_coupled_mass(M, who);
}

void check_operators(const System& system, const StateView& x, const std::string& who) {
  const Index n = system.body_size();
  Matrix M(n, n);
  if (system.coupled()) check_coupled_operators(system, x, who);
  for (Index body = 0; body < system.bodies() && !system.coupled(); ++body) {
    M.setConstant(std::numeric_limits<double>::quiet_NaN());
    system.mass(x, body, M);
    if (system.order() == Order::second)
      check_mass(M, who, body);
    else
      require(M.allFinite(), "Model::add: {}: matrix E has entries that are not finite", who);
  }
  Vector F = Vector::Constant(system.size(), std::numeric_limits<double>::quiet_NaN());
  system.force(x, F);
  require(F.allFinite(),
          "Model::add: {}: force at the initial state has entries that are not finite", who);
}

void require_rows(const Relation& relation, const char* law, Index least, Index most,
                  const std::string& who) {
  const Index rows = relation.rows();
  require(relation.lagrangian() && rows >= least && rows <= most,
          "Model::link: {}: {} needs a Lagrangian relation with {} to {} rows, it has {} rows", who,
          law, least, most, rows);
}

/// A law and a relation must speak of the same thing.
void check_law(const Law& law, const Relation& relation, const std::string& who) {
  validate(law);
  const Index rows = relation.rows();
  std::visit(
      Overloaded{
          [&](const Complementarity&) {
            require(!relation.lagrangian(),
                    "Model::link: {}: Complementarity needs a first-order relation; for a "
                    "contact use NewtonImpact",
                    who);
          },
          [&](const NewtonImpact&) {
            require(relation.lagrangian(),
                    "Model::link: {}: NewtonImpact needs a Lagrangian relation (y = h(q)); "
                    "for a first-order system use Complementarity",
                    who);
          },
          [&](const Coulomb&) {
            require(relation.lagrangian() && (rows == 2 || rows == 3),
                    "Model::link: {}: Coulomb needs a Lagrangian relation with 2 or 3 rows "
                    "(normal first), it has {} rows",
                    who, rows);
          },
          [&](const EllipticCoulomb&) { require_rows(relation, "EllipticCoulomb", 3, 3, who); },
          [&](const RollingCoulomb&) {
            require_rows(relation, "RollingCoulomb", rows == 3 ? 3 : 5, 5, who);
          },
          [&](const SpinningCoulomb& spinning) {
            require(relation.lagrangian() && (rows == 2 || rows == 4 || rows == 6),
                    "Model::link: {}: SpinningCoulomb needs a Lagrangian relation with 6 rows "
                    "(n, t1, t2, and the angular velocities along t1, t2, n), 4 without rolling "
                    "friction or 2 (n and the last), it has {} rows",
                    who, rows);
            require(rows == 6 || spinning.mu_rolling == 0,
                    "Model::link: {}: SpinningCoulomb: mu_rolling is {}, but a relation with {} "
                    "rows has none for rolling",
                    who, spinning.mu_rolling, rows);
            require(rows > 2 || spinning.mu == 0,
                    "Model::link: {}: SpinningCoulomb: mu is {}, but a relation with 2 rows has "
                    "none for sliding",
                    who, spinning.mu);
          },
          [&](const Tresca&) { require_rows(relation, "Tresca", 2, 3, who); },
          [&](const PoissonCoulomb&) { require_rows(relation, "PoissonCoulomb", 1, 3, who); },
          [&](const CompliantContact&) { require_rows(relation, "CompliantContact", 1, 3, who); },
          [&](const Spring&) { require_rows(relation, "Spring", 1, rows, who); },
          [&](const ElasticPlastic&) { require_rows(relation, "ElasticPlastic", 1, rows, who); },
          [](const Equality&) {},
          [](const Relay&) {},
          [](const PiecewiseLinear&) {},
          [&](const NormalCone& cone) {
            require(!relation.lagrangian(),
                    "Model::link: {}: NormalCone needs a first-order relation; for a contact use "
                    "NewtonImpact or Coulomb",
                    who);
            check_dimension(cone.set, rows);
          },
      },
      law);
}

}  // namespace

Model::Model() = default;
Model::~Model() = default;
Model::Model(const Model&) = default;
Model::Model(Model&&) noexcept = default;
Model& Model::operator=(const Model&) = default;
Model& Model::operator=(Model&&) noexcept = default;

SystemId Model::add(System system, Initial initial, std::string name) {
  const SystemId id{static_cast<Index>(systems_.size())};
  if (name.empty()) name = fmt::format("system{}", id.index);
  require(system.size() > 0 && system.bodies() > 0 && system.size() % system.bodies() == 0,
          "Model::add: {}: {} unknowns for {} bodies", name, system.size(), system.bodies());
  check_initial(system, initial, name);
  const bool second = system.order() == Order::second;
  const StateView x{
      0, view_of(initial.q.data(), initial.q.size()), view_of(initial.v.data(), initial.v.size()),
      view_of(initial.x.data(), initial.x.size()), view_of(initial.z.data(), initial.z.size())};
  check_operators(system, x, name);
  systems_.push_back(
      {std::move(system), std::move(name), static_cast<Index>(second ? v_.size() : x_.size()),
       static_cast<Index>(q_.size()), static_cast<Index>(z_.size()), initial.z.size()});
  append(q_, initial.q);
  append(v_, initial.v);
  append(x_, initial.x);
  append(z_, initial.z);
  return id;
}

InteractionId Model::link(Endpoints endpoints, Relation relation, Law law, std::string name) {
  const InteractionId id{static_cast<Index>(interactions_.size())};
  if (name.empty()) name = fmt::format("interaction{}", id.index);
  require(!endpoints.empty(), "Model::link: {}: no system given", name);
  Index columns = 0;
  for (const Endpoint& end : endpoints) {
    require(end.system.index >= 0 && end.system.index < static_cast<Index>(systems_.size()),
            "Model::link: {}: system id {} is not of this model, which has {} systems", name,
            end.system.index, systems_.size());
    const SystemEntry& entry = systems_[end.system.index];
    require(end.body >= 0 && end.body < entry.system.bodies(),
            "Model::link: {}: body {} of {}, which has {} bodies", name, end.body, entry.name,
            entry.system.bodies());
    require((entry.system.order() == Order::second) == relation.lagrangian(),
            "Model::link: {}: {} is of {} order, the relation is for {}-order systems", name,
            entry.name, entry.system.order() == Order::second ? "second" : "first",
            relation.lagrangian() ? "second" : "first");
    for (const Endpoint& other : endpoints)
      require(&other == &end || other.system != end.system || other.body != end.body,
              "Model::link: {}: body {} of {} is given twice", name, end.body, entry.name);
    require(entry.system.flat() || !relation.time_invariant(),
            "Model::link: {}: the positions of {} are no vector, a relation y = H q does not suit",
            name, entry.name);
    columns += entry.system.body_size();
  }
  require(relation.columns() == columns,
          "Model::link: {}: relation has {} columns, the systems it ties have {} unknowns", name,
          relation.columns(), columns);
  check_law(law, relation, name);
  row_offset_.push_back(rows_);
  rows_ += relation.rows();
  interactions_.push_back(
      {std::move(endpoints), std::move(relation), std::move(law), std::move(name)});
  return id;
}

void Model::add(InteractionSource source) {
  source.check(*this);
  sources_.push_back(std::move(source));
}

State Model::initial_state() const {
  return {.t = 0, .q = to_vector(q_), .v = to_vector(v_), .x = to_vector(x_), .z = to_vector(z_)};
}

const SystemEntry& Model::operator[](SystemId id) const {
  require(id.index >= 0 && id.index < static_cast<Index>(systems_.size()),
          "Model: system id {} is not of this model, which has {} systems", id.index,
          systems_.size());
  return systems_[id.index];
}

const Interaction& Model::operator[](InteractionId id) const {
  require(id.index >= 0 && id.index < static_cast<Index>(interactions_.size()),
          "Model: interaction id {} is not of this model, which has {} interactions", id.index,
          interactions_.size());
  return interactions_[id.index];
}

StateView Model::view(const SystemEntry& entry, const State& state) {
  StateView x{.t = state.t};
  const Index n = entry.system.size();
  if (entry.system.order() == Order::second) {
    new (&x.q) VectorView(state.q.data() + entry.q_offset, entry.system.positions());
    new (&x.v) VectorView(state.v.data() + entry.offset, n);
  } else {
    new (&x.x) VectorView(state.x.data() + entry.offset, n);
  }
  new (&x.z) VectorView(state.z.data() + entry.z_offset, entry.z_size);
  return x;
}

}  // namespace saltus
