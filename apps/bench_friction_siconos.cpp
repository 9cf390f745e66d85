#include "apps/bench_friction_siconos.hpp"

#include "bench_scripts.hpp"
#include "saltus/base/error.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <sstream>

namespace saltus {

namespace {

template <class T>
void write_array(std::FILE* file, const T* values, std::size_t count) {
  if (count > 0) std::fwrite(values, sizeof(T), count, file);
}

/// As the script wants it: integers, then doubles.
void write_data(std::FILE* file, const FrictionContact& problem, const BlockSparse& W) {
  const Index contacts = W.block_rows();
  std::vector<std::int64_t> integers{problem.dimension, contacts, W.blocks(),
                                     problem.mu_rolling.size() > 0 ? 1 : 0};
  for (Index i = 0; i <= contacts; ++i) integers.push_back(W.row_begin(i));
  for (Index k = 0; k < W.blocks(); ++k) integers.push_back(W.column(k));
  write_array(file, integers.data(), integers.size());
  if (W.blocks() > 0) write_array(file, W.value(0), static_cast<std::size_t>(W.nonzeros()));
  for (const Vector* v : {&problem.q, &problem.mu, &problem.mu_rolling})
    write_array(file, v->data(), static_cast<std::size_t>(v->size()));
}

/// W in blocks of one contact each, in place of a single block or of scalars.
BlockSparse contact_blocks(const FrictionContact& problem) {
  const std::vector<Index> sizes(static_cast<std::size_t>(problem.mu.size()), problem.dimension);
  return BlockSparse::sparse(problem.W.to_sparse(), sizes, sizes);
}

}  // namespace

Siconos::Siconos() {
  std::string name = (std::filesystem::temp_directory_path() / "saltus-XXXXXX").string();
  const int file = mkstemp(name.data());
  require(file >= 0, "cannot create a temporary file: {}", std::strerror(errno));
  close(file);
  data_ = name;
  std::signal(SIGPIPE, SIG_IGN);
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  setenv("OMP_NUM_THREADS", "1", 1);
  try {
    start();
  } catch (const Error&) {
    std::filesystem::remove(data_);
    throw;
  }
}

Siconos::~Siconos() {
  stop();
  std::error_code ignored;
  std::filesystem::remove(data_, ignored);
}

void Siconos::start() {
  int in[2] = {-1, -1}, out[2] = {-1, -1};
  require(pipe2(in, O_CLOEXEC) == 0 && pipe2(out, O_CLOEXEC) == 0, "cannot create a pipe: {}",
          std::strerror(errno));
  requests_.reset(fdopen(in[1], "w"));
  answers_.reset(fdopen(out[0], "r"));
  complaints_ = scratch_file();
  process_ = start_python(siconos_script, {}, {in[0], out[1], fileno(complaints_.get())});
  close(in[0]);
  close(out[1]);
  const std::optional<std::string> greeting = ask("");
  if (!greeting) {
    const std::string reason = last_line(complaints_.get());
    stop();
    fail(
        "--against siconos: SICONOS does not start in {}: {} (package python3-siconos of Debian "
        "12)",
        python_program(), reason);
  }
  version_ = *greeting;
}

void Siconos::stop() {
  requests_.reset();
  answers_.reset();
  if (process_ <= 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
}

std::optional<std::string> Siconos::ask(const std::string& request) {
  if (!request.empty()) {
    fmt::print(requests_.get(), "{}\n", request);
    std::fflush(requests_.get());
  }
  std::string line;
  for (int c = std::fgetc(answers_.get()); c != '\n'; c = std::fgetc(answers_.get())) {
    if (c == EOF) return std::nullopt;
    line += static_cast<char>(c);
  }
  return line;
}

std::vector<std::string> Siconos::solvers(Index dimension, bool rolling) {
  std::istringstream line(ask(fmt::format("list {} {}", dimension, rolling ? 1 : 0)).value_or(""));
  std::vector<std::string> names;
  for (std::string name; line >> name;) names.push_back(name);
  return names;
}

std::string Siconos::read(const FrictionContact& problem) {
  const BlockSparse W = contact_blocks(problem);
  for (Index i = 0; i < W.block_rows(); ++i)
    if (W.diagonal(i) < 0) return "a contact without diagonal block";
  const File file(std::fopen(data_.c_str(), "wb"));
  if (file == nullptr) return fmt::format("cannot write '{}'", data_.string());
  write_data(file.get(), problem, W);
  if (std::fflush(file.get()) != 0) return fmt::format("cannot write '{}'", data_.string());
  const std::string answer = ask("read " + data_.string()).value_or("it ended");
  return answer == "ok" ? "" : answer;
}

SiconosAnswer Siconos::solve(const std::string& solver, double tolerance, double seconds) {
  const auto line = ask(fmt::format("solve {} {} {}", solver, tolerance, seconds));
  if (!line) {
    stop();
    start();
    static_cast<void>(ask("read " + data_.string()));
    return {.reason = "crash: the process of all solves ended", .r = {}};
  }
  if (line->starts_with("failed ")) return {.reason = line->substr(7), .r = {}};
  std::istringstream words(*line);
  std::string kind;
  SiconosAnswer answer;
  Index count = 0;
  int info = 1;
  words >> kind;
  if (kind == "late")
    answer.reason = "time limit";
  else
    words >> answer.seconds >> answer.iterations >> info;
  words >> count;
  answer.converged = info == 0;
  answer.r.resize(count);
  const std::size_t got =
      std::fread(answer.r.data(), sizeof(double), static_cast<std::size_t>(count), answers_.get());
  if (got != static_cast<std::size_t>(count)) answer.reason = "crash: it ended within its answer";
  return answer;
}

}  // namespace saltus
