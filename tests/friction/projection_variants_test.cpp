// Projections with spectral steps, prediction and correction, and skewed metrics (FS:FS-106e,
// FS:FS-106i, FS:FS-17).
#include "friction/mixed_sets.hpp"
#include "solvers/friction_cases.hpp"
#include "support/expect_error.hpp"

#include "saltus/solvers/fixed_point_projection.hpp"
#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/projection_variants.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace saltus {
namespace {

/// Any of the methods, by its name.
struct Method {
  std::string name;
  std::function<SolveReport(const BlockForm&, VectorRef, double, Workspace&)> run;
};
template <class Options>
Method method(std::string name, Options options) {
  return {std::move(name),
          [=](const BlockForm& problem, VectorRef r, double tolerance, Workspace& work) {
            Options o = options;
            o.tolerance = tolerance;
            return solve(problem, r, o, work);
          }};
}
const std::vector<Method> methods{
    method("spectral", SpectralProjection{}),
    method("spectral, impatient", SpectralProjection{.patience = 3}),
    method("prediction", PredictionCorrection{}),
    method("prediction, contraction", PredictionCorrection{.projected = false}),
    method("prediction, Solodov-Tseng",
           PredictionCorrection{.step = AdaptiveStep{.solodov_tseng = true}}),
    method("skewed", SkewedProjection{}),
    method("skewed, extragradient", SkewedProjection{.extragradient = true})};

// FS:FS-106e, FS:FS-106i, FS:FS-17, FS:V4, FS:V5, FS:V6, FS:V7, FS:V8
TEST(ProjectionVariants, SolveTheUnitCases) {
  Workspace work;
  for (const Method& m : methods)
    for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
      Vector r = Vector::Zero(3);
      const SolveReport report = m.run(to_block_form(c.problem), r, 1e-10, work);
      EXPECT_TRUE(report.converged()) << m.name << " " << c.name << " " << name(report.status);
      EXPECT_LE((r - c.r).norm(), 1e-8) << m.name << " " << c.name;
    }
}

TEST(ProjectionVariants, SolveEverySet) {  // FS:FS-106e, FS:FS-106i, FS:FS-17
  Workspace work;
  for (const unsigned seed : {7u, 8u, 9u}) {
    const BlockForm form = mixed_sets::every_set(seed);
    Vector reference = Vector::Zero(form.q.size());
    ASSERT_TRUE(solve(form, reference, Nsgs{.tolerance = 1e-11}, work).converged());
    for (const Method& m : methods) {
      Vector r = Vector::Zero(form.q.size());
      const SolveReport report = m.run(form, r, 1e-8, work);
      EXPECT_TRUE(report.converged()) << m.name << " " << name(report.status);
      // smallest eigenvalue of W about 0.1: an error of 1e-8 in the natural map, ten times that in
      // r
      EXPECT_LE((r - reference).norm(), 1e-6) << m.name;
    }
  }
}

TEST(ProjectionVariants, FindTheScaleOfTheMatrix) {  // FS:V9
  Workspace work;
  int last = 0;
  for (const Method& m : methods)
    for (const double s : {1e-3, 0.5, 3.0, 100.0}) {
      const FrictionContact problem =
          friction_cases::one_contact(s * Matrix::Identity(3, 3), Values{-1, 1, 0}, 0.5);
      Vector r = Vector::Zero(3);
      const SolveReport report = m.run(to_block_form(problem), r, 1e-8, work);
      EXPECT_TRUE(report.converged()) << m.name << " " << s;
      EXPECT_LE(report.iterations, 200) << m.name << " " << s;  // 40 of FP-VI-UPK in the card
      if (m.name.starts_with("skewed") && s != 1e-3) {
        EXPECT_EQ(report.iterations, last) << m.name;  // the scale of W does not count at all
      }
      last = report.iterations;
    }
}

TEST(ProjectionVariants, SlideAndStickOnTheInclineAndAreHonestWithoutSolution) {  // FS:V10, FS:V11
  Workspace work;
  for (const Method& m : methods) {
    for (const double mu : {0.3, 0.8}) {
      const GlobalFrictionContact global = friction_cases::incline(mu);
      Vector r = Vector::Zero(12);
      ASSERT_TRUE(m.run(to_block_form(reduce(global)), r, 1e-8, work).converged()) << m.name;
      Vector v = Vector::Zero(6);
      if (mu == 0.3) v[0] = 0.0175486615;  // hg (sin θ − μ cos θ)
      EXPECT_LE((velocity(global, r) - v).lpNorm<Eigen::Infinity>(), 1e-7) << m.name;
    }
    Vector r = Vector::Zero(6);
    const SolveReport report =
        m.run(to_block_form(reduce(friction_cases::squeezed())), r, 1e-8, work);
    EXPECT_FALSE(report.converged()) << m.name;
  }
}

