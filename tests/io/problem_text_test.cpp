/// SICONOS text and Matrix Market files. Covers S:LCP-01, S:LCP-04, S:LCP-05 as files.
#include "saltus/io/problem_file.hpp"

#include "io/trajectory_fixture.hpp"
#include "support/expect_error.hpp"

namespace saltus {

namespace {

class ProblemText : public InFolder {};
class MatrixMarket : public InFolder {};

ComplementarityProblem parse(const std::string& text, std::optional<ProblemKind> kind = {},
                             const std::string& file = "x.dat") {
  return parse_siconos_text(text, file, kind);
}

// M = [1 2; 3 4] and q = (5, 6) in the three storages.
const std::string dense = "0\n2\n2\n2 2\n1 3\n2 4\n";
const std::string blocks = "1 2 2 4 2 2  1 2  1 2  3 4  0 2 4  0 1 0 1  0 1  1 2  2 3  3 4 ";
const std::string sparse =
    "2\n2\n2\n1\nCSparse Version 3.1.9\ntriplet: 2-by-2, nzmax: 4 nnz: 4\n"
    "    0 0 : 1\n    1 0 : 3\n    0 1 : 2\n    1 1 : 4\n";

const Matrix M{{1, 2}, {3, 4}};
const Vector q{{5, 6}};

}  // namespace

TEST_F(ProblemText, AnLcpIsReadInEveryStorage) {
  for (const std::string& matrix : {dense, blocks, sparse}) {
    const auto problem = parse("2\n" + matrix + "5 6\n");
    ASSERT_EQ(kind_of(problem), ProblemKind::lcp);
    EXPECT_EQ(matrix_of(problem).to_dense(), M);
    EXPECT_EQ(vector_of(problem), q);
  }
}

TEST_F(ProblemText, ACommentMayFollowAnLcp) {
  const auto problem = parse("2\n" + dense + "5 6\n\n# from a book, 1988: 7 8\n");
  EXPECT_EQ(vector_of(problem), q);
}

TEST_F(ProblemText, BlockColumnsMayComeInAnyOrderAndRowsMayBeEmpty) {
  // Block row 0 holds columns 2 and 0; rows 1 and 2 have no pointer of their own.
  const auto problem = parse("3  1 3 3 2 3 3  1 2 3  1 2 3  2 2  0 2  2 0  0 7  1 8  1 1 1");
  const Matrix expected{{8, 0, 7}, {0, 0, 0}, {0, 0, 0}};
  EXPECT_EQ(matrix_of(problem).to_dense(), expected);
}

TEST_F(ProblemText, ARelayIsToldByItsBounds) {
  const auto problem = parse("2\n" + dense + "5 6\n-1 -inf\n1 inf\n");
  ASSERT_EQ(kind_of(problem), ProblemKind::relay);
  const Bounds bounds = bounds_of(std::get<BlockForm>(problem));
  EXPECT_EQ(bounds.lower, (Vector{{-1, -inf}}));
  EXPECT_EQ(bounds.upper, (Vector{{1, inf}}));
}

TEST_F(ProblemText, AnMlcpIsReadFromTheWholeMatrix) {
  const auto problem = parse("1 0 1 1  0 1 2  1 0 " + dense + "5 6  9 9 9");
  ASSERT_EQ(kind_of(problem), ProblemKind::mlcp);
  EXPECT_EQ(matrix_of(problem).to_dense(), M);
  EXPECT_EQ(std::get<Mlcp>(problem).equalities, std::vector<Index>{1});
}

TEST_F(ProblemText, AnMlcpIsReadFromItsPartsRowByRow) {
  // A 1x1, B 2x2 row by row, C 1x2, D 2x1, a, b; the equality is row 1.
  const auto problem = parse("0 1 1 2  0 1 2 3  1 0 1  10  1 2 3 4  5 6  7 8  -1  -2 -3");
  const Matrix expected{{1, 7, 2}, {5, 10, 6}, {3, 8, 4}};
  EXPECT_EQ(matrix_of(problem).to_dense(), expected);
  EXPECT_EQ(vector_of(problem), (Vector{{-2, -1, -3}}));
  EXPECT_EQ(std::get<Mlcp>(problem).equalities, std::vector<Index>{1});
}

TEST_F(ProblemText, TheSquarePartsServeWhereTheWholeMatrixIsNotSquare) {
  const auto problem = parse("1 1 1 1 0 1 2 0 1  0 3 2 3 2  1 1 1 1 1 1  0 0  2 3 4 5 6 7");
  const Matrix expected{{2, 4}, {5, 3}};
  EXPECT_EQ(matrix_of(problem).to_dense(), expected);
  EXPECT_EQ(vector_of(problem), (Vector{{6, 7}}));
}

TEST_F(ProblemText, TheNameTellsWhereTheNumbersDoNot) {
  // An LCP of size 1 followed by numbers, which may be a comment.
  const std::string text = "1 0 1 1 1 1 2 -4 1988";
  EXPECT_EQ(kind_of(parse(text, {}, "lcp_murty.dat")), ProblemKind::lcp);
  EXPECT_EQ(kind_of(parse(text, {}, "lcp/murty.dat")), ProblemKind::lcp);
  EXPECT_EQ(kind_of(parse(text, ProblemKind::lcp)), ProblemKind::lcp);
  EXPECT_ERROR(parse(text), "it may hold an lcp, and neither its numbers nor its name tell");
  EXPECT_ERROR(parse(text, {}, "relay/a.dat"),
               "expected the upper bounds (1 of them), but only 0 bytes");
}

TEST_F(ProblemText, EveryKindAndStorageReadsBackBitForBit) {
  const Matrix A{{0.1, -1e-300, 0}, {1.0 / 3, 5, 1e300}, {0, 0, -7}};
  const Vector b{{0.3, -1e-5, 12345678.9}};
  const std::vector<Index> sizes{1, 2};
  const Eigen::SparseMatrix<double> S = A.sparseView();
  const BlockSparse matrices[] = {BlockSparse::dense(A), BlockSparse::sparse(S),
                                  BlockSparse::sparse(S, sizes, sizes)};
  const Vector lower{{-1, 0, -inf}}, upper{{1, inf, inf}};
  for (const BlockSparse& matrix : matrices)
    for (const ComplementarityProblem& problem :
         {ComplementarityProblem(Lcp{matrix, b}), ComplementarityProblem(Mlcp{matrix, b, {0, 2}}),
          ComplementarityProblem(make_relay(matrix, b, lower, upper))}) {
      const auto path = folder / "problem.dat";
      write_siconos_text(path, problem);
      const auto again = read_problem(path);
      ASSERT_EQ(kind_of(again), kind_of(problem));
      EXPECT_EQ(matrix_of(again).to_dense(), A);
      EXPECT_EQ(matrix_of(again).blocks(), matrix_of(problem).blocks());
      EXPECT_EQ(vector_of(again), b);
      if (const auto* mixed = std::get_if<Mlcp>(&again)) {
        EXPECT_EQ(mixed->equalities, (std::vector<Index>{0, 2}));
      }
      if (const auto* relay = std::get_if<BlockForm>(&again)) {
        EXPECT_EQ(bounds_of(*relay).lower, lower);
        EXPECT_EQ(bounds_of(*relay).upper, upper);
      }
    }
}

TEST_F(ProblemText, MistakesAreNamedWithLineAndExpectation) {
  const struct {
    std::string text, part;
  } cases[] = {
      {"", "line 1: the file ends, expected the size of the problem"},
      {"two\n", "line 1: found 'two', expected the size of the problem, an integer from 1"},
      {"-2\n", "found '-2', expected the size of the problem"},
      {"99999999999999999999\n", "found '99999999999999999999'"},
      {"2\n7\n", "line 2: found '7', expected the storage of the matrix (0 dense"},
      {"2\n0\n2\n2\n2 3\n",
       "line 5: found '3', expected the number of columns again, which must be"},
      {"2\n0\n2\n2\n2 2\n1 x 3 4\n5 6\n", "line 6: found 'x', expected the values of the matrix"},
      {"2\n0\n2\n2\n2 2\n1 nan 3 4\n5 6\n", "a finite number"},
      {"2\n0\n2\n2\n2 2\n1 1e999 3 4\n5 6\n", "found '1e999', expected"},
      {"2\n0\n2\n2\n2 2\n1 2 3\n", "line 7: the file ends, expected the values of the matrix"},
      {"2\n0\n2\n2\n2 2\n1 2 3 4\n5\n", "line 8: the file ends, expected the entries of q"},
      {"2\n0\n2000000000\n2000000000\n2000000000 2000000000\n1 2\n", "bytes are left"},
      {"2\n0\n1\n2\n1 2\n1 2\n5 6\n", "the matrix is 1x2, expected 2x2"},
      {"2\n1 2 2 1 1 1 3\n", "the cumulated row sizes, which must be 2"},
      {"2\n1 2 2 2 1 1 2 2 2 2 0 2 0 0 0\n", "has block column 0 twice"},
      {"2\n1 2 2 1 1 1 2 2 2 1 1 1 0\n", "the row pointers go from 1 to 1, expected from 0"},
      {"2\n1 2 2 1 1 1 2 2 2 1 0 1 0 5 1 2 3 4 5 6\n", "the number of the block, which must be 0"},
      {"2\n2 2 2 0\n", "the origin of a sparse matrix"},
      {"2\n2 2 2 1\nb\ntriplet: 3-by-2, nzmax: 1 nnz: 1\n0 0 : 1\n5 6\n", "2-by-2 triplets"},
      {"2\n2 2 2 1\nb\ntriplet: 2-by-2, nzmax: 1 nnz: 1e8\n0 0 : 1\n", "bytes are left"},
      {"2\n2 2 2 1\nb\ntriplet: 2-by-2, nzmax: 1 nnz: x\n", "the line 'triplet:"},
      {"2\n2 2 2 1\nb\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 2 : 1\n5 6\n", "column of a triplet"},
      {"2\n2 2 2 1\nb\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n0 1 - 1\n5 6\n", "expected ':'"},
      {std::string("2\n\0\n", 4), "neither text, nor an HDF5 file"},
      {"\xff\xfe\x01", "found '?\?\?', expected"},
  };
  for (const auto& c : cases) EXPECT_ERROR(parse(c.text, ProblemKind::lcp), c.part);
}

TEST_F(ProblemText, MistakesOfMlcpAndRelayAreNamed) {
  const auto mlcp = ProblemKind::mlcp;
  EXPECT_ERROR(parse("0 0 1 1", mlcp), "neither M and q nor A, B, C, D, a and b are stored");
  EXPECT_ERROR(parse("1 2 1 1", mlcp), "expected whether A, B, C, D, a and b are stored");
  EXPECT_ERROR(parse("1 1 0 0 0", mlcp), "the number of complementarities");
  EXPECT_ERROR(parse("1 1 1 1 1 2", mlcp), "the begin of the first block of rows, which must be 0");
  EXPECT_ERROR(parse("1 1 1 1 0 0 2 1 1", mlcp), "the begin of the next block of rows");
  EXPECT_ERROR(parse("1 1 1 1 0 1 2 1 1 0", mlcp), "the blocks hold 0 equalities, expected 1");
  EXPECT_ERROR(parse("1 0 1 1 0 1 2 0 1 0 3 2 3 2 1 1 1 1 1 1 0 0", mlcp), "the matrix is 3x2");
  EXPECT_ERROR(parse("0 1 2000000000 2000000000 0", mlcp), "a problem of that size");
  EXPECT_ERROR(parse("1 0 1 1 1 1 2 -4 1 -1", ProblemKind::relay), "bound 0 is [1, -1]");
  EXPECT_ERROR(parse("1 0 1 1 1 1 2 -4 nan 1", ProblemKind::relay), "found 'nan', expected");
}

TEST_F(ProblemText, ATextCutAnywhereIsAnErrorOrAShorterLastNumber) {
  const std::string whole = "2\n" + sparse + "5 6\n";
  for (std::size_t size = 0; size < whole.size() - 2; ++size)
    EXPECT_ERROR(parse(whole.substr(0, size), ProblemKind::lcp), "cannot read 'x.dat': ");
}

TEST_F(ProblemText, FilesThatAreNoneAreErrors) {
  EXPECT_ERROR(read_problem(folder / "none"), "there is no such file");
  EXPECT_ERROR(read_problem(folder), "it is a folder");
  EXPECT_ERROR(read_problem("/dev/zero"), "it is not a regular file");
  put(folder / "empty", "");
  EXPECT_ERROR(read_problem(folder / "empty"), "it is empty");
}

TEST_F(ProblemText, FrictionIsNotWrittenAsARelay) {
  const BlockForm form{
      BlockSparse::dense(Matrix::Identity(3, 3)), Vector::Zero(3), {FrictionCone{0.5}}};
  EXPECT_ERROR(to_siconos_text(form), "block 0 is a friction cone");
}

TEST_F(MatrixMarket, FormsAndSymmetriesAreRead) {
  const auto read = [](const std::string& kind, const std::string& rest) {
    return parse_matrix_market("%%MatrixMarket matrix " + kind + "\n% comment\n\n" + rest, "x.mtx")
        .to_dense();
  };
  EXPECT_EQ(read("array real general", "2 2\n1 3\n2 4\n"), M);
  EXPECT_EQ(read("coordinate integer general", "2 2 4\n1 1 1\n2 1 3\n1 2 2\n2 2 4\n"), M);
  EXPECT_EQ(read("coordinate real general", "1 1 2\n1 1 1.5\n1 1 2\n")(0, 0), 3.5);
  const Matrix S{{1, 2}, {2, 0}}, K{{0, -2}, {2, 0}};
  EXPECT_EQ(read("coordinate real Symmetric", "2 2 2\n1 1 1\n2 1 2\n"), S);
  EXPECT_EQ(read("array real symmetric", "2 2\n1 2 0\n"), S);
  EXPECT_EQ(read("coordinate real skew-symmetric", "2 2 1\n2 1 2\n"), K);
  EXPECT_EQ(read("array integer skew-symmetric", "2 2\n2\n"), K);
}

TEST_F(MatrixMarket, MistakesAreNamedWithLineAndExpectation) {
  const struct {
    std::string text, part;
  } cases[] = {
      {"%MatrixMarket", "found '%matrixmarket', expected %%matrixmarket"},
      {"%%MatrixMarket vector", "expected matrix"},
      {"%%MatrixMarket matrix list", "expected coordinate or array"},
      {"%%MatrixMarket matrix array complex", "found 'complex', expected real or integer"},
      {"%%MatrixMarket matrix array real hermitian\n", "expected general or symmetric"},
      {"%%MatrixMarket matrix array real general\n", "the file ends, expected the number of rows"},
      {"%%MatrixMarket matrix array real general\n-1 2\n", "found '-1'"},
      {"%%MatrixMarket matrix array real general\n2 2\n1 2 3\n",
       "line 4: the file ends, expected the values"},
      {"%%MatrixMarket matrix array real general\n1 1\ninf\n", "a finite number"},
      {"%%MatrixMarket matrix array real general\n1 1\n1\n2\n", "expected the end of the file"},
      {"%%MatrixMarket matrix array real symmetric\n1 2\n1 2\n", "expected a square one"},
      {"%%MatrixMarket matrix array real general\n2000000000 2000000000\n1", "bytes are left"},
      {"%%MatrixMarket matrix coordinate real general\n2000000000 1 0\n", "too large for a file"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 900000000\n1 1 1\n", "bytes are left"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n0 1 1\n", "the row of an entry"},
      {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n", "the column of an entry"},
      {"%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n1 2 1\n",
       "column of an entry, which must be 1"},
      {"%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 1e308\n1 1 1e308\n", "infinity"},
  };
  for (const auto& c : cases) EXPECT_ERROR(parse_matrix_market(c.text, "x.mtx"), c.part);
}

TEST_F(MatrixMarket, MatrixAndVectorMakeAnLcp) {
  write_matrix_market(folder / "a.mtx", BlockSparse::sparse(M.sparseView()));
  EXPECT_ERROR(read_problem(folder / "a.mtx"), "its vector q is not in");
  write_matrix_market(folder / "a_q.mtx", q);
  write_matrix_market(folder / "a_M.mtx", BlockSparse::dense(M));
  for (const char* name : {"a.mtx", "a_M.mtx"}) {
    const auto problem = read_problem(folder / name);
    ASSERT_EQ(kind_of(problem), ProblemKind::lcp);
    EXPECT_EQ(matrix_of(problem).to_dense(), M);
    EXPECT_EQ(vector_of(problem), q);
  }
  write_matrix_market(folder / "other.mtx", (Vector{{1, 2, 3}}));
  EXPECT_ERROR(read_problem(folder / "a.mtx", {.q = folder / "other.mtx"}), "has size 3, expected");
  EXPECT_ERROR(read_problem(folder / "a.mtx", {.q = folder / "a_M.mtx"}), "expected a vector");
  EXPECT_ERROR(read_problem(folder / "a.mtx", {.kind = ProblemKind::relay}), "hold an lcp");
}

TEST_F(MatrixMarket, BlocksReadBackBitForBit) {
  const Matrix A{{0.1, 1.0 / 3, 0}, {1e-300, 0, -2}};
  const std::vector<Index> rows{1, 1}, columns{1, 2};
  for (const BlockSparse& matrix : {BlockSparse::dense(A), BlockSparse::sparse(A.sparseView()),
                                    BlockSparse::sparse(A.sparseView(), rows, columns)}) {
    write_matrix_market(folder / "b.mtx", matrix);
    EXPECT_EQ(read_matrix_market(folder / "b.mtx").to_dense(), A);
  }
}

}  // namespace saltus
