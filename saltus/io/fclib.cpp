#include "saltus/io/fclib.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/io/atomic_file.hpp"
#include "saltus/io/fclib_matrix.hpp"
#include "saltus/io/hdf5_dataset.hpp"
#include "saltus/problems/friction_measures.hpp"

#include <algorithm>
#include <array>
#include <fstream>

namespace saltus {

using hdf5::Archive;
using hdf5::Handle;

namespace {

using Sparse = Eigen::SparseMatrix<double>;

constexpr std::array groups{"fclib_local", "fclib_global", "fclib_global_rolling"};

/// Rows of the contacts, of the bilateral rows and of the velocities.
struct Sizes {
  Index contacts = 0, bilateral = 0, velocities = 0;
};

Index contact_rows(std::span<const BlockSet> K, std::span<const Index> sizes) {
  Index rows = 0;
  for (std::size_t i = 0; i < K.size(); ++i)
    if (!row_by_row(K[i])) rows += sizes[i];
  return rows;
}

Sizes sizes_of(const FclibFile& file) {
  return std::visit(Overloaded{[](const FrictionContact& p) -> Sizes {
                                 return {p.q.size(), 0, 0};
                               },
                               [](const GlobalFrictionContact& p) -> Sizes {
                                 return {p.w.size(), 0, p.f.size()};
                               },
                               [](const GlobalBlockForm& p) -> Sizes {
                                 const Index rows = contact_rows(p.K, p.sizes);
                                 return {rows, p.w.size() - rows, p.f.size()};
                               },
                               [](const BlockForm& p) -> Sizes {
                                 const Index rows = contact_rows(p.K, block_sizes(p));
                                 return {rows, p.q.size() - rows, 0};
                               }},
                    file.problem);
}

// Reading ---------------------------------------------------------------------------------------

std::string reading(const std::filesystem::path& path) {
  return fmt::format("cannot read '{}'", path.string());
}

/// The group that holds the problem, "" if there is none.
std::string problem_group(const Archive& file) {
  for (const char* group : groups)
    if (file.has(group)) return group;
  return {};
}

struct Reader {
  const Archive& file;
  std::string group, what;

