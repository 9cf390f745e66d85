"""Systems, relations, laws, the model, and ready models."""

from collections.abc import Callable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, overload

from numpy.typing import ArrayLike

from ._elastic import ElasticBody
from ._mechanics import PlanarBodies, RigidBodies
from ._inclusions import NormalCone, PiecewiseLinear
from ._types import Array, _Options

Operator: TypeAlias = Callable[[State], ArrayLike] | ArrayLike

# What Model.add and Model.link accept besides the types of the library.

class _SecondOrderSystem(Protocol):
    """Optional: stiffness(state), damping(state), time_invariant."""

    def dof(self) -> int: ...
    def mass(self, state: State, /) -> ArrayLike: ...
    def force(self, state: State, /) -> ArrayLike: ...

class _FirstOrderSystem(Protocol):
    """Optional: jacobian(state), matrix(state), time_invariant."""

    def dimension(self) -> int: ...
    def rate(self, state: State, /) -> ArrayLike: ...

class _LagrangianRelation(Protocol):
    """Optional: jacobian(state), time_derivative(state), time_invariant."""

    def rows(self) -> int: ...
    def dof(self) -> int: ...
    def output(self, state: State, /) -> ArrayLike: ...

class _FirstOrderRelation(Protocol):
    """Optional: jacobian(state), feedthrough(state), time_invariant."""

    def rows(self) -> int: ...
    def dimension(self) -> int: ...
    def output(self, state: State, /) -> ArrayLike: ...
    def input(self, state: State, /) -> ArrayLike: ...

System: TypeAlias = (
    PointMass
    | PointMasses
    | RigidBodies
    | PlanarBodies
    | LinearLagrangian
    | SparseLagrangian
    | ElasticBody
    | Lagrangian
    | FirstOrderLinear
    | SparseFirstOrder
    | FirstOrder
    | _SecondOrderSystem
    | _FirstOrderSystem
)
Relation: TypeAlias = (
    LinearRelation
    | Driven
    | DiskOnLine
    | DiskContact
    | RimOnPlane
    | DrivenBody
    | FirstOrderLinearRelation
    | _LagrangianRelation
    | _FirstOrderRelation
)
Law: TypeAlias = (
    Equality
    | Complementarity
    | NewtonImpact
    | Relay
    | Coulomb
    | EllipticCoulomb
    | RollingCoulomb
    | SpinningCoulomb
    | Tresca
    | PoissonCoulomb
    | Spring
    | CompliantContact
    | ElasticPlastic
    | PiecewiseLinear
    | NormalCone
)
Endpoint: TypeAlias = SystemId | tuple[SystemId, int]

class State:
    """State of a model, or the piece of it that a system or relation sees."""

    t: float
    def __init__(
        self,
        *,
        t: float = 0.0,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        x: ArrayLike | None = None,
        z: ArrayLike | None = None,
    ) -> None: ...
    @property
    def q(self) -> Array: ...
    @property
    def v(self) -> Array: ...
    @property
    def x(self) -> Array: ...
    @property
    def z(self) -> Array: ...

# Systems, relations, laws

class PointMass(_Options):
    """A point under a constant gravity field:  m v' = m g + p."""

    m: float
    gravity: Array
    def __init__(self, *, m: float = 1.0, gravity: ArrayLike = ...) -> None: ...

class PointMasses(_Options):
    """A pool of independent points, one body each:  m_i v_i' = m_i g + p_i."""

    m: Array
    gravity: Array
    def __init__(self, *, m: ArrayLike = ..., gravity: ArrayLike = ...) -> None: ...

class LinearLagrangian(_Options):
    """Linear time-invariant system of second order:  M q'' + C q' + K q = F(t, z) + p."""

    M: Array
    C: Array
    K: Array
    F: Array
    load: Callable[[float, Array], ArrayLike] | None
    def __init__(
        self,
        *,
        M: ArrayLike = ...,
        C: ArrayLike = ...,
        K: ArrayLike = ...,
        F: ArrayLike = ...,
        load: Callable[[float, Array], ArrayLike] | None = ...,
    ) -> None: ...

