#pragma once

#include "saltus/problems/global_block_form.hpp"

#include <vector>

namespace saltus {

/// Bounded forces written as contacts with friction, for solvers that know cones only. A row with
/// −u ∈ N_[c−R, c+R](r) is the tangent of a contact with μ = 1 whose normal has a dynamics of its
/// own and the constant load R,
///
///     m a = n − R,   u_N = a:    0 ≤ u_N ⟂ n ≥ 0 has the one solution u_N = 0, n = R,
///
/// so |r − c| ≤ n = R and the rule of sliding are those of the interval. In the same way the disk
/// of a FrictionCylinder gets two tangents, beside a NonNegative row for its own normal. Half lines
/// are NonNegative rows, R = 0 is a load. m makes R/m as large as the free velocity of the row.
/// Bounds that no reaction to be trusted can reach (FrictionErrors::self_stress, a tenth of it) are
/// lowered to that, so that they do not hide the rest.
class BoundedCells {
 public:
  /// There is such a block.
  [[nodiscard]] static bool present(const std::vector<BlockSet>& K);

  [[nodiscard]] GlobalBlockForm convert(const GlobalBlockForm& problem, const Vector& q);
  [[nodiscard]] BlockForm convert(const BlockForm& problem);

  /// r of the given problem in the rows of the converted one, and back.
  [[nodiscard]] Vector to_cells(ConstVectorRef r) const;
  void to_problem(ConstVectorRef cells, VectorRef r) const;

 private:
  struct Row {
    Index from;                   // row of the given problem; −1: the normal of a bounded row
    double sign = 1;              // r = c + sign · y
    double bound = 0, slope = 0;  // of a normal: R and 1/m
  };
  void cut(const std::vector<BlockSet>& K, const std::vector<Index>& sizes, const Vector& q,
           double impedance);
  void add_interval(Index row, const Interval& interval, double speed);
  void add_bounded(Index first, Index count, double bound, double speed);
  void add(BlockSet set, Index first, Index count, double sign = 1);
  [[nodiscard]] Index normals() const;

  std::vector<Row> rows_;
  std::vector<BlockSet> K_;
  std::vector<Index> sizes_;
  Vector constant_;       // c, per row of the given problem
  double highest_ = inf;  // bound
};

}  // namespace saltus
