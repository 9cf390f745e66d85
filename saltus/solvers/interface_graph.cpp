#include "saltus/solvers/interface_graph.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace saltus {

namespace {

constexpr Index most_kept = 240;      // rows of an interface
constexpr double negligible = 1e-12;  // entry of G, over the root of W_ii

bool before(const InterfaceGraph::Tie& tie, int other) { return tie.other < other; }

}  // namespace

void InterfaceGraph::Face::measure() {
  double largest = 0;
  for (std::size_t k = 0; k < live.size(); ++k)
    if (live[k]) largest = std::max(largest, own(static_cast<Index>(k), static_cast<Index>(k)));
  strength = largest / scale;
}

bool InterfaceGraph::load(const BlockSparse& W, const std::vector<AlikeRows>& groups,
                          ThreadTeam& team) {
  W_ = &W;
  faces_.resize(groups.size());
  parts_.resize(groups.size());
  mark_.assign(groups.size(), 0);
  std::vector<int> face_of(static_cast<std::size_t>(W.block_rows()));
  std::vector<char> kept(groups.size());
  team.for_range(std::ssize(groups), [&](Index g) {
    Face& face = faces_[g];
    for (const Index i : groups[g].blocks) {
      face_of[i] = static_cast<int>(g);
      for (Index a = 0; a < W.row_size(i); ++a) face.rows.push_back({i, a});
    }
    kept[g] = keep_rows(W, most_kept, face);
    if (!kept[g]) return;
    face.own = entries(W, face.kept, face.kept);
    face.live.assign(face.kept.size(), 1);
    face.measure();
    face.done = face.kept.empty();
  });
  if (std::find(kept.begin(), kept.end(), 0) != kept.end()) return false;
  make_ties(groups, face_of, team);
  for (int g = 0; g < size(); ++g) mark_stale(g);
  return true;
}

void InterfaceGraph::mark_stale(int g) {
  if (!std::exchange(faces_[g].stale, true)) stale_.push_back(g);
}

std::vector<int> InterfaceGraph::take_stale() {
  for (const int g : stale_) faces_[g].stale = false;
  return std::exchange(stale_, {});
}

void InterfaceGraph::make_ties(const std::vector<AlikeRows>& groups,
                               const std::vector<int>& face_of, ThreadTeam& team) {
  std::vector<std::vector<int>> later(groups.size());  // of the two, the first ties the second
  team.for_range(std::ssize(groups), [&](Index g) {
    if (faces_[g].done) return;
    for (const int i : groups[g].neighbours)
      if (face_of[i] > g && !faces_[face_of[i]].done) later[g].push_back(face_of[i]);
    std::sort(later[g].begin(), later[g].end());
    later[g].erase(std::unique(later[g].begin(), later[g].end()), later[g].end());
  });
  int count = 0;
  for (int g = 0; g < size(); ++g)
    for (const int h : later[g]) {
      faces_[g].ties.push_back({h, count});
      faces_[h].ties.push_back({g, count++});
    }
  blocks_.resize(static_cast<std::size_t>(count));
  team.for_range(size(), [&](Index g) {
    for (const Tie& own : faces_[g].ties)
      if (own.other > g) blocks_[own.block] = entries(*W_, faces_[g].kept, faces_[own.other].kept);
  });
}

Index InterfaceGraph::kept_rows() const {
  return std::accumulate(faces_.begin(), faces_.end(), Index{0}, [](Index sum, const Face& face) {
    return sum + static_cast<Index>(face.kept.size());
  });
}

int InterfaceGraph::tie(int g, int h) const {
  const std::vector<Tie>& ties = faces_[g].ties;
  const auto place = std::lower_bound(ties.begin(), ties.end(), h, before);
  return place != ties.end() && place->other == h ? place->block : -1;
}

int InterfaceGraph::set_tie(int g, int h, Matrix block) {
  const int number = static_cast<int>(blocks_.size());
  blocks_.push_back(std::move(block));
  for (const auto& [a, b] : {std::pair{g, h}, {h, g}}) {
    std::vector<Tie>& ties = faces_[a].ties;
    ties.insert(std::lower_bound(ties.begin(), ties.end(), b, before), Tie{b, number});
  }
  return number;
}

void InterfaceGraph::drop_tie(int g, int h) {
  for (const auto& [a, b] : {std::pair{g, h}, {h, g}}) {
    std::vector<Tie>& ties = faces_[a].ties;
    const auto place = std::lower_bound(ties.begin(), ties.end(), b, before);
    if (a == g) blocks_[place->block].resize(0, 0);
    ties.erase(place);
  }
}