/// A chain of plane contacts on springs: W tridiagonal by blocks with the condition of a beam.
BlockForm chain(Index contacts) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < contacts; ++i)
    for (int k = 0; k < 2; ++k) {
      entries.emplace_back(2 * i + k, 2 * i + k, 2.001);
      if (i > 0) entries.emplace_back(2 * i + k, 2 * (i - 1) + k, -1);
      if (i + 1 < contacts) entries.emplace_back(2 * i + k, 2 * (i + 1) + k, -1);
    }
  Eigen::SparseMatrix<double> W(2 * contacts, 2 * contacts);
  W.setFromTriplets(entries.begin(), entries.end());
  Vector q(2 * contacts);
  for (Index i = 0; i < contacts; ++i) {
    q[2 * i] = -0.1 - 0.05 * std::sin(static_cast<double>(i));
    q[2 * i + 1] = 0.03 * std::cos(0.3 * static_cast<double>(i));
  }
  return {BlockSparse::sparse(W, 2), q,
          std::vector<BlockSet>(static_cast<std::size_t>(contacts), FrictionCone{0.3})};
}

TEST(SpectralSteps, SaveMostOfTheStepsOnIllConditionedProblems) {  // FS:FS-106e
  Workspace work;
  const BlockForm form = chain(40);
  Vector reference = Vector::Zero(80), r = Vector::Zero(80);
  const SolveReport fixed =
      solve(form, reference, FixedPointProjection{.max_iterations = 200000}, work);
  ASSERT_TRUE(fixed.converged());
  const SolveReport spectral = solve(form, r, SpectralProjection{}, work);
  EXPECT_TRUE(spectral.converged());
  // κ(W) is about 700: a rate of 1 − 1/κ against one of 1 − 1/√κ, √κ = 26
  EXPECT_LE(5 * spectral.iterations, fixed.iterations);
  EXPECT_LE((r - reference).norm(), 1e-4);  // λ_min = 0.007 and 80 rows of 1e-8
}

TEST(PredictionAndCorrection, NeedsFewerStepsThanTheExtragradient) {  // FS:FS-106i
  Workspace work;
  const BlockForm form = chain(20);
  Vector r = Vector::Zero(40), s = Vector::Zero(40);
  const SolveReport he = solve(form, r, PredictionCorrection{.max_iterations = 200000}, work);
  const SolveReport extragradient =
      solve(form, s, FixedPointProjection{.max_iterations = 200000, .extragradient = true}, work);
  ASSERT_TRUE(he.converged() && extragradient.converged());
  EXPECT_LT(he.iterations, extragradient.iterations);
}

TEST(SkewedSteps, DoNotCareForTheMassesOfUncoupledBodies) {  // FS:FS-17
  Workspace work;
  std::vector<Index> sizes{3, 3};
  Matrix W = Matrix::Zero(6, 6);
  const Matrix block = friction_cases::coupled_slide().problem.W.to_dense();
  W.topLeftCorner(3, 3) = block;
  W.bottomRightCorner(3, 3) = 1e5 * block;  // a body of 1e-5 times the mass
  BlockForm form{BlockSparse::sparse(W.sparseView(), sizes, sizes),
                 Vector(6),
                 {FrictionCone{0.3}, FrictionCone{0.3}}};
  form.q << friction_cases::coupled_slide().problem.q, friction_cases::coupled_slide().problem.q;
  Vector r = Vector::Zero(6), s = Vector::Zero(6);
  const SolveReport skewed = solve(form, r, SkewedProjection{}, work);
  EXPECT_TRUE(skewed.converged());
  EXPECT_LE(skewed.iterations, 60);  // as for one of them
  EXPECT_LE((1e5 * r.tail(3) - r.head(3)).norm(), 1e-6);
  const SolveReport plain =
      solve(form, s, FixedPointProjection{.max_iterations = 100 * skewed.iterations}, work);
  EXPECT_FALSE(plain.converged());
}

TEST(ProjectionVariants, WithAFixedStepAreAdmittedAndOptionsChecked) {  // FS:FS-17, FS:FS-106i
  Workspace work;
  const BlockForm form = to_block_form(friction_cases::coupled_slide().problem);
  Vector r = Vector::Zero(3);
  EXPECT_TRUE(solve(form, r, SkewedProjection{.step = FixedStep{0.5}}, work).converged());
  r.setZero();
  EXPECT_TRUE(solve(form, r, PredictionCorrection{.step = FixedStep{0.4}}, work).converged());
  EXPECT_ERROR(static_cast<void>(solve(form, r, PredictionCorrection{.gamma = 2.5}, work)),
               "gamma is 2.5");
  EXPECT_ERROR(static_cast<void>(solve(form, r, SpectralProjection{.patience = 0}, work)),
               "patience is 0");
  Vector shorter = Vector::Zero(2);
  EXPECT_ERROR(static_cast<void>(solve(form, shorter, SkewedProjection{}, work)),
               "the initial guess 2");
}

TEST(ProjectionVariants, EndWithANumericalErrorOnNaN) {
  Workspace work;
  for (const Method& m : methods) {
    BlockForm form = to_block_form(friction_cases::coupled_slide().problem);
    form.q[1] = std::nan("");
    Vector r = Vector::Zero(3);
    EXPECT_EQ(m.run(form, r, 1e-8, work).status, SolveStatus::numerical_error) << m.name;
  }
}

}  // namespace
}  // namespace saltus
