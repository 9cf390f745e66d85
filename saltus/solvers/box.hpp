#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/problems/lcp.hpp"
#include "saltus/problems/mlcp.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// What LCP, MLCP and block forms without friction have in common: find z with
///
///     u = W z + q,    −u_i ∈ N_[lower_i, upper_i](z_i),                                    (1)
///
/// bounds possibly infinite: NonNegative = [0, ∞), Reals = (−∞, ∞).
struct BoxView {
  const BlockSparse& W;
  ConstVectorRef q;
  const double* lower;
  const double* upper;
  [[nodiscard]] Index size() const { return q.size(); }
  /// Every row is 0 ≤ z ⟂ u ≥ 0: (1) is an LCP as it stands.
  [[nodiscard]] bool complementarity() const {
    for (Index i = 0; i < size(); ++i)
      if (lower[i] != 0 || upper[i] != inf) return false;
    return true;
  }
};

/// The problem as (1); the bounds live in the workspace, whose certificate is emptied. Throws
/// Error, naming `algorithm`, if z does not fit or a block is a friction cone.
[[nodiscard]] BoxView as_box(LcpView, ConstVectorRef z, std::string_view algorithm, Workspace&);
[[nodiscard]] BoxView as_box(const Mlcp&, ConstVectorRef z, std::string_view algorithm, Workspace&);
[[nodiscard]] BoxView as_box(const BlockForm&, ConstVectorRef z, std::string_view algorithm,
                             Workspace&);

/// Throws Error on the first friction cone: "Lemke solves complementarity problems; block 3 is a
/// friction cone: use Nsgs or Automatic".
void refuse_friction(std::string_view algorithm, std::span<const BlockSet> K);

/// Some row proves that (1) has no solution: sup {u_i : lower ≤ z ≤ upper} < 0 although upper_i =
/// ∞, or the mirrored statement (S:LCP-26).
[[nodiscard]] bool infeasible_row(const BoxView& box);
/// The same, and leaves the proof, plus or minus a unit vector, in work.certificate.
[[nodiscard]] bool infeasible_row(const BoxView& box, Workspace& work);

/// work.certificate, a direction of z found on a ray, proves that (1) has no solution
/// (proves_infeasible of problems/certificates.hpp), or else a row does; empties it otherwise.
[[nodiscard]] bool certified_infeasible(const BoxView& box, Workspace& work);

/// Dense LCP equivalent to (1), M by rows.
struct DenseLcp {
  Index n = 0;
  const double* M = nullptr;
  const double* q = nullptr;
};

/// (1) as an LCP in the workspace. Free rows are eliminated by the Schur complement (S:LCP-11), a
/// single bound is shifted to 0, two bounds give z = lower + z₁ and a second complementarity for
/// the upper one, 0 ≤ z₂ ⟂ upper − lower − z₁ ≥ 0 with u = w₁ − z₂ (TI:TI-079, with the correction
/// TI:E12: the matrix [[W, I], [−I, 0]] is never a P-matrix, so Murty may meet a zero pivot there).
/// False if the block of the free rows is singular.
[[nodiscard]] bool to_dense_lcp(const BoxView& box, Workspace& work, DenseLcp& lcp);
/// z of (1) from the solution of the dense LCP.
void from_dense_lcp(const BoxView& box, const double* solution, VectorRef z, Workspace& work);
/// work.certificate, a direction in the dense LCP, becomes the direction of z in (1).
void direction_from_dense_lcp(const BoxView& box, Workspace& work);

}  // namespace saltus
