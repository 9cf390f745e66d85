// FCLib files: round trips, the three encodings of a matrix, and what is refused. Covers FS:FS-114.
#include "saltus/io/fclib.hpp"

#include "saltus/base/report.hpp"
#include "saltus/io/fclib_matrix.hpp"
#include "saltus/io/hdf5_dataset.hpp"
#include "saltus/io/problem_file.hpp"
#include "saltus/io/problem_file_text.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

namespace saltus {
namespace {

using hdf5::Handle;
using Sparse = Eigen::SparseMatrix<double>;
namespace fs = std::filesystem;

constexpr const char* what = "test";

Sparse sparse(const Matrix& A) { return A.sparseView(); }

GlobalFrictionContact global_problem(Index dimension, bool rolling) {
  const Index n = 4, m = 2 * dimension;
  GlobalFrictionContact problem{dimension};
  Matrix M = Matrix::Identity(n, n), H(n, m);
  M(0, 1) = 0.25;  // not symmetric
  for (Index i = 0; i < n; ++i)
    for (Index j = 0; j < m; ++j) H(i, j) = (i + 2 * j) % 3 == 0 ? 0 : std::sin(double(i + 3 * j));
  problem.M = sparse(M);
  problem.H = sparse(H);
  problem.f = Vector::LinSpaced(n, -1, 1);
  problem.w = Vector::LinSpaced(m, -0.5, 1.0 / 3);
  problem.mu = Values{0.3, 0.7};
  if (rolling) problem.mu_rolling = Values{0.01, 0.02};
  return problem;
}

GlobalBlockForm with_bilateral_rows() {
  GlobalBlockForm form = to_global_block_form(global_problem(3, false));
  Matrix H = Matrix::Zero(4, 8);
  H.leftCols(6) = Matrix(form.H);
  H(0, 6) = 1;
  H(1, 7) = -2;
  form.H = sparse(H);
  Vector w(8);
  w << form.w, 0.125, 0.25;
  form.w = w;
  form.K.emplace_back(Reals{});
  form.sizes.push_back(2);
  return form;
}

class Fclib : public testing::Test {
 protected:
  fs::path folder = fs::path(testing::TempDir()) / "saltus-fclib";
  fs::path path = folder / "problem.hdf5";
  void SetUp() override { fs::create_directories(folder); }
  void TearDown() override { fs::remove_all(folder); }

  /// A local problem of one contact in the plane, W = [[2, 0.5], [−1, 3]], written by `matrix`.
  template <class WriteMatrix>
  void write_by_hand(WriteMatrix&& matrix, bool checksums = false) {
    const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, what);
    if (checksums) H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST);
    const Handle file(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), &H5Fclose, what);
    const Handle group = create(file, "fclib_local");
    const Handle W = create(group, "W");
    matrix(W);
    const int dimension = 2;
    write_fclib_integers(group, "spacedim", {&dimension, 1}, what);
    const Handle vectors = create(group, "vectors");
    write_fclib_numbers(vectors, "q", Values{-1, 1}, what);
    write_fclib_numbers(vectors, "mu", Values{0.5}, what);
  }
  static Handle create(hid_t parent, const char* name) {
    return Handle(H5Gcreate2(parent, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), &H5Gclose, what);
  }
  struct Encoding {
    int rows = 2, columns = 2, nz = -1;
    std::vector<int> p = {0, 2, 4}, i = {0, 1, 0, 1};
    std::vector<double> x = {2, -1, 0.5, 3};
  };
  void write_encoding(const Encoding& e, bool checksums = false) {
    write_by_hand(
        [&](hid_t W) {
          const auto nzmax = static_cast<int>(e.x.size());
          write_fclib_integers(W, "nzmax", {&nzmax, 1}, what);
          write_fclib_integers(W, "m", {&e.rows, 1}, what);
          write_fclib_integers(W, "n", {&e.columns, 1}, what);
          write_fclib_integers(W, "nz", {&e.nz, 1}, what);
          write_fclib_integers(W, "p", e.p, what);
          write_fclib_integers(W, "i", e.i, what);
          write_fclib_numbers(
              W, "x", Eigen::Map<const Vector>(e.x.data(), static_cast<Index>(e.x.size())), what);
        },
        checksums);
  }
  [[nodiscard]] FrictionContact local() const {
    return std::get<FrictionContact>(read_fclib(path).problem);
  }
};

