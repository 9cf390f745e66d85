#include "saltus/io/problem_dump.hpp"

#include "saltus/io/fclib.hpp"
#include "saltus/io/output_folder.hpp"

#include <algorithm>

namespace saltus {

namespace {

/// Contacts of one kind and size, as FCLib wants them.
template <class Sizes>
bool contacts_only(const std::vector<BlockSet>& K, const Sizes& size) {
  for (std::size_t i = 0; i < K.size(); ++i)
    if (!std::holds_alternative<FrictionCone>(K[i]) || size(i) != size(0)) return false;
  return !K.empty();
}

Vector coefficients(const std::vector<BlockSet>& K) {
  Vector mu(static_cast<Index>(K.size()));
  std::transform(K.begin(), K.end(), mu.begin(),
                 [](const BlockSet& set) { return std::get<FrictionCone>(set).mu; });
  return mu;
}

bool has_friction(const std::vector<BlockSet>& K) {
  return std::any_of(K.begin(), K.end(), [](const BlockSet& set) { return !row_by_row(set); });
}

/// False if FCLib cannot hold the problem.
bool to_file(const OneStepProblem& seen, FclibFile& file) {
  if (seen.global != nullptr) {
    const GlobalBlockForm& p = *seen.global;
    if (!contacts_only(p.K, [&](std::size_t i) { return p.sizes[i]; })) return false;
    file.problem = GlobalFrictionContact{p.sizes[0], p.M, p.H, p.f, p.w, coefficients(p.K), {}};
    return true;
  }
  const BlockForm& p = *seen.reduced;
  if (!contacts_only(p.K, [&](std::size_t i) { return p.W.row_size(static_cast<Index>(i)); }))
    return false;
  file.problem = FrictionContact{p.W.row_size(0), p.W, p.q, coefficients(p.K), {}};
  return true;
}

void write(const OneStepProblem& seen, const DumpOptions& options, DumpCount& count) {
  const auto& K = seen.global != nullptr ? seen.global->K : seen.reduced->K;
  const auto contacts = static_cast<Index>(K.size());
  if (seen.step % options.every != 0 || contacts < options.smallest || !has_friction(K)) return;
  FclibFile file;
  if (!to_file(seen, file)) {
    ++count.skipped;
    return;
  }
  file.title = fmt::format("{}, step {}", options.title, seen.step);
  file.description =
      fmt::format("one step of Moreau-Jean at t = {:.9g}, {} contacts", seen.t, contacts);
  file.guesses.push_back(fclib_point(file, seen.guess));
  file.solution = fclib_point(file, seen.r);
  write_fclib(options.folder / fmt::format("{}-nc-{}-{}.hdf5", options.title, contacts, seen.step),
              file);
  ++count.files;
}

}  // namespace

std::shared_ptr<const DumpCount> dump_problems(Simulation& simulation, const DumpOptions& options) {
  require(options.every >= 1, "dump_problems: every is {}, expected >= 1", options.every);
  make_output_folder(options.folder);
  auto count = std::make_shared<DumpCount>();
  simulation.observe_problems(
      [options, count](const OneStepProblem& seen) { write(seen, options, *count); });
  return count;
}

}  // namespace saltus
