#pragma once

#include "saltus/solvers/sparse_lu.hpp"

#include <Eigen/SparseCore>

#include <vector>

namespace saltus {

/// M⁻¹ of the dynamics M v = b. The mass matrix of rigid bodies falls into one small block a body
/// (six rows in space, with or without gyroscopic terms): their inverses are kept, and nothing has
/// to be ordered or analysed. Others, of deformable bodies, have an LU factorisation.
class MassFactor {
 public:
  static constexpr Index largest_block = 24;  ///< rows

  /// False if M is singular.
  [[nodiscard]] bool factorise(const Eigen::SparseMatrix<double>& M, ThreadTeam& team);
  /// The same, and W = Hᵀ M⁻¹ H: of deformable bodies as what the elimination of the velocities
  /// from [M H; Hᵀ 0] leaves.
  [[nodiscard]] bool reduce(const Eigen::SparseMatrix<double>& M,
                            const Eigen::SparseMatrix<double>& H, Eigen::SparseMatrix<double>& W,
                            ThreadTeam& team);
  /// x = M⁻¹ b; b and x are different vectors.
  void solve(const Vector& b, Vector& x, ThreadTeam& team);

  /// M is made of small blocks, and what follows may be called.
  [[nodiscard]] bool small_blocks() const { return small_; }
  /// The block of a row, the rows of a block (increasing), and its inverse.
  [[nodiscard]] int block_of(Index row) const { return block_of_[row]; }
  [[nodiscard]] Index place_in_block(Index row) const { return place_[row]; }
  [[nodiscard]] Index block_size(int block) const { return begin_[block + 1] - begin_[block]; }
  [[nodiscard]] const int* block_rows(int block) const { return &rows_[begin_[block]]; }
  [[nodiscard]] Eigen::Map<const Matrix> inverse(int block) const {
    return {&inverse_[inverse_begin_[block]], block_size(block), block_size(block)};
  }

 private:
  [[nodiscard]] bool find_blocks(const Eigen::SparseMatrix<double>& M);
  [[nodiscard]] bool invert_blocks(const Eigen::SparseMatrix<double>& M, ThreadTeam& team);
  [[nodiscard]] bool invert_block(const Eigen::SparseMatrix<double>& M, int block);
  [[nodiscard]] Eigen::SparseMatrix<double> times_inverse(
      const Eigen::SparseMatrix<double>& H) const;

  bool small_ = false;
  std::vector<int> block_of_, rows_;
  std::vector<Index> place_, begin_, inverse_begin_;
  std::vector<double> inverse_;
  SparseLu lu_;
};

/// H with zeros stored so that the columns of a block have the same rows: its contacts, and the
/// nodes of a mesh that they touch, then share nodes of the graph that is eliminated.
[[nodiscard]] Eigen::SparseMatrix<double> padded(const Eigen::SparseMatrix<double>& H,
                                                 const std::vector<Index>& sizes);

}  // namespace saltus
