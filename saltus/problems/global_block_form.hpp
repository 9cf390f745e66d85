#pragma once

#include "saltus/problems/block_form.hpp"

#include <Eigen/SparseCore>

#include <functional>

namespace saltus {

/// The unreduced block form: find (v, r) with
///
///     M v = H r + f,    u = Hᵀ v + w,    −(u + g(u)) ∈ N_K(r),    K = K₀ × K₁ × …,         (1)
///
/// M the n×n dynamics matrix (nonsingular, symmetric or not), H n×m, one set for each block of rows
/// of u, `sizes[i]` rows each. Sets and shift g as in BlockForm, so contacts of every kind,
/// equality rows (a bilateral constraint Gᵀ v + b = 0 adds the columns of G to H and the set Reals)
/// and scalar laws mix. Covers FS:FS-01, S:FC-04.
struct GlobalBlockForm {
  Eigen::SparseMatrix<double> M = {}, H = {};
  Vector f = {}, w = {};
  std::vector<BlockSet> K = {};
  std::vector<Index> sizes = {};  ///< rows of each block
};

/// (‖M v − H r − f‖² + ‖r − P_K(r − (u + g(u)))‖²)^½, infinite if anything is NaN.
[[nodiscard]] double residual(const GlobalBlockForm& problem, ConstVectorRef v, ConstVectorRef r);
/// Throws Error on sizes that do not fit, NaN, infinity, and wrong sets as BlockForm does.
void validate(const GlobalBlockForm& problem);

/// W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w by a sparse factorisation of M (S:FC-02, FS:FS-02). Throws Error
/// if M is singular.
[[nodiscard]] BlockForm reduce(const GlobalBlockForm& problem);
/// v = M⁻¹ (H r + f)
[[nodiscard]] Vector velocity(const GlobalBlockForm& problem, ConstVectorRef r);

// The parts shared with the friction problems; `what` names the problem in messages.

struct Reduced {
  Eigen::SparseMatrix<double> W;
  Vector q;
};
[[nodiscard]] Reduced reduce(const char* what, const Eigen::SparseMatrix<double>& M,
                             const Eigen::SparseMatrix<double>& H, ConstVectorRef f,
                             ConstVectorRef w);
[[nodiscard]] Vector velocity(const char* what, const Eigen::SparseMatrix<double>& M,
                              const Eigen::SparseMatrix<double>& H, ConstVectorRef f,
                              ConstVectorRef r);
/// b ↦ M⁻¹ b
using LinearSolve = std::function<Vector(ConstVectorRef)>;
/// The same by a sparse factorisation of M, kept as long as the function is.
[[nodiscard]] LinearSolve factorise(const char* what, const Eigen::SparseMatrix<double>& M);
void validate_global(const char* what, const Eigen::SparseMatrix<double>& M,
                     const Eigen::SparseMatrix<double>& H, ConstVectorRef f, ConstVectorRef w);

}  // namespace saltus
