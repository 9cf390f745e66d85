// Associated friction as a second-order cone program for a general solver of those (FS:FS-106f).
#include "solvers/friction_cases.hpp"
#include "solvers/problem_library.hpp"

#include "saltus/solvers/cone_program.hpp"
#include "saltus/solvers/friction_convex_loops.hpp"

#include <gtest/gtest.h>
#include <Eigen/Cholesky>

namespace saltus {
namespace {

/// min ½ rᵀW r + qᵀr, r ∈ K as min t + qᵀr with ‖(2^½ L r, t − 1)‖ ≤ t + 1, LᵀL = W. The unknowns
/// are (r, t); one cone for the energy of every `part` rows of L, each with a t of its own.
ConeProgram as_cone_program(const FrictionContact& problem, Index part) {
  const Matrix W = problem.W.to_dense();
  const Matrix L = W.llt().matrixU();
  const Index n = W.rows(), d = problem.dimension, cones = (n + part - 1) / part;
  Matrix B = Matrix::Zero(n, n + cones);
  B.leftCols(n).setIdentity();
  ConeProgram program;
  program.b = Vector::Zero(n);
  program.c = Vector::Ones(n + cones);
  program.c.head(n) = problem.q;
  for (Index i = 0; i < problem.mu.size(); ++i) {  // s = r ∈ K = (K*)*
    program.K.push_back(SecondOrderCone{1 / problem.mu[i]});
    program.sizes.push_back(d);
  }
  for (Index k = 0; k < cones; ++k) {
    const Index first = k * part, rows = std::min(part, n - first), at = B.rows();
    B.conservativeResize(at + rows + 2, Eigen::NoChange);
    B.bottomRows(rows + 2).setZero();
    B(at, n + k) = B(at + rows + 1, n + k) = 1;
    B.block(at + 1, 0, rows, n) = std::sqrt(2.0) * L.middleRows(first, rows);
    program.b.conservativeResize(at + rows + 2);
    program.b.tail(rows + 2).setZero();
    program.b[at] = 1;
    program.b[at + rows + 1] = -1;
    program.K.push_back(SecondOrderCone{1});
    program.sizes.push_back(rows + 2);
  }
  program.B = B.sparseView();
  return program;
}

TEST(ConePrograms, SolveTheConvexRelaxation) {  // FS:FS-106f, FS:V6, FS:V7
  const ConeAnswer slide = solve_cone_program(as_cone_program(friction_cases::slide().problem, 30));
  EXPECT_LE(std::max(slide.primal, slide.dual), 1e-10);
  EXPECT_LE((slide.x.head(3) - Values{1.2, -0.6, 0}).norm(), 1e-8);
  const ConeAnswer coupled =
      solve_cone_program(as_cone_program(friction_cases::coupled_slide().problem, 30));
  EXPECT_LE((coupled.x.head(3) - Values{1.2765847598, -0.2920359374, 0.2477603473}).norm(), 1e-8);
}

TEST(ConePrograms, AgreeWithTheSolversWrittenForContacts) {  // FS:FS-106f, FS:FS-102
  library::Random random(5);
  Workspace work;
  for (const Index dimension : {2, 3}) {
    FrictionContact problem = library::random_contacts(dimension, 8, random);
    problem.mu = problem.mu.cwiseMax(0.1);
    Vector r = Vector::Zero(problem.q.size());
    BlockForm form = to_block_form(problem);
    for (Index i = 0; i < 8; ++i) form.K[i] = SecondOrderCone{problem.mu[i]};
    ASSERT_TRUE(solve(form, r, Nsgs{.tolerance = 1e-12}, work).converged());
    const ConeAnswer answer = solve_cone_program(as_cone_program(problem, 10));
    // it knows nothing of the structure and uses up its 300 factorisations near 1e-9
    EXPECT_LE(std::max(answer.primal, answer.dual), 1e-8);
    // an error of the conditions of 1e-8, λ_min(W) about 0.1
    EXPECT_LE((answer.x.head(r.size()) - r).norm(), 1e-6) << dimension;
  }
}

}  // namespace
}  // namespace saltus
