#include "saltus/solvers/mode_hinges.hpp"

#include <vector>

namespace saltus {

BlockForm write_out_hinges(const BlockForm& problem, const HingeRows& hinges) {
  const BlockSparse& W = problem.W;
  const Index n = W.rows();
  Index size = n;
  std::vector<char> function(static_cast<std::size_t>(n), 0);
  for (const HingeRows::Row& hinge : hinges.rows) {
    function[hinge.row] = 1;
    size += static_cast<Index>(hinges.function(hinge).breaks.size());
  }
  BlockForm made;
  made.q.setZero(size);
  made.K = problem.K;
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i)
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1) && function[i] == 0; ++k)
      entries.emplace_back(i, W.column(k), *W.value(k));
  Index place = n;
  for (const HingeRows::Row& hinge : hinges.rows) {
    const HingeSum& f = hinges.function(hinge);
    const Index i = hinge.row;
    entries.emplace_back(i, i, 1.0);
    for (std::size_t j = 0; j < f.breaks.size(); ++j, ++place) {
      entries.emplace_back(i, place, -f.slopes[j]);
      entries.emplace_back(place, place, 1.0);
      for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k)
        if (W.column(k) != i) entries.emplace_back(place, W.column(k), *W.value(k));
      made.K.emplace_back(NonNegative{});
    }
  }
  Eigen::SparseMatrix<double> A(size, size);
  A.setFromTriplets(entries.begin(), entries.end());
  made.W = BlockSparse::sparse(A);
  take_constants(problem, hinges, made);
  return made;
}

void take_constants(const BlockForm& problem, const HingeRows& hinges, BlockForm& made) {
  Index place = problem.q.size();
  made.q.head(place) = problem.q;
  for (const HingeRows::Row& hinge : hinges.rows) {
    made.q[hinge.row] = 0;
    for (const double at : hinges.function(hinge).breaks)
      made.q[place++] = problem.q[hinge.row] + at;
  }
}

}  // namespace saltus
