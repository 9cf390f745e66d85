#pragma once

#include "saltus/base/report.hpp"
#include "saltus/problems/block_form.hpp"

namespace saltus {

// Small operations on block forms u = W r + q, −(u + g(u)) ∈ N_K(r), block by block.

/// Throws Error, naming the algorithm, unless W, q, K and r fit together.
void require_fitting(const BlockForm& problem, ConstVectorRef r, std::string_view algorithm);

/// A point with its velocity and the value of F(z) = u + g(u), the map of the variational
/// inequality −F(z) ∈ N_K(z) (FS:FS-13).
struct BlockPoint {
  Vector z, u, F;
  void resize(Index n) {
    z.resize(n);
    u.resize(n);
    F.resize(n);
  }
};

/// u = W z + q and F = u + g(u) at the z of the point.
void evaluate(const BlockForm& problem, BlockPoint& point);
/// F = u + g(u)
void add_shift(const BlockForm& problem, ConstVectorRef u, VectorRef F);
/// x ← P_K(x)
void project_blocks(const BlockForm& problem, VectorRef x);
/// r ← P_K(r) after NaN and infinity became 0: a point that every iteration may start from.
void project_guess(const BlockForm& problem, VectorRef r);
/// ‖z − P_K(z − F)‖₂, from the velocity that is already known.
[[nodiscard]] double natural_residual(const BlockForm& problem, const BlockPoint& point);

/// r is so large that the rounding of r − P_K(r − F), about 1e-16 ‖r‖∞, is ten times `limit`: no
/// residual can be told from 0 beyond. Iterations without a solution run away to there; they stop
/// while the residual is still that of a failure (FS:V11).
[[nodiscard]] inline bool runaway(ConstVectorRef r, double limit) {
  return r.size() > 0 && 1e-16 * r.lpNorm<Eigen::Infinity>() > 10 * limit;
}

/// Watches the residuals of an outer loop: its iterations are costly, and one that no longer lowers
/// the best residual by a percent in `patience` of them has stalled.
class OuterProgress {
 public:
  explicit OuterProgress(int patience) : patience_(patience) {}
  /// False if the loop has stalled.
  [[nodiscard]] bool goes_on(double error) {
    if (error < 0.99 * best_) {
      best_ = error;
      idle_ = 0;
    } else {
      ++idle_;
    }
    return idle_ < patience_;
  }

 private:
  int patience_;
  int idle_ = 0;
  double best_ = inf;
};

/// λ_max(W) from below, by 30 power iterations from a fixed start, x and y being overwritten: 10 %
/// are enough for a scaling.
[[nodiscard]] double spectral_radius(const BlockSparse& W, Vector& x, Vector& y);

/// A = W with every diagonal block stored; diagonal blocks that W lacks are zero.
void copy_with_diagonal(const BlockSparse& W, BlockSparse& A);

}  // namespace saltus
