#pragma once

#include "saltus/algebra/block_sparse.hpp"
#include "saltus/base/report.hpp"

#include <string>
#include <string_view>

namespace saltus {

enum class Answer { unknown, no, yes };
[[nodiscard]] std::string_view name(Answer answer);

/// Membership in one class; where `answer` is no and the disproof is cheap, `witness` holds it: a
/// vector x that violates the definition, or the indicator (0 or 1) of a principal submatrix.
struct Membership {
  Answer answer = Answer::unknown;
  Vector witness = {};
  [[nodiscard]] bool yes() const { return answer == Answer::yes; }
  [[nodiscard]] bool no() const { return answer == Answer::no; }
};

/// The classes that decide whether LCP(M, q) is solvable and by what (S:LCP-02, S:LCP-03a,
/// S:LCP-03b, S:LCP-03c, S:LCP-03d, S:LCP-03e), with S = M + Mᵀ:
///
///     positive definite        xᵀMx > 0, x ≠ 0                        witness x
///     positive semi-definite   xᵀMx ≥ 0                               witness x
///     P, P₀                    principal minors > 0, ≥ 0              witness: the submatrix
///     copositive               xᵀMx ≥ 0 for x ≥ 0                     witness x
///     copositive-plus          and xᵀMx = 0, x ≥ 0 ⇒ S x = 0          witness x
///     column sufficient        x∘Mx ≤ 0 ⇒ x∘Mx = 0                    witness x
///     row sufficient           Mᵀ column sufficient                   witness x
///     column adequate          P₀ and det M_αα = 0 ⇒ M_·α dependent   witness: the submatrix
///     Z                        m_ij ≤ 0 for i ≠ j
///     M                        Z and P
///     Q                        solvable for every q                   witness q that is not
///     Q₀                       solvable for every feasible q
///
/// Q and Q₀ only by implication: P or strictly copositive ⇒ Q; positive semi-definite,
/// copositive-plus or row sufficient ⇒ Q₀; a row ≤ 0 ⇒ not Q.
struct MatrixClass {
  Index size = 0;
  Membership symmetric, positive_definite, positive_semidefinite, p, p0, copositive,
      copositive_plus, column_sufficient, row_sufficient, column_adequate, z, m, q, q0;
};

/// Classifies M. Definiteness at any size (eigenvalues up to 300 rows, sparse Cholesky above, where
/// a witness is not given); the others follow by implication (positive definite ⇒ P; symmetric: P ⇔
/// positive definite, P₀ ⇔ positive semi-definite; Z: P ⇔ inverse ≥ 0) or, for n ≤
/// exhaustive_limit, by going through all 2ⁿ principal submatrices (nominal 12; sufficiency, 3ⁿ
/// sign patterns, only for n ≤ 6). Otherwise `unknown`. Quantities below 1e-12 of their terms count
/// as zero. [Cottle, Pang & Stone 1992] [Hadeler 1983]
[[nodiscard]] MatrixClass classify(const BlockSparse& M, Index exhaustive_limit = 12);

/// Two sentences that say what the status means for a matrix of these classes and what to try: "No
/// more progress was possible; M is copositive but not copositive-plus. For such M no algorithm is
/// sure to succeed: try Keller, and Enumeration for at most 20 rows."
[[nodiscard]] std::string explain(const SolveReport& report, const MatrixClass& classes);

}  // namespace saltus