  [[nodiscard]] bool has(const std::string& name) const { return file.has(group + "/" + name); }
  [[nodiscard]] Sparse matrix(const std::string& name) const {
    return read_fclib_matrix(file, group + "/" + name, what);
  }
  [[nodiscard]] Vector vector(const std::string& name, Index size, const char* expected) const {
    const std::string path = group + "/vectors/" + name;
    const std::vector<double> values = file.numbers(path);
    require(static_cast<Index>(values.size()) == size, "{}: '{}' has size {}, expected {} ({})",
            what, path, values.size(), size, expected);
    return Eigen::Map<const Vector>(values.data(), size);
  }
  [[nodiscard]] Index dimension(Index rows, bool rolling) const {
    const Index d = file.integer(group + "/spacedim");
    require(d == 3 || d == (rolling ? 5 : 2), "{}: '{}/spacedim' is {}, expected {} or {}", what,
            group, d, rolling ? 3 : 2, rolling ? 5 : 3);
    require(rows % d == 0, "{}: {} rows of {} do not make contacts of {} rows", what, rows, group,
            d);
    return d;
  }
  [[nodiscard]] std::string text(const std::string& name) const {
    const std::string path = group + "/info/" + name;
    return file.has(path) ? file.text(path) : std::string();
  }
};

FrictionContact read_local(const Reader& in) {
  const bool rolling = in.has("vectors/mu_r");
  const Sparse W = in.matrix("W");
  require(W.rows() == W.cols(), "{}: {}/W is {}x{}, expected a square matrix", in.what, in.group,
          W.rows(), W.cols());
  FrictionContact problem;
  problem.dimension = in.dimension(W.rows(), rolling);
  const Index contacts = W.rows() / problem.dimension;
  problem.q = in.vector("q", W.rows(), "the rows of W");
  problem.mu = in.vector("mu", contacts, "the number of contacts");
  if (rolling) problem.mu_rolling = in.vector("mu_r", contacts, "the number of contacts");
  problem.W = BlockSparse::sparse(W, problem.dimension);
  return problem;
}

GlobalFrictionContact read_global(const Reader& in) {
  const bool rolling = in.has("vectors/mu_r");
  require(rolling || in.group != "fclib_global_rolling", "{}: '{}/vectors/mu_r' is missing",
          in.what, in.group);
  GlobalFrictionContact problem;
  problem.M = in.matrix("M");
  problem.H = in.matrix("H");
  require(problem.M.rows() == problem.M.cols() && problem.H.rows() == problem.M.rows(),
          "{}: {}/M is {}x{} and H is {}x{}, expected a square M and as many rows of H", in.what,
          in.group, problem.M.rows(), problem.M.cols(), problem.H.rows(), problem.H.cols());
  problem.dimension = in.dimension(problem.H.cols(), rolling);
  const Index contacts = problem.H.cols() / problem.dimension;
  problem.f = in.vector("f", problem.M.rows(), "the rows of M");
  problem.w = in.vector("w", problem.H.cols(), "the columns of H");
  problem.mu = in.vector("mu", contacts, "the number of contacts");
  if (rolling) problem.mu_rolling = in.vector("mu_r", contacts, "the number of contacts");
  return problem;
}

Sparse beside(const Sparse& A, const Sparse& B) {
  std::vector<Eigen::Triplet<double>> list;
  list.reserve(static_cast<std::size_t>(A.nonZeros() + B.nonZeros()));
  const auto append = [&](const Sparse& part, Index shift) {
    for (Index j = 0; j < part.outerSize(); ++j)
      for (Sparse::InnerIterator it(part, j); it; ++it)
        list.emplace_back(static_cast<int>(it.row()), static_cast<int>(it.col() + shift),
                          it.value());
  };
  append(A, 0);
  append(B, A.cols());
  Sparse both(A.rows(), A.cols() + B.cols());
  both.setFromTriplets(list.begin(), list.end());
  return both;
}

GlobalBlockForm with_bilateral(const GlobalFrictionContact& contacts, const Reader& in) {
  const Sparse G = in.matrix("G");
  require(G.rows() == contacts.M.rows(), "{}: {}/G has {} rows, M has {}", in.what, in.group,
          G.rows(), contacts.M.rows());
  GlobalBlockForm form = to_global_block_form(contacts);
  form.H = beside(contacts.H, G);
  form.w.conservativeResize(form.w.size() + G.cols());
  form.w.tail(G.cols()) = in.vector("b", G.cols(), "the columns of G");
  form.K.emplace_back(Reals{});
  form.sizes.push_back(G.cols());
  return form;
}

/// u = W r + V l + q at the contacts, Vᵀ r + R l + s = 0.
BlockForm with_bilateral(const FrictionContact& contacts, const Reader& in) {
  const Sparse V = in.matrix("V"), R = in.matrix("R");
  const Index m = contacts.q.size(), rows = V.cols();
  require(
      V.rows() == m && R.rows() == rows && R.cols() == rows,
      "{}: {}/V is {}x{} and R is {}x{}, expected as many rows of V as W has ({}) and a square R "
      "of the columns of V",
      in.what, in.group, V.rows(), V.cols(), R.rows(), R.cols(), m);
  const Sparse W = contacts.W.to_sparse(), upper = beside(W, V);
  const Sparse lower = beside(Sparse(V.transpose()), R);
  const Sparse whole = beside(Sparse(upper.transpose()), Sparse(lower.transpose())).transpose();
  BlockForm form = to_block_form(contacts);
  std::vector<Index> sizes = block_sizes(form);
  sizes.push_back(rows);
  form.W = BlockSparse::sparse(whole, sizes, sizes);
  form.q.conservativeResize(m + rows);
  form.q.tail(rows) = in.vector("s", rows, "the columns of V");
  form.K.emplace_back(Reals{});
  return form;
}

FclibPoint read_point(const Archive& file, const std::string& group, const Sizes& sizes,
                      const std::string& what) {
  FclibPoint point;
  const auto read = [&](const char* name, Vector& out, Index expected) {
    const std::string path = group + "/" + name;
    if (!file.has(path)) return;
    const std::vector<double> values = file.numbers(path);
    const auto size = static_cast<Index>(values.size());
    // SICONOS stores a dummy v in the solution of a local problem: what cannot belong is left out
    if (size != expected && expected == 0) return;
    require(size == expected, "{}: '{}' has size {}, expected {}", what, path, size, expected);
    out = Eigen::Map<const Vector>(values.data(), size);
  };
  read("v", point.v, sizes.velocities);
  read("u", point.u, sizes.contacts);
  read("r", point.r, sizes.contacts);
  read("l", point.l, sizes.bilateral);
  return point;
}

void read_points(const Archive& archive, FclibFile& file, const std::string& what) {
  const Sizes sizes = sizes_of(file);
  if (archive.has("solution")) file.solution = read_point(archive, "solution", sizes, what);
  if (!archive.has("guesses/number_of_guesses")) return;
  const Index count = archive.integer("guesses/number_of_guesses");
  for (Index k = 1; k <= count; ++k) {
    const std::string group = fmt::format("guesses/{}", k);
    require(archive.has(group), "{}: '{}' is missing, expected {} guesses", what, group, count);
    file.guesses.push_back(read_point(archive, group, sizes, what));
  }
}

FclibFile read_content(const Archive& archive, const std::string& what) {
  const Reader in{archive, problem_group(archive), what};
  require(!in.group.empty(),
          "{}: it is an HDF5 file, but none of FCLib (fclib_local, fclib_global, "
          "fclib_global_rolling)",
          what);
  FclibFile file;
  if (in.group == "fclib_local") {
    FrictionContact contacts = read_local(in);
    if (in.has("V"))
      file.problem = with_bilateral(contacts, in);
    else
      file.problem = std::move(contacts);
  } else {
    GlobalFrictionContact contacts = read_global(in);
    if (in.has("G"))
      file.problem = with_bilateral(contacts, in);
    else
      file.problem = std::move(contacts);
  }
  std::visit([](const auto& p) { validate(p); }, file.problem);
  file.title = in.text("title");
  file.description = in.text("description");
  file.math_info = in.text("math_info");
  read_points(archive, file, what);
  return file;
}

// Writing ---------------------------------------------------------------------------------------

Handle create_group(hid_t parent, const char* name, const std::string& what) {
  return Handle(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), &H5Gclose, what);
}

void write_text(hid_t group, const char* name, const std::string& text, const std::string& what) {
  const Handle type(H5Tcopy(H5T_C_S1), &H5Tclose, what);
  hdf5::check(H5Tset_size(type, text.size() + 1), what);
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose, what);
  const Handle set(H5Dcreate2(group, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                   &H5Dclose, what);
  hdf5::check(H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()), what);
}