class SparseLagrangian(_Options):
    """LinearLagrangian given by SciPy sparse matrices."""

    M: Any
    C: Any
    K: Any
    F: Array
    load: Callable[[float, Array], ArrayLike] | None
    nodes: int
    held: Any
    motion: Callable[[float, Array], ArrayLike] | None
    def __init__(
        self,
        *,
        M: Any = ...,
        C: Any = ...,
        K: Any = ...,
        F: ArrayLike = ...,
        load: Callable[[float, Array], ArrayLike] | None = ...,
        nodes: int = 1,
        held: Sequence[int] | None = ...,
        motion: Callable[[float, Array], ArrayLike] | None = ...,
    ) -> None: ...

class SparseFirstOrder(_Options):
    """FirstOrderLinear given by SciPy sparse matrices; E may be singular."""

    A: Any
    b: Array
    E: Any
    source: Callable[[float, Array], ArrayLike] | None
    nodes: int
    def __init__(
        self,
        *,
        A: Any = ...,
        b: ArrayLike = ...,
        E: Any = ...,
        source: Callable[[float, Array], ArrayLike] | None = ...,
        nodes: int = 0,
    ) -> None: ...

class Lagrangian(_Options):
    """System of second order from functions:  M(q, z) v' = F(t, q, v, z) + p."""

    n: int
    M: Operator
    F: Callable[[State], ArrayLike]
    K: Operator | None
    C: Operator | None
    def __init__(
        self,
        *,
        n: int = 0,
        M: Operator = ...,
        F: Callable[[State], ArrayLike] = ...,
        K: Operator | None = ...,
        C: Operator | None = ...,
    ) -> None: ...

class FirstOrderLinear(_Options):
    """Linear system of first order:  E x' = A x + b(t, z) + r."""

    A: Array
    b: Array
    E: Array
    source: Callable[[float, Array], ArrayLike] | None
    def __init__(
        self,
        *,
        A: ArrayLike = ...,
        b: ArrayLike = ...,
        E: ArrayLike = ...,
        source: Callable[[float, Array], ArrayLike] | None = ...,
    ) -> None: ...

class FirstOrder(_Options):
    """System of first order from functions:  E x' = f(t, x, z) + r."""

    n: int
    f: Callable[[State], ArrayLike]
    A: Operator | None
    E: Array
    def __init__(
        self,
        *,
        n: int = 0,
        f: Callable[[State], ArrayLike] = ...,
        A: Operator | None = ...,
        E: ArrayLike = ...,
    ) -> None: ...

class LinearRelation(_Options):
    """Linear relation of second-order systems:  y = H q + F z + b,  u = H v,  p = H' r."""

    H: Array
    b: Array
    F: Array
    def __init__(self, *, H: ArrayLike = ..., b: ArrayLike = ..., F: ArrayLike = ...) -> None: ...

class Driven(_Options):
    """Coordinates that follow a function of time, or stand still."""

    n: int
    coordinates: Array
    value: Array
    position: Callable[[float], ArrayLike] | None
    velocity: Callable[[float], ArrayLike] | None
    def __init__(
        self,
        *,
        n: int = 0,
        coordinates: ArrayLike = ...,
        value: ArrayLike = ...,
        position: Callable[[float], ArrayLike] | None = None,
        velocity: Callable[[float], ArrayLike] | None = None,
    ) -> None: ...

class DiskOnLine(_Options):
    """Contact of a body of the plane with a line of the world."""

    normal: Array
    offset: float
    radius: float
    point: Array
    def __init__(
        self,
        *,
        normal: ArrayLike = ...,
        offset: float = 0.0,
        radius: float = 0.0,
        point: ArrayLike = ...,
    ) -> None: ...

