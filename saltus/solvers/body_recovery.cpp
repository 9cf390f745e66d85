#include "saltus/solvers/body_recovery.hpp"

#include "saltus/solvers/body_interfaces.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace saltus {

namespace {

constexpr double strong_pivot = 1e-4;  // of the diagonal of W: what is smaller waits
constexpr double weakest = 1e-11;      // pivots and blocks below are roundings
constexpr double split_off = 1e-12;    // what a body that is split off may leave
constexpr double largest_defect = 1e-7;
// Where it pays: entries in a row of W; interfaces over contacts, unless rows are very long; rows
// of G over those of W.
constexpr double least_row = 26, most_interfaces = 0.42, long_row = 100, worth_lifting = 0.95;
constexpr Index least_rows = 60;
constexpr double most_rows = 40;      // of G, that a contact row touches in the mean
constexpr Index most_kept = 240;      // rows of an interface
constexpr double negligible = 1e-12;  // entry of G, over the root of W_ii

struct Tie {
  int other, block;
  bool asked = false;  // whether a body is all that ties the two
};

/// Interfaces that are all tied to each other, perhaps by one body, and what that adds to them.
struct Clique {
  std::vector<int> faces;
  std::vector<Index> begin;  // of their kept rows
  Matrix U;
};

/// An interface in the elimination.
struct Face : BodyInterface {
  Matrix own;              // S_gg on the kept rows
  std::vector<char> live;  // kept rows that are not eliminated
  std::vector<Tie> ties;   // by `other`
  double strength = 0;     // the largest live pivot, over the diagonal of W
  Index fill = 0;          // ties that eliminating it would add
  bool stale = true;       // `fill` is
  bool done = false;

  /// More rows than one body has: many bodies on one and on nothing else.
  [[nodiscard]] bool large() const { return static_cast<Index>(kept.size()) > body_rows; }
  void measure() {
    double largest = 0;
    for (std::size_t k = 0; k < live.size(); ++k)
      if (live[k]) largest = std::max(largest, own(static_cast<Index>(k), static_cast<Index>(k)));
    strength = largest / scale;
  }
};

bool before(const Tie& tie, int other) { return tie.other < other; }

class Recovery {
 public:
  /// False if W is not one of rigid bodies with many contacts.
  [[nodiscard]] bool load(const BlockSparse& W) {
    const std::vector<AlikeRows> groups = interfaces_of(W);
    const bool long_rows =
        static_cast<double>(W.nonzeros()) > long_row * static_cast<double>(W.rows());
    const double most = long_rows ? 1 : most_interfaces;
    if (groups.empty() ||
        static_cast<double>(groups.size()) > most * static_cast<double>(W.block_rows()))
      return false;
    faces_.resize(groups.size());
    mark_.assign(groups.size(), 0);
    std::vector<int> face_of(static_cast<std::size_t>(W.block_rows()));
    Index kept = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      Face& face = faces_[g];
      for (const Index i : groups[g].blocks) {
        face_of[i] = static_cast<int>(g);
        for (Index a = 0; a < W.row_size(i); ++a) face.rows.push_back({i, a});
      }
      if (!keep_rows(W, most_kept, face)) return false;
      face.own = entries(W, face.kept, face.kept);
      face.live.assign(face.kept.size(), 1);
      face.measure();
      face.done = face.kept.empty();
      kept += static_cast<Index>(face.kept.size());
    }
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (const int i : groups[g].neighbours)
        if (const int h = face_of[i]; h > static_cast<int>(g) && !faces_[g].done &&
                                      !faces_[h].done && tie(static_cast<int>(g), h) < 0)
          set_tie(static_cast<int>(g), h, entries(W, faces_[g].kept, faces_[h].kept));
    return long_rows || kept < W.rows();
  }

  /// Bodies with three interfaces or more, each by itself.
  void split_bodies() {
    for (bool found = true; found;) {
      found = false;
      std::vector<Clique> cliques = new_cliques();
      for (Clique& clique : cliques)
        clique.U = common_body(panel(clique.faces, clique.faces.size(), clique.begin), clique.begin,
                               levers(clique.faces), split_off);
      for (const Clique& clique : cliques) {
        if (clique.U.rows() == 0 || !tied(clique.faces)) continue;
        found = true;
        add_rows(clique.faces, clique.begin, clique.U, split_off);
      }
    }
  }

