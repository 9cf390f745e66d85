#include "saltus/integrators/emts.hpp"

#include "saltus/problems/matrix_classes.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

/// (I − hÃ)⁻¹ and the matrix of the LCP for a new step.
void factorise(const ZeroDynamicsForm& form, double h, EmtsWorkspace& work) {
  const Index n = form.size();
  work.solution = (Matrix::Identity(n, n) - h * form.A).partialPivLu().inverse();
  work.response = (work.solution * work.input).topRows(form.chains);
  work.step = h;
}

/// Which rows of (2) have the cone ℝ₊: up to the first positive entry of a chain.
Index mark_constrained(const ZeroDynamicsForm& form, ConstVectorRef z, double tolerance,
                       EmtsWorkspace& work) {
  Index count = 0;
  auto row = work.chain.begin();
  for (Index j = 0; j < form.outputs(); ++j) {
    bool cone = true;
    for (Index i = 0; i < form.degrees[j]; ++i, ++row) {
      work.constrained[*row] = cone;
      count += cone ? 1 : 0;
      cone = cone && z[*row] <= tolerance;
    }
  }
  return count;
}

/// Rows of the LCP: those of the response where `used` says so, μ_i + 1 ≥ 0 elsewhere, so that μ_i
/// = 0.
void fill_rows(ConstMatrixRef matrix, ConstVectorRef vector, auto&& used, Lcp& problem) {
  Eigen::Map<Matrix> M(problem.M.value(0), matrix.rows(), matrix.cols());
  for (Index i = 0; i < matrix.rows(); ++i) {
    if (used(i)) {
      M.row(i) = matrix.row(i);
      problem.q[i] = vector[i];
    } else {
      M.row(i).setZero();
      M(i, i) = 1;
      problem.q[i] = 1;
    }
  }
}

/// w_j and all its derivatives are zero.
bool on_boundary(const ZeroDynamicsForm& form, const EmtsWorkspace& work, Index output,
                 ConstVectorRef z, double tolerance) {
  auto row = work.chain.begin();
  for (Index j = 0; j < output; ++j) row += form.degrees[j];
  for (Index i = 0; i < form.degrees[output]; ++i, ++row)
    if (std::abs(z[*row]) > tolerance) return false;
  return true;
}

/// χ on arcs w = 0, from the state at the end of the step.
SolveReport solve_density(const ZeroDynamicsForm& form, double tolerance, const Emts& scheme,
                          EmtsWorkspace& work) {
  Vector& density = work.parts.density;
  density.setZero();
  bool any = false;
  work.rate.noalias() = form.A * work.next;
  work.rate += form.c;
  for (Index j = 0; j < form.outputs(); ++j) work.level[j] = work.rate[work.top[j]];
  fill_rows(
      form.decoupling, work.level,
      [&](Index j) {
        const bool here = on_boundary(form, work, j, work.next, tolerance);
        any = any || here;
        return here;
      },
      work.boundary);
  if (!any) return {.status = SolveStatus::converged};
  return solve(LcpView(work.boundary), density, scheme.solver, work.solver);
}

/// The coefficients of δ, δ', … from the measures: λ = Δ⁻¹ [Σ_{i<r} D^(r−i) ν_i] + ν_r.
void distribute(const ZeroDynamicsForm& form, double h, double tolerance, EmtsWorkspace& work) {
  MultiplierParts& parts = work.parts;
  for (Index k = 0; k < parts.impulses.cols(); ++k) {
    for (Index j = 0; j < form.outputs(); ++j) {
      const Index i = form.degrees[j] - 1 - k;
      work.level[j] = k > 0 && i >= 0 ? parts.measures[form.row(j, i)] : 0;
    }
    parts.impulses.col(k).noalias() = work.decoupling_inverse * work.level;
  }
  for (Index j = 0; j < form.outputs(); ++j) {
    const double atom = parts.measures[work.top[j]] - h * parts.density[j];
    parts.impulses(j, 0) = std::abs(atom) > tolerance ? atom : 0;
  }
}

/// z⁺ from μ; where a multiplier acts z_i⁺ is zero, and not some rounding error.
void advance(const ZeroDynamicsForm& form, ConstVectorRef z, double h, double tolerance,
             EmtsWorkspace& work) {
  const Vector& mu = work.parts.measures;
  work.source = z + h * form.c;
  work.source.noalias() += work.input * mu;
  work.next.noalias() = work.solution * work.source;
  for (Index i = 0; i < form.chains; ++i)
    if (work.constrained[i] && (mu[i] > work.next[i] || work.next[i] <= tolerance))
      work.next[i] = 0;
}

}  // namespace

