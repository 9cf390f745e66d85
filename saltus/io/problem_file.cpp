#include "saltus/io/problem_file.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/io/problem_file_text.hpp"

namespace saltus {

namespace {

/// NAME_q.mtx for NAME.mtx and for NAME_M.mtx.
std::filesystem::path sibling(const std::filesystem::path& path) {
  std::string stem = path.stem().string();
  if (stem.size() > 2 && stem.ends_with("_M")) stem.resize(stem.size() - 2);
  return path.parent_path() / (stem + "_q" + path.extension().string());
}

ComplementarityProblem read_market_problem(const std::string& text,
                                           const std::filesystem::path& path,
                                           const ProblemReading& how) {
  require(!how.kind || *how.kind == ProblemKind::lcp,
          "cannot read '{}': Matrix Market files hold an lcp, asked for was {}", path.string(),
          name(how.kind.value_or(ProblemKind::lcp)));
  const std::filesystem::path q = how.q.empty() ? sibling(path) : how.q;
  std::error_code error;
  require(std::filesystem::exists(q, error),
          "cannot read '{}': its vector q is not in '{}': name the file (--q FILE)", path.string(),
          q.string());
  Lcp problem{parse_matrix_market(text, path), read_matrix_market_vector(q)};
  const Index n = problem.M.rows();
  require(problem.M.cols() == n && problem.q.size() == n,
          "cannot read '{}': M is {}x{} and q (in '{}') has size {}, expected a square M and a q "
          "that fits",
          path.string(), n, problem.M.cols(), q.string(), problem.q.size());
  return problem;
}

/// The variant with more alternatives.
template <class Problem>
StoredProblem widen(Problem problem) {
  return std::visit([](auto& p) -> StoredProblem { return std::move(p); }, problem);
}

/// The whole text as a problem of contact or else of complementarity. If it is neither, the mistake
/// is that of the form under which more of the text makes sense.
StoredProblem read_text_problem(const std::string& text, const std::filesystem::path& path) {
  ContactReading contact = try_siconos_friction(text, path);
  if (contact.problem) return widen(std::move(*contact.problem));
  try {
    return widen(parse_siconos_text(text, path));
  } catch (const Error&) {
    if (contact.understood > siconos_text_understood(text, path)) throw Error(contact.mistake);
    throw;
  }
}

}  // namespace

ComplementarityProblem read_problem(const std::filesystem::path& path, const ProblemReading& how) {
  StoredProblem any = read_any_problem(path, how);
  return std::visit(
      Overloaded{[](Lcp& p) -> ComplementarityProblem { return std::move(p); },
                 [](Mlcp& p) -> ComplementarityProblem { return std::move(p); },
                 [&](BlockForm& p) -> ComplementarityProblem {
                   require(!has_friction(p) && p.W.scalar(),
                           "cannot read '{}': it holds a generic mechanical problem, expected lcp, "
                           "mlcp or relay",
                           path.string());
                   return std::move(p);
                 },
                 [&](const auto&) -> ComplementarityProblem {
                   fail("cannot read '{}': it holds a contact problem, expected lcp, mlcp or relay",
                        path.string());
                 }},
      any);
}

StoredProblem read_any_problem(const std::filesystem::path& path, const ProblemReading& how) {
  const std::string text = read_text_file(path);
  require(!text.empty(), "cannot read '{}': it is empty", path.string());
  if (text.starts_with("\x89HDF")) {
    if (is_fclib(path)) {
      require(!how.kind, "cannot read '{}': it holds a contact problem, asked for was {}",
              path.string(), name(how.kind.value_or(ProblemKind::lcp)));
      return widen(read_fclib(path).problem);
    }
    ComplementarityProblem problem = read_problem_hdf5(path);
    require(!how.kind || *how.kind == kind_of(problem),
            "cannot read '{}': it holds a problem of kind {}, asked for was {}", path.string(),
            name(kind_of(problem)), name(how.kind.value_or(ProblemKind::lcp)));
    return widen(std::move(problem));
  }
  if (text.starts_with("%%")) return widen(read_market_problem(text, path, how));
  if (how.kind) return widen(parse_siconos_text(text, path, how.kind));
  return read_text_problem(text, path);
}

}  // namespace saltus