void write_info(hid_t group, const FclibFile& file, const std::string& what) {
  const Handle info = create_group(group, "info", what);
  write_text(info, "title", file.title, what);
  write_text(info, "description", file.description, what);
  write_text(info, "math_info", file.math_info, what);
}

void write_dimension(hid_t group, Index dimension, const std::string& what) {
  const auto value = static_cast<int>(dimension);
  write_fclib_integers(group, "spacedim", {&value, 1}, what);
}

/// The bilateral part of a local problem; empty matrices: none.
struct Bilateral {
  Sparse V = {}, R = {};
  Vector s = {};
};

void write_local(hid_t file, const FrictionContact& problem, const Bilateral& joints,
                 const FclibFile& content, const std::string& what) {
  const Handle group = create_group(file, "fclib_local", what);
  write_dimension(group, problem.dimension, what);
  write_fclib_matrix(group, "W", problem.W.to_sparse(), what);
  if (joints.s.size() > 0) {
    write_fclib_matrix(group, "V", joints.V, what);
    write_fclib_matrix(group, "R", joints.R, what);
  }
  const Handle vectors = create_group(group, "vectors", what);
  write_fclib_numbers(vectors, "q", problem.q, what);
  write_fclib_numbers(vectors, "mu", problem.mu, what);
  if (problem.mu_rolling.size() > 0) write_fclib_numbers(vectors, "mu_r", problem.mu_rolling, what);
  if (joints.s.size() > 0) write_fclib_numbers(vectors, "s", joints.s, what);
  write_info(group, content, what);
}

