#include "apps/bench_friction_solve.hpp"

#include "apps/bench_friction_siconos.hpp"
#include "apps/isolated_run.hpp"
#include "apps/solve_contact.hpp"
#include "saltus/base/overloaded.hpp"
#include "saltus/base/stopwatch.hpp"
#include "saltus/problems/friction_measures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

namespace saltus {

namespace {

constexpr double short_time = 0.2;  // seconds; what is shorter is repeated
constexpr int repeats = 3;
constexpr const char* time_limit = "time limit";

/// What a solver, ours or theirs, returned.
struct Answer {
  std::string reason = {};  ///< why it did not end
  Vector r = {};            ///< the point reached, if it is known
  double seconds = inf;
  long iterations = 0, factorisations = 0;
  bool converged = false;  ///< it says so
};

/// What travels from the process of a solve, before r.
struct Header {
  SolveReport report;
  double seconds;
};

std::string timed_solve(const ContactForm& form, Index rows, const FrictionAlgorithm& algorithm,
                        int times) {
  Header header{.report = {}, .seconds = inf};
  Vector r(rows);
  for (int k = 0; k < times && (k == 0 || header.seconds < short_time); ++k) {
    r.setZero();
    Stopwatch clock;
    const double before = processor_seconds();
    Workspace work;
    header.report = solve_form(form, r, algorithm, 1, work);
    header.seconds = std::min({header.seconds, clock.seconds(), processor_seconds() - before});
  }
  std::string bytes(sizeof header + sizeof(double) * static_cast<std::size_t>(rows), '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  if (rows > 0) std::memcpy(bytes.data() + sizeof header, r.data(), bytes.size() - sizeof header);
  return bytes;
}

/// The fastest of several times, if they are short.
Answer run_algorithm(const ContactForm& form, Index rows, const FrictionAlgorithm& algorithm,
                     double limit, int times) {
  const IsolatedResult result =
      run_isolated([&] { return timed_solve(form, rows, algorithm, times); },
                   limit + times * std::min(short_time, limit));
  if (!result.finished) return {.reason = result.reason};
  Header header{};
  std::memcpy(&header, result.bytes.data(), sizeof header);
  Vector r(rows);
  if (rows > 0)
    std::memcpy(r.data(), result.bytes.data() + sizeof header,
                sizeof(double) * static_cast<std::size_t>(rows));
  return {.r = std::move(r),
          .seconds = header.seconds,
          .iterations = header.report.iterations,
          .factorisations = header.report.factorisations,
          .converged = header.report.converged()};
}

/// The algorithm with that many iterations at most (factorisations of the default); none if it has
/// no such limit, or a lower one.
std::optional<FrictionAlgorithm> with_iterations(FrictionAlgorithm algorithm, int most) {
  const auto lower = [&](int& limit) { return most < limit && (limit = most, true); };
  const bool lowered = std::visit(Overloaded{[&](CoulombCascade& a) { return lower(a.budget); },
                                             [&](auto& a) {
                                               if constexpr (requires { a.max_iterations; })
                                                 return lower(a.max_iterations);
                                               else
                                                 return false;
                                             }},
                                  algorithm);
  return lowered ? std::optional(std::move(algorithm)) : std::nullopt;
}

/// The point that the algorithm has reached at the time limit: that of a run with as many
/// iterations as take half of the time at least, found by runs with more and more of them; r = 0 if
/// the first one takes longer.
Vector reached_at(const ContactForm& form, Index rows, const FrictionAlgorithm& algorithm,
                  double limit) {
  constexpr double aim = 0.8, enough = 0.5, largest_factor = 16;
  Vector r = Vector::Zero(rows);
  for (double iterations = 1; iterations < 1e9;) {
    const auto shorter = with_iterations(algorithm, static_cast<int>(iterations));
    if (!shorter) break;
    Answer answer = run_algorithm(form, rows, *shorter, limit, 1);
    if (!answer.reason.empty() || answer.seconds > limit) break;
    r = std::move(answer.r);
    if (answer.seconds > enough * limit || answer.converged) break;
    iterations = std::ceil(iterations * std::min(largest_factor, aim * limit / answer.seconds));
  }
  return r;
}

Answer run_ours(const ContactForm& form, Index rows, const std::string& solver, double tolerance,
                double limit) {
  const std::string name = solver == "default" ? "CoulombCascade" : solver;
  const FrictionAlgorithm algorithm = contact_solver(name, tolerance, "--solvers");
  Answer answer = run_algorithm(form, rows, algorithm, limit, repeats);
  if (answer.reason == time_limit) answer.r = reached_at(form, rows, algorithm, limit);
  return answer;
}

/// The common errors, on the problem as given.
class Judge {
 public:
  explicit Judge(const ContactForm& form) : form_(form) {
    if (const auto* global = std::get_if<GlobalBlockForm>(&form))
      solve_ = factorise("bench", global->M);
  }
  [[nodiscard]] FrictionErrors errors(ConstVectorRef r) const {
    if (!r.allFinite()) return {};
    return std::visit(
        Overloaded{[&](const BlockForm& p) { return friction_errors(p, r); },
                   [&](const GlobalBlockForm& p) { return friction_errors(p, r, solve_); }},
        form_);
  }

 private:
  const ContactForm& form_;
  LinearSolve solve_;
};

std::string status_of(const std::string& reason) {
  if (reason == time_limit) return reason;
  return reason.starts_with("crash") || reason == "out of memory" ? "crash" : "refused";
}

/// Fills the row from an answer.
void judge_answer(BenchRow& row, const Answer& answer, const Judge& judge, double limit) {
  row.reason = answer.reason;
  row.seconds = answer.seconds;
  row.iterations = answer.iterations;
  row.factorisations = answer.factorisations;
  const bool known = answer.r.size() > 0 || answer.reason.empty();
  const FrictionErrors errors = known ? judge.errors(answer.r) : FrictionErrors{};
  row.error = errors.worst();
  row.self_stress = errors.self_stress;
  row.status = answer.reason.empty() ? "unsolved" : status_of(answer.reason);
  if (!answer.reason.empty()) return;
  if (!(row.error <= row.tolerance))
    row.reason = fmt::format("{}, error {:.2g}",
                             answer.converged ? "says converged" : "no convergence", row.error);
  else if (!errors.trusted())
    row.reason = fmt::format("unphysical self-stress {:.2g}", row.self_stress);
  else if (row.seconds > limit)
    row.status = row.reason = time_limit;
  else
    row.status = "solved";
}

/// One solver at one tolerance. A solver that stops by a measure of its own and misses the common
/// one is asked once more, for ten times less at least.
template <class Solve>
void run_solver(BenchRow& row, const Judge& judge, double limit, Solve&& solve) {
  const Answer answer = solve(row.tolerance, limit);
  judge_answer(row, answer, judge, limit);
  const bool missed = answer.converged && !(row.error <= row.tolerance);
  if (!missed) return;
  const double factor = std::clamp(0.5 * row.tolerance / row.error, 1e-4, 0.1);
  BenchRow second = row;
  judge_answer(second, solve(factor * row.tolerance, limit), judge, limit);
  if (second.solved() || second.error < row.error) row = second;
}

bool hopeless(const BenchRow& row) {
  return row.status == time_limit || row.status == "crash" || row.status == "refused";
}

/// The least times so far, by tolerance.
using BestTimes = std::map<double, double>;

/// The rows of one solver for all tolerances. With `patience` it is ended when it takes that many
/// times as long as the best.
template <class Solve>
void run_tolerances(const BenchRequest& request, const BenchRow& common, const Judge& judge,
                    double patience, BestTimes& best, BenchedFile& file, Solve&& solve) {
  constexpr double shortest = 0.1;  // seconds that everybody is given
  BenchRow row = common;
  for (const double tolerance : request.tolerances) {
    const bool skip = hopeless(row);
    if (skip && !row.reason.starts_with("not tried"))
      row.reason = fmt::format("not tried: {} at {}", row.reason, tolerance_text(row.tolerance));
    row.tolerance = tolerance;
    if (!skip) {
      double& fastest = best.emplace(tolerance, inf).first->second;
      const double allowed = patience > 0 ? std::max(shortest, patience * fastest) : inf;
      run_solver(row, judge, std::min(request.time_limit, allowed), solve);
      if (row.status == time_limit && allowed < request.time_limit) {
        row.status = "slow";
        row.reason = fmt::format("ended after {} times the best of SICONOS", patience);
      }
      if (row.solved()) fastest = std::min(fastest, row.seconds);
    }
    file.rows.push_back(row);
  }
}

/// The reduced problem that SICONOS is given; none if it has no solver for such a form.
std::optional<FrictionContact> siconos_problem(const StoredProblem& problem) {
  return std::visit(
      Overloaded{[](const FrictionContact& p) -> std::optional<FrictionContact> { return p; },
                 [](const GlobalFrictionContact& p) -> std::optional<FrictionContact> {
                   return reduce(p);
                 },
                 [](const auto&) -> std::optional<FrictionContact> { return std::nullopt; }},
      problem);
}

void run_siconos(const BenchRequest& request, const StoredProblem& problem, BenchRow row,
                 const Judge& judge, BenchedFile& file) {
  const std::optional<FrictionContact> reduced = siconos_problem(problem);
  if (!reduced) return;
  Siconos siconos;
  const std::string refused = siconos.read(*reduced);
  BestTimes best;
  for (const std::string& name :
       siconos.solvers(reduced->dimension, reduced->mu_rolling.size() > 0)) {
    const std::vector<std::string>& peers = request.peers;
    if (!peers.empty() && std::find(peers.begin(), peers.end(), name) == peers.end()) continue;
    row.solver = "siconos:" + name;
    const auto solve = [&](double tolerance, double limit) {
      if (!refused.empty()) return Answer{.reason = "refused: " + refused};
      SiconosAnswer answer = siconos.solve(name, tolerance, limit);
      return Answer{.reason = answer.reason,
                    .r = std::move(answer.r),
                    .seconds = answer.seconds,
                    .iterations = answer.iterations,
                    .converged = answer.converged};
    };
    run_tolerances(request, row, judge, request.patience, best, file, solve);
  }
}

struct Size {
  Index contacts = 0, rows = 0;
};

Size size_of(const ContactForm& form) {
  Size size;
  std::visit(Overloaded{[&](const BlockForm& p) { size.rows = p.q.size(); },
                        [&](const GlobalBlockForm& p) { size.rows = p.w.size(); }},
             form);
  std::visit(
      [&](const auto& p) {
        size.contacts =
            std::count_if(p.K.begin(), p.K.end(), [](const auto& K) { return !row_by_row(K); });
      },
      form);
  return size;
}

}  // namespace

std::vector<std::string> bench_solvers(const std::vector<std::string>& names) {
  std::vector<std::string> chosen;
  const auto add = [&](const std::string& name) {
    if (std::find(chosen.begin(), chosen.end(), name) == chosen.end()) chosen.push_back(name);
  };
  for (const std::string& name : names) {
    if (name == "all") {
      add("default");
      for (const std::string& each : contact_solver_names())
        if (each != "CoulombCascade") add(each);
    } else if (name == "default" || name == "CoulombCascade") {
      add("default");
    } else {
      static_cast<void>(contact_solver(name, 1, "--solvers"));
      add(name);
    }
  }
  require(!chosen.empty(), "--solvers names no solver");
  return chosen;
}

BenchedFile bench_file(const BenchRequest& request, const BenchFile& file) {
  StoredProblem problem;
  ContactForm form;
  try {
    problem = read_any_problem(file.path);
    if (!is_contact(problem)) return {.skipped = "no contact problem"};
    form = contact_form(problem);
    std::visit([](const auto& p) { validate(p); }, form);
  } catch (const Error& error) {
    return {.skipped = error.what()};
  }
  const Size size = size_of(form);
  BenchRow row;
  row.file = file.path.string();
  row.family = file.family;
  row.contacts = size.contacts;
  row.form = contact_kind(problem);
  const Judge judge(form);
  BenchedFile result;
  for (const std::string& solver : request.solvers) {
    row.solver = solver;
    const auto solve = [&](double tolerance, double limit) {
      return run_ours(form, size.rows, solver, tolerance, limit);
    };
    BestTimes unused;
    run_tolerances(request, row, judge, 0, unused, result, solve);
  }
  if (request.against == "siconos") run_siconos(request, problem, row, judge, result);
  return result;
}

}  // namespace saltus
