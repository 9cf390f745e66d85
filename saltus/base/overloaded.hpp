#pragma once

namespace saltus {

/// Lambdas as one visitor: std::visit(Overloaded{[](const A&) {…}, [](const B&) {…}}, variant).
template <class... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <class... F>
Overloaded(F...) -> Overloaded<F...>;  // clang before 17 does not deduce it for an aggregate

}  // namespace saltus
