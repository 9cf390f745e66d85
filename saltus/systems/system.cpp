#include "saltus/systems/system.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

void fail_operator(bool coupled) {
  if (coupled) fail("System: a coupled system has no operators per body: use coupled_mass etc.");
  fail("System: the system is not coupled, its operators are those of its bodies: use mass etc.");
}

void difference_force(const System& system, const StateView& x, Index body, Variable variable,
                      MatrixRef J) {
  thread_local Vector perturbed, plus, minus;  // grow-only scratch
  const VectorView given = variable == Variable::q ? x.q : variable == Variable::v ? x.v : x.x;
  const Index n = system.body_size(), first = body * n;
  perturbed = given;
  plus.resize(system.size());
  minus.resize(system.size());
  StateView moved = x;
  const VectorView scratch = view_of(perturbed.data(), perturbed.size());
  if (variable == Variable::q)
    new (&moved.q) VectorView(scratch);
  else if (variable == Variable::v)
    new (&moved.v) VectorView(scratch);
  else
    new (&moved.x) VectorView(scratch);
  const double root = std::cbrt(std::numeric_limits<double>::epsilon());
  for (Index j = 0; j < n; ++j) {
    const double centre = given[first + j];
    const double step = root * std::max(1.0, std::abs(centre));
    perturbed[first + j] = centre + step;
    system.force(moved, plus);
    perturbed[first + j] = centre - step;
    system.force(moved, minus);
    perturbed[first + j] = centre;
    J.col(j) = (minus - plus).segment(first, n) / (2 * step);
  }
}

}  // namespace saltus
