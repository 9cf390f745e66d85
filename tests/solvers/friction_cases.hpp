// The unit cases of the theory of frictional contact: one contact, and the smallest problems in
// which the families of solvers differ.
#pragma once

#include "saltus/problems/friction_contact.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <string>
#include <vector>

namespace saltus::friction_cases {

struct OneContact {
  std::string name;
  FrictionContact problem;
  Vector r;  ///< solution
};

inline FrictionContact one_contact(const Matrix& W, const Vector& q, double mu) {
  return {W.rows(), BlockSparse::dense(W), q, Values{mu}};
}

inline OneContact take_off() {  // FS:V4
  return {"V4", one_contact(Matrix::Identity(3, 3), Values{1, -0.5, 0.3}, 0.5), Vector::Zero(3)};
}
inline OneContact stick() {  // FS:V5
  return {"V5", one_contact(Matrix::Identity(3, 3), Values{-1, 0.2, -0.3}, 0.5),
          Values{1, -0.2, 0.3}};
}
inline OneContact slide() {  // FS:V6
  return {"V6", one_contact(Matrix::Identity(3, 3), Values{-1, 1, 0}, 0.5), Values{1, -0.5, 0}};
}
inline OneContact coupled_slide() {  // FS:V7
  return {"V7",
          one_contact(Rows{{1, 0.2, -0.1}, {0.2, 1.5, 0.3}, {-0.1, 0.3, 0.8}},
                      Values{-1, 0.6, -0.4}, 0.3),
          Values{1.0699203022, -0.2472815867, 0.2046398486}};
}
inline OneContact asymmetric(bool sticks) {  // FS:V8
  const Matrix W = Rows{{1, 0.5, 0}, {-0.5, 1, 0.8}, {0, -0.8, 1}};
  if (sticks)
    return {"V8-stick", one_contact(W, Values{-1, 1, 0.5}, 0.7),
            Values{1.0264550265, -0.0529100529, -0.5423280423}};
  return {"V8-slide", one_contact(W, Values{-1, 1, 0.5}, 0.3),
          Values{1.0583683313, -0.1167366627, -0.2952718558}};
}
inline std::vector<OneContact> single_contacts() {
  return {take_off(), stick(), slide(), coupled_slide(), asymmetric(true), asymmetric(false)};
}

/// FS:V10: box on an incline, four contacts, W of rank 6.
inline GlobalFrictionContact incline(double mu) {
  const double g = 9.81, h = 0.01, angle = std::atan(0.5);
  Vector mass(6), f = Vector::Zero(6);
  mass << 1, 1, 1, 0.1041667, 0.1041667, 0.1666667;
  f[0] = h * g * std::sin(angle);
  f[2] = -h * g * std::cos(angle);
  Matrix H(6, 12);
  Index column = 0;
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5}) {
      const Eigen::Vector3d p(x, y, -0.25);
      for (const Eigen::Vector3d& d :
           {Eigen::Vector3d(0, 0, 1), Eigen::Vector3d(1, 0, 0), Eigen::Vector3d(0, 1, 0)}) {
        H.col(column).head<3>() = d;
        H.col(column++).tail<3>() = p.cross(d);
      }
    }
  return {3,
          Matrix(mass.asDiagonal()).sparseView(),
          H.sparseView(),
          f,
          Vector::Zero(12),
          Vector::Constant(4, mu)};
}

/// FS:V11: a point between two walls that close on it.
inline GlobalFrictionContact squeezed() {
  Matrix H = Matrix::Zero(3, 6);
  H(0, 0) = 1, H(1, 1) = 1, H(2, 2) = 1;
  H(0, 3) = -1, H(1, 4) = 1, H(2, 5) = 1;
  Vector w = Vector::Zero(6);
  w[0] = w[3] = -1;
  return {3,
          Matrix(Matrix::Identity(3, 3)).sparseView(),
          H.sparseView(),
          Vector::Zero(3),
          w,
          Vector::Constant(2, 0.5)};
}

}  // namespace saltus::friction_cases
