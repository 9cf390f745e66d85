#include "saltus/io/siconos_friction.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"
#include "saltus/io/siconos_text_matrix.hpp"

#include <algorithm>
#include <limits>

namespace saltus {

namespace {

constexpr Index largest = std::numeric_limits<int>::max();

/// Types of the blocks of a generic mechanical problem.
enum GenericType { complementarity = 0, equality = 2, friction_2d = 3, friction_3d = 4, relay = 9 };

// Reading ---------------------------------------------------------------------------------------

BlockSparse read_matrix(TextScanner& in, Index rows, Index columns) {
  BlockSparse M = read_siconos_matrix(in);
  if (M.rows() != rows || M.cols() != columns)
    in.fail_here(
        fmt::format("the matrix is {}x{}, expected {}x{}", M.rows(), M.cols(), rows, columns));
  return M;
}

Vector read_coefficients(TextScanner& in, Index count, std::string_view what) {
  const Vector mu = in.numbers(count, what);
  for (Index i = 0; i < count; ++i)
    if (mu[i] < 0) in.fail_here(fmt::format("{}: entry {} is {}, expected >= 0", what, i, mu[i]));
  return mu;
}

/// Blocks of `size` rows, whatever the storage of the file was.
BlockSparse in_blocks(const BlockSparse& M, std::span<const Index> sizes) {
  bool same =
      M.block_rows() == static_cast<Index>(sizes.size()) && M.block_cols() == M.block_rows();
  for (Index i = 0; same && i < M.block_rows(); ++i)
    same = M.row_size(i) == sizes[i] && M.column_size(i) == sizes[i];
  return same ? M : BlockSparse::sparse(M.to_sparse(), sizes, sizes);
}

struct Heading {
  Index dimension, contacts;
};

Heading read_heading(TextScanner& in, bool rolling, Index least_contacts) {
  const Index dimension = in.integer("the dimension of a contact", 2, 5);
  if (dimension != 3 && dimension != (rolling ? 5 : 2))
    in.fail_here(
        fmt::format("the dimension is {}, expected {}", dimension, rolling ? "3 or 5" : "2 or 3"));
  return {dimension, in.integer("the number of contacts", least_contacts, largest / 5)};
}

FrictionContact read_local(TextScanner& in, bool rolling) {
  const auto [dimension, contacts] = read_heading(in, rolling, 1);
  const Index rows = dimension * contacts;
  in.require_room(rows, "a problem of that size");
  FrictionContact problem{dimension};
  const BlockSparse W = read_matrix(in, rows, rows);
  problem.W = in_blocks(W, std::vector<Index>(static_cast<std::size_t>(contacts), dimension));
  problem.q = in.numbers(rows, "the entries of q");
  problem.mu = read_coefficients(in, contacts, "the coefficients mu");
  if (rolling) problem.mu_rolling = read_coefficients(in, contacts, "the coefficients mu_r");
  return problem;
}

GlobalFrictionContact read_global(TextScanner& in, bool rolling) {
  const auto [dimension, contacts] = read_heading(in, rolling, rolling ? 1 : 0);
  const Index rows = dimension * contacts;
  in.require_room(rows, "a problem of that size");
  GlobalFrictionContact problem{dimension};
  problem.M = read_siconos_matrix(in).to_sparse();
  const Index n = problem.M.rows();
  if (problem.M.cols() != n)
    in.fail_here(fmt::format("M is {}x{}, expected a square matrix", n, problem.M.cols()));
  problem.H = read_matrix(in, n, rows).to_sparse();
  problem.f = in.numbers(n, "the entries of q");
  problem.w = in.numbers(rows, "the entries of b");
  problem.mu = read_coefficients(in, contacts, "the coefficients mu");
  if (rolling) problem.mu_rolling = read_coefficients(in, contacts, "the coefficients mu_r");
  return problem;
}

Soclcp read_soclcp(TextScanner& in) {
  const Index n = in.integer("the number of rows", 1, largest);
  const Index cones = in.integer("the number of cones", 1, n);
  in.require_room(n, "a problem of that size");
  Soclcp problem{read_matrix(in, n, n), {}};
  problem.q = in.numbers(n, "the entries of q");
  Index last = in.integer("the begin of the first cone", 0, 0);
  for (Index i = 0; i < cones; ++i) {
    const Index end = in.integer("the end of a cone", i + 1 == cones ? n : last + 1, n);
    problem.sizes.push_back(end - last);
    last = end;
  }
  problem.mu = read_coefficients(in, cones, "the coefficients mu");
  for (Index i = 0; i < cones; ++i)
    if (problem.mu[i] == 0) in.fail_here(fmt::format("mu of cone {} is 0, expected > 0", i));
  return problem;
}

/// Blocks of a generic mechanical problem.
struct GenericBlocks {
  std::vector<BlockSet> K;
  std::vector<Index> sizes;
  void add(const BlockSet& set, Index rows) {
    K.push_back(set);
    sizes.push_back(rows);
  }
};

/// One block if its rows have the same bounds, else a block for each row.
void read_relay(TextScanner& in, Index rows, GenericBlocks& blocks) {
  const Vector lower = in.extended_numbers(rows, "the lower bounds of a relay block");
  const Vector upper = in.extended_numbers(rows, "the upper bounds of a relay block");
  for (Index i = 0; i < rows; ++i)
    if (!(lower[i] <= upper[i]) || lower[i] == inf || upper[i] == -inf)
      in.fail_here(
          fmt::format("row {} of a relay block has the bounds [{}, {}], expected an interval", i,
                      lower[i], upper[i]));
  const bool alike = (lower.array() == lower[0]).all() && (upper.array() == upper[0]).all();
  if (alike) return blocks.add(Interval{lower[0], upper[0]}, rows);
  for (Index i = 0; i < rows; ++i) blocks.add(Interval{lower[i], upper[i]}, 1);
}

void read_generic_block(TextScanner& in, Index rows, GenericBlocks& blocks) {
  const Index type = in.integer("the type of a block", 0, 9);
  const auto cone = [&](Index expected) -> BlockSet {
    if (rows != expected)
      in.fail_here(fmt::format("a block of {} rows has friction of {} rows", rows, expected));
    return FrictionCone{read_coefficients(in, 1, "mu of the block")[0]};
  };
  switch (type) {
    case complementarity:
      return blocks.add(NonNegative{}, rows);
    case equality:
      return blocks.add(Reals{}, rows);
    case friction_2d:
      return blocks.add(cone(2), rows);
    case friction_3d:
      return blocks.add(cone(3), rows);
    case relay:
      return read_relay(in, rows, blocks);
    default:
      in.fail_here(
          fmt::format("a block has type {}, expected 0 (complementarity), 2 (equality), 3 or 4 "
                      "(friction), 9 (relay)",
                      type));
  }
}

BlockForm read_generic(TextScanner& in) {
  BlockForm form;
  form.W = read_siconos_matrix(in);
  const Index blocks = form.W.block_rows();
  bool square = form.W.rows() == form.W.cols() && form.W.block_cols() == blocks;
  for (Index i = 0; square && i < blocks; ++i) square = form.W.row_size(i) == form.W.column_size(i);
  if (!square) in.fail_here("the matrix does not have square diagonal blocks");
  form.q = in.numbers(form.W.rows(), "the entries of q");
  GenericBlocks read;
  for (Index i = 0; i < blocks; ++i) read_generic_block(in, form.W.row_size(i), read);
  form.W = in_blocks(form.W, read.sizes);
  form.K = std::move(read.K);
  return form;
}

// Telling the form ------------------------------------------------------------------------------

/// Older files end with a flag, 0 or 1; problems of sliding friction may have it.
void skip_flag(TextScanner& in) {
  TextScanner ahead = in;
  if (!ahead.number_follows()) return;
  const std::string_view word = ahead.word("a flag");
  if ((word == "0" || word == "1") && !ahead.number_follows()) in = ahead;
}

using Read = ContactProblem (*)(TextScanner&);

constexpr Read readers[] = {
    [](TextScanner& in) -> ContactProblem {
      FrictionContact problem = read_local(in, false);
      skip_flag(in);
      return problem;
    },
    [](TextScanner& in) -> ContactProblem { return read_local(in, true); },
    [](TextScanner& in) -> ContactProblem {
      GlobalFrictionContact problem = read_global(in, false);
      skip_flag(in);
      return problem;
    },
    [](TextScanner& in) -> ContactProblem { return read_global(in, true); },
    [](TextScanner& in) -> ContactProblem { return read_soclcp(in); },
    [](TextScanner& in) -> ContactProblem { return read_generic(in); },
};

}  // namespace

ContactReading try_siconos_friction(std::string_view text, const std::filesystem::path& file) {
  ContactReading best;
  if (text.find('\0') != std::string_view::npos) {
    best.mistake =
        fmt::format("cannot read '{}': it is neither text, nor an HDF5 file", file.string());
    return best;
  }
  // A comment may follow a problem. What looks like one may be more of another form, though (a
  // second matrix): of the forms that fit, that which reads most is meant.
  auto end = best.understood;
  for (const Read read : readers) {
    TextScanner in(text, file.string());
    try {
      ContactProblem problem = read(in);
      if (in.number_follows()) in.fail_here("more numbers follow than the problem has");
      std::visit([](const auto& p) { validate(p); }, problem);
      if (best.problem && in.position() <= end) continue;
      best.problem = std::move(problem);
      best.understood = end = in.position();
      if (text.find_first_not_of(" \t\r\n", end) == std::string_view::npos) return best;
    } catch (const Error& mistake) {
      if (best.problem) continue;
      if (best.mistake.empty() || in.position() > best.understood) best.mistake = mistake.what();
      best.understood = std::max(best.understood, in.position());
    }
  }
  return best;
}

namespace {

// Writing ---------------------------------------------------------------------------------------

void write_heading(Index dimension, Index contacts, std::string& out) {
  out += fmt::format("{}\n{}\n", dimension, contacts);
}

void write_friction(const Vector& mu, const Vector& mu_rolling, std::string& out) {
  write_numbers(mu, out);
  // with a decimal point: a last 0 or 1 alone would be the flag of older files
  for (Index i = 0; i < mu_rolling.size(); ++i) out += fmt::format("{:#} ", mu_rolling[i]);
  if (mu_rolling.size() > 0) out += '\n';
}

void write(const FrictionContact& problem, std::string& out) {
  write_heading(problem.dimension, problem.mu.size(), out);
  write_siconos_matrix(problem.W, out);
  write_numbers(problem.q, out);
  write_friction(problem.mu, problem.mu_rolling, out);
}

void write(const GlobalFrictionContact& problem, std::string& out) {
  write_heading(problem.dimension, problem.mu.size(), out);
  write_siconos_matrix(BlockSparse::sparse(problem.M), out);
  write_siconos_matrix(BlockSparse::sparse(problem.H), out);
  write_numbers(problem.f, out);
  write_numbers(problem.w, out);
  write_friction(problem.mu, problem.mu_rolling, out);
}

void write(const Soclcp& problem, std::string& out) {
  const auto cones = static_cast<Index>(problem.sizes.size());
  write_heading(problem.q.size(), cones, out);
  write_siconos_matrix(problem.M, out);
  write_numbers(problem.q, out);
  Index end = 0;
  out += "0";
  for (const Index size : problem.sizes) out += fmt::format(" {}", end += size);
  out += '\n';
  write_numbers(problem.mu.size() == 0 ? Vector(Vector::Ones(cones)) : problem.mu, out);
}

void write(const BlockForm& problem, std::string& out) {
  write_siconos_matrix(problem.W, out);
  write_numbers(problem.q, out);
  for (Index i = 0; i < problem.W.block_rows(); ++i)
    std::visit(Overloaded{[&](const NonNegative&) { out += fmt::format("{}\n", +complementarity); },
                          [&](const Reals&) { out += fmt::format("{}\n", +equality); },
                          [&](const FrictionCone& K) {
                            const Index rows = problem.W.row_size(i);
                            require(rows == 2 || rows == 3,
                                    "a generic mechanical problem has friction of 2 or 3 rows; "
                                    "block {} has {}",
                                    i, rows);
                            out += fmt::format("{}\n{}\n", rows == 2 ? +friction_2d : +friction_3d,
                                               K.mu);
                          },
                          [&](const Interval& K) {
                            const Index rows = problem.W.row_size(i);
                            out += fmt::format("{}\n", +relay);
                            write_numbers(Vector::Constant(rows, K.lower), out);
                            write_numbers(Vector::Constant(rows, K.upper), out);
                          },
                          [&](const auto& K) {
                            fail(
                                "a generic mechanical problem has complementarity, equality, "
                                "relays and friction; block {} is a {}",
                                i, name(BlockSet(K)));
                          }},
               problem.K[i]);
}

}  // namespace

ContactProblem parse_siconos_friction(std::string_view text, const std::filesystem::path& file) {
  ContactReading reading = try_siconos_friction(text, file);
  if (!reading.problem) throw Error(reading.mistake);
  return std::move(*reading.problem);
}

ContactProblem read_siconos_friction(const std::filesystem::path& path) {
  return parse_siconos_friction(read_text_file(path), path);
}

std::string to_siconos_friction(const ContactProblem& problem) {
  std::string out;
  std::visit(
      [&](const auto& p) {
        validate(p);
        write(p, out);
      },
      problem);
  return out;
}

void write_siconos_friction(const std::filesystem::path& path, const ContactProblem& problem) {
  write_text_file(path, to_siconos_friction(problem));
}

}  // namespace saltus
