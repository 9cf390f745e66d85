/// The HDF5 form of problems.
#include "saltus/io/problem_file.hpp"

#include "io/trajectory_fixture.hpp"
#include "saltus/io/hdf5_dataset.hpp"
#include "saltus/io/trajectory_hdf5.hpp"
#include "support/expect_error.hpp"

namespace saltus {

namespace {

const Matrix A{{0.1, -2, 0}, {1.0 / 3, 5, 0}, {0, 0, -7}};
const Vector q{{0.3, -1e-5, 12345678.9}};
const Vector lower{{-1, 0, -inf}}, upper{{1, inf, inf}};

class ProblemHdf5 : public InFolder {
 protected:
  const std::filesystem::path path = folder / "problem.h5";

  /// Replaces the dataset `name` of an LCP (or of its group M) by other contents.
  void replace(const char* group, const char* name, const std::vector<Index>& values) {
    write_problem_hdf5(path, Mlcp{BlockSparse::sparse(A.sparseView()), q, {0}});
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, "test");
    const hdf5::Handle parent(H5Gopen2(file, group, H5P_DEFAULT), &H5Gclose, "test");
    ASSERT_GE(H5Ldelete(parent, name, H5P_DEFAULT), 0);
    hdf5::write_integers(parent, name, values, "test", "test");
  }
};

}  // namespace

TEST_F(ProblemHdf5, EveryKindAndStorageReadsBackBitForBit) {
  const std::vector<Index> sizes{2, 1};
  const Eigen::SparseMatrix<double> S = A.sparseView();
  for (const BlockSparse& matrix :
       {BlockSparse::dense(A), BlockSparse::sparse(S), BlockSparse::sparse(S, sizes, sizes)})
    for (const ComplementarityProblem& problem :
         {ComplementarityProblem(Lcp{matrix, q}), ComplementarityProblem(Mlcp{matrix, q, {1, 2}}),
          ComplementarityProblem(make_relay(matrix, q, lower, upper))}) {
      write_problem_hdf5(path, problem);
      const auto again = read_problem(path);
      ASSERT_EQ(kind_of(again), kind_of(problem));
      EXPECT_EQ(matrix_of(again).to_dense(), A);
      EXPECT_EQ(matrix_of(again).blocks(), matrix_of(problem).blocks());
      EXPECT_EQ(vector_of(again), q);
      if (const auto* mixed = std::get_if<Mlcp>(&again)) {
        EXPECT_EQ(mixed->equalities, (std::vector<Index>{1, 2}));
      }
      if (const auto* relay = std::get_if<BlockForm>(&again)) {
        EXPECT_EQ(bounds_of(*relay).lower, lower);
        EXPECT_EQ(bounds_of(*relay).upper, upper);
      }
      EXPECT_FALSE(read_solution_hdf5(path).has_value());
    }
}

TEST_F(ProblemHdf5, TheSolutionReadsBackBitForBit) {
  const StoredSolution solution{.z = Vector{{1.0 / 3, 0, 2}},
                                .solver = "Lemke",
                                .tolerance = 1e-10,
                                .report = {SolveStatus::infeasible, 17, 0.25, 1e-3},
                                .certificate = Vector{{0, 1, 2}}};
  write_problem_hdf5(path, Lcp{BlockSparse::dense(A), q}, solution);
  const auto again = read_solution_hdf5(path);
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->z, solution.z);
  EXPECT_EQ(again->solver, "Lemke");
  EXPECT_EQ(again->tolerance, 1e-10);
  EXPECT_EQ(again->report.status, SolveStatus::infeasible);
  EXPECT_EQ(again->report.iterations, 17);
  EXPECT_EQ(again->report.residual, 0.25);
  EXPECT_EQ(again->report.seconds, 1e-3);
  EXPECT_EQ(again->certificate, solution.certificate);
}

TEST_F(ProblemHdf5, ArraysThatDoNotFitAreErrors) {
  const struct {
    const char *group, *name;
    std::vector<Index> values;
    const char* part;
  } cases[] = {
      {"M", "row_sizes", {1, 1}, "there are 4 row pointers, expected 3"},
      {"M", "row_sizes", {1, 1, 0}, "row_sizes holds 0, expected sizes >= 1"},
      {"M", "row_sizes", {1, 1, -5}, "row_sizes holds -5"},
      {"M", "row_sizes", {1L << 62, 1L << 62, 1}, "expected sizes >= 1"},
      {"M", "column_sizes", {1, 1L << 62, 1}, "which is too large"},
      {"M", "column_sizes", {1, 1}, "stands in block column 2, there are 2"},
      {"M", "column_sizes", {1, 2, 1}, "there are 5 values, the blocks need"},
      {"M", "row_begin", {0, 2, 4, 9}, "the row pointers go from 0 to 9"},
      {"M", "row_begin", {0, 5, 4, 5}, "without decreasing"},
      {"M", "row_begin", {}, "there are 0 row pointers"},
      {"M", "columns", {0, 0, 0, 1, 2}, "has block column 0 twice"},
      {"M", "columns", {0, 1, 0, 1, -1}, "stands in block column -1"},
      {"M", "columns", {0, 1}, "the row pointers go"},
      {"M", "values", {1, 2, 3, 4, 5}, "'values' does not hold floating-point numbers"},
      {"/", "equalities", {3}, "equality 3 is out of range"},
      {"/", "equalities", {1, 0}, "expected increasing indices"},
  };
  for (const auto& c : cases) {
    replace(c.group, c.name, c.values);
    EXPECT_ERROR(read_problem_hdf5(path), c.part);
    EXPECT_ERROR(read_problem_hdf5(path), "cannot read '" + path.string() + "': ");
  }
}