  void run() {
    for (double level = strong_pivot;;) {
      const int next = choose(level);
      if (next >= 0) {
        eliminate(next, level);
      } else if (level > weakest) {
        level = std::max(1e-2 * level, weakest);
      } else {
        return;
      }
    }
  }

  [[nodiscard]] Index rank() const { return rank_; }

  [[nodiscard]] Eigen::SparseMatrix<double> factor(const BlockSparse& W) const {
    std::vector<Eigen::Triplet<double>> entries;
    for (const Part& part : parts_) {
      const Face& g = faces_[part.face];
      const Matrix values = part.values * g.spread.transpose();
      const double least = negligible * std::sqrt(g.scale);
      for (std::size_t j = 0; j < g.rows.size(); ++j)
        for (Index i = 0; i < values.rows(); ++i)
          if (std::abs(values(i, static_cast<Index>(j))) > least)
            entries.emplace_back(part.begin + i,
                                 W.row_offset(g.rows[j].block) + g.rows[j].component,
                                 values(i, static_cast<Index>(j)));
    }
    Eigen::SparseMatrix<double> G(rank_, W.rows());
    G.setFromTriplets(entries.begin(), entries.end());
    return G;
  }

 private:
  /// Rows begin… of G on the kept rows of an interface.
  struct Part {
    int face;
    Index begin;
    Matrix values;
  };

  [[nodiscard]] int tie(int g, int h) const {
    const std::vector<Tie>& ties = faces_[g].ties;
    const auto place = std::lower_bound(ties.begin(), ties.end(), h, before);
    return place != ties.end() && place->other == h ? place->block : -1;
  }

  void set_tie(int g, int h, Matrix block) {
    const int number = static_cast<int>(blocks_.size());
    blocks_.push_back(std::move(block));
    for (const auto& [a, b] : {std::pair{g, h}, {h, g}}) {
      std::vector<Tie>& ties = faces_[a].ties;
      ties.insert(std::lower_bound(ties.begin(), ties.end(), b, before), Tie{b, number});
    }
  }

  void drop_tie(int g, int h) {
    for (const auto& [a, b] : {std::pair{g, h}, {h, g}}) {
      std::vector<Tie>& ties = faces_[a].ties;
      const auto place = std::lower_bound(ties.begin(), ties.end(), b, before);
      if (a == g) blocks_[place->block].resize(0, 0);
      ties.erase(place);
    }
  }

  /// Every two are.
  [[nodiscard]] bool tied(const std::vector<int>& faces) const {
    for (std::size_t a = 0; a < faces.size(); ++a)
      for (std::size_t b = 0; b < a; ++b)
        if (tie(faces[a], faces[b]) < 0) return false;
    return true;
  }

  /// Two interfaces and all that are tied to both, if those are tied to each other: each once.
  [[nodiscard]] std::vector<Clique> new_cliques() {
    std::vector<Clique> cliques;
    for (int g = 0; g < static_cast<int>(faces_.size()); ++g)
      for (const Tie& own : faces_[g].ties) {
        if (own.other < g || own.asked) continue;
        Clique clique{{g, own.other}, {}, {}};
        for (const Tie& tie_of_g : faces_[g].ties)
          if (tie(own.other, tie_of_g.other) >= 0) clique.faces.push_back(tie_of_g.other);
        if (clique.faces.size() < 3 || !tied(clique.faces)) continue;
        for (const int a : clique.faces)
          for (Tie& pair : faces_[a].ties)
            if (std::find(clique.faces.begin(), clique.faces.end(), pair.other) !=
                clique.faces.end())
              pair.asked = true;
        clique.begin = offsets(clique.faces);
        cliques.push_back(std::move(clique));
      }
    return cliques;
  }

  /// Where the kept rows of interfaces begin if they stand one after the other.
  [[nodiscard]] std::vector<Index> offsets(const std::vector<int>& faces) const {
    std::vector<Index> begin = {0};
    for (const int h : faces)
      begin.push_back(begin.back() + static_cast<Index>(faces_[h].kept.size()));
    return begin;
  }

  /// Of each; those with fewer rows than others tell little.
  [[nodiscard]] std::vector<double> levers(const std::vector<int>& faces) const {
    std::size_t most = 0;
    for (const int h : faces) most = std::max(most, faces_[h].kept.size());
    most = std::min(most, static_cast<std::size_t>(body_rows));
    std::vector<double> lever;
    for (const int h : faces) lever.push_back(faces_[h].kept.size() < most ? 0 : faces_[h].lever);
    return lever;
  }

