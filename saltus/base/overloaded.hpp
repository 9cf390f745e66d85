#pragma once

namespace saltus {

/// Lambdas as one visitor: std::visit(Overloaded{[](const A&) {…}, [](const B&) {…}}, variant).
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};

}  // namespace saltus