bool InterfaceGraph::tied(const std::vector<int>& faces) const {
  for (std::size_t a = 0; a < faces.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      if (!tied(faces[a], faces[b])) return false;
  return true;
}

Index InterfaceGraph::missing(int g) {
  ++stamp_;
  for (const Tie& own : faces_[g].ties) mark_[own.other] = stamp_;
  Index present = 0;
  for (const Tie& own : faces_[g].ties)
    for (const Tie& next : faces_[own.other].ties) present += mark_[next.other] == stamp_;
  const auto degree = static_cast<Index>(faces_[g].ties.size());
  return (degree * (degree - 1) - present) / 2;
}

std::vector<Index> InterfaceGraph::offsets(const std::vector<int>& faces) const {
  std::vector<Index> begin = {0};
  for (const int h : faces)
    begin.push_back(begin.back() + static_cast<Index>(faces_[h].kept.size()));
  return begin;
}

/// S_ab
void InterfaceGraph::copy_block(int a, int b, Eigen::Ref<Matrix> out) const {
  if (a == b) {
    out = faces_[a].own;
    return;
  }
  const int number = tie(a, b);
  if (number < 0)
    out.setZero();
  else if (a < b)
    out = blocks_[number];
  else
    out = blocks_[number].transpose();
}

Matrix InterfaceGraph::panel(const std::vector<int>& faces, std::size_t members,
                             const std::vector<Index>& begin) const {
  Matrix S(begin[members], begin.back());
  for (std::size_t a = 0; a < members; ++a)
    for (std::size_t b = 0; b < faces.size(); ++b)
      copy_block(faces[a], faces[b],
                 S.block(begin[a], begin[b], begin[a + 1] - begin[a], begin[b + 1] - begin[b]));
  return S;
}

void InterfaceGraph::add_rows(const std::vector<int>& faces, const std::vector<Index>& begin,
                              const Matrix& rows, double rounding) {
  for (std::size_t b = 0; b < faces.size(); ++b)
    parts_[faces[b]].push_back({rank_, rows.middleCols(begin[b], begin[b + 1] - begin[b])});
  rank_ += rows.rows();
  for (const int h : faces) {
    Face& face = faces_[h];
    mark_stale(h);
    for (const Tie& own : face.ties) mark_stale(own.other);
    face.done = std::find(face.live.begin(), face.live.end(), 1) == face.live.end();
    while (face.done && !face.ties.empty()) drop_tie(h, face.ties.back().other);
  }
  subtract(faces, begin, rows, rounding);
  for (const int h : faces) {
    faces_[h].measure();
    if (faces_[h].ties.empty() && faces_[h].strength <= weakest) faces_[h].done = true;
  }
}

void InterfaceGraph::subtract(const std::vector<int>& faces, const std::vector<Index>& begin,
                              const Matrix& rows, double rounding) {
  const auto part = [&](std::size_t a) {
    return rows.middleCols(begin[a], begin[a + 1] - begin[a]);
  };
  for (std::size_t a = 0; a < faces.size(); ++a) {
    if (faces_[faces[a]].done) continue;
    faces_[faces[a]].own.noalias() -= part(a).transpose() * part(a);
    for (std::size_t b = 0; b < a; ++b) {
      if (faces_[faces[b]].done) continue;
      const auto [low, high] = faces[a] < faces[b] ? std::pair{a, b} : std::pair{b, a};
      int number = tie(faces[low], faces[high]);
      if (number < 0)
        number = set_tie(faces[low], faces[high],
                         Matrix::Zero(begin[low + 1] - begin[low], begin[high + 1] - begin[high]));
      blocks_[number].noalias() -= part(low).transpose() * part(high);
      if (cancelled(faces[low], faces[high], blocks_[number], rounding))
        drop_tie(faces[low], faces[high]);
    }
  }
}

/// Nothing is left in the live rows of S_gh.
bool InterfaceGraph::cancelled(int g, int h, const Matrix& block, double rounding) const {
  const double least = rounding * std::sqrt(faces_[g].scale * faces_[h].scale);
  for (std::size_t i = 0; i < faces_[g].live.size(); ++i)
    for (std::size_t j = 0; j < faces_[h].live.size(); ++j)
      if (faces_[g].live[i] && faces_[h].live[j] &&
          std::abs(block(static_cast<Index>(i), static_cast<Index>(j))) > least)
        return false;
  return true;
}

Eigen::SparseMatrix<double> InterfaceGraph::factor(ThreadTeam& team) const {
  Eigen::SparseMatrix<double> G(rank_, W_->rows());
  int* begin = G.outerIndexPtr();
  const auto column = [&](const ContactRow& row) {
    return W_->row_offset(row.block) + row.component;
  };
  std::vector<std::vector<Matrix>> values(faces_.size());  // of each part, on all rows
  team.for_range(size(), [&](Index g) {
    const Face& face = faces_[g];
    const double least = negligible * std::sqrt(face.scale);
    std::vector<int> count(face.rows.size(), 0);
    for (const Part& part : parts_[g]) {
      Matrix& own = values[g].emplace_back(part.values * face.spread.transpose());
      own = (own.array().abs() > least).select(own, 0.0);
      for (std::size_t j = 0; j < face.rows.size(); ++j)
        count[j] += static_cast<int>((own.col(static_cast<Index>(j)).array() != 0).count());
    }
    for (std::size_t j = 0; j < face.rows.size(); ++j) begin[column(face.rows[j]) + 1] = count[j];
  });
  std::partial_sum(begin, begin + G.cols() + 1, begin);
  G.resizeNonZeros(begin[G.cols()]);
  team.for_range(size(), [&](Index g) {
    const Face& face = faces_[g];
    for (std::size_t j = 0; j < face.rows.size(); ++j) {
      int place = begin[column(face.rows[j])];
      for (std::size_t p = 0; p < parts_[g].size(); ++p)
        for (Index i = 0; i < values[g][p].rows(); ++i)
          if (const double value = values[g][p](i, static_cast<Index>(j)); value != 0) {
            G.innerIndexPtr()[place] = static_cast<int>(parts_[g][p].begin + i);
            G.valuePtr()[place++] = value;
          }
    }
  });
  return G;
}

}  // namespace saltus