void expect_same(const FrictionContact& a, const FrictionContact& b) {
  EXPECT_EQ(a.dimension, b.dimension);
  EXPECT_EQ(a.W.to_dense(), b.W.to_dense());
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.mu, b.mu);
  EXPECT_EQ(a.mu_rolling, b.mu_rolling);
}

TEST_F(Fclib, BringsBackGlobalProblems) {
  for (const auto& [dimension, rolling] :
       {std::pair<Index, bool>{2, false}, {3, false}, {3, true}, {5, true}}) {
    const GlobalFrictionContact problem = global_problem(dimension, rolling);
    FclibFile file{.problem = problem, .title = "a pile", .description = "", .math_info = "none"};
    file.guesses = {{.v = Vector::Ones(4), .u = problem.w, .r = problem.w}, {.r = 2 * problem.w}};
    file.solution = FclibPoint{.u = problem.w, .r = 3 * problem.w};
    write_fclib(path, file);
    EXPECT_TRUE(is_fclib(path));
    const FclibFile again = read_fclib(path);
    const auto& p = std::get<GlobalFrictionContact>(again.problem);
    EXPECT_EQ(p.dimension, dimension);
    EXPECT_EQ(Matrix(p.M), Matrix(problem.M));
    EXPECT_EQ(Matrix(p.H), Matrix(problem.H));
    EXPECT_EQ(p.f, problem.f);
    EXPECT_EQ(p.w, problem.w);
    EXPECT_EQ(p.mu, problem.mu);
    EXPECT_EQ(p.mu_rolling, problem.mu_rolling);
    EXPECT_EQ(again.title, "a pile");
    EXPECT_EQ(again.description, "");
    EXPECT_EQ(again.math_info, "none");
    ASSERT_EQ(again.guesses.size(), 2);
    EXPECT_EQ(again.guesses[0].v, Vector::Ones(4));
    EXPECT_EQ(again.guesses[1].r, 2 * problem.w);
    EXPECT_EQ(again.guesses[1].u.size(), 0);
    EXPECT_EQ(again.solution->r, 3 * problem.w);
  }
}

TEST_F(Fclib, BringsBackLocalProblemsAndReadProblemFindsThem) {
  for (const auto& [dimension, rolling] : {std::pair<Index, bool>{3, false}, {5, true}}) {
    const FrictionContact problem = reduce(global_problem(dimension, rolling));
    write_fclib(path, {.problem = problem});
    expect_same(local(), problem);
    expect_same(std::get<FrictionContact>(read_any_problem(path)), problem);
    EXPECT_ERROR(read_problem(path), "it holds a contact problem, expected lcp, mlcp or relay");
  }
}

TEST_F(Fclib, KeepsBilateralRowsBesideTheContacts) {
  const GlobalBlockForm form = with_bilateral_rows();
  FclibFile file{.problem = form};
  const Vector r = Vector::LinSpaced(8, 1, 2);
  file.solution = fclib_point(file, r);
  write_fclib(path, file);
  const FclibFile again = read_fclib(path);
  const auto& p = std::get<GlobalBlockForm>(again.problem);
  EXPECT_EQ(Matrix(p.H), Matrix(form.H));
  EXPECT_EQ(p.w, form.w);
  EXPECT_EQ(p.sizes, form.sizes);
  EXPECT_TRUE(std::holds_alternative<Reals>(p.K.back()));
  EXPECT_EQ(again.solution->r, r.head(6));
  EXPECT_EQ(again.solution->l, r.tail(2));
  EXPECT_EQ(again.solution->v, velocity(form, r));
  GlobalBlockForm mixed = form;
  mixed.K[1] = EllipticCone{0.1, 0.2};
  EXPECT_ERROR(write_fclib(path, {.problem = mixed}),
               "block 1 is a elliptic friction cone with 3 rows; FCLib files hold contacts of one");
}

