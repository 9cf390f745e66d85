#include "saltus/integrators/segment_rows.hpp"

#include <algorithm>

namespace saltus {

void SegmentRows::clear() {
  needed = general = false;
  segments.clear();
  first.assign(1, 0);
  cut.clear();
  twins.clear();
  place.assign(1, 0);
  sizes.clear();
  rules.clear();
}

void SegmentRows::add(const Law& law, Index rows, double scale) {
  const bool pieces = has_segments(law), split = splits(law, rows);
  const auto before = segments.size();
  const auto row_before = static_cast<Index>(first.size()) - 1;
  for (Index row = 0; row < rows; ++row) {
    if (split && row == rows - 1) {
      const auto twin = static_cast<Index>(segments.size());
      twins.push_back({row_before, row_before + row, twin, second_set(law)});
      segments.push_back({0, 0, 0, 0});
    }
    if (pieces)
      append_segments(law, row, scale, segments);
    else
      segments.push_back({0, 0, 0, 0});
    first.push_back(static_cast<Index>(segments.size()));
  }
  if (split) {
    sizes.insert(sizes.end(), {rows - 1, 2});
    rules.insert(rules.end(), 2, {});
  } else if (pieces) {
    sizes.insert(sizes.end(), segments.size() - before, 1);
    rules.insert(rules.end(), segments.size() - before, {});
  } else {
    const NormalCone* cone = general_cone(law);
    general = general || cone != nullptr;
    sizes.push_back(rows);
    rules.push_back(cone != nullptr ? InclusionRule{&cone->set, cone->of_output} : InclusionRule{});
  }
  needed = needed || pieces || split;
  cut.push_back(split ? split_block : pieces ? broken_line : whole_block);
  place.push_back(static_cast<Index>(sizes.size()));
}

namespace {

/// Rows of block b of the whole problem that the next piece of it takes.
struct Piece {
  Index row, count, segment;  ///< first row in the block, rows, segment (−1: none)
  Index lead = 0;             ///< rows of its own before them: n₂
  [[nodiscard]] Index size() const { return lead + count; }
};

/// Piece number `k` of block b; `row` is the row of the last one.
Piece piece_of(const SegmentRows& rows, const BlockSparse& W, Index b, Index k, Index& row) {
  if (rows.cut[b] == SegmentRows::whole_block) return {0, W.row_size(b), -1};
  if (rows.cut[b] == SegmentRows::split_block) {
    const Index last = W.row_size(b) - 1;
    return k == 0 ? Piece{0, last, -1} : Piece{last, 1, -1, 1};
  }
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
  auto twin = twins.begin();
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
          Eigen::Map<Matrix> out(problem.W.value(problem.W.push_block(place[c] + l)), own.size(),
                                 other.size());
          out.setZero();
          out.bottomRightCorner(own.count, other.count) =
              block.block(own.row, other.row, own.count, other.count);
          if (own.segment >= 0 && own.segment == other.segment)
            out(0, 0) += segments[own.segment].compliance;
          if (b == c && cut[b] == split_block)
            out(0, 0) += (k == l ? 1 : -1) * (block(0, 0) > 0 ? block(0, 0) : 1.0);
        }
      }
      problem.W.end_row();
      if (own.segment >= 0)
        problem.K.push_back(Interval{segments[own.segment].lower, segments[own.segment].upper});
      else
        problem.K.push_back(own.lead > 0 ? BlockSet{(twin++)->set} : whole.K[b]);
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
  for (const Split& split : twins) {
    problem.q[split.twin] = 0;
    r[split.twin] = guess[split.normal];
    problem.q[split.twin + 1] = q[split.last];
    r[split.twin + 1] = guess[split.last];
  }
}

void SegmentRows::contract(VectorRef whole) const {
  for (Index i = 0; i + 1 < static_cast<Index>(first.size()); ++i)
    whole[i] = r.segment(first[i], first[i + 1] - first[i]).sum();
  for (const Split& split : twins) whole[split.last] = r[split.twin + 1];
}

}  // namespace saltus