void write_global(hid_t file, const GlobalFrictionContact& problem, const Sparse& G,
                  const Vector& b, const FclibFile& content, const std::string& what) {
  const bool rolling = problem.mu_rolling.size() > 0;
  const Handle group = create_group(file, rolling ? "fclib_global_rolling" : "fclib_global", what);
  write_dimension(group, problem.dimension, what);
  write_fclib_matrix(group, "M", problem.M, what);
  write_fclib_matrix(group, "H", problem.H, what);
  if (G.cols() > 0) write_fclib_matrix(group, "G", G, what);
  const Handle vectors = create_group(group, "vectors", what);
  write_fclib_numbers(vectors, "f", problem.f, what);
  write_fclib_numbers(vectors, "w", problem.w, what);
  write_fclib_numbers(vectors, "mu", problem.mu, what);
  if (rolling) write_fclib_numbers(vectors, "mu_r", problem.mu_rolling, what);
  if (G.cols() > 0) write_fclib_numbers(vectors, "b", b, what);
  write_info(group, content, what);
}

/// The first blocks of a form, contacts of one kind; behind them equalities only.
struct Contacts {
  Index dimension = 3;
  Vector mu, mu_rolling;
  [[nodiscard]] Index rows() const { return dimension * mu.size(); }
};

Contacts contacts_of(std::span<const BlockSet> K, std::span<const Index> sizes,
                     const std::string& what) {
  std::size_t count = 0;
  while (count < K.size() && !std::holds_alternative<Reals>(K[count])) ++count;
  const auto nc = static_cast<Index>(count);
  require(count > 0, "{}: the problem has no contact, FCLib files hold contact problems", what);
  const bool rolling = std::holds_alternative<RollingCone>(K[0]);
  Contacts contacts{sizes[0], Vector(nc), Vector(rolling ? nc : 0)};
  for (std::size_t i = 0; i < K.size(); ++i) {
    const auto* cone = std::get_if<FrictionCone>(&K[i]);
    const auto* roll = std::get_if<RollingCone>(&K[i]);
    const bool fits = i >= count ? std::holds_alternative<Reals>(K[i])
                                 : (rolling ? roll != nullptr : cone != nullptr) &&
                                       sizes[i] == contacts.dimension;
    require(fits,
            "{}: block {} is a {} with {} rows; FCLib files hold contacts of one kind and size, "
            "then equalities",
            what, i, name(K[i]), sizes[i]);
    if (i >= count) continue;
    contacts.mu[static_cast<Index>(i)] = rolling ? roll->mu : cone->mu;
    if (rolling) contacts.mu_rolling[static_cast<Index>(i)] = roll->mu_rolling;
  }
  return contacts;
}

void write_global_form(hid_t target, const GlobalBlockForm& form, const FclibFile& content,
                       const std::string& what) {
  const Contacts contacts = contacts_of(form.K, form.sizes, what);
  const Index m = contacts.rows(), rows = form.w.size() - m;
  const GlobalFrictionContact part{contacts.dimension, form.M,      form.H.leftCols(m), form.f,
                                   form.w.head(m),     contacts.mu, contacts.mu_rolling};
  write_global(target, part, form.H.rightCols(rows), form.w.tail(rows), content, what);
}

void write_local_form(hid_t target, const BlockForm& form, const FclibFile& content,
                      const std::string& what) {
  const Contacts contacts = contacts_of(form.K, block_sizes(form), what);
  const Index m = contacts.rows(), rows = form.q.size() - m;
  const Sparse W = form.W.to_sparse();
  const Bilateral joints{W.block(0, m, m, rows), W.block(m, m, rows, rows), form.q.tail(rows)};
  const Sparse below = W.block(m, 0, rows, m);
  // Rounding of Hᵀ M⁻¹ G and Gᵀ M⁻¹ H, which are one matrix if M is symmetric
  require((below - Sparse(joints.V.transpose())).norm() <= 1e-12 * below.norm(),
          "{}: the bilateral rows of W are not the transpose of its bilateral columns; FCLib files "
          "store these only: write the global problem",
          what);
  const FrictionContact part{contacts.dimension,
                             BlockSparse::sparse(Sparse(W.block(0, 0, m, m)), contacts.dimension),
                             form.q.head(m), contacts.mu, contacts.mu_rolling};
  write_local(target, part, joints, content, what);
}

void write_point(hid_t parent, const char* name, const FclibPoint& point, const Sizes& sizes,
                 const std::string& what) {
  const Handle group = create_group(parent, name, what);
  const auto write = [&](const char* letter, const Vector& values, Index expected) {
    if (values.size() == 0) return;
    require(values.size() == expected, "{}: {} of the {} has size {}, expected {}", what, letter,
            name, values.size(), expected);
    write_fclib_numbers(group, letter, values, what);
  };
  write("v", point.v, sizes.velocities);
  write("u", point.u, sizes.contacts);
  write("r", point.r, sizes.contacts);
  write("l", point.l, sizes.bilateral);
}

