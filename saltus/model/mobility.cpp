#include "saltus/model/mobility.hpp"

#include <Eigen/Cholesky>
#include <Eigen/OrderingMethods>
#include <Eigen/SparseQR>

#include <cmath>

namespace saltus {

namespace {

constexpr double dependent = 1e-9;  // what is left of a row of norm one
constexpr double at_rest = 1e-9;    // relative to 1 + ‖v‖∞

using Sparse = Eigen::SparseMatrix<double>;

bool bilateral(const Interaction& tie) {
  return tie.relation.lagrangian() && std::holds_alternative<Equality>(tie.law);
}

/// The state that an interaction sees, and its Jacobian there.
class Tie {
 public:
  Tie(const Model& model, const State& state, const Interaction& tie) {
    for (const Endpoint& end : tie.endpoints) {
      const SystemEntry& entry = model.systems()[end.system.index];
      const Index n = entry.system.body_size(), p = entry.system.body_positions();
      append(q_, state.q.data() + entry.q_offset + end.body * p, p);
      append(v_, state.v.data() + entry.offset + end.body * n, n);
      append(z_, state.z.data() + entry.z_offset, entry.z_size);
      for (Index k = 0; k < n; ++k) columns_.push_back(entry.offset + end.body * n + k);
    }
    const StateView x{.t = state.t, .q = view(q_), .v = view(v_), .z = view(z_)};
    H.setZero(tie.relation.rows(), tie.relation.columns());
    u.setZero(tie.relation.rows());
    tie.relation.jacobian(x, H);
    tie.relation.time_derivative(x, u);
    u += H * view(v_);
  }
  [[nodiscard]] Index column(Index k) const { return columns_[k]; }

  Matrix H;
  Vector u;  // its velocities

 private:
  static void append(std::vector<double>& list, const double* data, Index size) {
    list.insert(list.end(), data, data + size);
  }
  static VectorView view(const std::vector<double>& list) {
    return view_of(list.data(), static_cast<Index>(list.size()));
  }
  std::vector<double> q_, v_, z_;
  std::vector<Index> columns_;
};

/// H ← H L⁻ᵀ body by body, M = L Lᵀ: rows of G M^(−½) up to a rotation.
void divide_by_mass(const Model& model, const State& state, const Interaction& tie, Matrix& H) {
  Index column = 0;
  for (const Endpoint& end : tie.endpoints) {
    const SystemEntry& entry = model.systems()[end.system.index];
    const Index n = entry.system.body_size();
    Matrix M(n, n);
    if (entry.system.coupled()) {  // that of the node alone: it scales, the rank does not change
      SparseMatrix whole;
      entry.system.coupled_mass(Model::view(entry, state), whole);
      M = whole.block(end.body * n, end.body * n, n, n);
    } else {
      entry.system.mass(Model::view(entry, state), end.body, M);
    }
    const Eigen::LLT<Matrix> factor(M);
    const Matrix scaled = factor.matrixL().solve(H.middleCols(column, n).transpose());
    H.middleCols(column, n) = scaled.transpose();
    column += n;
  }
}

}  // namespace

Mobility mobility(const Model& model) {
  const State state = model.initial_state();
  const double speed = state.v.size() > 0 ? state.v.lpNorm<Eigen::Infinity>() : 0;
  Mobility result{.dof = model.dof()};
  std::vector<Eigen::Triplet<double>> entries;
  std::vector<Index> owner;  // interaction of each row
  Index number = 0;
  for (const Interaction& tie : model.interactions()) {
    const Index i = number++;
    if (!bilateral(tie)) continue;
    Tie at(model, state, tie);
    const double velocity = at.u.lpNorm<Eigen::Infinity>();
    if (velocity > at_rest * (1 + speed)) result.moving.push_back({{i}, tie.name, velocity});
    divide_by_mass(model, state, tie, at.H);
    for (Index row = 0; row < at.H.rows(); ++row) {
      const double norm = at.H.row(row).norm();
      for (Index k = 0; k < at.H.cols(); ++k)
        if (at.H(row, k) != 0)
          entries.emplace_back(static_cast<int>(at.column(k)), static_cast<int>(owner.size()),
                               at.H(row, k) / norm);
      owner.push_back(i);
    }
  }
  result.rows = static_cast<Index>(owner.size());
  if (result.rows == 0) return result;
  Sparse G(model.dof(), result.rows);
  G.setFromTriplets(entries.begin(), entries.end());
  Eigen::SparseQR<Sparse, Eigen::NaturalOrdering<int>> qr;
  qr.setPivotThreshold(dependent);
  qr.compute(G);
  result.rank = qr.rank();
  std::vector<Index> left(model.interactions().size(), 0);
  for (Index k = result.rank; k < result.rows; ++k)
    ++left[owner[qr.colsPermutation().indices()[k]]];
  for (std::size_t i = 0; i < left.size(); ++i)
    if (left[i] > 0)
      result.redundant.push_back({{static_cast<Index>(i)}, model.interactions()[i].name, left[i]});
  return result;
}

}  // namespace saltus
