#include "saltus/inclusions/variational.hpp"

namespace saltus {

namespace {

TimeField negative(const TimeField& f) {
  if (!f) return {};
  return [f](double t, ConstVectorRef x, VectorRef out) {
    f(t, x, out);
    out = -out;
  };
}

/// The four languages have the same data.
template <class To, class From>
To same(const From& from) {
  return {.x0 = from.x0, .set = from.set, .f = from.f};
}

}  // namespace

Model UnilateralInclusion::model() const { return to_sweeping(*this).model(); }

Model EvolutionVariationalInequality::model() const { return to_inclusion(*this).model(); }

Model ProjectedDynamicalSystem::model() const { return to_inclusion(*this).model(); }

Model DifferentialVariationalInequality::model() const {
  require(static_cast<bool>(G), "DifferentialVariationalInequality: G is missing");
  require(B.rows() == x0.size() && B.cols() > 0,
          "DifferentialVariationalInequality: B is {}x{}, x0 has size {}", B.rows(), B.cols(),
          x0.size());
  const Index n = x0.size(), m = B.cols();
  Model model;
  const SystemId x = model.add(field_system(n, f), {.x = x0}, "x");
  const Rows input = B;
  FunctionRelation relation{.n = n, .m = m, .h = G};
  relation.B = [input](double, ConstVectorRef, MatrixRef out) { out = input; };
  relation.D = D;
  model.link(x, relation, NormalCone{.set = set}, "inequality");
  return model;
}

EvolutionVariationalInequality to_evi(const UnilateralInclusion& inclusion) {
  return same<EvolutionVariationalInequality>(inclusion);
}

UnilateralInclusion to_inclusion(const EvolutionVariationalInequality& inequality) {
  return same<UnilateralInclusion>(inequality);
}

ProjectedDynamicalSystem to_projected(const UnilateralInclusion& inclusion) {
  return same<ProjectedDynamicalSystem>(inclusion);
}

UnilateralInclusion to_inclusion(const ProjectedDynamicalSystem& system) {
  return same<UnilateralInclusion>(system);
}

SweepingProcess to_sweeping(const UnilateralInclusion& inclusion) {
  return {.x0 = inclusion.x0, .set = inclusion.set, .f = negative(inclusion.f)};
}

DifferentialVariationalInequality to_dvi(const EvolutionVariationalInequality& inequality) {
  require(is_cone(inequality.set),
          "to_dvi: {} is no cone; state the inclusion as a sweeping process instead",
          name(inequality.set));
  const Index n = inequality.x0.size();
  return {.x0 = inequality.x0,
          .f = negative(inequality.f),
          .B = Matrix::Identity(n, n),
          .G = [](double, ConstVectorRef x, VectorRef y) { y = x; },
          .set = dual(inequality.set)};
}

}  // namespace saltus
