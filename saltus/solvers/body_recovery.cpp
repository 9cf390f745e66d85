#include "saltus/solvers/body_recovery.hpp"

#include "saltus/solvers/interface_graph.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>
#include <utility>

namespace saltus {

namespace {

constexpr double strong_pivot = 1e-4;  // of the diagonal of W: what is smaller waits
constexpr double split_off = 1e-12;    // what a body that is split off may leave
constexpr double largest_defect = 1e-7;
constexpr double same = 1e-12;  // entries of W, over the largest: symmetric but for roundings
// Where it pays: entries in a row of W; interfaces over contacts, unless rows are very long; rows
// of G over those of W.
constexpr double least_row = 26, most_interfaces = 0.42, long_row = 100, worth_lifting = 0.95;
constexpr Index least_rows = 60;
constexpr double most_rows = 40;  // of G, that a contact row touches in the mean

/// Interfaces that are all tied to each other, perhaps by one body, and what that adds to them.
struct Clique {
  std::vector<int> faces;
  std::vector<Index> begin;  // of their kept rows
  Matrix U;
};

/// Two interfaces and all that are tied to both, if those are tied to each other: each once.
std::vector<Clique> new_cliques(InterfaceGraph& S) {
  std::vector<Clique> cliques;
  for (int g = 0; g < S.size(); ++g)
    for (const InterfaceGraph::Tie& own : S[g].ties) {
      if (own.other < g || own.asked) continue;
      std::vector<int> faces = {g, own.other};
      for (const InterfaceGraph::Tie& other : S[g].ties)
        if (other.other != own.other && S.tied(own.other, other.other))
          faces.push_back(other.other);
      if (faces.size() < 3 || !S.tied(faces)) continue;
      for (const int a : faces)
        for (InterfaceGraph::Tie& pair : S[a].ties)
          pair.asked =
              pair.asked || std::find(faces.begin(), faces.end(), pair.other) != faces.end();
      cliques.push_back({faces, S.offsets(faces), {}});
    }
  return cliques;
}

std::vector<double> levers(const InterfaceGraph& S, const std::vector<int>& faces) {
  std::vector<double> lever;
  for (const int h : faces) lever.push_back(S[h].lever);
  return lever;
}

/// Bodies with three interfaces or more, each by itself.
void split_bodies(InterfaceGraph& S, ThreadTeam& team) {
  for (bool found = true; found;) {
    found = false;
    std::vector<Clique> cliques = new_cliques(S);
    team.for_range(std::ssize(cliques), [&](Index k) {
      Clique& clique = cliques[k];
      clique.U = common_body(S.panel(clique.faces, clique.faces.size(), clique.begin), clique.begin,
                             levers(S, clique.faces), split_off);
    });
    for (const Clique& clique : cliques) {
      if (clique.U.rows() == 0 || !S.tied(clique.faces)) continue;
      found = true;
      S.add_rows(clique.faces, clique.begin, clique.U, split_off);
    }
  }
}

/// The interfaces with pivots above a level, in the order in which they are eliminated: that which
/// ties fewest others anew, then one with at most a body's rows, with fewest ties, the strongest.
class EliminationOrder {
 public:
  explicit EliminationOrder(InterfaceGraph& S)
      : S_(S), price_(static_cast<std::size_t>(S.size())), queued_(price_.size(), 0) {}

  /// −1: none
  [[nodiscard]] int next() {
    for (const int g : S_.take_stale()) {
      if (std::exchange(queued_[g], 0)) queue_.erase(price_[g]);
      const InterfaceGraph::Face& face = S_[g];
      if (face.done) continue;
      price_[g] = {S_.missing(g), face.large(), face.ties.size(), -face.strength, g};
      enqueue(g);
    }
    return queue_.empty() ? -1 : std::get<int>(*queue_.begin());
  }
  void lower(double level) {
    level_ = level;
    for (int g = 0; g < S_.size(); ++g)
      if (!queued_[g] && !S_[g].done) enqueue(g);
  }
  [[nodiscard]] double level() const { return level_; }

 private:
  using Price = std::tuple<Index, bool, std::size_t, double, int>;

  void enqueue(int g) {
    if (!(S_[g].strength > level_)) return;
    queue_.insert(price_[g]);
    queued_[g] = 1;
  }

