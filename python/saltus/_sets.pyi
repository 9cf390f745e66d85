"""Convex sets."""

from collections.abc import Sequence
from typing import TypeAlias

from numpy.typing import ArrayLike

from ._types import Array, _Options

class _ConvexSet(_Options):
    """What every set can do."""

    def project(self, x: ArrayLike) -> Array: ...
    def project_polar(self, x: ArrayLike) -> Array: ...
    def distance(self, x: ArrayLike) -> float: ...
    def contains(self, x: ArrayLike, tolerance: float = 0.0) -> bool: ...
    def support(self, d: ArrayLike) -> float: ...
    def projection_jacobian(self, x: ArrayLike) -> Array: ...
    def is_cone(self) -> bool: ...
    def dual(self) -> Set: ...

class Reals(_ConvexSet):
    """The whole space: no constraint."""

    def __init__(self) -> None: ...

class Zero(_ConvexSet):
    """The origin: an equality."""

    def __init__(self) -> None: ...

class NonNegative(_ConvexSet):
    """{x : x ≥ 0}, component by component."""

    def __init__(self) -> None: ...

class Interval(_ConvexSet):
    """{x : lower ≤ x_i ≤ upper}, the same bounds on every component."""

    lower: float
    upper: float
    def __init__(self, *, lower: float = ..., upper: float = ...) -> None: ...

class Box(_ConvexSet):
    """{x : lower_i ≤ x_i ≤ upper_i}."""

    lower: Array
    upper: Array
    def __init__(self, *, lower: ArrayLike = ..., upper: ArrayLike = ...) -> None: ...

class Disk(_ConvexSet):
    """{x in the plane : ‖x‖ ≤ radius}."""

    radius: float
    def __init__(self, *, radius: float = 1.0) -> None: ...

class Ball(_ConvexSet):
    """{x : ‖x − center‖ ≤ radius}."""

    center: Array
    radius: float
    def __init__(self, *, center: ArrayLike = ..., radius: float = 1.0) -> None: ...

class FrictionCone(_ConvexSet):
    """Coulomb's cone, normal component first:  {(n, t) : ‖t‖ ≤ mu n}."""

    mu: float
    def __init__(self, *, mu: float = 0.0) -> None: ...

class SecondOrderCone(_ConvexSet):
    """The set of the FrictionCone, as a cone without Coulomb's shift."""

    mu: float
    def __init__(self, *, mu: float = 1.0) -> None: ...

class EllipticCone(_ConvexSet):
    """Orthotropic friction:  {(n, t₁, t₂) : ((t₁/mu_1)² + (t₂/mu_2)²)^½ ≤ n}."""

    mu_1: float
    mu_2: float
    def __init__(self, *, mu_1: float = 0.0, mu_2: float = 0.0) -> None: ...

class RollingCone(_ConvexSet):
    """Sliding and rolling friction:  {(n, t, m) : ‖t‖ ≤ mu n, ‖m‖ ≤ mu_rolling n}."""

    mu: float
    mu_rolling: float
    def __init__(self, *, mu: float = 0.0, mu_rolling: float = 0.0) -> None: ...

class RollingDualCone(_ConvexSet):
    """Dual of the RollingCone:  {(n, t, m) : mu ‖t‖ + mu_rolling ‖m‖ ≤ n}."""

    mu: float
    mu_rolling: float
    def __init__(self, *, mu: float = 0.0, mu_rolling: float = 0.0) -> None: ...

class FrictionCylinder(_ConvexSet):
    """Half cylinder of Tresca's friction:  {(n, t) : n ≥ 0, ‖t‖ ≤ radius}."""

    radius: float
    def __init__(self, *, radius: float = 0.0) -> None: ...

class PolyhedralCone(_ConvexSet):
    """Polyhedral cone, by its generators {G c : c ≥ 0} or its inequalities {x : A x ≥ 0}."""

    generators: Array | None
    inequalities: Array | None
    def __init__(
        self,
        *,
        generators: ArrayLike | None = ...,
        inequalities: ArrayLike | None = ...,
    ) -> None: ...

class Product(_ConvexSet):
    """Product of sets: consecutive pieces of x, each in its own set."""

    factors: list[tuple[Set, int]]
    def __init__(self, *, factors: Sequence[tuple[Set, int]] = ...) -> None: ...

Set: TypeAlias = (
    Reals
    | Zero
    | NonNegative
    | Interval
    | Box
    | Disk
    | Ball
    | FrictionCone
    | SecondOrderCone
    | EllipticCone
    | RollingCone
    | RollingDualCone
    | FrictionCylinder
    | PolyhedralCone
    | Product
)
