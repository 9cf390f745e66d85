#include "saltus/solvers/mode_pivoting.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/solvers/automatic.hpp"
#include "saltus/solvers/mode_hinges.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace saltus {

namespace {

/// Roundings by which a sign may be wrong, relative to the numbers it comes from.
constexpr double sign_tolerance = 1e-12;
/// Free rows left above this, relative to their terms, mean that the linear system was singular.
constexpr double linear_tolerance = 1e-7;
/// Above this they are refined once.
constexpr double refine_tolerance = 4e-15;
constexpr int proximal_iterations = 12;

struct Pivot {
  Pivot(const BlockForm& problem, double* r_, ModeWorkspace& work_)
      : W(problem.W),
        value(problem.q.size() > 0 ? problem.W.value(0) : nullptr),
        q(problem.q),
        r(r_),
        work(work_),
        n(problem.q.size()),
        functions(work_.factors.hinges()) {}
  const BlockSparse& W;
  const double* value;  // of the blocks of W, one number each
  const Vector& q;
  double* r;
  ModeWorkspace& work;
  Index n;
  const HingeRows& functions;

  [[nodiscard]] double bound(Index i) const {
    return work.modes[i] == Mode::lower ? work.lower[i] : work.upper[i];
  }
  [[nodiscard]] double row_product(Index i) const {
    double sum = q[i];
    const Index end = W.row_begin(i + 1);
    for (Index k = W.row_begin(i); k < end; ++k) sum += value[k] * r[W.column(k)];
    return sum;
  }
  /// The largest term of row i of W r + q.
  [[nodiscard]] double row_scale(Index i) const {
    double scale = std::abs(q[i]);
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k)
      scale = std::max(scale, std::abs(value[k] * r[W.column(k)]));
    return scale;
  }
  [[nodiscard]] const std::vector<HingeRows::Row>& hinges() const { return functions.rows; }
  [[nodiscard]] const HingeSum& function(const HingeRows::Row& hinge) const {
    return functions.function(hinge);
  }
  void evaluate() const {
    for (Index i = 0; i < n; ++i) work.u[i] = row_product(i);
    for (std::size_t k = 0; k < hinges().size(); ++k)
      work.x[k] = r[hinges()[k].row] - work.u[hinges()[k].row];
    work.fits = false;  // not known
  }
  [[nodiscard]] bool balanced(Index i, double tolerance) const {
    return std::abs(work.u[i]) <= sign_tolerance || work.modes[i] != Mode::free ||
           std::abs(work.u[i]) <= tolerance * row_scale(i);
  }
  /// Every free row has u = 0 up to `tolerance` of its terms.
  [[nodiscard]] bool balanced(double tolerance) const {
    for (const auto rows : {work.factors.kept(), work.factors.plain()})
      for (const Index i : rows)
        if (!balanced(i, tolerance)) return false;
    return true;
  }
  void set_bounds_of(double* x) const {
    for (const Index i : work.bounded)
      if (work.modes[i] != Mode::free) x[i] = bound(i);
  }
  void take_solution() const {
    work.factors.solve(work.rhs.data(), r);
    set_bounds_of(r);
    evaluate();
  }
  /// One step of iterative refinement.
  void refine() const {
    for (Index i = 0; i < n; ++i) work.rhs[i] = work.modes[i] == Mode::free ? -work.u[i] : 0.0;
    work.factors.solve(work.rhs.data(), work.center.data());
    for (Index i = 0; i < n; ++i) r[i] += work.center[i];
    set_bounds_of(r);
    evaluate();
  }
};

/// The linear system (2). False if it has no solution or many and the proximal points do not
/// settle.
bool solve_regular(const Pivot& p) {
  if (!p.work.factors.choose(p.work.modes, false)) return false;
  ModeWorkspace& work = p.work;
  work.fits = work.factors.solve(p.q.data(), work.lower.data(), work.upper.data(), p.r,
                                 work.u.data(), work.x.data());
  const std::span<const Index> kept = work.factors.kept();
  for (const Index i : kept)
    if (work.modes[i] != Mode::free) p.r[i] = p.bound(i);
  bool good = true;
  for (const Index i : kept) {
    work.u[i] = p.row_product(i);
    good = good && p.balanced(i, refine_tolerance);
  }
  if (good) return true;
  p.refine();
  return p.balanced(linear_tolerance);
}

