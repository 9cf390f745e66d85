#include "saltus/io/siconos_text.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/io/siconos_text_matrix.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>

namespace saltus {

namespace {

constexpr Index largest = std::numeric_limits<int>::max();

// Reading ---------------------------------------------------------------------------------------

BlockSparse read_square(TextScanner& in, Index n) {
  BlockSparse M = read_siconos_matrix(in);
  if (M.rows() != n || M.cols() != n)
    in.fail_here(fmt::format("the matrix is {}x{}, expected {}x{}", M.rows(), M.cols(), n, n));
  return M;
}

Lcp read_lcp(TextScanner& in) {
  const Index n = in.integer("the size of the problem", 1, largest);
  Lcp problem{read_square(in, n), {}};
  problem.q = in.numbers(n, "the entries of q");
  return problem;
}

BlockForm read_relay(TextScanner& in) {
  const Lcp affine = read_lcp(in);
  const Index n = affine.q.size();
  const Vector lower = in.extended_numbers(n, "the lower bounds");
  const Vector upper = in.extended_numbers(n, "the upper bounds");
  for (Index i = 0; i < n; ++i)
    if (!(lower[i] <= upper[i]) || lower[i] == inf || upper[i] == -inf)
      in.fail_here(
          fmt::format("bound {} is [{}, {}], expected lower <= upper", i, lower[i], upper[i]));
  return make_relay(affine.M, affine.q, lower, upper);
}

struct MlcpRows {
  std::vector<Index> equalities, complementarities;
};

/// Begins of the blocks of rows, and which of them are complementarity.
MlcpRows read_rows(TextScanner& in, Index equalities, Index total) {
  std::vector<Index> begin{in.integer("the begin of the first block of rows", 0, 0)};
  while (begin.back() < total)
    begin.push_back(in.integer("the begin of the next block of rows", begin.back() + 1, total));
  MlcpRows rows;
  for (std::size_t b = 0; b + 1 < begin.size(); ++b) {
    const bool complementarity =
        in.integer("whether a block is complementarity (0 or 1)", 0, 1) == 1;
    for (Index i = begin[b]; i < begin[b + 1]; ++i)
      (complementarity ? rows.complementarities : rows.equalities).push_back(i);
  }
  if (static_cast<Index>(rows.equalities.size()) != equalities)
    in.fail_here(fmt::format("the blocks hold {} equalities, expected {}", rows.equalities.size(),
                             equalities));
  return rows;
}

/// A, B, C, D (row by row), a, b in the places that the blocks give them.
Mlcp read_parts(TextScanner& in, const MlcpRows& rows) {
  const auto n = static_cast<Index>(rows.equalities.size());
  const auto m = static_cast<Index>(rows.complementarities.size());
  in.require_room((n + m) * (n + m) + n + m, "A, B, C, D, a and b");
  Matrix M(n + m, n + m);
  const auto read = [&](const auto& is, const auto& js, std::string_view what) {
    for (const Index i : is)
      for (const Index j : js) M(i, j) = in.number(what);
  };
  read(rows.equalities, rows.equalities, "the values of A");
  read(rows.complementarities, rows.complementarities, "the values of B");
  read(rows.equalities, rows.complementarities, "the values of C");
  read(rows.complementarities, rows.equalities, "the values of D");
  Mlcp problem{BlockSparse::dense(M), Vector(n + m), rows.equalities};
  problem.q(rows.equalities) = in.numbers(n, "the entries of a");
  problem.q(rows.complementarities) = in.numbers(m, "the entries of b");
  return problem;
}

Mlcp read_mlcp(TextScanner& in) {
  const Index whole = in.integer("whether M and q are stored (0 or 1)", 0, 1);
  const Index parts = in.integer("whether A, B, C, D, a and b are stored (0 or 1)", 0, 1);
  if (whole + parts == 0) in.fail_here("neither M and q nor A, B, C, D, a and b are stored");
  const Index n = in.integer("the number of equalities", 0, largest);
  const Index total = n + in.integer("the number of complementarities", n == 0 ? 1 : 0, largest);
  in.require_room(total, "a problem of that size");
  const MlcpRows rows = read_rows(in, n, total);
  if (whole == 0) return read_parts(in, rows);
  BlockSparse M = read_siconos_matrix(in);
  const bool fits = M.rows() == total && M.cols() == total;
  if (!fits && (parts == 0 || M.cols() != total))
    in.fail_here(
        fmt::format("the matrix is {}x{}, expected {}x{}", M.rows(), M.cols(), total, total));
  const Vector q = in.numbers(total, "the entries of q");
  if (!fits) return read_parts(in, rows);
  return {std::move(M), q, rows.equalities};
}

// Telling the kind ------------------------------------------------------------------------------

struct Attempt {
  ProblemKind kind = ProblemKind::lcp;
  std::optional<ComplementarityProblem> problem = {};
  std::size_t position = 0;     ///< how far the text was understood
  bool number_follows = false;  ///< after the end of the problem
  std::string error = {};

