#pragma once

#include "saltus/sets/balls.hpp"
#include "saltus/sets/boxes.hpp"
#include "saltus/sets/elementary_cones.hpp"
#include "saltus/sets/elliptic_cone.hpp"
#include "saltus/sets/friction_cone.hpp"
#include "saltus/sets/friction_cylinder.hpp"
#include "saltus/sets/polyhedral_cone.hpp"
#include "saltus/sets/rolling_cone.hpp"
#include "saltus/sets/second_order_cone.hpp"

#include <concepts>
#include <variant>
#include <vector>

namespace saltus {

struct Factor;

/// K = K_1 × K_2 × … : consecutive segments of x, each in its own set.
struct Product {
  static constexpr std::string_view name = "Product";
  std::vector<Factor> factors;
};

/// Any convex set of this layer.
using Set = std::variant<Reals, Zero, NonNegative, Interval, Box, Disk, Ball, FrictionCone,
                         SecondOrderCone, EllipticCone, RollingCone, RollingDualCone,
                         FrictionCylinder, PolyhedralCone, Product>;

/// One factor of a product: the set and the number of components that it takes.
struct Factor {
  Set set = Reals{};
  Index dimension = 1;
};

/// The sets that are cones by their type. A product is one if all its factors are: see is_cone.
template <class S>
concept Cone = std::same_as<S, Reals> || std::same_as<S, Zero> || std::same_as<S, NonNegative> ||
    std::same_as<S, FrictionCone> || std::same_as<S, SecondOrderCone> ||
    std::same_as<S, EllipticCone> || std::same_as<S, RollingCone> ||
    std::same_as<S, RollingDualCone> || std::same_as<S, PolyhedralCone>;

/// "FrictionCone"
[[nodiscard]] std::string_view name(const Set&);
[[nodiscard]] bool is_cone(const Product&);
[[nodiscard]] bool is_cone(const Set&);

/// Sum of the dimensions of the factors.
[[nodiscard]] Index dimension(const Product&);

/// Throws Error on the first wrong parameter; in a product also on a dimension < 1 or one that its
/// set cannot have. Projections do not repeat these checks: owners of a set validate it once.
void validate(const Product&);
void validate(const Set&);

/// Throws Error unless the set lies in Rⁿ.
void check_dimension(const Product&, Index n);
void check_dimension(const Set&, Index n);

/// p = P_S(x), the nearest point of S:  p ∈ S,  (x − p)·(y − p) ≤ 0 for all y ∈ S, that is
/// x − p ∈ N_S(p) (F:F003). x and p may be the same vector. Works factor by factor on a product.
void project(const Product&, ConstVectorRef x, VectorRef p);
void project(const Set&, ConstVectorRef x, VectorRef p);

/// ‖x − P_S(x)‖
[[nodiscard]] double distance(const Product&, ConstVectorRef x);
[[nodiscard]] double distance(const Set&, ConstVectorRef x);

/// σ_S(d) = sup {y·d : y ∈ S}, the conjugate of the indicator of S; may be ∞ (F:F008).
[[nodiscard]] double support(const Product&, ConstVectorRef d);
[[nodiscard]] double support(const Set&, ConstVectorRef d);

/// J = one element of Clarke's generalised Jacobian of P_S at x: symmetric, eigenvalues in [0, 1].
/// Where P_S is differentiable it is its derivative; each set says which element it takes at kinks.
void projection_jacobian(const Product&, ConstVectorRef x, MatrixRef J);
void projection_jacobian(const Set&, ConstVectorRef x, MatrixRef J);

/// p = P_K°(x) = x − P_K(x), for cones; throws Error for a set that is not one.
void project_polar(const Product&, ConstVectorRef x, VectorRef p);
void project_polar(const Set&, ConstVectorRef x, VectorRef p);

/// K* = {s : s·y ≥ 0 for all y ∈ K} = −K°; throws Error for a set that is not a cone.
[[nodiscard]] Product dual(const Product&);
[[nodiscard]] Set dual(const Set&);

}  // namespace saltus
