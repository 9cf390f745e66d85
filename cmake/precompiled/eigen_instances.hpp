// Templates of Eigen for double that many sources need, compiled once, in
// saltus/algebra/eigen_instances.cpp, and only declared in all that is compiled with precompiled
// headers (docs/decisions/0018-precompiled-headers.md). The same lines are declarations here and
// definitions there:
//
//   SALTUS_CLASS, SALTUS_STRUCT, SALTUS_FUNCTION   explicit instantiation: `extern template`
//                                                  here, `template` there
//   SALTUS_MEMBER, SALTUS_TEMPLATE   members, and templates that are members, which Eigen defines
//                                    inside their class: these are inline, and GCC compiles an
//                                    inline function although it is declared `extern template`.
//                                    So it is told that a specialisation exists: the instantiation
//                                    of Eigen's own code, of the same name.
//
// Products of matrices and vectors are not among them: small ones should be inlined.
// A line more or less changes no result, only where the code is compiled.
#ifndef SALTUS_CLASS
#define SALTUS_CLASS extern template class
#define SALTUS_STRUCT extern template struct
#define SALTUS_FUNCTION extern template
#define SALTUS_MEMBER template <>
#define SALTUS_TEMPLATE \
  template <>           \
  template <>
#endif

namespace Eigen {

namespace internal {

using DoubleTraits = gebp_traits<double, double>;
template <int Order>
using ConstMapper = const_blas_data_mapper<double, Index, Order>;
using Mapper = blas_data_mapper<double, Index, ColMajor, 0, 1>;
using Blocking = level3_blocking<double, double>;

// Products: kernels.
SALTUS_FUNCTION void evaluateProductBlockingSizesHeuristic<double, double, 1, Index>(Index&, Index&,
                                                                                     Index&, Index);
SALTUS_FUNCTION void evaluateProductBlockingSizesHeuristic<double, double, 4, Index>(Index&, Index&,
                                                                                     Index&, Index);
SALTUS_STRUCT
gebp_kernel<double, double, Index, Mapper, DoubleTraits::mr, DoubleTraits::nr, false, false>;
SALTUS_STRUCT gemm_pack_lhs<double, Index, ConstMapper<ColMajor>, DoubleTraits::mr,
                            DoubleTraits::LhsProgress, DoubleTraits::LhsPacket4Packing, ColMajor>;
SALTUS_STRUCT gemm_pack_lhs<double, Index, ConstMapper<RowMajor>, DoubleTraits::mr,
                            DoubleTraits::LhsProgress, DoubleTraits::LhsPacket4Packing, RowMajor>;
SALTUS_STRUCT gemm_pack_rhs<double, Index, ConstMapper<ColMajor>, DoubleTraits::nr, ColMajor>;
SALTUS_MEMBER void gemm_pack_rhs<double, Index, ConstMapper<RowMajor>, DoubleTraits::nr, RowMajor,
                                 false, false>::operator()(double*, const ConstMapper<RowMajor>&,
                                                           Index, Index, Index, Index);
#define SALTUS_GEMM(left, right)                                                                  \
  SALTUS_MEMBER void                                                                              \
  general_matrix_matrix_product<Index, double, left, false, double, right, false, ColMajor,       \
                                1>::run(Index, Index, Index, const double*, Index, const double*, \
                                        Index, double*, Index, Index, double, Blocking&,          \
                                        GemmParallelInfo<Index>*)
SALTUS_GEMM(ColMajor, ColMajor);
SALTUS_GEMM(RowMajor, ColMajor);
SALTUS_GEMM(ColMajor, RowMajor);
SALTUS_GEMM(RowMajor, RowMajor);
#define SALTUS_GEMV(left, right, version)                                                    \
  SALTUS_STRUCT general_matrix_vector_product<Index, double, ConstMapper<left>, left, false, \
                                              double, ConstMapper<right>, false, version>
SALTUS_GEMV(ColMajor, RowMajor, 0);
SALTUS_GEMV(ColMajor, ColMajor, 0);
SALTUS_GEMV(RowMajor, ColMajor, 0);
SALTUS_GEMV(RowMajor, RowMajor, 0);
SALTUS_GEMV(RowMajor, RowMajor, 1);

// Triangular systems: kernels.
#define SALTUS_TRSV(mode, order)                                                            \
  SALTUS_MEMBER void triangular_solve_vector<double, double, Index, OnTheLeft, mode, false, \
                                             order>::run(Index, const double*, Index, double*)
#define SALTUS_TRSM(mode, order) \
  SALTUS_STRUCT triangular_solve_matrix<double, Index, OnTheLeft, mode, false, order, ColMajor, 1>
#define SALTUS_TRIANGULAR(order) \
  SALTUS_TRSV(Lower, order);     \
  SALTUS_TRSV(Upper, order);     \
  SALTUS_TRSV(UnitLower, order); \
  SALTUS_TRSV(UnitUpper, order); \
  SALTUS_TRSM(Lower, order);     \
  SALTUS_TRSM(Upper, order);     \
  SALTUS_TRSM(UnitLower, order); \
  SALTUS_TRSM(UnitUpper, order)
SALTUS_TRIANGULAR(ColMajor);
SALTUS_TRIANGULAR(RowMajor);

// Products with triangular and symmetric matrices: kernels of the Householder decompositions.
#define SALTUS_TRMM(mode, order)                                                          \
  SALTUS_STRUCT product_triangular_matrix_matrix<double, Index, mode, true, order, false, \
                                                 ColMajor, false, ColMajor, 1, 0>
SALTUS_TRMM(Lower, ColMajor);
SALTUS_TRMM(UnitLower, ColMajor);
SALTUS_TRMM(Upper, RowMajor);
SALTUS_TRMM(UnitUpper, RowMajor);
SALTUS_STRUCT
triangular_matrix_vector_product<Index, UnitUpper, double, false, double, false, RowMajor, 0>;
SALTUS_STRUCT selfadjoint_matrix_vector_product<double, Index, ColMajor, Lower, false, false, 0>;

using ConstTranspose = Transpose<const MatrixXd>;
using ConstMatrixRef = Ref<const MatrixXd>;

}  // namespace internal

// Decompositions.
SALTUS_CLASS PartialPivLU<MatrixXd>;
SALTUS_CLASS FullPivLU<MatrixXd>;
SALTUS_CLASS HouseholderQR<MatrixXd>;
SALTUS_CLASS ColPivHouseholderQR<MatrixXd>;
SALTUS_CLASS CompleteOrthogonalDecomposition<MatrixXd>;
SALTUS_CLASS LLT<MatrixXd>;
SALTUS_CLASS LDLT<MatrixXd>;
SALTUS_CLASS JacobiSVD<MatrixXd>;
SALTUS_CLASS BDCSVD<MatrixXd>;
SALTUS_CLASS SelfAdjointEigenSolver<MatrixXd>;
SALTUS_CLASS HessenbergDecomposition<MatrixXd>;
SALTUS_CLASS RealSchur<MatrixXd>;
SALTUS_CLASS EigenSolver<MatrixXd>;

SALTUS_CLASS SVDBase<JacobiSVD<MatrixXd>>;

// Their constructors from the usual arguments.
#define SALTUS_FACTORS(Input)                                                                    \
  SALTUS_FUNCTION PartialPivLU<MatrixXd>::PartialPivLU(const EigenBase<Input>&);                 \
  SALTUS_FUNCTION FullPivLU<MatrixXd>::FullPivLU(const EigenBase<Input>&);                       \
  SALTUS_TEMPLATE ColPivHouseholderQR<MatrixXd>::ColPivHouseholderQR(const EigenBase<Input>&);   \
  SALTUS_TEMPLATE CompleteOrthogonalDecomposition<MatrixXd>::CompleteOrthogonalDecomposition(    \
      const EigenBase<Input>&);                                                                  \
  SALTUS_FUNCTION ColPivHouseholderQR<MatrixXd>& ColPivHouseholderQR<MatrixXd>::compute(         \
      const EigenBase<Input>&);                                                                  \
  SALTUS_FUNCTION LLT<MatrixXd>& LLT<MatrixXd>::compute(const EigenBase<Input>&);                \
  SALTUS_FUNCTION LDLT<MatrixXd>& LDLT<MatrixXd>::compute(const EigenBase<Input>&);              \
  SALTUS_FUNCTION SelfAdjointEigenSolver<MatrixXd>& SelfAdjointEigenSolver<MatrixXd>::compute(   \
      const EigenBase<Input>&, int);                                                             \
  SALTUS_FUNCTION EigenSolver<MatrixXd>& EigenSolver<MatrixXd>::compute(const EigenBase<Input>&, \
                                                                        bool)
SALTUS_FACTORS(MatrixXd);
SALTUS_FACTORS(internal::ConstMatrixRef);
SALTUS_FACTORS(internal::ConstTranspose);
SALTUS_FACTORS(Transpose<MatrixXd>);
SALTUS_FUNCTION PartialPivLU<MatrixXd>::PartialPivLU(EigenBase<MatrixXd>&);
SALTUS_FUNCTION FullPivLU<MatrixXd>::FullPivLU(EigenBase<MatrixXd>&);

// Their solutions for the usual right-hand sides; the unit matrix is what inverse() asks for.
#define SALTUS_SOLVE(Right, Result)                                                             \
  SALTUS_TEMPLATE void PartialPivLU<MatrixXd>::_solve_impl(const Right&, Result&) const;        \
  SALTUS_FUNCTION void FullPivLU<MatrixXd>::_solve_impl(const Right&, Result&) const;           \
  SALTUS_FUNCTION void ColPivHouseholderQR<MatrixXd>::_solve_impl(const Right&, Result&) const; \
  SALTUS_FUNCTION void CompleteOrthogonalDecomposition<MatrixXd>::_solve_impl(const Right&,     \
                                                                              Result&) const;   \
  SALTUS_FUNCTION void LLT<MatrixXd>::_solve_impl(const Right&, Result&) const;                 \
  SALTUS_FUNCTION void LDLT<MatrixXd>::_solve_impl(const Right&, Result&) const;                \
  SALTUS_FUNCTION void SVDBase<JacobiSVD<MatrixXd>>::_solve_impl(const Right&, Result&) const
using UnitMatrix = CwiseNullaryOp<internal::scalar_identity_op<double>, MatrixXd>;
SALTUS_SOLVE(VectorXd, VectorXd);
SALTUS_SOLVE(Ref<const VectorXd>, VectorXd);
SALTUS_SOLVE(MatrixXd, MatrixXd);
SALTUS_SOLVE(internal::ConstTranspose, MatrixXd);
SALTUS_SOLVE(UnitMatrix, MatrixXd);
SALTUS_MEMBER void internal::compute_inverse<MatrixXd, MatrixXd, Dynamic>::run(const MatrixXd&,
                                                                               MatrixXd&);

SALTUS_FUNCTION double internal::rcond_invmatrix_L1_norm_estimate(const PartialPivLU<MatrixXd>&);
SALTUS_FUNCTION double internal::rcond_invmatrix_L1_norm_estimate(const FullPivLU<MatrixXd>&);
SALTUS_FUNCTION void CompleteOrthogonalDecomposition<MatrixXd>::applyZAdjointOnTheLeftInPlace(
    VectorXd&) const;
SALTUS_FUNCTION void internal::tridiagonalization_inplace(MatrixXd&, VectorXd&);
SALTUS_FUNCTION ComputationInfo internal::computeFromTridiagonal_impl(VectorXd&, VectorXd&, Index,
                                                                      bool, MatrixXd&);

// Householder reflections by blocks.
SALTUS_TEMPLATE void HouseholderSequence<MatrixXd, VectorXd, 1>::applyThisOnTheLeft(VectorXd&,
                                                                                    bool) const;
SALTUS_TEMPLATE void HouseholderSequence<MatrixXd, VectorXd, 1>::applyThisOnTheLeft(MatrixXd&,
                                                                                    bool) const;
SALTUS_TEMPLATE void HouseholderSequence<MatrixXd, VectorXd, 1>::evalTo(MatrixXd&, VectorXd&) const;
SALTUS_TEMPLATE void HouseholderSequence<MatrixXd, VectorXd, 1>::applyThisOnTheLeft(MatrixXd&,
                                                                                    RowVectorXd&,
                                                                                    bool) const;

// Sparse matrices.
using SparseXd = SparseMatrix<double>;
using Triplets = std::vector<Triplet<double>>;
SALTUS_CLASS SimplicialCholeskyBase<SimplicialLLT<SparseXd>>;
SALTUS_CLASS SimplicialCholeskyBase<SimplicialLDLT<SparseXd>>;
SALTUS_FUNCTION void SimplicialCholeskyBase<SimplicialLLT<SparseXd>>::factorize_preordered<false>(
    const SparseXd&);
SALTUS_FUNCTION void SimplicialCholeskyBase<SimplicialLDLT<SparseXd>>::factorize_preordered<true>(
    const SparseXd&);
SALTUS_TEMPLATE void SimplicialCholeskyBase<SimplicialLLT<SparseXd>>::_solve_impl(
    const MatrixBase<VectorXd>&, MatrixBase<VectorXd>&) const;
SALTUS_TEMPLATE void SimplicialCholeskyBase<SimplicialLDLT<SparseXd>>::_solve_impl(
    const MatrixBase<VectorXd>&, MatrixBase<VectorXd>&) const;
SALTUS_MEMBER SparseMatrix<double>::SparseMatrix(const SparseXd&);
SALTUS_MEMBER SparseXd& SparseMatrix<double>::operator=(const SparseXd&);

namespace internal {

using SparseSum = CwiseBinaryOp<scalar_sum_op<double>, const SparseXd, const SparseXd>;
using SparseDifference =
    CwiseBinaryOp<scalar_difference_op<double>, const SparseXd, const SparseXd>;
using SparseProduct = Product<SparseXd, SparseXd, AliasFreeProduct>;
SALTUS_FUNCTION void assign_sparse_to_sparse(SparseXd&, const SparseXd&);
SALTUS_FUNCTION void assign_sparse_to_sparse(SparseXd&, const SparseView<MatrixXd>&);
SALTUS_FUNCTION void assign_sparse_to_sparse(SparseXd&, const SparseSum&);
SALTUS_FUNCTION void assign_sparse_to_sparse(SparseXd&, const SparseDifference&);
SALTUS_FUNCTION void assign_sparse_to_sparse(SparseXd&, const SparseProduct&);
SALTUS_FUNCTION void minimum_degree_ordering(SparseMatrix<double>&,
                                             PermutationMatrix<Dynamic, Dynamic, int>&);
SALTUS_FUNCTION void set_from_triplets(const Triplets::iterator&, const Triplets::iterator&,
                                       SparseXd&, scalar_sum_op<double>);
SALTUS_FUNCTION void set_from_triplets(const Triplets::const_iterator&,
                                       const Triplets::const_iterator&, SparseXd&,
                                       scalar_sum_op<double>);

// Printing: what GoogleTest does with a matrix.
SALTUS_FUNCTION std::ostream& print_matrix(std::ostream&, const MatrixXd&, const IOFormat&);
SALTUS_FUNCTION std::ostream& print_matrix(std::ostream&, const VectorXd&, const IOFormat&);

}  // namespace internal

}  // namespace Eigen

#undef SALTUS_CLASS
#undef SALTUS_STRUCT
#undef SALTUS_FUNCTION
#undef SALTUS_MEMBER
#undef SALTUS_TEMPLATE
#undef SALTUS_GEMM
#undef SALTUS_GEMV
#undef SALTUS_TRSV
#undef SALTUS_TRSM
#undef SALTUS_TRIANGULAR
#undef SALTUS_TRMM
#undef SALTUS_FACTORS
#undef SALTUS_SOLVE
