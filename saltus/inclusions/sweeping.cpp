#include "saltus/inclusions/sweeping.hpp"

#include "saltus/relations/linear.hpp"

namespace saltus {

Model SweepingProcess::model() const {
  const Index n = x0.size();
  validate(set);
  check_dimension(set, n);
  Model model;
  const SystemId x = model.add(field_system(n, f), {.x = x0}, "x");
  const auto move = center;
  const auto grow = scale;
  FunctionRelation relation{.n = n, .m = n};
  relation.h = [move, grow](double t, ConstVectorRef point, VectorRef y) {
    if (move) {
      move(t, y);
      y = point - y;
    } else {
      y = point;
    }
    if (grow) y /= grow(t);
  };
  relation.B = [](double, ConstVectorRef, MatrixRef B) { B.setIdentity(); };
  if (!grow) relation.slope = [](ConstVectorRef, MatrixRef C) { C.setIdentity(); };
  model.link(x, relation, NormalCone{.set = set, .of_output = true}, "set");
  return model;
}

Model PolyhedralSweeping::model() const {
  require(A.cols() == x0.size(), "PolyhedralSweeping: A has {} columns, x0 has size {}", A.cols(),
          x0.size());
  require(static_cast<bool>(b), "PolyhedralSweeping: b is missing");
  Model model;
  const SystemId x = model.add(field_system(x0.size(), f), {.x = x0}, "x");
  model.link(x, MovingRelation{.C = A, .B = A.transpose(), .e = b}, Complementarity{},
             "polyhedron");
  return model;
}

Model Play::model() const {
  require(radius > 0, "Play: radius is {}, expected > 0", radius);
  require(static_cast<bool>(input), "Play: input is missing");
  const auto u = input;
  return SweepingProcess{.x0 = {x0},
                         .set = Interval{-radius, radius},
                         .center = [u](double t, VectorRef c) { c[0] = u(t); }}
      .model();
}

SystemId add_play(Model& model, SystemId source, const Rows& C, double radius, double x0,
                  std::string name) {
  require(C.rows() == 1, "add_play: C is {}x{}, expected one row", C.rows(), C.cols());
  require(radius > 0, "add_play: radius is {}, expected > 0", radius);
  const SystemId play =
      model.add(FirstOrderLinear{.A = {{0.0}}}, {.x = {x0}}, name.empty() ? "play" : name);
  const Index n = C.cols();
  Rows both = Matrix::Zero(1, n + 1), input = Matrix::Zero(n + 1, 1);
  both.leftCols(n) = -C;
  both(0, n) = 1;
  input(n, 0) = 1;
  model.link({source, play}, FirstOrderLinearRelation{.C = both, .B = input},
             NormalCone{.set = Interval{-radius, radius}, .of_output = true});
  return play;
}

}  // namespace saltus
