#include "saltus/integrators/segment_rows.hpp"

#include <algorithm>

namespace saltus {

void SegmentRows::clear() {
  needed = general = false;
  segments.clear();
  first.assign(1, 0);
  cut.clear();
  place.assign(1, 0);
  sizes.clear();
  rules.clear();
}

void SegmentRows::add(const Law& law, Index rows, double scale) {
  const bool pieces = has_segments(law);
  const auto before = segments.size();
  for (Index row = 0; row < rows; ++row) {
    if (pieces)
      append_segments(law, row, scale, segments);
    else
      segments.push_back({0, 0, 0, 0});
    first.push_back(static_cast<Index>(segments.size()));
  }
  if (pieces) {
    sizes.insert(sizes.end(), segments.size() - before, 1);
    rules.insert(rules.end(), segments.size() - before, {});
  } else {
    const NormalCone* cone = general_cone(law);
    general = general || cone != nullptr;
    sizes.push_back(rows);
    rules.push_back(cone != nullptr ? InclusionRule{&cone->set, cone->of_output} : InclusionRule{});
  }
  needed = needed || pieces;
  cut.push_back(pieces ? 1 : 0);
  place.push_back(static_cast<Index>(sizes.size()));
}

namespace {

/// Rows of block b of the whole problem, and the rows that the next piece of it takes.
struct Piece {
  Index row, count, segment;  ///< first row in the block, rows, segment (−1: all rows, not cut)
};

/// Piece number `k` of block b; `row` is the row of the last one.
Piece piece_of(const SegmentRows& rows, const BlockSparse& W, Index b, Index k, Index& row) {
  if (!rows.cut[b]) return {0, W.row_size(b), -1};
  const Index offset = W.row_offset(b);
  const Index segment = rows.first[offset] + k;
  while (rows.first[offset + row + 1] <= segment) ++row;
  return {row, 1, segment};
}

}  // namespace

void SegmentRows::expand(const BlockForm& whole) {
  problem.W.start(sizes, sizes);
  problem.K.clear();
  const Index blocks = whole.W.block_rows();
  for (Index b = 0; b < blocks; ++b) {
    Index row = 0;
    for (Index k = 0; k < place[b + 1] - place[b]; ++k) {
      const Piece own = piece_of(*this, whole.W, b, k, row);
      for (Index e = whole.W.row_begin(b); e < whole.W.row_begin(b + 1); ++e) {
        const Index c = whole.W.column(e);
        const auto block = whole.W.block(b, e);
        Index column = 0;
        for (Index l = 0; l < place[c + 1] - place[c]; ++l) {
          const Piece other = piece_of(*this, whole.W, c, l, column);
          Eigen::Map<Matrix> out(problem.W.value(problem.W.push_block(place[c] + l)), own.count,
                                 other.count);
          out = block.block(own.row, other.row, own.count, other.count);
          if (own.segment >= 0 && own.segment == other.segment)
            out(0, 0) += segments[own.segment].compliance;
        }
      }
      problem.W.end_row();
      problem.K.push_back(own.segment < 0 ? whole.K[b]
                                          : BlockSet{Interval{segments[own.segment].lower,
                                                              segments[own.segment].upper}});
    }
  }
  problem.q.resize(problem.W.rows());
  r.resize(problem.W.rows());
}

void SegmentRows::expand(const Vector& q, const Vector& guess) {
  for (Index i = 0; i + 1 < static_cast<Index>(first.size()); ++i) {
    double left = guess[i];
    for (Index j = first[i]; j < first[i + 1]; ++j) {
      const Segment& piece = segments[j];
      problem.q[j] = q[i] - piece.shift;
      const bool plain = piece.lower == 0 && piece.upper == 0 && first[i + 1] == first[i] + 1;
      r[j] = plain ? left : std::min(std::max(left, piece.lower), piece.upper);
      left -= r[j];
    }
  }
}

void SegmentRows::contract(VectorRef whole) const {
  for (Index i = 0; i + 1 < static_cast<Index>(first.size()); ++i)
    whole[i] = r.segment(first[i], first[i + 1] - first[i]).sum();
}

}  // namespace saltus