  /// The text makes sense to its end. The parts that repeat an MLCP follow it as numbers.
  [[nodiscard]] bool whole() const {
    return problem && (kind == ProblemKind::mlcp || !number_follows);
  }
};

ComplementarityProblem read(TextScanner& in, ProblemKind kind) {
  if (kind == ProblemKind::lcp) return read_lcp(in);
  if (kind == ProblemKind::mlcp) return read_mlcp(in);
  return read_relay(in);
}

Attempt attempt(std::string_view text, const std::filesystem::path& file, ProblemKind kind) {
  TextScanner in(text, file.string());
  Attempt result{.kind = kind};
  try {
    result.problem = read(in, kind);
    result.number_follows = in.number_follows();
  } catch (const Error& mistake) {
    result.error = mistake.what();
  }
  result.position = in.position();
  return result;
}

/// The one kind whose name stands in `text`.
std::optional<ProblemKind> named_in(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  const bool mixed = text.find("mlcp") != std::string::npos;
  for (std::size_t at; (at = text.find("mlcp")) != std::string::npos;) text.erase(at, 4);
  const bool plain = text.find("lcp") != std::string::npos;
  const bool relay = text.find("relay") != std::string::npos;
  if (mixed + plain + relay != 1) return std::nullopt;
  return mixed ? ProblemKind::mlcp : (plain ? ProblemKind::lcp : ProblemKind::relay);
}

std::optional<ProblemKind> hinted_kind(const std::filesystem::path& file) {
  const auto kind = named_in(file.filename().string());
  return kind ? kind : named_in(file.parent_path().filename().string());
}

ComplementarityProblem detect(std::string_view text, const std::filesystem::path& file) {
  const std::optional<ProblemKind> hint = hinted_kind(file);
  std::vector<Attempt> attempts;
  std::string possible;
  for (const ProblemKind kind : problem_kinds) {
    attempts.push_back(attempt(text, file, kind));
    if (attempts.back().problem)
      possible += (possible.empty() ? "" : " or ") + std::string(name(kind));
  }
  const auto whole =
      std::count_if(attempts.begin(), attempts.end(), [](const Attempt& a) { return a.whole(); });
  for (Attempt& a : attempts)
    if (a.whole() && (whole == 1 || a.kind == hint)) return std::move(*a.problem);
  for (Attempt& a : attempts)
    if (a.kind == hint && whole == 0) {
      if (a.problem) return std::move(*a.problem);
      throw Error(a.error);
    }
  require(possible.empty(),
          "cannot read '{}': it may hold an {}, and neither its numbers nor its name tell: say "
          "which (--problem lcp, mlcp or relay)",
          file.string(), possible);
  throw Error(
      std::max_element(attempts.begin(), attempts.end(), [](const Attempt& a, const Attempt& b) {
        return a.position < b.position;
      })->error);
}

// Writing ---------------------------------------------------------------------------------------

void write(const Lcp& problem, std::string& out) {
  out += fmt::format("{}\n", problem.q.size());
  write_siconos_matrix(problem.M, out);
  write_numbers(problem.q, out);
}

void write(const BlockForm& relay, std::string& out) {
  const Bounds bounds = bounds_of(relay);
  out += fmt::format("{}\n", relay.q.size());
  write_siconos_matrix(relay.W, out);
  write_numbers(relay.q, out);
  write_numbers(bounds.lower, out);
  write_numbers(bounds.upper, out);
}

void write(const Mlcp& problem, std::string& out) {
  const Index total = problem.q.size();
  std::vector<char> equality(static_cast<std::size_t>(total), 0);
  for (const Index i : problem.equalities) equality[i] = 1;
  std::string begin = "0", flags;
  for (Index i = 0; i < total; ++i) {
    if (i + 1 < total && equality[i] == equality[i + 1]) continue;
    begin += fmt::format(" {}", i + 1);
    flags += equality[i] ? "0 " : "1 ";
  }
  const auto n = static_cast<Index>(problem.equalities.size());
  out += fmt::format("1\n0\n{}\n{}\n{}\n{}\n", n, total - n, begin, flags);
  write_siconos_matrix(problem.M, out);
  write_numbers(problem.q, out);
}

}  // namespace

ComplementarityProblem parse_siconos_text(std::string_view text, const std::filesystem::path& file,
                                          std::optional<ProblemKind> kind) {
  require(text.find('\0') == std::string_view::npos,
          "cannot read '{}': it is neither text, nor an HDF5 file", file.string());
  if (!kind) return detect(text, file);
  TextScanner in(text, file.string());
  return read(in, *kind);
}

std::size_t siconos_text_understood(std::string_view text, const std::filesystem::path& file) {
  std::size_t best = 0;
  for (const ProblemKind kind : problem_kinds)
    best = std::max(best, attempt(text, file, kind).position);
  return best;
}

ComplementarityProblem read_siconos_text(const std::filesystem::path& path,
                                         std::optional<ProblemKind> kind) {
  return parse_siconos_text(read_text_file(path), path, kind);
}

std::string to_siconos_text(const ComplementarityProblem& problem) {
  std::string out;
  std::visit(
      [&](const auto& p) {
        validate(p);
        write(p, out);
      },
      problem);
  return out;
}

void write_siconos_text(const std::filesystem::path& path, const ComplementarityProblem& problem) {
  write_text_file(path, to_siconos_text(problem));
}

}  // namespace saltus
