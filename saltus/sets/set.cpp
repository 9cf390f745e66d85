#include "saltus/sets/set.hpp"

#include <cmath>

namespace saltus {

namespace {

// Calls visit(factor, offset) for each factor.
template <class Visitor>
void for_each_factor(const Product& K, Visitor&& visit) {
  Index offset = 0;
  for (const Factor& factor : K.factors) {
    visit(factor, offset);
    offset += factor.dimension;
  }
}

}  // namespace

std::string_view name(const Set& set) {
  return std::visit([]<class S>(const S&) { return S::name; }, set);
}

bool is_cone(const Product& K) {
  for (const Factor& factor : K.factors)
    if (!is_cone(factor.set)) return false;
  return true;
}

bool is_cone(const Set& set) {
  if (const auto* product = std::get_if<Product>(&set)) return is_cone(*product);
  return std::visit([]<class S>(const S&) { return Cone<S>; }, set);
}

Index dimension(const Product& K) {
  Index sum = 0;
  for (const Factor& factor : K.factors) sum += factor.dimension;
  return sum;
}

void validate(const Product& K) {
  for (std::size_t i = 0; i < K.factors.size(); ++i) {
    const Factor& factor = K.factors[i];
    require(factor.dimension >= 1, "Product: factor {} ({}) has dimension {}, expected at least 1",
            i, name(factor.set), factor.dimension);
    validate(factor.set);
    check_dimension(factor.set, factor.dimension);
  }
}

void validate(const Set& set) {
  std::visit([](const auto& s) { validate(s); }, set);
}

void check_dimension(const Product& K, Index n) {
  require(dimension(K) == n, "Product: x has size {}, the factors add up to {}", n, dimension(K));
}

void check_dimension(const Set& set, Index n) {
  std::visit([n](const auto& s) { check_dimension(s, n); }, set);
}

void project(const Product& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(Product::name, x.size(), p.size());
  for_each_factor(K, [&](const Factor& f, Index i) {
    project(f.set, x.segment(i, f.dimension), p.segment(i, f.dimension));
  });
}

void project(const Set& set, ConstVectorRef x, VectorRef p) {
  std::visit([&](const auto& s) { project(s, x, p); }, set);
}

double distance(const Product& K, ConstVectorRef x) {
  check_dimension(K, x.size());
  double sum = 0;
  for_each_factor(K, [&](const Factor& f, Index i) {
    const double d = distance(f.set, x.segment(i, f.dimension));
    sum += d * d;
  });
  return std::sqrt(sum);
}

double distance(const Set& set, ConstVectorRef x) {
  return std::visit([&](const auto& s) { return distance(s, x); }, set);
}

double support(const Product& K, ConstVectorRef d) {
  check_dimension(K, d.size());
  double sum = 0;
  for_each_factor(
      K, [&](const Factor& f, Index i) { sum += support(f.set, d.segment(i, f.dimension)); });
  return sum;
}

double support(const Set& set, ConstVectorRef d) {
  return std::visit([&](const auto& s) { return support(s, d); }, set);
}

void projection_jacobian(const Product& K, ConstVectorRef x, MatrixRef J) {
  check_dimension(K, x.size());
  check_jacobian(Product::name, x.size(), J);
  J.setZero();
  for_each_factor(K, [&](const Factor& f, Index i) {
    projection_jacobian(f.set, x.segment(i, f.dimension), J.block(i, i, f.dimension, f.dimension));
  });
}

void projection_jacobian(const Set& set, ConstVectorRef x, MatrixRef J) {
  std::visit([&](const auto& s) { projection_jacobian(s, x, J); }, set);
}

void project_polar(const Product& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(Product::name, x.size(), p.size());
  for_each_factor(K, [&](const Factor& f, Index i) {
    project_polar(f.set, x.segment(i, f.dimension), p.segment(i, f.dimension));
  });
}

void project_polar(const Set& set, ConstVectorRef x, VectorRef p) {
  std::visit(
      [&]<class S>(const S& s) {
        if constexpr (Cone<S> || std::same_as<S, Product>)
          project_polar(s, x, p);
        else
          fail("project_polar: {} is not a cone", S::name);
      },
      set);
}

Product dual(const Product& K) {
  Product D;
  D.factors.reserve(K.factors.size());
  for (const Factor& factor : K.factors) D.factors.push_back({dual(factor.set), factor.dimension});
  return D;
}

Set dual(const Set& set) {
  return std::visit(
      []<class S>(const S& s) -> Set {
        if constexpr (Cone<S> || std::same_as<S, Product>)
          return dual(s);
        else
          fail("dual: {} is not a cone", S::name);
      },
      set);
}

}  // namespace saltus