void prepare(const ZeroDynamicsForm& form, const Emts& scheme, EmtsWorkspace& work) {
  validate(scheme);
  const Index n = form.size(), m = form.outputs(), rho = form.chains;
  require(m > 0 && n >= rho, "Emts: the canonical form has {} outputs, expected at least 1", m);
  if (m == 1)
    require(form.decoupling(0, 0) > 0, "Emts: CA^(r-1)B is {}, expected > 0",
            form.decoupling(0, 0));
  else
    require(!classify(BlockSparse::dense(form.decoupling)).p.no(),
            "Emts: CA^(r-1)B has a principal minor ≤ 0, expected a P-matrix");
  work.top.clear();
  work.chain.clear();
  for (Index j = 0; j < m; ++j) {
    for (Index i = 0; i < form.degrees[j]; ++i) work.chain.push_back(form.row(j, i));
    work.top.push_back(work.chain.back());
  }
  work.input = Matrix::Identity(n, rho);
  for (Index j = 0; j < m; ++j)
    for (Index k = 0; k < m; ++k) work.input(work.top[j], work.top[k]) = form.decoupling(j, k);
  work.decoupling_inverse = form.decoupling.partialPivLu().inverse();
  work.problem = {BlockSparse::dense(Matrix::Identity(rho, rho)), Vector::Ones(rho)};
  work.boundary = {BlockSparse::dense(Matrix::Identity(m, m)), Vector::Ones(m)};
  for (Vector* v : {&work.source, &work.next, &work.rate}) v->setZero(n);
  work.level.setZero(m);
  work.constrained.assign(static_cast<std::size_t>(rho), false);
  Index order = 0;
  for (Index r : form.degrees) order = std::max(order, r);
  work.parts = {Vector::Zero(rho), Matrix::Zero(m, order), Vector::Zero(m)};
  work.step = -1;
}

StepReport step(const ZeroDynamicsForm& form, VectorRef z, double h, const Emts& scheme,
                EmtsWorkspace& work) {
  StepReport report;
  if (h != work.step) factorise(form, h, work);
  const double size = std::max(1.0, z.lpNorm<Eigen::Infinity>());
  const double tolerance = scheme.zero_tolerance * size;
  report.active_rows = mark_constrained(form, z, tolerance, work);
  work.source = z + h * form.c;
  work.next.noalias() = work.solution * work.source;
  fill_rows(
      work.response, work.next.head(form.chains),
      [&](Index i) { return bool(work.constrained[i]); }, work.problem);
  work.parts.measures.setZero();
  report.solve = solve(LcpView(work.problem), work.parts.measures, scheme.solver, work.solver);
  report.solver_iterations = report.solve.iterations;
  if (!report.solve.converged()) {
    report.status = StepStatus::solver_failed;
    return report;
  }
  for (Index i = 0; i < form.chains; ++i)
    if (!work.constrained[i]) work.parts.measures[i] = 0;
  advance(form, z, h, tolerance, work);
  if (!work.next.allFinite()) {
    report.status = StepStatus::not_finite;
    return report;
  }
  const SolveReport density = solve_density(form, tolerance, scheme, work);
  report.solver_iterations += density.iterations;
  if (!density.converged()) {
    report.solve = density;
    report.status = StepStatus::solver_failed;
    return report;
  }
  distribute(form, h, tolerance, work);
  z = work.next;
  return report;
}

EmtsRun simulate(const Lcs& system, ConstVectorRef x0, double h, double end, const Emts& scheme) {
  require(x0.size() == system.states(), "simulate(Lcs): x0 has size {}, the system {} states",
          x0.size(), system.states());
  require(h > 0 && end >= h, "simulate(Lcs): step {} and end {}, expected 0 < step ≤ end", h, end);
  const ZeroDynamicsForm form = zero_dynamics_form(system);
  EmtsWorkspace work;
  prepare(form, scheme, work);
  const Index steps = std::llround(end / h), m = form.outputs();
  EmtsRun run{.t = Vector::LinSpaced(steps + 1, 0, h * double(steps)),
              .x = Matrix::Zero(form.size(), steps + 1),
              .z = Matrix::Zero(form.size(), steps + 1),
              .measures = Matrix::Zero(form.chains, steps + 1),
              .density = Matrix::Zero(m, steps + 1),
              .variation = Vector::Zero(form.size())};
  run.impulses.assign(static_cast<std::size_t>(work.parts.impulses.cols()),
                      Matrix::Zero(m, steps + 1));
  Vector z = form.to_canonical(x0);
  run.z.col(0) = z;
  run.x.col(0) = x0;
  Index k = 1;
  for (; k <= steps; ++k) {
    run.last = step(form, z, h, scheme, work);
    if (!run.last.done()) break;
    run.z.col(k) = z;
    run.x.col(k) = form.from_canonical(z);
    run.measures.col(k) = work.parts.measures;
    run.density.col(k) = work.parts.density;
    for (std::size_t i = 0; i < run.impulses.size(); ++i)
      run.impulses[i].col(k) = work.parts.impulses.col(static_cast<Index>(i));
    run.variation += (run.z.col(k) - run.z.col(k - 1)).cwiseAbs();
    run.dissipation_defect =
        std::max(run.dissipation_defect, dissipation_defect(form, run.z.col(k - 1), z, h));
  }
  if (k <= steps) {  // keep what was done
    run.t.conservativeResize(k);
    for (Matrix* table : {&run.x, &run.z, &run.measures, &run.density})
      table->conservativeResize(Eigen::NoChange, k);
    for (Matrix& table : run.impulses) table.conservativeResize(Eigen::NoChange, k);
  }
  return run;
}

double dissipation_defect(const ZeroDynamicsForm& form, ConstVectorRef z, ConstVectorRef next,
                          double h) {
  Matrix J = Matrix::Identity(form.size(), form.size());
  const Matrix inverse = form.decoupling.partialPivLu().inverse();
  for (Index j = 0; j < form.outputs(); ++j)
    for (Index k = 0; k < form.outputs(); ++k)
      J(form.row(j, form.degrees[j] - 1), form.row(k, form.degrees[k] - 1)) = inverse(j, k);
  const Vector change = next - z;
  return next.dot(J * change) - h * next.dot(J * (form.A * next + form.c));
}

}  // namespace saltus
