// Our side of benchmarks/complementarity.py.
//
//     saltus-bench-complementarity generate DIR all|FAMILY,… N …      a folder of problems
//     saltus-bench-complementarity solve FILE OUT [--key value …]
//
// `generate` writes families of complementarity_families.hpp with about N unknowns as
// DIR/FAMILY_N.h5, unless that file is there. `solve` reads a problem of any form, writes it as
// plain arrays for the peer, OUT.arrays = (n, lower, upper, q, M by columns, as doubles), solves it
// from z = 0, writes OUT.z, and prints one JSON line. Keys: solver (Automatic), tolerance (1e-8),
// repeat (at most, 10000), budget (seconds for all repeats, 0.2), arrays (1: write them).
//
// Only the call of solve() is timed, elapsed or processor time, whichever is less (one thread,
// other work may share the machine); the best repeat counts. The buffers of the Workspace are kept
// from one repeat to the next, what it learned about the problem (orderings, factors) is not.

#include "benchmarks/complementarity_families.hpp"
#include "saltus/base/stopwatch.hpp"
#include "saltus/io/problem_file.hpp"
#include "saltus/solvers/algorithm.hpp"

#include <ctime>
#include <fstream>
#include <map>

namespace {

using namespace saltus;

struct Arguments {
  std::map<std::string, std::string> given;
  [[nodiscard]] double number(const std::string& key, double standard) const {
    const auto it = given.find(key);
    return it == given.end() ? standard : std::stod(it->second);
  }
  [[nodiscard]] std::string text(const std::string& key, const std::string& standard) const {
    const auto it = given.find(key);
    return it == given.end() ? standard : it->second;
  }
};

int write_families(const std::filesystem::path& folder, const std::string& families,
                   const std::vector<Index>& sizes) {
  std::filesystem::create_directories(folder);
  for (const ProblemFamily& family : problem_families()) {
    if (families != "all" && ("," + families + ",").find("," + family.name + ",") == families.npos)
      continue;
    for (const Index n : sizes) {
      const std::filesystem::path file = folder / fmt::format("{}_{}.h5", family.name, n);
      if (!std::filesystem::exists(file)) write_problem_hdf5(file, family.make(n));
    }
  }
  return 0;
}

Bounds bounds(const ComplementarityProblem& problem) {
  const Index n = vector_of(problem).size();
  Bounds b{Vector::Zero(n), Vector::Constant(n, inf)};
  if (const auto* mlcp = std::get_if<Mlcp>(&problem))
    for (const Index i : mlcp->equalities) b.lower[i] = -inf;
  if (const auto* relay = std::get_if<BlockForm>(&problem)) b = bounds_of(*relay);
  return b;
}

void write(std::ofstream& file, const double* values, Index count) {
  file.write(reinterpret_cast<const char*>(values),
             static_cast<std::streamsize>(count * Index(sizeof(double))));
}

void write_arrays(const std::string& path, const ComplementarityProblem& problem) {
  const Bounds b = bounds(problem);
  const Vector& q = vector_of(problem);
  const Matrix M = matrix_of(problem).to_dense();
  const double n = double(q.size());
  std::ofstream file(path, std::ios::binary);
  write(file, &n, 1);
  write(file, b.lower.data(), q.size());
  write(file, b.upper.data(), q.size());
  write(file, q.data(), q.size());
  write(file, M.data(), M.size());
  require(file.good(), "cannot write '{}'", path);
}

SolveReport call(const ComplementarityProblem& problem, const Algorithm& algorithm, Vector& z,
                 Workspace& work) {
  return std::visit(
      [&](const auto& p, const auto& options) -> SolveReport {
        if constexpr (requires { solve(p, z, options, work); })
          return solve(p, z, options, work);
        else
          fail("{} does not solve problems of this kind", options.name);
      },
      problem, algorithm);
}

/// Processor time of this thread, s.
double processor_seconds() {
  timespec t{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return double(t.tv_sec) + 1e-9 * double(t.tv_nsec);
}

int solve_file(const std::string& file, const std::string& out, const Arguments& a) {
  const ComplementarityProblem problem = read_problem(file);
  if (a.number("arrays", 1) != 0) write_arrays(out + ".arrays", problem);
  Algorithm algorithm = algorithm_by_name(a.text("solver", "Automatic"));
  std::visit([&](auto& options) { options.tolerance = a.number("tolerance", 1e-8); }, algorithm);
  Vector z(vector_of(problem).size());
  Workspace work;
  SolveReport report;
  const Stopwatch total;
  const double budget = a.number("budget", 0.2);
  double best = inf;
  for (int k = 0; k < int(a.number("repeat", 10000)) && (k == 0 || total.seconds() < budget); ++k) {
    z.setZero();
    work.factor.forget();
    work.interior.factor = ShiftedFactor();
    const double begin = processor_seconds();
    const Stopwatch clock;
    report = call(problem, algorithm, z, work);
    // processor time leaves out the other work of the machine, but is too coarse for short calls
    const double elapsed = clock.seconds(), processor = processor_seconds() - begin;
    best = std::min({best, elapsed, elapsed < 1e-3 ? inf : processor});
  }
  std::ofstream solution(out + ".z", std::ios::binary);
  write(solution, z.data(), z.size());
  require(solution.good(), "cannot write '{}.z'", out);
  fmt::print(R"({{"kind": "{}", "n": {}, "nonzeros": {}, "solver": "{}", "status": "{}", )"
             R"("iterations": {}, "seconds": {}}})"
             "\n",
             name(kind_of(problem)), z.size(), matrix_of(problem).nonzeros(),
             std::visit([](const auto& o) { return o.name; }, algorithm), name(report.status),
             report.iterations, best);
  return 0;
}

int run(int argc, char** argv) {
  const std::string command = argc > 3 ? argv[1] : "";
  if (command == "generate") {
    std::vector<Index> sizes;
    for (int i = 4; i < argc; ++i) sizes.push_back(std::stol(argv[i]));
    return write_families(argv[2], argv[3], sizes);
  }
  require(command == "solve",
          "usage: generate DIR all|FAMILY,… N … or solve FILE OUT [--key value …]");
  Arguments a;
  for (int i = 4; i + 1 < argc; i += 2) a.given[std::string(argv[i]).substr(2)] = argv[i + 1];
  return solve_file(argv[2], argv[3], a);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 1;
  }
}
