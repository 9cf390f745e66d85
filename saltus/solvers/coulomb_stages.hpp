#pragma once

#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/coulomb_sweeps.hpp"
#include "saltus/solvers/proximal_newton.hpp"

#include <functional>

namespace saltus {

class CoulombPath;

/// The stages of CoulombCascade on one CoulombSystem, which does not know what it stands for: a
/// problem, an island of one, or the bodies recovered from W.
class CoulombStages {
 public:
  /// Looks for a proof that there is no solution, given the best y. A dear search waits until the
  /// path has not ended, too.
  struct Search {
    std::function<bool(const Vector&)> proves;
    bool dear = false;
  };
  CoulombStages(CoulombSystem& system, const CoulombCascade& options, Search search)
      : s_(system),
        tolerance_(options.tolerance),
        budget_(options.budget),
        before_(system.factorisations()),
        search_(std::move(search)) {}

  /// All stages, from best.y.
  void run(CoulombBest& best);

  /// Sweeps and factorisations.
  [[nodiscard]] int iterations() const { return sweeps_ + s_.factorisations() - before_; }

 private:
  [[nodiscard]] int left() const { return budget_ - s_.factorisations(); }
  [[nodiscard]] bool reached(const CoulombBest& best) const {
    return best.error <= tolerance_ || left() <= 0;
  }
  [[nodiscard]] bool hopeless(const CoulombBest& best) const;
  void sweep(CoulombBest& best);
  void polish(ProximalNewtonPlan plan, CoulombBest& best);
  void interior(CoulombBest& best);
  [[nodiscard]] double price(int factorisations);
  void creep(double limit, CoulombBest& best);
  void rest(CoulombBest& best);
  void paths(CoulombBest& best);
  void follow(CoulombPath& path, int most, CoulombBest& best);
  void last_digits(CoulombBest& best);

  CoulombSystem& s_;
  double tolerance_;
  int budget_, before_;
  Search search_;
  CoulombSweeps sweeping_;  // keeps its memory: to give it back here would take milliseconds
  int sweeps_ = 0;
  bool warm_ = false;  // the start that was given is better than none
  bool crept_ = false;
};

}  // namespace saltus
