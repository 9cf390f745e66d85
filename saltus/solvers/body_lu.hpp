#pragma once

#include "saltus/algebra/types.hpp"

#include <span>
#include <vector>

namespace saltus {

/// LU factorisation of a matrix with a block of up to 6×6 for each pair of bodies that something
/// ties, K = M + H A Hᵀ of a global problem of rigid bodies. The order, least degree first, is
/// found on the graph of the bodies, in a tenth of the time that a graph of their velocities takes.
/// Rows are exchanged inside the diagonal blocks only: the callers refine (FS:FS-117).
class BodyLu {
 public:
  static constexpr Index width = 6;
  using Block = Eigen::Matrix<double, width, width>;

  /// `ties` hold numbers of bodies that are coupled with each other, all of one tie with all.
  void analyse(Index bodies, std::span<const std::vector<int>> ties);
  /// Operations of a factorisation.
  [[nodiscard]] double flops() const { return flops_; }

  /// All blocks zero, the diagonal ones too: bodies with less than 6 velocities need a unit there.
  void clear();
  /// K_ij; i = j or both in one tie.
  [[nodiscard]] Block& operator()(int i, int j);
  /// Overwrites the blocks. False if a diagonal block is singular.
  [[nodiscard]] bool factorise();
  /// x ← K⁻¹ x, 6 entries for each body.
  void solve(Vector& x);

 private:
  using Segment = Eigen::Matrix<double, width, 1>;

  void order(std::vector<std::vector<int>>& neighbours);
  [[nodiscard]] std::size_t find(int row, int column) const;

  double flops_ = 0;
  std::vector<int> body_, place_;     // at each place of the order, and the inverse
  std::vector<std::size_t> begin_;    // of the places after k that k is coupled with
  std::vector<int> later_;            // those, increasing
  std::vector<Block> upper_, lower_;  // K_kj and K_jk
  std::vector<Block> diagonal_;       // inverted by factorise()
};

}  // namespace saltus