bool solve_proximal(const Pivot& p) {
  if (!p.work.factors.choose(p.work.modes, true)) return false;
  p.work.center = p.work.guess;
  for (int k = 0; k < proximal_iterations; ++k) {
    for (Index i = 0; i < p.n; ++i)
      p.work.rhs[i] = -p.q[i] + p.work.factors.delta(i) * p.work.center[i];
    p.set_bounds_of(p.work.rhs.data());
    for (const auto& hinge : p.hinges())
      p.work.rhs[hinge.row] =
          p.function(hinge).on_piece(piece_of(p.work.modes[hinge.row]), -p.q[hinge.row]);
    p.take_solution();
    if (p.balanced(linear_tolerance)) return true;
    for (Index i = 0; i < p.n; ++i) p.work.center[i] = p.r[i];
  }
  return false;
}

/// Bounded rows of the wrong sign, in work.wrong; those that are held in work.waiting.
void find_wrong_signs(const Pivot& p) {
  double slack = -1;  // roundings of the largest |r_i|; taken when it is needed
  const auto beyond = [&](double excess) {
    if (!(excess > 0)) return false;
    if (slack < 0)
      slack = sign_tolerance * Eigen::Map<const Vector>(p.r, p.n).lpNorm<Eigen::Infinity>();
    return excess > slack;
  };
  for (const Index i : p.work.bounded) {
    const Mode now = p.work.modes[i];
    Mode next = now;
    const double lower = p.work.lower[i], upper = p.work.upper[i];
    if (now == Mode::free) {
      if (beyond(lower - p.r[i]))
        next = Mode::lower;
      else if (beyond(p.r[i] - upper))
        next = Mode::upper;
    } else if (lower < upper) {
      const double push = now == Mode::lower ? p.work.u[i] : -p.work.u[i];
      if (push < 0 && push < -sign_tolerance * p.row_scale(i)) next = Mode::free;
    }
    if (next == now) continue;
    if (p.work.hold && p.work.held[i] != 0)
      p.work.waiting.push_back(i);
    else
      p.work.wrong.push_back({i, next});
  }
}

/// Rows of functions on the wrong piece, in work.wrong.
void find_wrong_pieces(const Pivot& p) {
  for (std::size_t k = 0; k < p.hinges().size(); ++k) {
    const Index i = p.hinges()[k].row;
    const int now = piece_of(p.work.modes[i]);
    const double x = p.work.x[k];
    const HingeSum& f = p.function(p.hinges()[k]);
    if (f.piece(x, now) == now) continue;
    const int next = f.piece(x, now, sign_tolerance * p.row_scale(i));
    if (next != now) p.work.wrong.push_back({i, mode_of_piece(next)});
  }
}

/// Exchanges every row of the wrong sign, or the least index only: of a function to the next piece.
void exchange(const Pivot& p, bool least_index) {
  for (const auto& [row, wanted] : p.work.wrong) {
    Mode& mode = p.work.modes[row];
    if (least_index && mode >= Mode::piece)
      mode = mode_of_piece(piece_of(mode) + (wanted > mode ? 1 : -1));
    else
      mode = wanted;
    if (least_index) return;
  }
}

/// residual(problem, r), the norm of the natural map mid(r − upper, u, r − lower) and of r − f(r −
/// u), with u at hand; rows that wait are left out.
double residual_of(const Pivot& p) {
  const ModeWorkspace& work = p.work;
  double sum = 0, poison = 0;  // the latter 0 unless something is infinite or NaN: u has all of r
  const double *lower = work.lower.data(), *upper = work.upper.data(), *u = work.u.data();
  const bool all = work.waiting.empty();
  for (const auto rows : {work.factors.kept(), work.factors.plain()})
    for (const Index i : rows) {
      poison += 0 * u[i];
      const double natural = std::max(p.r[i] - upper[i], std::min(p.r[i] - lower[i], u[i]));
      if (all || !std::binary_search(work.waiting.begin(), work.waiting.end(), i))
        sum += natural * natural;
    }
  for (std::size_t k = 0; k < p.hinges().size() && !work.fits; ++k) {
    const HingeRows::Row& hinge = p.hinges()[k];
    const double gap = p.r[hinge.row] - p.function(hinge)(work.x[k]);
    sum += gap * gap;
  }
  return std::isfinite(sum) && poison == 0 ? std::sqrt(sum) : inf;
}