  /// S with the rows of the first `members` and the columns of all.
  [[nodiscard]] Matrix panel(const std::vector<int>& faces, std::size_t members,
                             const std::vector<Index>& begin) const {
    Matrix S(begin[members], begin.back());
    for (std::size_t a = 0; a < members; ++a)
      for (std::size_t b = 0; b < faces.size(); ++b)
        copy_block(faces[a], faces[b],
                   S.block(begin[a], begin[b], begin[a + 1] - begin[a], begin[b + 1] - begin[b]));
    return S;
  }

  /// G of some interfaces, which is subtracted from S.
  void add_rows(const std::vector<int>& faces, const std::vector<Index>& begin, const Matrix& G,
                double rounding) {
    for (std::size_t b = 0; b < faces.size(); ++b)
      parts_.push_back({faces[b], rank_, G.middleCols(begin[b], begin[b + 1] - begin[b])});
    rank_ += G.rows();
    update(faces, begin, G, rounding);
  }

  /// Pairs of interfaces tied to g but not to each other.
  [[nodiscard]] Index missing(int g) {
    ++stamp_;
    for (const Tie& tie : faces_[g].ties) mark_[tie.other] = stamp_;
    Index present = 0;
    for (const Tie& tie : faces_[g].ties)
      for (const Tie& next : faces_[tie.other].ties) present += mark_[next.other] == stamp_;
    const auto degree = static_cast<Index>(faces_[g].ties.size());
    return (degree * (degree - 1) - present) / 2;
  }

  [[nodiscard]] int choose(double level) {
    int best = -1;
    std::tuple<Index, bool, std::size_t> least = {std::numeric_limits<Index>::max(), true, 0};
    double strongest = 0;
    for (int g = 0; g < static_cast<int>(faces_.size()); ++g) {
      Face& face = faces_[g];
      if (face.done) continue;
      if (!(face.strength > level)) continue;
      if (face.stale) face.fill = missing(g);
      face.stale = false;
      const std::tuple price = {face.fill, face.large(), face.ties.size()};
      if (price > least || (price == least && face.strength <= strongest)) continue;
      best = g;
      least = price;
      strongest = face.strength;
    }
    return best;
  }

  /// Interface g, those of at most a body's rows with the same ties, and then the others that g is
  /// tied to; the number of the first two in `members`.
  [[nodiscard]] std::vector<int> surroundings(int g, std::size_t& members) const {
    const auto same = [&](int h) {
      if (faces_[g].large() || faces_[h].large()) return false;
      const std::vector<Tie>&a = faces_[g].ties, &b = faces_[h].ties;
      if (a.size() != b.size()) return false;
      for (std::size_t i = 0, j = 0; i < a.size() || j < b.size();) {
        if (i < a.size() && a[i].other == h)
          ++i;
        else if (j < b.size() && b[j].other == g)
          ++j;
        else if (i >= a.size() || j >= b.size() || a[i++].other != b[j++].other)
          return false;
      }
      return true;
    };
    std::vector<int> faces = {g}, others;
    for (const Tie& tie : faces_[g].ties) (same(tie.other) ? faces : others).push_back(tie.other);
    members = faces.size();
    faces.insert(faces.end(), others.begin(), others.end());
    return faces;
  }

