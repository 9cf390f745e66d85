#include "apps/bench_friction.hpp"

#include "apps/bench_friction_report.hpp"
#include "apps/bench_friction_siconos.hpp"
#include "apps/isolated_run.hpp"
#include "apps/progress_bar.hpp"
#include "apps/suggest.hpp"
#include "saltus/base/error.hpp"
#include "saltus/io/output_folder.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>

namespace saltus {

namespace {

/// Mistakes in the request; the request with all names resolved, the loosest tolerance first.
BenchRequest checked(BenchRequest request) {
  request.solvers = bench_solvers(request.solvers);
  require(!request.tolerances.empty(), "--tolerance names no tolerance");
  for (const double tolerance : request.tolerances)
    require(tolerance > 0 && tolerance < 1, "--tolerance is {}, expected numbers in (0, 1)",
            tolerance);
  std::vector<double>& list = request.tolerances;
  std::sort(list.begin(), list.end(), std::greater<>());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  require(request.time_limit > 0 && std::isfinite(request.time_limit),
          "--time-limit is {}, expected seconds > 0", request.time_limit);
  require(request.patience == 0 || request.patience >= 1,
          "--patience is {}, expected a number >= 1, or 0 for no end", request.patience);
  require(request.jobs >= 1, "--jobs is {}, expected a number >= 1", request.jobs);
  require(request.sample >= 0, "--sample is {}, expected a number >= 1", request.sample);
  const std::vector<std::string> known{"siconos"};
  require(request.against.empty() || request.against == known.front(), "--against {}",
          unknown_name(request.against, known));
  require(request.peers.empty() || !request.against.empty(),
          "--peers chooses solvers of SICONOS: give --against siconos, too");
  return request;
}

/// Its version; mistakes in --peers.
std::string check_siconos(const BenchRequest& request) {
  Siconos siconos;
  std::vector<std::string> known;
  for (const auto& [dimension, rolling] : {std::pair{3, false}, {2, false}, {5, true}, {3, true}})
    for (const std::string& name : siconos.solvers(dimension, rolling))
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
  for (const std::string& name : request.peers)
    require(std::find(known.begin(), known.end(), name) != known.end(), "--peers {}",
            unknown_name(name, known));
  return siconos.version();
}

/// A file in a process of its own.
struct Job {
  std::size_t number;  ///< of the file
  std::unique_ptr<IsolatedRun> run;
};

/// Runs the files, `jobs` at a time, and keeps what comes of them in their order. Each result is
/// also appended to results.csv at once: a run that is stopped leaves what it has.
class Bench {
 public:
  Bench(const BenchRequest& request, const std::vector<BenchFile>& files)
      : request_(request),
        files_(files),
        results_(files.size()),
        table_(request.output / "results.csv") {
    table_ << csv_header();
  }

  void run() {
    std::size_t next = 0, done = 0;
    while (done < files_.size()) {
      while (next < files_.size() && running_.size() < static_cast<std::size_t>(request_.jobs))
        start(next++);
      done += collect();
      if (request_.progress)
        bar_.update(static_cast<double>(done) / static_cast<double>(files_.size()));
    }
    bar_.clear();
  }

  [[nodiscard]] BenchOutcome outcome() const {
    BenchOutcome all;
    for (std::size_t i = 0; i < files_.size(); ++i) {
      all.rows.insert(all.rows.end(), results_[i].rows.begin(), results_[i].rows.end());
      if (!results_[i].skipped.empty())
        all.skipped.push_back({files_[i].path.string(), results_[i].skipped});
    }
    return all;
  }

 private:
  void start(std::size_t number) {
    const auto action = [this, number] { return to_text(bench_file(request_, files_[number])); };
    running_.push_back({number, std::make_unique<IsolatedRun>(action)});
  }

  /// Waits a moment for answers; the number of files that ended.
  std::size_t collect() {
    std::vector<pollfd> waiting;
    for (const Job& job : running_) waiting.push_back({job.run->stream(), POLLIN, 0});
    if (poll(waiting.data(), waiting.size(), 200) <= 0) return 0;
    std::size_t ended = 0;
    for (std::size_t k = waiting.size(); k-- > 0;) {
      if (waiting[k].revents == 0 || running_[k].run->receive()) continue;
      keep(running_[k]);
      running_.erase(running_.begin() + static_cast<std::ptrdiff_t>(k));
      ++ended;
    }
    return ended;
  }

  void keep(const Job& job) {
    const IsolatedResult result = job.run->result();
    BenchedFile& file = results_[job.number];
    if (result.finished)
      file = benched_file_from(result.bytes);
    else
      file.skipped = result.reason;
    for (const BenchRow& row : file.rows) table_ << csv_line(row);
    table_.flush();
  }

  const BenchRequest& request_;
  const std::vector<BenchFile>& files_;
  std::vector<BenchedFile> results_;
  std::vector<Job> running_;
  std::ofstream table_;
  ProgressBar bar_;
};

void print_summary(const BenchRequest& request, const BenchOutcome& outcome, std::size_t files) {
  fmt::print("{} problems of {} families, {} s per solve{}\n", files - outcome.skipped.size(),
             families_of(outcome).size(), request.time_limit,
             outcome.peer_version.empty() ? "" : ", against SICONOS " + outcome.peer_version);
  for (const BenchOutcome::Skipped& each : outcome.skipped)
    fmt::print("skipped {}: {}\n", each.file, each.reason);
  if (!outcome.rows.empty()) fmt::print("{}", summary_text(request, outcome));
  fmt::print("\nTables and pictures: {}\n", (request.output / "index.html").string());
}

}  // namespace

int bench_friction(const BenchRequest& given) {
  const BenchRequest request = checked(given);
  std::vector<BenchFile> files = find_problem_files(request.places);
  if (request.sample > 0) files = stratified_sample(files, request.sample);
  const std::string version = request.against.empty() ? "" : check_siconos(request);
  make_output_folder(request.output);
  Bench bench(request, files);
  bench.run();
  BenchOutcome outcome = bench.outcome();
  outcome.peer_version = version;
  const std::string no_picture = write_bench_report(request, outcome);
  print_summary(request, outcome, files.size());
  if (!no_picture.empty()) fmt::print(stderr, "saltus: no picture: {}\n", no_picture);
  return 0;
}

}  // namespace saltus
