#include "saltus/inclusions/dissipative.hpp"

#include "saltus/inclusions/complementarity.hpp"

#include <cmath>

namespace saltus {

namespace {

void check(const DissipativeSystem& system) {
  require(static_cast<bool>(system.gradient), "DissipativeSystem: the gradient of V is missing");
  require(system.B.rows() == system.x0.size() && system.B.cols() > 0,
          "DissipativeSystem: B is {}x{}, x0 has size {}", system.B.rows(), system.B.cols(),
          system.x0.size());
}

/// ‖ΛᵀΛ − ∇²V‖ at x0, relative, the second by central differences.
double root_defect(const DissipativeSystem& system, const StorageCoordinates& coordinates) {
  const Index n = system.x0.size();
  Matrix root(n, n), hessian(n, n);
  coordinates.root(system.x0, root);
  Vector ahead(n), behind(n), x = system.x0;
  for (Index j = 0; j < n; ++j) {
    const double step = 1e-5 * std::max(1.0, std::abs(x[j]));
    x[j] = system.x0[j] + step;
    system.gradient(x, ahead);
    x[j] = system.x0[j] - step;
    system.gradient(x, behind);
    x[j] = system.x0[j];
    hessian.col(j) = (ahead - behind) / (2 * step);
  }
  return (root.transpose() * root - hessian).norm() / hessian.norm();
}

}  // namespace

Model DissipativeSystem::model() const {
  check(*this);
  const DissipativeSystem self = *this;
  NonlinearLcs system{.x0 = x0, .pairs = B.cols(), .f = f};
  system.g = [push = B](double, ConstVectorRef, MatrixRef out) { out = push; };
  system.h = [self](double t, ConstVectorRef x, VectorRef w) {
    Vector slope(x.size());
    self.gradient(x, slope);
    w.setZero();
    if (self.input) self.input(t, w);
    w += self.B.transpose() * slope;
  };
  return system.model();
}

ProxRegularSweeping to_sweeping(const DissipativeSystem& system,
                                const StorageCoordinates& coordinates, double r) {
  check(system);
  require(!system.input, "to_sweeping: the system has an input g, the set would change its shape");
  require(coordinates.forward && coordinates.backward && coordinates.root,
          "to_sweeping: h, its inverse or its derivative is missing");
  const double defect = root_defect(system, coordinates);
  require(defect <= 1e-6,
          "to_sweeping: Λ'Λ differs from the second derivatives of V by {}, relative", defect);
  const Index n = system.x0.size();
  const auto back = [coordinates, n](ConstVectorRef z) {
    Vector x(n);
    coordinates.backward(z, x);
    return x;
  };
  SmoothSet set{.n = n, .m = system.B.cols(), .r = r};
  set.g = [system, back](ConstVectorRef z, VectorRef w) {
    Vector slope(z.size());
    system.gradient(back(z), slope);
    w = system.B.transpose() * slope;
  };
  set.slope = [system, coordinates, back](ConstVectorRef z, MatrixRef normals) {
    Matrix root(z.size(), z.size());
    coordinates.root(back(z), root);
    normals = system.B.transpose() * root.transpose();
  };
  ProxRegularSweeping process{.set = set};
  process.x0 = Vector::Zero(n);
  coordinates.forward(system.x0, process.x0);
  if (system.f)
    process.f = [system, coordinates, back](double t, ConstVectorRef z, VectorRef out) {
      const Vector x = back(z);
      Matrix root(z.size(), z.size());
      coordinates.root(x, root);
      Vector rate(z.size());
      system.f(t, x, rate);
      out = root * rate;
    };
  return process;
}

}  // namespace saltus
