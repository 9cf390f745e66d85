#pragma once

#include "saltus/algebra/state.hpp"

#include <cmath>

namespace saltus::testing {

/// A planar beam with finite rotations, q = (x, y, φ) for each node, two-node elements, one point
/// of integration (AC:GA-29): the energy of an element of length l is
///     ½l (EA Γ₁² + GA_s Γ₂² + EI κ²),   (Γ₁ + 1, Γ₂) = R(φ)ᵀ (r_b − r_a)/l,   κ = (φ_b − φ_a)/l,
/// φ the mean of the two angles. Mass of linear elements, gravity along −y.
struct PlanarBeam {
  Index elements = 4;
  double length = 1, EA = 1, GAs = 1, EI = 1, rhoA = 1, rhoI = 1, gravity = 10;

  using Six = Eigen::Matrix<double, 6, 1>;
  using SixSix = Eigen::Matrix<double, 6, 6>;

  [[nodiscard]] Index dof() const { return 3 * (elements + 1); }
  [[nodiscard]] double part() const { return length / double(elements); }

  /// Strains (Γ₁, Γ₂, κ) of an element, their gradients and the Hessians of the first two.
  struct Strains {
    Eigen::Vector3d value;
    Six gradient[3];
    SixSix hessian[2];
  };
  [[nodiscard]] Strains strains(const double* q) const {
    const double l = part(), phi = 0.5 * (q[2] + q[5]), c = std::cos(phi), s = std::sin(phi);
    const double x = (q[3] - q[0]) / l, y = (q[4] - q[1]) / l;
    Strains e;
    e.value << c * x + s * y - 1, -s * x + c * y, (q[5] - q[2]) / l;
    const double g1 = 0.5 * e.value[1], g2 = -0.5 * (1 + e.value[0]);
    e.gradient[0] << -c / l, -s / l, g1, c / l, s / l, g1;
    e.gradient[1] << s / l, -c / l, g2, -s / l, c / l, g2;
    e.gradient[2] << 0, 0, -1 / l, 0, 0, 1 / l;
    for (int k = 0; k < 2; ++k) {
      const double a = 0.5 * (k == 0 ? -s : -c) / l, b = 0.5 * (k == 0 ? c : -s) / l;
      const double turn = -0.25 * (k == 0 ? 1 + e.value[0] : e.value[1]);
      SixSix& H = e.hessian[k];
      H.setZero();
      for (int angle : {2, 5}) {
        H(angle, 0) = H(0, angle) = -a, H(angle, 1) = H(1, angle) = -b;
        H(angle, 3) = H(3, angle) = a, H(angle, 4) = H(4, angle) = b;
        H(angle, 2) = H(angle, 5) = turn;
      }
    }
    return e;
  }

  void mass(const StateView&, MatrixRef M) const {
    M.setZero();
    const double l = part();
    for (Index i = 0; i < elements; ++i)
      for (Index k = 0; k < 3; ++k) {
        const double m = (k < 2 ? rhoA : rhoI) * l;
        const Index a = 3 * i + k, b = a + 3;
        M(a, a) += m / 3, M(b, b) += m / 3, M(a, b) += m / 6, M(b, a) += m / 6;
      }
  }
  void force(const StateView& x, VectorRef F) const {
    F.setZero();
    const double l = part();
    for (Index i = 0; i < elements; ++i) {
      const Strains e = strains(x.q.data() + 3 * i);
      F.segment<6>(3 * i) -=
          l * (EA * e.value[0] * e.gradient[0] + GAs * e.value[1] * e.gradient[1] +
               EI * e.value[2] * e.gradient[2]);
      F[3 * i + 1] -= 0.5 * rhoA * l * gravity;
      F[3 * i + 4] -= 0.5 * rhoA * l * gravity;
    }
  }
  void damping(const StateView&, MatrixRef C) const { C.setZero(); }
  void stiffness(const StateView& x, MatrixRef K) const {
    K.setZero();
    const double l = part();
    for (Index i = 0; i < elements; ++i) {
      const Strains e = strains(x.q.data() + 3 * i);
      auto block = K.block<6, 6>(3 * i, 3 * i);
      const double weight[] = {EA, GAs, EI};
      for (int k = 0; k < 3; ++k)
        block += l * weight[k] * e.gradient[k] * e.gradient[k].transpose();
      for (int k = 0; k < 2; ++k) block += l * weight[k] * e.value[k] * e.hessian[k];
    }
  }
  /// Kinetic, elastic and potential energy.
  [[nodiscard]] double energy(const State& state) const {
    Matrix M(dof(), dof());
    mass({}, M);
    double sum = 0.5 * state.v.dot(M * state.v);
    const double l = part();
    for (Index i = 0; i < elements; ++i) {
      const Strains e = strains(state.q.data() + 3 * i);
      sum += 0.5 * l *
             (EA * e.value[0] * e.value[0] + GAs * e.value[1] * e.value[1] +
              EI * e.value[2] * e.value[2]);
      sum += 0.5 * rhoA * l * gravity * (state.q[3 * i + 1] + state.q[3 * i + 4]);
    }
    return sum;
  }
};

}  // namespace saltus::testing
