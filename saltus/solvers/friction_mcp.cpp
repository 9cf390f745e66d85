#include "saltus/solvers/friction_mcp.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/solvers/block_iteration.hpp"
#include "saltus/solvers/faceted_friction.hpp"
#include "saltus/solvers/ncp_newton.hpp"

#include <Eigen/LU>

#include <cmath>
#include <memory>
#include <numbers>

namespace saltus {

namespace {

void set_bounds(const BlockSet& K, Index first, Index n, Mcp& mcp) {
  double lower = -inf, upper = inf;
  if (std::holds_alternative<NonNegative>(K)) lower = 0;
  if (const auto* interval = std::get_if<Interval>(&K)) {
    lower = interval->lower;
    upper = interval->upper;
  }
  mcp.lower.segment(first, n).setConstant(lower);
  mcp.upper.segment(first, n).setConstant(upper);
}

/// A contact in space: the rows of r, those of z, and μ.
struct SpaceContact {
  Index r, z;
  double mu;
};

/// Number of unknowns that a block has in the outer facets: 3 directions in space, 2 in the plane.
Index facet_rows(const BlockSet& K, Index n) {
  if (!std::holds_alternative<FrictionCone>(K)) return n;
  return n == 3 ? 4 : 3;
}

/// Data of Glocker's problem: M z + q of the outer facets, and the disks.
struct Glocker {
  Matrix M, expand, inverse;  // inverse of the first two directions
  Vector q;
  std::vector<SpaceContact> contacts;

  void F(ConstVectorRef z, VectorRef value) const {
    const Index m = q.size();
    value.head(m) = M * z.head(m) + q;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto [row, at, mu] = contacts[c];
      const Eigen::Vector3d r = expand.middleRows(row, 3) * z.head(m);
      const double kappa = z[m + static_cast<Index>(c)];
      value.segment(at + 1, 2) -= 2 * kappa * inverse * r.tail<2>();
      value[m + static_cast<Index>(c)] = mu * mu * r[0] * r[0] - r.tail<2>().squaredNorm();
    }
  }
  void jacobian(ConstVectorRef z, MatrixRef J) const {
    const Index m = q.size();
    J.setZero();
    J.topLeftCorner(m, m) = M;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto [row, at, mu] = contacts[c];
      const Index disk = m + static_cast<Index>(c);
      const Eigen::Vector3d r = expand.middleRows(row, 3) * z.head(m);
      const Matrix tangent = expand.middleRows(row + 1, 2);
      J.block(at + 1, 0, 2, m) -= 2 * z[disk] * inverse * tangent;
      J.block(at + 1, disk, 2, 1) = -2 * inverse * r.tail<2>();
      J.block(disk, 0, 1, m) =
          2 * mu * mu * r[0] * expand.row(row) - 2 * r.tail<2>().transpose() * tangent;
    }
  }
};

/// Data of the direct problem: z = (r, κ).
struct Direct {
  Matrix W;
  Vector q;
  std::vector<SpaceContact> contacts;  // z: the row of κ
  std::vector<Index> sizes;

  void F(ConstVectorRef z, VectorRef value) const {
    const Index n = q.size();
    value.head(n) = W * z.head(n) + q;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto [row, at, mu] = contacts[c];
      const auto rt = z.segment(row + 1, sizes[c] - 1);
      auto ut = value.segment(row + 1, sizes[c] - 1);
      const double length = rt.norm();
      ut = (z[at] * rt + length * ut).eval();
      value[at] = mu * z[row] - length;
    }
  }
  void jacobian(ConstVectorRef z, MatrixRef J) const {
    const Index n = q.size();
    J.setZero();
    J.topLeftCorner(n, n) = W;
    for (std::size_t c = 0; c < contacts.size(); ++c) {
      const auto [row, at, mu] = contacts[c];
      const Index t = sizes[c] - 1;
      const Vector rt = z.segment(row + 1, t);
      const Vector ut = W.middleRows(row + 1, t) * z.head(n) + q.segment(row + 1, t);
      const double length = rt.norm();
      const Vector d = length > 0 ? Vector(rt / length) : Vector(Vector::Zero(t));
      J.block(row + 1, 0, t, n) = length * W.middleRows(row + 1, t);
      J.block(row + 1, row + 1, t, t) += ut * d.transpose() + z[at] * Matrix::Identity(t, t);
      J.block(row + 1, at, t, 1) = rt;
      J(at, row) = mu;
      J.block(at, row + 1, 1, t) = -d.transpose();
    }
  }
};