void write_problem(hid_t target, const FclibFile& file, const std::string& what) {
  std::visit(Overloaded{[&](const FrictionContact& p) { write_local(target, p, {}, file, what); },
                        [&](const GlobalFrictionContact& p) {
                          write_global(target, p, Sparse(), Vector(), file, what);
                        },
                        [&](const GlobalBlockForm& p) { write_global_form(target, p, file, what); },
                        [&](const BlockForm& p) { write_local_form(target, p, file, what); }},
             file.problem);
}

}  // namespace

FclibFile read_fclib(const std::filesystem::path& path) {
  const hdf5::Silence silence;
  const std::string what = reading(path);
  try {
    return read_content(Archive(path, what), what);
  } catch (const Error& mistake) {
    const std::string text = mistake.what();
    throw Error(text.starts_with(what) ? text : what + ": " + text);
  }
}

bool is_fclib(const std::filesystem::path& path) {
  constexpr std::string_view signature("\x89HDF\r\n\x1a\n", 8);
  std::array<char, signature.size()> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  if (std::string_view(begin.data(), begin.size()) != signature) return false;
  const hdf5::Silence silence;
  return !problem_group(Archive(path, reading(path))).empty();
}

void write_fclib(const std::filesystem::path& path, const FclibFile& file) {
  const hdf5::Silence silence;
  std::visit([](const auto& p) { validate(p); }, file.problem);
  const std::string what = fmt::format("cannot write '{}'", path.string());
  const Sizes sizes = sizes_of(file);
  AtomicFile target(path);
  Handle out(H5Fcreate(target.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
             &H5Fclose, what);
  write_problem(out, file, what);
  if (!file.guesses.empty()) {
    const Handle group = create_group(out, "guesses", what);
    const auto count = static_cast<int>(file.guesses.size());
    write_fclib_integers(group, "number_of_guesses", {&count, 1}, what);
    for (int k = 1; k <= count; ++k)
      write_point(group, std::to_string(k).c_str(), file.guesses[k - 1], sizes, what);
  }
  if (file.solution) write_point(out, "solution", *file.solution, sizes, what);
  out.finish(what);
  target.commit();
}

void write_fclib_solution(const std::filesystem::path& source, const std::filesystem::path& path,
                          const FclibPoint& solution) {
  const Sizes sizes = sizes_of(read_fclib(source));
  const hdf5::Silence silence;
  const std::string what = fmt::format("cannot write '{}'", path.string());
  AtomicFile target(path);
  std::error_code error;
  std::filesystem::copy_file(source, target.temporary(),
                             std::filesystem::copy_options::overwrite_existing, error);
  require(!error, "{}: '{}' cannot be copied: {}", what, source.string(), error.message());
  Handle out(H5Fopen(target.temporary().c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, what);
  if (hdf5::has(out, "solution")) hdf5::check(H5Ldelete(out, "solution", H5P_DEFAULT), what);
  write_point(out, "solution", solution, sizes, what);
  out.finish(what);
  target.commit();
}

FclibPoint fclib_point(const FclibFile& file, ConstVectorRef r) {
  const Sizes sizes = sizes_of(file);
  require(r.size() == sizes.contacts + sizes.bilateral,
          "fclib_point: r has size {}, the problem {}", r.size(), sizes.contacts + sizes.bilateral);
  const auto reduced = [&](const auto& p) -> FclibPoint {
    Vector u(p.q.size());
    p.W.multiply(r, u);
    u += p.q;
    return {.u = u.head(sizes.contacts), .r = r.head(sizes.contacts), .l = r.tail(sizes.bilateral)};
  };
  return std::visit(Overloaded{[&](const FrictionContact& p) { return reduced(p); },
                               [&](const BlockForm& p) { return reduced(p); },
                               [&](const auto& p) -> FclibPoint {
                                 const Vector v = velocity(p, r);
                                 const Vector u = p.H.transpose() * v + p.w;
                                 return {.v = v,
                                         .u = u.head(sizes.contacts),
                                         .r = r.head(sizes.contacts),
                                         .l = r.tail(sizes.bilateral)};
                               }},
                    file.problem);
}

}  // namespace saltus