TEST_F(Fclib, KeepsBilateralRowsOfLocalProblems) {
  GlobalBlockForm global = with_bilateral_rows();
  global.M = sparse(Matrix::Identity(4, 4) * 2);  // symmetric: W is too
  const BlockForm form = reduce(global);
  FclibFile file{.problem = form};
  const Vector r = Vector::LinSpaced(8, 1, 2);
  file.solution = fclib_point(file, r);
  write_fclib(path, file);
  const FclibFile again = read_fclib(path);
  const auto& p = std::get<BlockForm>(again.problem);
  // the rows below are stored as the transpose of V
  EXPECT_LE((p.W.to_dense() - form.W.to_dense()).norm(), 1e-15 * form.W.to_dense().norm());
  EXPECT_EQ(p.q, form.q);
  ASSERT_EQ(p.K.size(), 3);
  EXPECT_EQ(std::get<FrictionCone>(p.K[1]).mu, 0.7);
  EXPECT_TRUE(std::holds_alternative<Reals>(p.K[2]));
  EXPECT_EQ(p.W.row_size(2), 2);
  EXPECT_EQ(again.solution->r, r.head(6));
  EXPECT_EQ(again.solution->l, r.tail(2));
  EXPECT_EQ(again.solution->u.size(), 6);
  EXPECT_TRUE(std::holds_alternative<BlockForm>(read_any_problem(path)));
  const BlockForm asymmetric = reduce(with_bilateral_rows());
  EXPECT_ERROR(write_fclib(path, {.problem = asymmetric}),
               "the bilateral rows of W are not the transpose of its bilateral columns");
}

TEST_F(Fclib, RefusesBilateralRowsThatDoNotFit) {
  const auto with = [&](const Matrix& V, const Matrix& R, const Vector& s) {
    write_encoding({});
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, what);
    const Handle group(H5Gopen2(file, "fclib_local", H5P_DEFAULT), &H5Gclose, what);
    write_fclib_matrix(group, "V", sparse(V), what);
    write_fclib_matrix(group, "R", sparse(R), what);
    const Handle vectors(H5Gopen2(group, "vectors", H5P_DEFAULT), &H5Gclose, what);
    write_fclib_numbers(vectors, "s", s, what);
  };
  with(Rows{{1}, {2}}, Rows{{3}}, Values{4});
  EXPECT_EQ(std::get<BlockForm>(read_fclib(path).problem).W.to_dense(),
            Matrix(Rows{{2, 0.5, 1}, {-1, 3, 2}, {1, 2, 3}}));
  with(Rows{{1}, {2}, {3}}, Rows{{3}}, Values{4});
  EXPECT_ERROR(read_fclib(path), "fclib_local/V is 3x1 and R is 1x1, expected as many rows of V");
  with(Rows{{1}, {2}}, Rows{{3, 1}, {1, 3}}, Values{4});
  EXPECT_ERROR(read_fclib(path), "R is 2x2");
  with(Rows{{1}, {2}}, Rows{{3}}, Values{4, 5});
  EXPECT_ERROR(read_fclib(path),
               "'fclib_local/vectors/s' has size 2, expected 1 (the columns of V)");
}

TEST_F(Fclib, RefusesWrongGlobalProblems) {
  const auto edit = [&](const char* name, auto&& write) {
    write_fclib(path, {.problem = global_problem(3, false)});
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, what);
    const Handle group(H5Gopen2(file, "fclib_global", H5P_DEFAULT), &H5Gclose, what);
    H5Ldelete(group, name, H5P_DEFAULT);
    write(group);
  };
  edit("H", [](hid_t g) { write_fclib_matrix(g, "H", sparse(Matrix::Ones(5, 6)), what); });
  EXPECT_ERROR(read_fclib(path), "fclib_global/M is 4x4 and H is 5x6, expected a square M");
  edit("H", [](hid_t g) { write_fclib_matrix(g, "H", sparse(Matrix::Ones(4, 5)), what); });
  EXPECT_ERROR(read_fclib(path), "5 rows of fclib_global do not make contacts of 3 rows");
  edit("vectors/mu", [](hid_t g) { write_fclib_numbers(g, "vectors/mu", Values{0.3}, what); });
  EXPECT_ERROR(read_fclib(path),
               "'fclib_global/vectors/mu' has size 1, expected 2 (the number of contacts)");
  edit("vectors/f", [](hid_t g) {
    write_fclib_numbers(g, "vectors/f", Values{0, std::nan(""), 0, 0}, what);
  });
  EXPECT_ERROR(read_fclib(path), "f");
  edit("M", [](hid_t) {});
  EXPECT_ERROR(read_fclib(path), "'fclib_global/M/m' is missing");
}

TEST_F(Fclib, ReadsTheThreeEncodingsAndAddsRepeatedEntries) {
  const Matrix expected = Rows{{2, 0.5}, {-1, 3}};
  for (const bool checksums : {false, true}) {
    write_encoding({}, checksums);
    EXPECT_EQ(local().W.to_dense(), expected);
    write_encoding({.nz = -2, .x = {2, 0.5, -1, 3}}, checksums);
    EXPECT_EQ(local().W.to_dense(), expected);
    write_encoding({.nz = 5, .p = {0, 0, 1, 1, 1}, .i = {0, 1, 0, 1, 1}, .x = {2, -1, 0.5, 1, 2}},
                   checksums);
    EXPECT_EQ(local().W.to_dense(), expected);
  }
}