class DiskContact(_Options):
    """Contact of two disks about the centres of two bodies of the plane."""

    radius_0: float
    radius_1: float
    def __init__(self, *, radius_0: float = 1.0, radius_1: float = 1.0) -> None: ...

class RimOnPlane(_Options):
    """Contact of the rim of a thin disk with a plane of the world."""

    radius: float
    normal: Array
    offset: float
    def __init__(
        self, *, radius: float = 1.0, normal: ArrayLike = ..., offset: float = 0.0
    ) -> None: ...

class DrivenBody(_Options):
    """A rigid body whose pose follows a function of time, for the law Equality."""

    motion: Callable[[float], ArrayLike] | None
    frame: Array
    def __init__(
        self,
        *,
        motion: Callable[[float], ArrayLike] | None = None,
        frame: ArrayLike = ...,
    ) -> None: ...

class FirstOrderLinearRelation(_Options):
    """Linear relation of first-order systems:  y = C x + D λ + F z + e,  r = B λ."""

    C: Array
    B: Array
    D: Array
    e: Array
    F: Array
    def __init__(
        self,
        *,
        C: ArrayLike = ...,
        B: ArrayLike = ...,
        D: ArrayLike = ...,
        e: ArrayLike = ...,
        F: ArrayLike = ...,
    ) -> None: ...

class Equality(_Options):
    """Bilateral constraint:  y = 0, λ free."""

    def __init__(self) -> None: ...

class Complementarity(_Options):
    """Complementarity on every row of a first-order relation:  0 ≤ y ⟂ λ ≥ 0. An ideal diode."""

    def __init__(self) -> None: ...

class NewtonImpact(_Options):
    """Unilateral contact with Newton's restitution, on every row:"""

    e: float
    def __init__(self, *, e: float = 0.0) -> None: ...

class Relay(_Options):
    """Relay on every row:  y > 0 ⇒ λ = lower,  y < 0 ⇒ λ = upper,  y = 0 ⇒ λ anywhere between."""

    lower: float
    upper: float
    def __init__(self, *, lower: float = -1.0, upper: float = 1.0) -> None: ...

class Coulomb(_Options):
    """Unilateral contact with Coulomb friction and Newton's restitution."""

    mu: float
    e: float
    e_t: float
    cohesion: float
    def __init__(
        self, *, mu: float = 0.0, e: float = 0.0, e_t: float = 0.0, cohesion: float = 0.0
    ) -> None: ...

class EllipticCoulomb(_Options):
    """Orthotropic friction in space."""

    mu_1: float
    mu_2: float
    e: float
    def __init__(self, *, mu_1: float = 0.0, mu_2: float = 0.0, e: float = 0.0) -> None: ...

class RollingCoulomb(_Options):
    """Sliding and rolling friction."""

    mu: float
    mu_rolling: float
    e: float
    def __init__(self, *, mu: float = 0.0, mu_rolling: float = 0.0, e: float = 0.0) -> None: ...

class SpinningCoulomb(_Options):
    """Sliding, rolling and spinning friction."""

    mu: float
    mu_spinning: float
    mu_rolling: float
    e: float
    def __init__(
        self,
        *,
        mu: float = 0.0,
        mu_spinning: float = 0.0,
        mu_rolling: float = 0.0,
        e: float = 0.0,
    ) -> None: ...

class Tresca(_Options):
    """Unilateral contact with a given bound of the friction force."""

    bound: float
    e: float
    def __init__(self, *, bound: float = 0.0, e: float = 0.0) -> None: ...

class PoissonCoulomb(_Options):
    """Poisson's law of impact with Coulomb friction."""

    mu: float
    e: float
    def __init__(self, *, mu: float = 0.0, e: float = 0.0) -> None: ...

class Spring(_Options):
    """Spring and damper on every row."""

    k: float
    c: float
    def __init__(self, *, k: float = 1.0, c: float = 0.0) -> None: ...

