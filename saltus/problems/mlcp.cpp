#include "saltus/problems/mlcp.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/rows.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

double residual(const Mlcp& problem, ConstVectorRef z) {
  require(z.size() == problem.q.size(), "residual(Mlcp): z has size {}, the problem {}", z.size(),
          problem.q.size());
  double worst = 0;
  bool finite = true;
  auto next = problem.equalities.begin();
  visit_rows(problem.M, z, problem.q, [&](Index, Index first, Index size, const double* w) {
    for (Index r = 0; r < size; ++r) {
      const double zr = z[first + r];
      finite = finite && std::isfinite(zr) && std::isfinite(w[r]);
      const bool equality = next != problem.equalities.end() && *next == first + r;
      if (equality) ++next;
      worst = std::max(worst, std::abs(equality ? w[r] : std::min(zr, w[r])));
    }
  });
  return finite ? worst : inf;
}

void validate(const Mlcp& problem) {
  validate_affine("Mlcp", problem.M, problem.q);
  Index last = -1;
  for (Index i : problem.equalities) {
    require(i >= 0 && i < problem.M.rows(),
            "Mlcp: equality {} is out of range, the problem has {} rows", i, problem.M.rows());
    require(i > last, "Mlcp: equality {} comes after {}, expected increasing indices", i, last);
    last = i;
  }
}

Mlcp make_mlcp(ConstMatrixRef A, ConstMatrixRef B, ConstMatrixRef C, ConstMatrixRef D,
               ConstVectorRef a, ConstVectorRef b) {
  const Index n = a.size(), m = b.size();
  const auto check = [](const char* letter, ConstMatrixRef X, Index rows, Index cols) {
    require(X.rows() == rows && X.cols() == cols, "make_mlcp: {} is {}x{}, expected {}x{}", letter,
            X.rows(), X.cols(), rows, cols);
  };
  check("A", A, n, n);
  check("B", B, m, m);
  check("C", C, n, m);
  check("D", D, m, n);
  Matrix M(n + m, n + m);
  M << A, C, D, B;
  Mlcp problem{BlockSparse::dense(M), Vector(n + m), {}};
  problem.q << a, b;
  for (Index i = 0; i < n; ++i) problem.equalities.push_back(i);
  return problem;
}

BlockForm to_block_form(const Mlcp& problem) {
  validate(problem);
  BlockForm form{BlockSparse::sparse(problem.M.to_sparse()), problem.q, {}};
  form.K.assign(static_cast<std::size_t>(problem.q.size()), NonNegative{});
  for (Index i : problem.equalities) form.K[i] = Reals{};
  return form;
}

BlockForm to_block_form(LcpView problem) {
  validate(problem);
  return {problem.M, problem.q,
          std::vector<BlockSet>(static_cast<std::size_t>(problem.M.block_rows()), NonNegative{})};
}

Vector ReducedMlcp::expand(ConstVectorRef v) const {
  Vector z(static_cast<Index>(equalities.size() + rows.size()));
  z(equalities) = offset + slope * v;
  z(rows) = v;
  return z;
}

ReducedMlcp to_lcp(const Mlcp& problem) {
  validate(problem);
  ReducedMlcp out;
  out.equalities = problem.equalities;
  for (Index i = 0, e = 0; i < problem.q.size(); ++i) {
    if (e < static_cast<Index>(out.equalities.size()) && out.equalities[e] == i)
      ++e;
    else
      out.rows.push_back(i);
  }
  const Matrix M = problem.M.to_dense();
  const Matrix D = M(out.rows, out.equalities);
  const Eigen::FullPivLU<Matrix> lu(M(out.equalities, out.equalities));
  require(lu.isInvertible(), "to_lcp: the equality block ({} rows) is singular, rank {}", lu.rows(),
          lu.rank());
  out.slope = -lu.solve(M(out.equalities, out.rows).eval());
  out.offset = -lu.solve(problem.q(out.equalities).eval());
  out.lcp.M = BlockSparse::dense(M(out.rows, out.rows) + D * out.slope);
  out.lcp.q = problem.q(out.rows) + D * out.offset;
  return out;
}

}  // namespace saltus
