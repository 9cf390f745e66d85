#pragma once

#include "saltus/algebra/types.hpp"

#include <random>

namespace saltus {

/// Matrices whose entries are uniform in [−1, 1], the same ones for the same seed.
class RandomMatrix {
 public:
  explicit RandomMatrix(unsigned seed) : engine_(seed) {}
  [[nodiscard]] double number() { return uniform_(engine_); }
  [[nodiscard]] Matrix operator()(Index rows, Index columns) {
    return Matrix::NullaryExpr(rows, columns, [&] { return number(); });
  }

 private:
  std::mt19937 engine_;
  std::uniform_real_distribution<double> uniform_{-1, 1};
};

}  // namespace saltus