TEST_F(Fclib, ReadsIntegersOfEightBytes) {
  write_by_hand([&](hid_t W) {
    const std::pair<const char*, std::vector<Index>> arrays[] = {
        {"nzmax", {4}}, {"m", {2}},       {"n", {2}},
        {"nz", {-1}},   {"p", {0, 2, 4}}, {"i", {0, 1, 0, 1}}};
    for (const auto& [name, values] : arrays) hdf5::write_integers(W, name, values, "", what);
    write_fclib_numbers(W, "x", Values{2, -1, 0.5, 3}, what);
  });
  EXPECT_EQ(local().W.to_dense(), Matrix(Rows{{2, 0.5}, {-1, 3}}));
}

TEST_F(Fclib, RefusesMatricesThatDoNotFitTogether) {
  const double nan = std::nan("");
  const std::pair<Encoding, const char*> cases[] = {
      {{.p = {0, 2}},
       "fclib_local/W: 'p' holds 2 pointers, expected 3 (one per column and the end)"},
      {{.p = {0, 3, 2}}, "fclib_local/W: 'p'[2] is 2, expected at least 'p'[1] = 3"},
      {{.p = {1, 2, 4}}, "fclib_local/W: 'p'[0] is 1, expected 0"},
      {{.p = {0, 2, 9}}, "fclib_local/W: 'i' and 'x' hold 4 and 4 entries, expected 9"},
      {{.i = {0, 2, 0, 1}}, "fclib_local/W: 'i'[1] is 2, expected 0 to 1"},
      {{.i = {0, -1, 0, 1}}, "fclib_local/W: 'i'[1] is -1, expected 0 to 1"},
      {{.nz = 4, .p = {0, 0, 5, 1}}, "fclib_local/W: 'p'[2] is 5, expected 0 to 1"},
      {{.nz = 9}, "fclib_local/W: 'p' holds 3 entries, expected nz = 9"},
      {{.nz = -3}, "fclib_local/W: 'nz' is -3, expected -1 (columns), -2 (rows) or"},
      {{.x = {2, nan, 0.5, 3}}, "fclib_local/W: 'x'[1] is nan, expected a finite number"},
      {{.rows = 1, .i = {0, 0, 0, 0}}, "fclib_local/W is 1x2, expected a square matrix"},
      {{.rows = 1 << 30, .columns = 1 << 30, .nz = 0, .p = {}, .i = {}, .x = {}},
       "it is 1073741824x1073741824, expected 1 to"},
      {{.rows = 0}, "it is 0x2, expected 1 to"}};
  for (const auto& [encoding, text] : cases) {
    write_encoding(encoding);
    EXPECT_ERROR(read_fclib(path), text);
    EXPECT_ERROR(read_fclib(path), "cannot read '" + path.string() + "': ");
  }
}

TEST_F(Fclib, RefusesWrongVectorsAndDimensions) {
  const auto edit = [&](const char* name, auto&& write) {
    write_encoding({});
    const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, what);
    const Handle group(H5Gopen2(file, "fclib_local", H5P_DEFAULT), &H5Gclose, what);
    H5Ldelete(group, name, H5P_DEFAULT);
    write(group);
  };
  const auto none = [](hid_t) {};
  edit("vectors/mu", none);
  EXPECT_ERROR(read_fclib(path), "'fclib_local/vectors/mu' is missing");
  edit("vectors/mu", [](hid_t g) { write_fclib_numbers(g, "vectors/mu", Values{-0.5}, what); });
  EXPECT_ERROR(read_fclib(path), "mu[0] is -0.5, expected a finite number >= 0");
  edit("vectors/mu", [](hid_t g) { write_fclib_numbers(g, "vectors/mu", Values{1, 2}, what); });
  EXPECT_ERROR(read_fclib(path),
               "'fclib_local/vectors/mu' has size 2, expected 1 (the number of contacts)");
  edit("vectors/q", [](hid_t g) { write_fclib_numbers(g, "vectors/q", Values{1, inf}, what); });
  EXPECT_ERROR(read_fclib(path), "q");
  edit("spacedim", [](hid_t g) {
    const int d = 4;
    write_fclib_integers(g, "spacedim", {&d, 1}, what);
  });
  EXPECT_ERROR(read_fclib(path), "'fclib_local/spacedim' is 4, expected 2 or 3");
  edit("W/p", [](hid_t g) { write_fclib_numbers(g, "W/p", Values{0, 2, 4}, what); });
  EXPECT_ERROR(read_fclib(path), "'fclib_local/W/p' does not hold integers of 4 or 8 bytes");
  edit("W", none);
  EXPECT_ERROR(read_fclib(path), "'fclib_local/W/m' is missing");
}