  /// S_ab
  void copy_block(int a, int b, Eigen::Ref<Matrix> out) const {
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

  /// All pivots above `level` of interface g and its likes.
  void eliminate(int g, double level) {
    std::size_t members = 0;
    const std::vector<int> faces = surroundings(g, members);
    const std::vector<Index> begin = offsets(faces);
    Matrix S = panel(faces, members, begin);
    add_rows(faces, begin, pivot(faces, members, begin, level, S), weakest);
  }

  /// The rows of G that eliminate the live rows of the first `members`, strongest first.
  Matrix pivot(const std::vector<int>& faces, std::size_t members, const std::vector<Index>& begin,
               double level, Matrix& panel) {
    Matrix G(panel.rows(), panel.cols());
    Index rank = 0;
    for (;;) {
      double largest = level;
      Index p = -1;
      char* taken = nullptr;
      for (std::size_t a = 0; a < members; ++a) {
        Face& face = faces_[faces[a]];
        for (std::size_t k = 0; k < face.live.size(); ++k) {
          const Index row = begin[a] + static_cast<Index>(k);
          if (!face.live[k] || !(panel(row, row) > largest * face.scale)) continue;
          largest = panel(row, row) / face.scale;
          p = row;
          taken = &face.live[k];
        }
      }
      if (p < 0) break;
      *taken = 0;
      G.row(rank) = panel.row(p) / std::sqrt(panel(p, p));
      panel.noalias() -= G.row(rank).head(panel.rows()).transpose() * G.row(rank);
      ++rank;
    }
    return G.topRows(rank);
  }

  /// S ← S − Gᵀ G on the surroundings; what cancels but for `rounding` is dropped.
  void update(const std::vector<int>& faces, const std::vector<Index>& begin, const Matrix& G,
              double rounding) {
    for (const int h : faces) {
      Face& face = faces_[h];
      face.stale = true;
      for (const Tie& tie : face.ties) faces_[tie.other].stale = true;
      face.done = std::find(face.live.begin(), face.live.end(), 1) == face.live.end();
      while (face.done && !face.ties.empty()) drop_tie(h, face.ties.back().other);
    }
    const auto part = [&](std::size_t a) {
      return G.middleCols(begin[a], begin[a + 1] - begin[a]);
    };
    for (std::size_t a = 0; a < faces.size(); ++a) {
      if (faces_[faces[a]].done) continue;
      faces_[faces[a]].own.noalias() -= part(a).transpose() * part(a);
      for (std::size_t b = 0; b < a; ++b) {
        if (faces_[faces[b]].done) continue;
        const auto [low, high] = faces[a] < faces[b] ? std::pair{a, b} : std::pair{b, a};
        int number = tie(faces[low], faces[high]);
        if (number < 0) {
          number = static_cast<int>(blocks_.size());
          set_tie(faces[low], faces[high],
                  Matrix::Zero(begin[low + 1] - begin[low], begin[high + 1] - begin[high]));
        }
        blocks_[number].noalias() -= part(low).transpose() * part(high);
        if (cancelled(faces[low], faces[high], blocks_[number], rounding))
          drop_tie(faces[low], faces[high]);
      }
    }
    for (const int h : faces) {
      faces_[h].measure();
      if (faces_[h].ties.empty() && faces_[h].strength <= weakest) faces_[h].done = true;
    }
  }

  /// Nothing is left in the live rows of S_gh.
  [[nodiscard]] bool cancelled(int g, int h, const Matrix& block, double rounding) const {
    const double least = rounding * std::sqrt(faces_[g].scale * faces_[h].scale);
    for (std::size_t i = 0; i < faces_[g].live.size(); ++i)
      for (std::size_t j = 0; j < faces_[h].live.size(); ++j)
        if (faces_[g].live[i] && faces_[h].live[j] &&
            std::abs(block(static_cast<Index>(i), static_cast<Index>(j))) > least)
          return false;
    return true;
  }

  std::vector<Face> faces_;
  std::vector<Matrix> blocks_;  // S_gh, g < h
  std::vector<Part> parts_;
  std::vector<int> mark_;
  int stamp_ = 0;
  Index rank_ = 0;
};

}  // namespace

std::optional<Eigen::SparseMatrix<double>> recover_bodies(const BlockSparse& W) {
  const auto rows = static_cast<double>(W.rows());
  if (W.rows() < least_rows || static_cast<double>(W.nonzeros()) < least_row * rows ||
      !W.symmetric())
    return std::nullopt;
  Recovery recovery;
  if (!recovery.load(W)) return std::nullopt;
  recovery.split_bodies();
  recovery.run();
  if (recovery.rank() == 0 || static_cast<double>(recovery.rank()) > worth_lifting * rows)
    return std::nullopt;
  Eigen::SparseMatrix<double> G = recovery.factor(W);
  if (static_cast<double>(G.nonZeros()) > most_rows * rows) return std::nullopt;
  Vector z(W.rows()), Ez(W.rows());
  for (Index i = 0; i < z.size(); ++i) z[i] = std::sin(static_cast<double>(i));
  W.multiply(z, Ez);
  Ez.noalias() -= G.transpose() * (G * z);
  if (!(Ez.lpNorm<Eigen::Infinity>() <= largest_defect * W.max_abs_diagonal())) return std::nullopt;
  return G;
}

}  // namespace saltus
