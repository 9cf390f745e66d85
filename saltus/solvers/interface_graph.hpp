#pragma once

#include "saltus/solvers/body_interfaces.hpp"
#include "saltus/solvers/thread_team.hpp"

#include <Eigen/SparseCore>

#include <vector>

namespace saltus {

/// S = W − Gᵀ G on the kept rows of the interfaces between bodies, while the rows of G are found
/// (body_recovery.hpp). Interfaces whose block of S is not zero are tied.
class InterfaceGraph {
 public:
  struct Tie {
    int other, block;
    bool asked = false;  ///< by who looks for bodies, once
  };
  struct Face : BodyInterface {
    Matrix own;              ///< S_gg
    std::vector<char> live;  ///< kept rows that are not eliminated
    std::vector<Tie> ties;   ///< by `other`
    double strength = 0;     ///< the largest live pivot, over the diagonal of W
    bool stale = false;      ///< what it has to do with others has changed
    bool done = false;       ///< nothing is left

    /// More rows than one body has: many bodies on one and on nothing else.
    [[nodiscard]] bool large() const { return static_cast<Index>(kept.size()) > body_rows; }
    void measure();
  };

  /// The interfaces `groups` of W, which must outlive this; false if one has more rows than bodies
  /// can.
  [[nodiscard]] bool load(const BlockSparse& W, const std::vector<AlikeRows>& groups,
                          ThreadTeam& team);

  [[nodiscard]] int size() const { return static_cast<int>(faces_.size()); }
  [[nodiscard]] Face& operator[](int g) { return faces_[g]; }
  [[nodiscard]] const Face& operator[](int g) const { return faces_[g]; }
  /// Kept rows of all interfaces.
  [[nodiscard]] Index kept_rows() const;
  [[nodiscard]] bool tied(int g, int h) const { return tie(g, h) >= 0; }
  /// Every two are.
  [[nodiscard]] bool tied(const std::vector<int>& faces) const;
  /// Pairs of interfaces tied to g but not to each other.
  [[nodiscard]] Index missing(int g);

  /// Where the kept rows of interfaces begin if they stand one after the other.
  [[nodiscard]] std::vector<Index> offsets(const std::vector<int>& faces) const;
  /// S with the rows of the first `members` and the columns of all, cut at `begin`.
  [[nodiscard]] Matrix panel(const std::vector<int>& faces, std::size_t members,
                             const std::vector<Index>& begin) const;

  /// New rows of G, zero but for the columns of `faces`; blocks of S that cancel but for `rounding`
  /// are dropped.
  void add_rows(const std::vector<int>& faces, const std::vector<Index>& begin, const Matrix& rows,
                double rounding);
  /// Interfaces that have changed since the last call: rows, ties, or ties of those tied to them.
  [[nodiscard]] std::vector<int> take_stale();
  /// The number of rows of G.
  [[nodiscard]] Index rank() const { return rank_; }
  /// G on all rows of W.
  [[nodiscard]] Eigen::SparseMatrix<double> factor(ThreadTeam& team) const;

  static constexpr double weakest = 1e-11;  ///< pivots and blocks below are roundings

 private:
  /// Rows begin… of G on the kept rows of an interface.
  struct Part {
    Index begin;
    Matrix values;
  };

  void make_ties(const std::vector<AlikeRows>& groups, const std::vector<int>& face_of,
                 ThreadTeam& team);
  void mark_stale(int g);
  [[nodiscard]] int tie(int g, int h) const;
  [[nodiscard]] int set_tie(int g, int h, Matrix block);
  void drop_tie(int g, int h);
  void copy_block(int a, int b, Eigen::Ref<Matrix> out) const;
  void subtract(const std::vector<int>& faces, const std::vector<Index>& begin, const Matrix& rows,
                double rounding);
  [[nodiscard]] bool cancelled(int g, int h, const Matrix& block, double rounding) const;

  const BlockSparse* W_ = nullptr;
  std::vector<Face> faces_;
  std::vector<std::vector<Part>> parts_;  // of each interface
  std::vector<Matrix> blocks_;            // S_gh, g < h
  std::vector<int> mark_, stale_;
  int stamp_ = 0;
  Index rank_ = 0;
};

}  // namespace saltus
