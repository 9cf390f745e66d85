#include "saltus/solvers/body_lu.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace saltus {

namespace {

/// Joins `more` to the sorted `list`, without `self` and `gone`.
void join(std::vector<int>& list, const std::vector<int>& more, int self, int gone,
          std::vector<int>& scratch) {
  scratch.clear();
  std::set_union(list.begin(), list.end(), more.begin(), more.end(), std::back_inserter(scratch));
  std::erase_if(scratch, [&](int i) { return i == self || i == gone; });
  list.swap(scratch);
}

}  // namespace

/// Eliminates the body of least degree, and ties all its neighbours.
void BodyLu::order(std::vector<std::vector<int>>& neighbours) {
  const std::size_t n = neighbours.size();
  std::vector<std::vector<int>> of_degree(n + 1);
  const auto degree = [&](int body) { return neighbours[static_cast<std::size_t>(body)].size(); };
  for (int b = 0; b < static_cast<int>(n); ++b) of_degree[degree(b)].push_back(b);
  std::vector<int> scratch;
  place_.assign(n, -1);
  body_.clear();
  for (std::size_t least = 0; body_.size() < n;) {
    if (of_degree[least].empty()) {
      ++least;
      continue;
    }
    const int next = of_degree[least].back();
    of_degree[least].pop_back();
    if (place_[next] >= 0 || degree(next) != least) continue;  // an old entry
    place_[next] = static_cast<int>(body_.size());
    body_.push_back(next);
    for (const int b : neighbours[next]) {
      join(neighbours[b], neighbours[next], b, next, scratch);
      of_degree[degree(b)].push_back(b);
      least = std::min(least, degree(b));
    }
  }
}

void BodyLu::analyse(Index bodies, std::span<const std::vector<int>> ties) {
  std::vector<std::vector<int>> neighbours(static_cast<std::size_t>(bodies));
  for (const std::vector<int>& tie : ties)
    for (const int a : tie)
      for (const int b : tie)
        if (a != b) neighbours[a].push_back(b);
  for (std::vector<int>& list : neighbours) {
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
  }
  order(neighbours);
  begin_.assign(1, 0);
  later_.clear();
  flops_ = 0;
  constexpr double cube = 2.0 * width * width * width;
  for (const int b : body_) {
    for (const int other : neighbours[b]) later_.push_back(place_[other]);
    std::sort(later_.begin() + static_cast<std::ptrdiff_t>(begin_.back()), later_.end());
    begin_.push_back(later_.size());
    const auto count = static_cast<double>(neighbours[b].size());
    flops_ += cube * (1 + count + count * count);
  }
  clear();
}

void BodyLu::clear() {
  upper_.assign(later_.size(), Block::Zero());
  lower_.assign(later_.size(), Block::Zero());
  diagonal_.assign(body_.size(), Block::Zero());
}

std::size_t BodyLu::find(int row, int column) const {
  const auto first = later_.begin();
  return static_cast<std::size_t>(
      std::lower_bound(first + static_cast<std::ptrdiff_t>(begin_[row]),
                       first + static_cast<std::ptrdiff_t>(begin_[row + 1]), column) -
      first);
}

BodyLu::Block& BodyLu::operator()(int i, int j) {
  const int a = place_[i], b = place_[j];
  if (a == b) return diagonal_[a];
  return a < b ? upper_[find(a, b)] : lower_[find(b, a)];
}

bool BodyLu::factorise() {
  for (std::size_t k = 0; k < body_.size(); ++k) {
    const Eigen::PartialPivLU<Block> lu(diagonal_[k]);
    if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 0)) return false;
    diagonal_[k] = lu.inverse();
    for (std::size_t e = begin_[k]; e < begin_[k + 1]; ++e) {
      const Block column = diagonal_[k] * upper_[e];
      upper_[e] = column;
      for (std::size_t f = begin_[k]; f < begin_[k + 1]; ++f) {
        const int row = later_[f], at = later_[e];
        Block& target = row == at  ? diagonal_[row]
                        : row < at ? upper_[find(row, at)]
                                   : lower_[find(at, row)];
        target.noalias() -= lower_[f] * column;
      }
    }
  }
  return true;
}

void BodyLu::solve(Vector& x) {
  const auto at = [&](int place) { return x.segment<width>(width * body_[place]); };
  const int n = static_cast<int>(body_.size());
  for (int k = 0; k < n; ++k) {
    const Segment own = diagonal_[k] * at(k);
    at(k) = own;
    for (std::size_t e = begin_[k]; e < begin_[k + 1]; ++e)
      at(later_[e]).noalias() -= lower_[e] * own;
  }
  for (int k = n - 1; k >= 0; --k)
    for (std::size_t e = begin_[k]; e < begin_[k + 1]; ++e)
      at(k).noalias() -= upper_[e] * at(later_[e]);
}

}  // namespace saltus