Outcome pivot(const Pivot& p, const ModePivoting& options) {
  const Index limit =
      options.max_iterations > 0 ? options.max_iterations : 50 + 2 * (p.n + p.work.hinges);
  Index fewest = p.n + 1;
  int patience = options.patience;
  for (int k = 0; k < limit; ++k) {
    const bool solved = solve_regular(p) || solve_proximal(p);
    p.work.wrong.clear();
    p.work.waiting.clear();
    find_wrong_signs(p);
    if (!p.work.fits) find_wrong_pieces(p);
    const auto wrong = static_cast<Index>(p.work.wrong.size());
    if (wrong == 0) return {solved ? SolveStatus::converged : SolveStatus::stalled, k};
    if (wrong < fewest) {
      fewest = wrong;
      patience = options.patience;
    } else {
      --patience;
    }
    exchange(p, patience < 0);
  }
  return {SolveStatus::max_iterations, static_cast<int>(limit)};
}

/// Bounds of a row, as its set says.
std::pair<double, double> bounds_of(const BlockForm& problem, Index i) {
  using Bounds = std::pair<double, double>;
  return std::visit(Overloaded{[](const Reals&) { return Bounds(-inf, inf); },
                               [](const NonNegative&) { return Bounds(0, inf); },
                               [](const Interval& set) { return Bounds(set.lower, set.upper); },
                               [&](const auto&) -> Bounds {
                                 fail(
                                     "ModePivoting solves problems without friction; block {} is "
                                     "a {}: use Nsgs or Automatic",
                                     i, name(problem.K[i]));
                               }},
                    problem.K[i]);
}

/// The pieces that r asks for.
void read_pieces(const Pivot& p) {
  for (const auto& hinge : p.hinges()) {
    const double x = p.r[hinge.row] - p.row_product(hinge.row);
    p.work.modes[hinge.row] = mode_of_piece(p.function(hinge).piece(x));
  }
}

/// Modes that fit the bounds: those of the last solution, or those of the guess.
void start_modes(const Pivot& p) {
  ModeWorkspace& work = p.work;
  const double* r = p.r;
  const Index n = p.n;
  if (static_cast<Index>(work.modes.size()) != n) {
    work.modes.assign(static_cast<std::size_t>(n), Mode::free);
    for (const Index i : work.bounded)
      if (r[i] <= work.lower[i])
        work.modes[i] = Mode::lower;
      else if (r[i] >= work.upper[i])
        work.modes[i] = Mode::upper;
  }
  for (const Index i : work.bounded) {
    const double lower = work.lower[i], upper = work.upper[i];
    Mode& mode = work.modes[i];
    if (lower == upper)
      mode = Mode::lower;
    else if ((mode == Mode::lower && lower == -inf) || (mode == Mode::upper && upper == inf))
      mode = Mode::free;
  }
  if (!p.hinges().empty() && work.modes[p.hinges().front().row] < Mode::piece) read_pieces(p);
}

void resize(ModeWorkspace& work, Index n) {
  for (Vector* v : {&work.lower, &work.upper, &work.u, &work.rhs, &work.center, &work.guess})
    v->resize(n);
  work.wrong.reserve(static_cast<std::size_t>(n));
  work.bounded.clear();
}

/// The modes of a solution that another algorithm found.
void read_modes(const Pivot& p) {
  ModeWorkspace& work = p.work;
  for (const Index i : work.bounded)
    work.modes[i] = p.r[i] <= work.lower[i]   ? Mode::lower
                    : p.r[i] >= work.upper[i] ? Mode::upper
                                              : Mode::free;
  read_pieces(p);
}

/// The problem with the hinges written out; kept if W has a label.
const BlockForm& written_out(const BlockForm& problem, const Pivot& p) {
  constexpr std::size_t most = 64;
  auto& known = p.work.written_out;
  if (p.work.label == 0 || known.size() >= most) known.clear();
  const auto found = known.find(p.work.label);
  if (found == known.end())
    return known.emplace(p.work.label, write_out_hinges(problem, p.functions)).first->second;
  take_constants(problem, p.functions, found->second);
  return found->second;
}

