#include "apps/bench_friction_files.hpp"

#include "saltus/base/error.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace saltus {

namespace fs = std::filesystem;

namespace {

bool is_problem_name(const fs::path& path) {
  const std::string ending = path.extension().string();
  return ending == ".hdf5" || ending == ".h5" || ending == ".dat";
}

std::string name_family(const fs::path& path) {
  const std::string stem = path.stem().string();
  return stem.substr(0, stem.find('-'));
}

void add_folder(const fs::path& folder, std::map<fs::path, std::string>& found) {
  const auto options = fs::directory_options::skip_permission_denied;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder, options)) {
    std::error_code error;
    const fs::path& path = entry.path();
    if (!entry.is_regular_file(error) || !is_problem_name(path)) continue;
    const bool flat = fs::equivalent(path.parent_path(), folder, error);
    found.emplace(path.lexically_normal(),
                  flat ? name_family(path) : path.parent_path().filename().string());
  }
}

/// What stands behind the last '-' of the name.
std::string last_part(const BenchFile& file) {
  const std::string stem = file.path.stem().string();
  return stem.substr(stem.rfind('-') + 1);
}

}  // namespace

std::vector<BenchFile> find_problem_files(std::span<const fs::path> places) {
  std::map<fs::path, std::string> found;
  for (const fs::path& place : places) {
    std::error_code error;
    require(fs::exists(place, error), "there is no folder or file '{}'", place.string());
    if (fs::is_directory(place, error))
      add_folder(place, found);
    else
      found.emplace(place.lexically_normal(), name_family(place));
  }
  require(!found.empty(), "there is no file *.hdf5, *.h5 or *.dat below '{}'{}",
          places.empty() ? "" : places.front().string(),
          places.size() > 1 ? " and the others" : "");
  std::vector<BenchFile> files;
  for (const auto& [path, family] : found) files.push_back({path, family});
  std::stable_sort(files.begin(), files.end(),
                   [](const BenchFile& a, const BenchFile& b) { return a.family < b.family; });
  return files;
}

std::vector<BenchFile> stratified_sample(const std::vector<BenchFile>& files, Index count) {
  const std::size_t most = std::min(files.size(), static_cast<std::size_t>(count));
  std::map<std::string, std::vector<std::size_t>> families;
  for (std::size_t i = 0; i < files.size(); ++i) families[files[i].family].push_back(i);
  std::map<std::string, std::size_t> share;
  for (std::size_t given = 0; given < most;)
    for (const auto& [family, members] : families)
      if (given < most && share[family] < members.size()) ++share[family], ++given;
  std::set<std::size_t> chosen;
  for (auto& [family, members] : families) {
    std::stable_sort(members.begin(), members.end(), [&](std::size_t a, std::size_t b) {
      return last_part(files[a]) < last_part(files[b]);
    });
    for (std::size_t k = 0; k < share[family]; ++k)
      chosen.insert(members[(2 * k + 1) * members.size() / (2 * share[family])]);
  }
  std::vector<BenchFile> sample;
  for (const std::size_t i : chosen) sample.push_back(files[i]);
  return sample;
}

}  // namespace saltus
