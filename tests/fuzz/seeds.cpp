/// Writes the seeds of the fuzzers: fuzz_seeds FOLDER makes FOLDER/<reader>/*, with our own
/// writers.
#include "saltus/io/problem_file.hpp"
#include "saltus/io/problem_file_text.hpp"
#include "saltus/io/trajectory_hdf5.hpp"
#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/simulation/simulation.hpp"

#include <map>

namespace {

using namespace saltus;

/// One problem of every kind and storage.
std::map<std::string, ComplementarityProblem> problems() {
  Matrix A(4, 4);
  A << 4, 1, 0, 0, -1, 3, 0.5, 0, 0, 0, 2, 1e-3, 0, 0, -7, 5;
  const Vector q{{-1, 2.5, -3e10, 0.125}};
  const Vector lower{{-1, 0, -inf, -inf}}, upper{{1, inf, inf, 7}};
  const BlockSparse dense = BlockSparse::dense(A), blocks = BlockSparse::sparse(A.sparseView(), 2),
                    sparse = BlockSparse::sparse(A.sparseView());
  return {{"lcp_dense", Lcp{dense, q}},          {"lcp_blocks", Lcp{blocks, q}},
          {"lcp_sparse", Lcp{sparse, q}},        {"mlcp_dense", Mlcp{dense, q, {0, 3}}},
          {"mlcp_blocks", Mlcp{blocks, q, {1}}}, {"relay", make_relay(sparse, q, lower, upper)}};
}

/// Contact problems of every form, as text and as FCLib files.
void write_contact_seeds(const std::filesystem::path& folder) {
  Matrix A = Matrix::Identity(6, 6);
  A(0, 4) = 0.5;
  const Eigen::SparseMatrix<double> M = A.sparseView();
  const Vector q = Vector::LinSpaced(6, -1, 1), mu{{0.3, 0.7}}, mu_rolling{{0.01, 0}};
  const FrictionContact local{3, BlockSparse::sparse(M, 3), q, mu};
  const FrictionContact rolling{3, BlockSparse::sparse(M, 3), q, mu, mu_rolling};
  const GlobalFrictionContact global{3, M, M, q, q, mu};
  const Soclcp soclcp{BlockSparse::sparse(M), q, {4, 2}, mu};
  const BlockForm generic{BlockSparse::sparse(M, 3), q, {FrictionCone{0.3}, Reals{}}};
  const BlockForm relay{BlockSparse::sparse(M, 3), q, {FrictionCone{0.3}, Interval{-1, inf}}};
  const std::map<std::string, ContactProblem> texts{{"local", local},     {"rolling", rolling},
                                                    {"global", global},   {"soclcp", soclcp},
                                                    {"generic", generic}, {"relay", relay}};
  for (const auto& [name, problem] : texts)
    write_siconos_friction(folder / "siconos_friction" / name, problem);
  const FclibPoint point{.u = q, .r = q};
  write_fclib(folder / "fclib" / "local",
              {.problem = local, .guesses = {point}, .solution = point});
  write_fclib(folder / "fclib" / "rolling", {.problem = rolling, .title = "rolling"});
  write_fclib(folder / "fclib" / "global", {.problem = global});
  GlobalBlockForm bilateral = to_global_block_form({3, M, M.leftCols(3), q, q.head(3), mu.head(1)});
  bilateral.H = M;
  bilateral.w = q;
  bilateral.K.emplace_back(Reals{});
  bilateral.sizes.push_back(3);
  write_fclib(folder / "fclib" / "bilateral", {.problem = bilateral});
  Matrix symmetric = Matrix::Identity(6, 6);
  symmetric(0, 4) = symmetric(4, 0) = 0.5;
  const BlockForm joints{
      BlockSparse::sparse(symmetric.sparseView(), 3), q, {FrictionCone{0.3}, Reals{}}};
  write_fclib(folder / "fclib" / "local_bilateral", {.problem = joints});
}

/// Every element, command and waveform.
void write_netlist_seeds(const std::filesystem::path& folder) {
  write_text_file(folder / "devices",
                  "all\n.param r=2k w={2*pi*50}\nR1 a b {r/2} ; here\nC1 b 0 10u ic=5\nL1 b c 1m\n"
                  "L2 d 0 4m\nK1 L1 L2 0.5\nV1 a 0 SIN(0 {w}\n+ 50 0 0 90)\nI1 c 0 dc 1m\n"
                  "E1 e 0 a b 10\nG1 e 0 a b 1m\nF1 f 0 V1 2\nH1 g 0 V1 3\nR2 f 0 1\nR3 d c 1\n"
                  "S1 a e c d s on\nD1 a b\nD2 b a z\nM1 f a 0 0 n w=2u l=1u\n"
                  "O1 a b h low=-5 high=5\nT1 a 0 g 0 2\n.model s sw(vt=1 vh=.1 ron=1m roff=1meg)\n"
                  ".model z d(vf=0.7 ron=1m bv=5)\n.model n nmos(kp=100u vto=0.8 cgs=1f)\n"
                  ".tran 1u 1m uic\n.probe v(a) v(a,b) i(l1)\n.meas tran m avg v(a) from=0.5m\n"
                  ".ic v(b)=3\n.options theta=0.5\n.end\n");
  write_text_file(
      folder / "subcircuits",
      "x\n.subckt p i o r=5\nR1 i m {r}\nX1 m o h r={2*r}\n.ends\n.subckt h a b\n"
      ".param s={sqrt(r)+1}\nRa a b {s}\n.ends\nX1 a 0 p r=10\n"
      "V1 a 0 pulse(0 1 1n 1n 1n 5n 10n)\nS1 a b pwl(0 0 1 1 1 0)\nR1 b 0 1\n.tran 1 2\n");
}

void write_seeds(const std::filesystem::path& folder) {
  for (const char* reader : {"siconos_text", "siconos_friction", "matrix_market", "problem_hdf5",
                             "problem_arrays", "fclib", "trajectory_hdf5", "netlist"})
    std::filesystem::create_directories(folder / reader);
  write_contact_seeds(folder);
  write_netlist_seeds(folder / "netlist");
  for (const auto& [name, problem] : problems()) {
    write_siconos_text(folder / "siconos_text" / name, problem);
    write_matrix_market(folder / "matrix_market" / name, matrix_of(problem));
    write_problem_hdf5(folder / "problem_hdf5" / name, problem);
    write_problem_hdf5(folder / "problem_hdf5" / (name + "_solved"), problem,
                       StoredSolution{.z = Vector::Ones(4),
                                      .solver = "Lemke",
                                      .tolerance = 1e-8,
                                      .certificate = Vector::Ones(4)});
  }
  // An MLCP by its parts A, B, C, D, a, b, and the symmetric forms, which are only read.
  write_text_file(folder / "siconos_text" / "parts", "0 1 1 1 0 1 2 0 1 2 3 0.5 -1 -4 5\n");
  write_text_file(
      folder / "matrix_market" / "symmetric",
      "%%MatrixMarket matrix coordinate integer symmetric\n% c\n2 2 2\n1 1 4\n2 1 -1\n");
  write_text_file(folder / "matrix_market" / "skew",
                  "%%MatrixMarket matrix array real skew-symmetric\n3 3\n1\n2\n3\n");
  Simulation simulation(mechanics::BouncingBall{}.model(), MoreauJean{}, {.step = 0.1});
  write_hdf5(folder / "trajectory_hdf5" / "ball", simulation.run(0.5), {{"model", "ball"}});
  write_text_file(folder / "problem_arrays" / "bytes", std::string(64, '\1'));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: fuzz_seeds FOLDER\n");
    return 2;
  }
  write_seeds(argv[1]);
  return 0;
}