TEST_F(Fclib, EveryTruncatedOrDamagedFileIsAnErrorOrAProblem) {
  write_encoding({});
  const std::string bytes = read_text_file(path);
  const auto overwrite = [&](const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  };
  for (std::size_t size = 0; size < bytes.size(); size += 61) {
    overwrite(bytes.substr(0, size));
    EXPECT_ERROR(read_fclib(path), "cannot read '" + path.string() + "': ");
  }
  for (std::size_t at = 0; at < bytes.size(); at += 17)
    for (const char change : {'\x01', '\x80'}) {
      std::string damaged = bytes;
      damaged[at] = static_cast<char>(damaged[at] ^ change);
      overwrite(damaged);
      try {
        static_cast<void>(read_fclib(path));
      } catch (const Error& error) {
        EXPECT_TRUE(std::string(error.what()).starts_with("cannot read '" + path.string() + "': "));
      }
    }
}

// The compression of HDF5 itself, in pieces that do not divide the size.
TEST_F(Fclib, ReadsCompressedDatasets) {
  for (const bool shuffled : {false, true}) {
    Vector q(300);
    for (Index i = 0; i < q.size(); ++i) q[i] = i % 7 == 0 ? std::sin(double(i)) : double(i % 5);
    write_encoding({});
    {
      const Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, what);
      const Handle list(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, what);
      const hsize_t size = 300, piece = 64;
      H5Pset_chunk(list, 1, &piece);
      if (shuffled) H5Pset_shuffle(list);
      H5Pset_deflate(list, 6);
      if (shuffled) H5Pset_fletcher32(list);
      const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose, what);
      const Handle set(H5Dcreate2(file, "q", H5T_IEEE_F64BE, space, H5P_DEFAULT, list, H5P_DEFAULT),
                       &H5Dclose, what);
      H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, q.data());
    }
    const std::vector<double> values = hdf5::Archive(path, what).numbers("q");
    EXPECT_EQ(Eigen::Map<const Vector>(values.data(), q.size()), q);
  }
}

TEST_F(Fclib, RefusesOtherFiles) {
  EXPECT_ERROR(read_fclib(folder / "none"), "there is no such file");
  write_text_file(path, "3 1 0");
  EXPECT_ERROR(read_fclib(path), "it is not an HDF5 file");
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_ERROR(read_fclib(path), "it is an HDF5 file, but none of FCLib");
  EXPECT_FALSE(is_fclib(path));
}

TEST_F(Fclib, ReplacesTheSolutionAndKeepsTheRest) {
  const FrictionContact problem = reduce(global_problem(3, false));
  FclibFile file{.problem = problem, .title = "kept"};
  file.solution = FclibPoint{.r = Vector::Zero(6)};
  write_fclib(path, file);
  {  // something that FCLib does not know
    const Handle out(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, what);
    hdf5::write_numbers(out, "my_data", std::vector<double>{1, 2}, "mine", what);
  }
  const Vector r = Vector::LinSpaced(6, 1, 2);
  const FclibPoint point = fclib_point(file, r);
  Vector u(6);
  problem.W.multiply(r, u);
  EXPECT_EQ(point.u, u + problem.q);
  for (const fs::path& target : {folder / "solved.hdf5", path}) {
    write_fclib_solution(path, target, point);
    const FclibFile solved = read_fclib(target);
    EXPECT_EQ(solved.solution->r, r);
    EXPECT_EQ(solved.solution->u, point.u);
    EXPECT_EQ(solved.title, "kept");
    const Handle in(H5Fopen(target.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose, what);
    EXPECT_EQ(hdf5::read_numbers(in, "my_data", what), (std::vector<double>{1, 2}));
  }
  EXPECT_ERROR(write_fclib_solution(path, path, {.r = Vector::Zero(5)}),
               "r of the solution has size 5, expected 6");
  EXPECT_EQ(read_fclib(path).solution->r, r);
}

}  // namespace
}  // namespace saltus