class CompliantContact(_Options):
    """Unilateral contact on a spring and damper, with Coulomb friction."""

    k: float
    c: float
    mu: float
    def __init__(self, *, k: float = 1.0, c: float = 0.0, mu: float = 0.0) -> None: ...

class ElasticPlastic(_Options):
    """A spring in series with dry friction on every row."""

    k: float
    bound: float
    def __init__(self, *, k: float = 1.0, bound: float = 1.0) -> None: ...

# The model

class SystemId:
    """Names a system of a model."""

    @property
    def index(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class InteractionId:
    """Names an interaction of a model."""

    @property
    def index(self) -> int: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...

class SystemEntry:
    """A system in a model, and where its variables stand."""

    @property
    def name(self) -> str: ...
    @property
    def offset(self) -> int: ...
    @property
    def q_offset(self) -> int: ...
    @property
    def z_offset(self) -> int: ...
    @property
    def z_size(self) -> int: ...
    @property
    def size(self) -> int: ...
    @property
    def bodies(self) -> int: ...
    @property
    def order(self) -> Literal[1, 2]: ...

class Interaction:
    """Who is tied to whom, by which relation and law."""

    @property
    def name(self) -> str: ...
    @property
    def law(self) -> Law: ...
    @property
    def rows(self) -> int: ...
    @property
    def endpoints(self) -> list[tuple[SystemId, int]]: ...

class Model:
    """Systems tied by interactions: what is simulated, ignorant of how."""

    def __init__(self) -> None: ...
    def add(
        self,
        system: System,
        *,
        q: ArrayLike | None = None,
        v: ArrayLike | None = None,
        x: ArrayLike | None = None,
        z: ArrayLike | None = None,
        name: str = "",
    ) -> SystemId: ...
    def link(
        self,
        systems: Endpoint | Sequence[Endpoint],
        relation: Relation,
        law: Law,
        *,
        name: str = "",
    ) -> InteractionId: ...
    def dof(self) -> int: ...
    def positions(self) -> int: ...
    def first_order_size(self) -> int: ...
    def rows(self) -> int: ...
    def row_offset(self, id: InteractionId) -> int: ...
    def initial_state(self) -> State: ...
    def systems(self) -> list[SystemEntry]: ...
    def interactions(self) -> list[Interaction]: ...
    @overload
    def __getitem__(self, id: SystemId) -> SystemEntry: ...
    @overload
    def __getitem__(self, id: InteractionId) -> Interaction: ...

# Ready models

class BouncingBall(_Options):
    """A ball dropped on the ground; for e < 1 it comes to rest after infinitely many bounces."""

    height: float
    e: float
    mass: float
    gravity: float
    def __init__(
        self,
        *,
        height: float = 1.0,
        e: float = 0.9,
        mass: float = 1.0,
        gravity: float = 9.81,
    ) -> None: ...
    def model(self) -> Model: ...

class BeadColumn(_Options):
    """A vertical column of equal beads above the ground, in contact with each other."""

    count: int
    radius: float
    mass: float
    gravity: float
    e: float
    drop: float
    gap: float
    def __init__(
        self,
        *,
        count: int = 1000,
        radius: float = 0.0625,
        mass: float = 1.0,
        gravity: float = 9.81,
        e: float = 0.0,
        drop: float = 0.0,
        gap: float = 0.0,
    ) -> None: ...
    def model(self) -> Model: ...

class DiodeBridge(_Options):
    """An LC oscillator that feeds a resistor through a bridge of four ideal diodes."""

    inductance: float
    capacitance: float
    resistance: float
    voltage: float
    current: float
    def __init__(
        self,
        *,
        inductance: float = 0.01,
        capacitance: float = 1e-06,
        resistance: float = 1000.0,
        voltage: float = 10.0,
        current: float = 0.0,
    ) -> None: ...
    def model(self) -> Model: ...
