#include "saltus/problems/lcp_variants.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/rows.hpp"

#include <cmath>

namespace saltus {

namespace {

/// Largest entry; 0 for an empty vector, infinite if one is NaN.
double largest(const Vector& v) {
  if (v.size() == 0) return 0;
  return v.allFinite() ? v.lpNorm<Eigen::Infinity>() : inf;
}

}  // namespace

double residual(const ExtendedLcp& problem, ConstVectorRef z, ConstVectorRef w) {
  require(z.size() == problem.M.cols() && w.size() == z.size(),
          "residual(ExtendedLcp): z has size {} and w {}, the problem {}", z.size(), w.size(),
          problem.M.cols());
  const Vector outside = (problem.g - problem.G * (problem.M * z + problem.N * w));
  if (!outside.allFinite()) return inf;
  return std::max(largest(outside.cwiseMax(0.0)), largest(z.cwiseMin(w)));
}

void validate(const ExtendedLcp& problem) {
  const Matrix &M = problem.M, &N = problem.N, &G = problem.G;
  require(N.rows() == M.rows() && N.cols() == M.cols(),
          "ExtendedLcp: M is {}x{} and N {}x{}, expected the same sizes", M.rows(), M.cols(),
          N.rows(), N.cols());
  require(G.cols() == M.rows() && problem.g.size() == G.rows(),
          "ExtendedLcp: G is {}x{} and g has size {}, expected {} columns and as many entries as "
          "rows",
          G.rows(), G.cols(), problem.g.size(), M.rows());
  require(M.allFinite() && N.allFinite() && G.allFinite() && problem.g.allFinite(),
          "ExtendedLcp: M, N, G or g has a NaN or infinite entry");
}

double residual(const GeneralisedLcp& problem, ConstVectorRef z, ConstVectorRef w,
                ConstVectorRef y) {
  require(z.size() == problem.M.cols() && w.size() == z.size() && y.size() == problem.Q.cols(),
          "residual(GeneralisedLcp): z, w, y have sizes {}, {}, {}, expected {}, {}, {}", z.size(),
          w.size(), y.size(), problem.M.cols(), problem.M.cols(), problem.Q.cols());
  Vector equation = problem.M * z + problem.N * w - problem.q;
  if (y.size() > 0) equation += problem.Q * y;
  return std::max({largest(equation), largest((-y).cwiseMax(0.0)), largest(z.cwiseMin(w))});
}

void validate(const GeneralisedLcp& problem) {
  const Matrix &M = problem.M, &N = problem.N, &Q = problem.Q;
  require(N.rows() == M.rows() && N.cols() == M.cols(),
          "GeneralisedLcp: M is {}x{} and N {}x{}, expected the same sizes", M.rows(), M.cols(),
          N.rows(), N.cols());
  require(Q.rows() == M.rows() && problem.q.size() == M.rows(),
          "GeneralisedLcp: Q has {} rows and q {} entries, expected {}", Q.rows(), problem.q.size(),
          M.rows());
  require(M.allFinite() && N.allFinite() && Q.allFinite() && problem.q.allFinite(),
          "GeneralisedLcp: M, N, Q or q has a NaN or infinite entry");
}

GeneralisedLcp to_generalised_lcp(const ExtendedLcp& problem) {
  validate(problem);
  const Index faces = problem.G.rows();
  return {problem.G * problem.M, problem.G * problem.N, -Matrix::Identity(faces, faces), problem.g};
}

GeneralisedLcp to_generalised_lcp(const HorizontalLcp& problem) {
  validate(problem);
  return {Matrix(problem.Q), Matrix(problem.R), Matrix(problem.q.size(), 0), problem.q};
}

void validate(const ParametricLcp& problem) {
  validate_affine("ParametricLcp", problem.M, problem.q);
  require(problem.d.size() == problem.q.size() && problem.d.allFinite(),
          "ParametricLcp: d has size {} or a NaN or infinite entry, expected {} finite entries",
          problem.d.size(), problem.q.size());
}

}  // namespace saltus
