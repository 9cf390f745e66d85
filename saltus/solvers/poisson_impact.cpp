#include "saltus/solvers/poisson_impact.hpp"

#include "saltus/solvers/faceted_friction.hpp"

namespace saltus {

namespace {

void check(const BlockForm& problem, ConstVectorRef restitution, ConstVectorRef r) {
  require_coulomb(problem, PoissonImpact::name);
  const Index blocks = problem.W.block_rows();
  require(restitution.size() == blocks && r.size() == problem.q.size(),
          "PoissonImpact: restitution has size {} and r {}, expected {} and {}", restitution.size(),
          r.size(), blocks, problem.q.size());
  for (Index b = 0; b < blocks; ++b) {
    require(restitution[b] >= 0 && restitution[b] <= 1,
            "PoissonImpact: restitution[{}] is {}, expected 0 to 1", b, restitution[b]);
    require(!std::holds_alternative<Interval>(problem.K[b]),
            "PoissonImpact: block {} is an interval, expected contacts, NonNegative and Reals", b);
  }
}

/// e r_cN in the normal rows.
Vector given_back(const BlockForm& problem, ConstVectorRef restitution, const Vector& compression) {
  Vector back = Vector::Zero(compression.size());
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const Index first = problem.W.row_offset(b), n = problem.W.row_size(b);
    if (std::holds_alternative<Reals>(problem.K[b])) continue;
    const Index normals = std::holds_alternative<NonNegative>(problem.K[b]) ? n : 1;
    back.segment(first, normals) = restitution[b] * compression.segment(first, normals);
  }
  return back;
}

/// Adds μ e r_cN to the rows 0 ≤ λ ⟂ μ r_N − Σβ ≥ 0 of the faceted problem, unknowns (r_N, β, λ).
void widen_friction(const BlockForm& problem, const Vector& back, int facets, Vector& q) {
  Index row = 0;
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const Index first = problem.W.row_offset(b), n = problem.W.row_size(b);
    if (const auto* cone = std::get_if<FrictionCone>(&problem.K[b])) {
      const Index directions = n == 2 ? 2 : facets;
      q[row + 1 + directions] += cone->mu * back[first];
      row += directions + 2;
    } else {
      row += n;
    }
  }
}

}  // namespace

PoissonReport solve(const BlockForm& problem, ConstVectorRef restitution, VectorRef r,
                    const PoissonImpact& options, Workspace& work) {
  require(options.facets >= 3, "PoissonImpact: facets is {}, expected at least 3", options.facets);
  check(problem, restitution, r);
  const FacetedProblem compression = inner_facets(problem, options.facets);
  Vector z = Vector::Zero(compression.form.q.size());
  SolveReport phase = solve(compression.form, z, options.inner, work);
  PoissonReport report{phase.status, phase.iterations, compression.expand * z, problem.q};
  r = report.compression;
  if (phase.converged()) {
    const Vector back = given_back(problem, restitution, report.compression);
    BlockForm second = problem;
    problem.W.multiply(report.compression + back, second.q);
    second.q += problem.q;
    FacetedProblem expansion = inner_facets(second, options.facets);
    widen_friction(problem, back, options.facets, expansion.form.q);
    z.setZero();
    phase = solve(expansion.form, z, options.inner, work);
    report.status = phase.status;
    report.iterations += phase.iterations;
    r = report.compression + back + expansion.expand * z;
  }
  problem.W.multiply(r, report.velocity);
  report.velocity += problem.q;
  return report;
}

}  // namespace saltus