template <class Data>
void set_functions(const std::shared_ptr<const Data>& data, Mcp& mcp) {
  mcp.F = [data](ConstVectorRef z, VectorRef value) { data->F(z, value); };
  mcp.jacobian = [data](ConstVectorRef z, MatrixRef J) { data->jacobian(z, J); };
}

template <class Options>
SolveReport solve_mcp(const BlockForm& problem, VectorRef r, const Options& options,
                      Workspace& work, FrictionMcp (*formulate)(const BlockForm&), double push) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, Options::name);
  require_coulomb(problem, Options::name);
  const double limit = threshold(options.tolerance, problem.q);
  const double error = residual(problem, r);
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge({SolveStatus::max_iterations, 0}, error, limit, clock);
  const FrictionMcp formulation = formulate(problem);
  Vector z = Vector::Constant(formulation.mcp.n, push);
  const NcpNewton newton{.tolerance = std::max(1e-15, options.tolerance / 100),
                         .max_iterations = options.max_iterations};
  const SolveReport inner = solve(formulation.mcp, z, newton, work);
  if (z.allFinite()) r = formulation.expand * z;
  return judge({inner.status, inner.iterations}, residual(problem, r), limit, clock);
}

}  // namespace

FrictionMcp glocker_ncp(const BlockForm& problem) {
  const FacetedProblem facets = outer_facets(problem, 3, std::numbers::pi / 6);
  auto data = std::make_shared<Glocker>();
  data->M = facets.form.W.to_dense();
  data->q = facets.form.q;
  data->expand = Matrix(facets.expand);
  const double c = std::cos(std::numbers::pi / 6), s = std::sin(std::numbers::pi / 6);
  data->inverse = Matrix(Rows{{c, -c}, {s, s}}).inverse();
  Index at = 0;
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const Index n = problem.W.row_size(b);
    if (const auto* cone = std::get_if<FrictionCone>(&problem.K[b]); cone != nullptr && n == 3)
      data->contacts.push_back({problem.W.row_offset(b), at, cone->mu});
    at += facet_rows(problem.K[b], n);
  }
  const Index m = data->q.size(), disks = static_cast<Index>(data->contacts.size());
  FrictionMcp result;
  result.mcp.n = m + disks;
  result.mcp.lower.setZero(m + disks);
  result.mcp.upper.setConstant(m + disks, inf);
  for (Index i = 0; i < m; ++i) set_bounds(facets.form.K[i], i, 1, result.mcp);
  result.expand = Matrix::Zero(problem.q.size(), m + disks);
  result.expand.leftCols(m) = data->expand;
  set_functions<Glocker>(data, result.mcp);
  return result;
}

FrictionMcp direct_mcp(const BlockForm& problem) {
  auto data = std::make_shared<Direct>();
  data->W = problem.W.to_dense();
  data->q = problem.q;
  const Index n = problem.q.size();
  Index at = n;
  for (Index b = 0; b < problem.W.block_rows(); ++b)
    if (const auto* cone = std::get_if<FrictionCone>(&problem.K[b])) {
      data->contacts.push_back({problem.W.row_offset(b), at++, cone->mu});
      data->sizes.push_back(problem.W.row_size(b));
    }
  FrictionMcp result;
  result.mcp.n = at;
  result.mcp.lower.setZero(at);
  result.mcp.upper.setConstant(at, inf);
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const Index first = problem.W.row_offset(b), rows = problem.W.row_size(b);
    if (row_by_row(problem.K[b]))
      set_bounds(problem.K[b], first, rows, result.mcp);
    else
      result.mcp.lower.segment(first + 1, rows - 1).setConstant(-inf);
  }
  result.expand = Matrix::Identity(n, at);
  set_functions<Direct>(data, result.mcp);
  return result;
}

SolveReport solve(const BlockForm& problem, VectorRef r, const GlockerNcp& options,
                  Workspace& work) {
  return solve_mcp(problem, r, options, work, &glocker_ncp, 0.1);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const DirectMcp& options,
                  Workspace& work) {
  return solve_mcp(problem, r, options, work, &direct_mcp, 0.1);
}
SolveReport solve(const FrictionContact& problem, VectorRef r, const GlockerNcp& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}
SolveReport solve(const FrictionContact& problem, VectorRef r, const DirectMcp& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
