#include "saltus/problems/rows.hpp"

#include <cmath>

namespace saltus {

void validate_affine(const char* what, const BlockSparse& A, ConstVectorRef q) {
  require(A.rows() == A.cols(), "{}: the matrix is {}x{}, expected a square one", what, A.rows(),
          A.cols());
  require(q.size() == A.rows(), "{}: q has size {}, the matrix has {} rows", what, q.size(),
          A.rows());
  require(A.all_finite(), "{}: the matrix has a NaN or infinite entry, expected finite ones", what);
  for (Index i = 0; i < q.size(); ++i)
    require(std::isfinite(q[i]), "{}: q[{}] is {}, expected a finite number", what, i, q[i]);
}

}  // namespace saltus
