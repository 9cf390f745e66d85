#include "saltus/problems/lcp.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/rows.hpp"

#include <cmath>

namespace saltus {

double residual(LcpView problem, ConstVectorRef z) {
  require(z.size() == problem.q.size(), "residual(Lcp): z has size {}, the problem {}", z.size(),
          problem.q.size());
  double worst = 0;
  bool finite = true;
  visit_rows(problem.M, z, problem.q, [&](Index, Index first, Index size, const double* w) {
    for (Index r = 0; r < size; ++r) {
      const double zr = z[first + r];
      finite = finite && std::isfinite(zr) && std::isfinite(w[r]);
      worst = std::max(worst, std::abs(std::min(zr, w[r])));
    }
  });
  return finite ? worst : inf;
}

void validate(LcpView problem) { validate_affine("Lcp", problem.M, problem.q); }

}  // namespace saltus