TEST_F(ProblemHdf5, ADatasetThatClaimsMoreThanTheFileHoldsIsAnError) {
  write_problem_hdf5(path, Lcp{BlockSparse::dense(A), q});
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, "test");
    ASSERT_GE(H5Ldelete(file, "q", H5P_DEFAULT), 0);
    const hsize_t size = hsize_t{1} << 40, chunk = 1024;
    const hdf5::Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose, "test");
    const hdf5::Handle list(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, "test");
    ASSERT_GE(H5Pset_chunk(list, 1, &chunk), 0);
    const hdf5::Handle set(
        H5Dcreate2(file, "q", H5T_IEEE_F64LE, space, H5P_DEFAULT, list, H5P_DEFAULT), &H5Dclose,
        "test");
  }
  EXPECT_ERROR(read_problem_hdf5(path), "'q' claims 1099511627776 values, the file holds 0 bytes");
}

TEST_F(ProblemHdf5, ALinkToAnotherFileIsAnError) {
  write_problem_hdf5(path, Lcp{BlockSparse::dense(A), q});
  {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, "test");
    ASSERT_GE(H5Ldelete(file, "q", H5P_DEFAULT), 0);
    ASSERT_GE(H5Lcreate_external("other.h5", "/q", file, "q", H5P_DEFAULT, H5P_DEFAULT), 0);
  }
  EXPECT_ERROR(read_problem_hdf5(path), "'q' is a link to somewhere else");
}

TEST_F(ProblemHdf5, MissingPartsAndUnknownKindsAreErrors) {
  write_problem_hdf5(path, Lcp{BlockSparse::dense(A), q});
  const auto edit = [&](auto change) {
    const hdf5::Handle file(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), &H5Fclose, "test");
    change(file);
  };
  edit([](hid_t file) {
    H5Adelete(file, "kind");
    hdf5::write_attribute(file, "kind", std::string("qp"), "test");
  });
  EXPECT_ERROR(read_problem_hdf5(path), "its kind is 'qp', expected lcp, mlcp or relay");
  edit([](hid_t file) {
    H5Adelete(file, "kind");
    hdf5::write_attribute(file, "kind", std::string("relay"), "test");
  });
  EXPECT_ERROR(read_problem_hdf5(path), "'lower' is missing");
  edit([](hid_t file) { H5Ldelete(file, "M", H5P_DEFAULT); });
  EXPECT_ERROR(read_problem_hdf5(path), "'M' is missing");
}

TEST_F(ProblemHdf5, FilesOfAnotherFormAreErrors) {
  EXPECT_ERROR(read_problem_hdf5(folder / "none.h5"), "there is no such file");
  EXPECT_ERROR(read_problem_hdf5(folder), "it is a folder");
  write_hdf5(path, ball_run());
  EXPECT_ERROR(read_problem_hdf5(path), "it is an HDF5 file, but not a saltus problem");
  // The default of HDF5 is the oldest format, whose metadata have no checksums.
  H5Fclose(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT));
  EXPECT_ERROR(read_problem_hdf5(path), "the HDF5 format before 1.8, without checksums");
}

TEST_F(ProblemHdf5, AKindOtherThanAskedForIsAnError) {
  write_problem_hdf5(path, Lcp{BlockSparse::dense(A), q});
  EXPECT_ERROR(read_problem(path, {.kind = ProblemKind::relay}),
               "it holds a problem of kind lcp, asked for was relay");
}

TEST_F(ProblemHdf5, ATruncatedFileIsAnErrorWhereverItIsCut) {
  write_problem_hdf5(path, Mlcp{BlockSparse::dense(A), q, {0}});
  const std::string whole = text_of(path);
  for (std::size_t part = 0; part < 64; ++part) {
    put(path, whole.substr(0, whole.size() * part / 64));
    EXPECT_ERROR(read_problem_hdf5(path), "cannot read '" + path.string() + "': ");
  }
}

TEST_F(ProblemHdf5, ABadProblemIsNotWritten) {
  EXPECT_ERROR(write_problem_hdf5(path, Lcp{BlockSparse::dense(A), Vector::Zero(2)}), "Lcp");
  EXPECT_EQ(files_in_folder(), 0);
}

}  // namespace saltus
