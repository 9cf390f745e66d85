#pragma once

#include "saltus/base/error.hpp"

#include <Eigen/Core>

#include <initializer_list>

namespace saltus {

using Index = Eigen::Index;
using Vector = Eigen::VectorXd;
using Matrix = Eigen::MatrixXd;
using VectorRef = Eigen::Ref<Vector>;
using ConstVectorRef = Eigen::Ref<const Vector>;
using MatrixRef = Eigen::Ref<Matrix>;
using ConstMatrixRef = Eigen::Ref<const Matrix>;

/// A vector that can be written as a list, {1.0, 2.0}, in a description struct. (Eigen's own
/// constructors refuse that form, and VectorXd{3} has three entries.)
struct Values : Vector {
  Values() = default;
  Values(std::initializer_list<double> list) : Vector(static_cast<Index>(list.size())) {
    std::copy(list.begin(), list.end(), data());
  }
  template <class Derived>
  Values(const Eigen::MatrixBase<Derived>& v) : Vector(v) {}
};

/// A matrix that can be written as a list of rows, {{1.0, 0.0}, {0.0, 1.0}}.
struct Rows : Matrix {
  Rows() = default;
  Rows(std::initializer_list<std::initializer_list<double>> list);
  template <class Derived>
  Rows(const Eigen::MatrixBase<Derived>& m) : Matrix(m) {}
};

}  // namespace saltus