/// By Automatic, with the hinges written out.
SolveReport solve_general(const BlockForm& problem, const ModePivoting& options, const Pivot& p) {
  Eigen::Map<Vector> r(p.r, p.n);
  r.setZero();
  SolveReport report;
  if (p.hinges().empty()) {
    report = solve(problem, r, Automatic{.tolerance = options.tolerance}, p.work.general);
  } else {
    const BlockForm& larger = written_out(problem, p);
    p.work.all.setZero(larger.q.size());
    report = solve(larger, p.work.all, Automatic{.tolerance = options.tolerance}, p.work.general);
    r = p.work.all.head(p.n);
  }
  if (!report.converged()) return report;
  read_modes(p);
  p.work.waiting.clear();
  p.evaluate();
  return report;
}

}  // namespace

void prepare(const BlockForm& problem, ModeWorkspace& work, std::uint64_t label,
             const HingeRows& hinges) {
  const Index n = problem.q.size();
  if (!hinges.rows.empty() || !work.factors.hinges().rows.empty()) {
    work.factors.set_hinges(hinges);
    work.modes.clear();  // may be those of other functions
  }
  require(problem.W.rows() == n && static_cast<Index>(problem.K.size()) == n,
          "ModePivoting: W has {} rows, q has size {}, and there are {} sets", problem.W.rows(), n,
          problem.K.size());
  resize(work, n);
  work.label = label;
  work.written_out.clear();
  work.x.resize(static_cast<Index>(hinges.rows.size()));
  work.hinges = 0;
  for (const HingeRows::Row& hinge : hinges.rows)
    work.hinges += hinges.function(hinge).pieces() - 1;
  work.factors.take(problem.W, label);
  for (Index i = 0; i < n; ++i) {
    std::tie(work.lower[i], work.upper[i]) = bounds_of(problem, i);
    if (work.lower[i] > -inf || work.upper[i] < inf) work.bounded.push_back(i);
  }
}

void take_values(const BlockForm& problem, ModeWorkspace& work, std::uint64_t label) {
  work.label = label;
  work.factors.take(problem.W, label);
}

void set_bounds(Index i, double lower, double upper, BlockForm& problem, ModeWorkspace& work) {
  if (work.lower[i] == lower && work.upper[i] == upper) return;
  problem.K[i] = lower == -inf && upper == inf ? BlockSet(Reals{}) : Interval{lower, upper};
  work.lower[i] = lower;
  work.upper[i] = upper;
  const auto place = std::lower_bound(work.bounded.begin(), work.bounded.end(), i);
  if (place == work.bounded.end() || *place != i) work.bounded.insert(place, i);
}

void expect_pieces(const Vector& x, ModeWorkspace& work) {
  if (!work.modes.empty()) work.factors.set_pieces(x.data(), work.modes);
}

SolveReport solve_prepared(const BlockForm& problem, VectorRef r, const ModePivoting& options,
                           ModeWorkspace& work) {
  const int before = work.factors.factorisations();
  const Pivot p(problem, r.data(), work);
  start_modes(p);
  work.guess = r;
  const Outcome outcome = pivot(p, options);
  work.scale = threshold(1, problem.q);
  const double limit = options.tolerance * work.scale;
  SolveReport report{outcome.status, outcome.iterations, residual_of(p), 0};
  if (report.residual <= limit)
    report.status = SolveStatus::converged;
  else if (outcome.status == SolveStatus::converged)
    report.status = SolveStatus::stalled;
  if (!report.converged() && options.fallback && !work.hold) {
    report = solve_general(problem, options, p);
    report.iterations += outcome.iterations;
  }
  report.factorisations += work.factors.factorisations() - before;
  return report;
}

SolveReport solve(const BlockForm& problem, VectorRef r, const ModePivoting& options,
                  ModeWorkspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require(r.size() == problem.q.size(), "ModePivoting: r has size {}, q has size {}", r.size(),
          problem.q.size());
  prepare(problem, work);
  SolveReport report = solve_prepared(problem, r, options, work);
  report.seconds = clock.seconds();
  return report;
}

SolveReport solve(const Mlcp& problem, VectorRef z, const ModePivoting& options,
                  ModeWorkspace& work) {
  const Stopwatch clock;
  SolveReport report = solve(to_block_form(problem), z, options, work);
  report.residual = residual(problem, z);
  report.seconds = clock.seconds();
  return report;
}

}  // namespace saltus
