#include "saltus/solvers/automatic.hpp"

#include "saltus/solvers/block_pivoting.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/psor.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr Index tableau_limit = 1000;

/// 0 if no diagonal entry is zero, otherwise the mean |W_ii| or 1.
double proximal_shift(const BlockSparse& W) {
  double sum = 0;
  bool zero = false;
  for (Index b = 0; b < W.block_rows(); ++b)
    for (Index c = 0, n = W.row_size(b); c < n; ++c) {
      const double d = W.diagonal(b) < 0 ? 0.0 : W.value(W.diagonal(b))[c * n + c];
      zero = zero || !(d > 0);
      sum += std::abs(d);
    }
  if (!zero) return 0;
  return sum > 0 ? sum / static_cast<double>(W.rows()) : 1;
}

/// Keeps the better of the point in z and the one in work.best; true if the cascade may stop.
bool finished(const SolveReport& attempt, SolveReport& total, VectorRef z, Workspace& work) {
  total.status = attempt.status;
  total.iterations += attempt.iterations;
  total.seconds += attempt.seconds;
  if (attempt.residual <= total.residual) {
    total.residual = attempt.residual;
    work.best = z;
  } else {
    z = work.best;
  }
  return attempt.converged() || attempt.status == SolveStatus::infeasible;
}

template <class Problem>
SolveReport cascade(const Problem& problem, const BlockSparse& W, VectorRef z,
                    const Automatic& options, Workspace& work) {
  require_valid(options);
  const BlockPivoting pivoting{.tolerance = options.tolerance,
                               .max_iterations = static_cast<int>(z.size()) + 50};
  const SolveReport first = solve(problem, z, pivoting, work);
  if (first.converged()) return first;
  SolveReport total;
  if (finished(first, total, z, work)) return total;
  if (z.size() <= tableau_limit &&
      finished(solve(problem, z, Lemke{.tolerance = options.tolerance}, work), total, z, work))
    return total;
  const Psor psor{.tolerance = options.tolerance, .rho = proximal_shift(W)};
  static_cast<void>(finished(solve(problem, z, psor, work), total, z, work));
  return total;
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Automatic& options, Workspace& work) {
  return cascade(problem, problem.M, z, options, work);
}

SolveReport solve(const Mlcp& problem, VectorRef z, const Automatic& options, Workspace& work) {
  return cascade(problem, problem.M, z, options, work);
}

SolveReport solve(const BlockForm& problem, VectorRef r, const Automatic& options,
                  Workspace& work) {
  if (!has_friction(problem)) return cascade(problem, problem.W, r, options, work);
  return solve(problem, r, Nsgs{.tolerance = options.tolerance, .max_iterations = 10000}, work);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const Automatic& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