  InterfaceGraph& S_;
  double level_ = strong_pivot;
  std::vector<Price> price_;
  std::vector<char> queued_;
  std::set<Price> queue_;
};

/// Tied to each other and to the same others, and of at most a body's rows.
bool alike(const InterfaceGraph& S, int g, int h) {
  if (S[g].large() || S[h].large()) return false;
  const auto &a = S[g].ties, &b = S[h].ties;
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
}

/// The rows of G that eliminate the live rows of the first `members`, strongest first.
Matrix pivot(InterfaceGraph& S, const std::vector<int>& faces, std::size_t members,
             const std::vector<Index>& begin, double level) {
  Matrix panel = S.panel(faces, members, begin);
  Matrix G(panel.rows(), panel.cols());
  Index rank = 0;
  for (;;) {
    double largest = level;
    Index p = -1;
    char* taken = nullptr;
    for (std::size_t a = 0; a < members; ++a) {
      InterfaceGraph::Face& face = S[faces[a]];
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

/// All pivots above `level` of interface g and its likes.
void eliminate(InterfaceGraph& S, int g, double level) {
  std::vector<int> faces = {g}, others;
  for (const InterfaceGraph::Tie& tie : S[g].ties)
    (alike(S, g, tie.other) ? faces : others).push_back(tie.other);
  const std::size_t members = faces.size();
  faces.insert(faces.end(), others.begin(), others.end());
  const std::vector<Index> begin = S.offsets(faces);
  S.add_rows(faces, begin, pivot(S, faces, members, begin, level), InterfaceGraph::weakest);
}

void eliminate(InterfaceGraph& S) {
  for (EliminationOrder order(S);;) {
    if (const int g = order.next(); g >= 0)
      eliminate(S, g, order.level());
    else if (order.level() > InterfaceGraph::weakest)
      order.lower(std::max(1e-2 * order.level(), InterfaceGraph::weakest));
    else
      return;
  }
}

bool symmetric(const BlockSparse& W, ThreadTeam& team) {
  const double largest = W.max_abs_diagonal();  // of a semidefinite matrix it is the largest of all
  const double gap = -team.minimum(W.block_rows(), [&](Index i) { return -W.row_asymmetry(i); });
  return gap <= same * largest;
}

/// |W z − Gᵀ G z| for some z.
double defect(const BlockSparse& W, const Eigen::SparseMatrix<double>& G, ThreadTeam& team) {
  Vector z(W.rows()), Ez(W.rows());
  for (Index i = 0; i < z.size(); ++i) z[i] = std::sin(static_cast<double>(i));
  const Vector v = G * z;
  team.for_range(W.block_rows(), [&](Index i) {
    auto own = Ez.segment(W.row_offset(i), W.row_size(i));
    W.multiply_row(i, z, own);
    for (Index a = 0; a < own.size(); ++a) own[a] -= G.col(W.row_offset(i) + a).dot(v);
  });
  return Ez.lpNorm<Eigen::Infinity>();
}

}  // namespace

std::optional<Eigen::SparseMatrix<double>> recover_bodies(const BlockSparse& W, ThreadTeam& team) {
  const auto rows = static_cast<double>(W.rows());
  if (W.rows() < least_rows || static_cast<double>(W.nonzeros()) < least_row * rows ||
      !symmetric(W, team))
    return std::nullopt;
  const std::vector<AlikeRows> groups = interfaces_of(W);
  const bool long_rows = static_cast<double>(W.nonzeros()) > long_row * rows;
  const double most = (long_rows ? 1 : most_interfaces) * static_cast<double>(W.block_rows());
  InterfaceGraph S;
  if (groups.empty() || static_cast<double>(groups.size()) > most || !S.load(W, groups, team) ||
      (!long_rows && S.kept_rows() >= W.rows()))
    return std::nullopt;
  split_bodies(S, team);
  eliminate(S);
  if (S.rank() == 0 || static_cast<double>(S.rank()) > worth_lifting * rows) return std::nullopt;
  Eigen::SparseMatrix<double> G = S.factor(team);
  if (static_cast<double>(G.nonZeros()) > most_rows * rows ||
      !(defect(W, G, team) <= largest_defect * W.max_abs_diagonal()))
    return std::nullopt;
  return G;
}

}  // namespace saltus
