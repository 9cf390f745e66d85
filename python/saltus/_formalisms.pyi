"""Ways to state a first-order nonsmooth system, and the conversions between them."""

from collections.abc import Callable, Sequence
from typing import ClassVar, overload

from numpy.typing import ArrayLike

from ._algorithms import ComplementarityAlgorithm
from ._algorithms_nonlinear import NcpAlgorithm
from ._analysis import Lcs
from ._inclusions import TimeField
from ._model import Model
from ._schemes import Scheme
from ._sets import Set
from ._simulation import SolveReport, SolveStatus
from ._types import Array, _Options

# One problem in several languages

class UnilateralInclusion:
    """Unilateral differential inclusion  −(x' + f(t, x)) ∈ N_K(x)."""

    def __init__(self, x0: ArrayLike, set: Set, f: TimeField | None = None) -> None: ...
    @property
    def x0(self) -> Array: ...
    @property
    def set(self) -> Set: ...
    def model(self) -> Model: ...
    def to_evi(self) -> EvolutionVariationalInequality: ...
    def to_projected(self) -> ProjectedDynamicalSystem: ...
    def to_sweeping(self) -> SweepingProcess: ...

class EvolutionVariationalInequality:
    """Evolution variational inequality: x ∈ K with <x' + f(t, x), y − x> ≥ 0 for all y ∈ K."""

    def __init__(self, x0: ArrayLike, set: Set, f: TimeField | None = None) -> None: ...
    @property
    def x0(self) -> Array: ...
    @property
    def set(self) -> Set: ...
    def model(self) -> Model: ...
    def to_inclusion(self) -> UnilateralInclusion: ...
    def to_dvi(self) -> DifferentialVariationalInequality: ...

class ProjectedDynamicalSystem:
    """Projected dynamical system  x' = proj[T_K(x); −f(t, x)]."""

    def __init__(self, x0: ArrayLike, set: Set, f: TimeField | None = None) -> None: ...
    @property
    def x0(self) -> Array: ...
    @property
    def set(self) -> Set: ...
    def model(self) -> Model: ...
    def to_inclusion(self) -> UnilateralInclusion: ...

class SweepingProcess:
    """Perturbed sweeping process  −x' + f(t, x) ∈ N_K(t)(x),  K(t) = center(t) + scale(t) set."""

    def __init__(
        self,
        x0: ArrayLike,
        set: Set,
        center: Callable[[float], ArrayLike] | None = None,
        scale: Callable[[float], float] | None = None,
        f: TimeField | None = None,
    ) -> None: ...
    @property
    def x0(self) -> Array: ...
    @property
    def set(self) -> Set: ...
    def model(self) -> Model: ...

class DifferentialVariationalInequality:
    """Differential variational inequality  x' = f(t, x) + B λ,  −(G(t, x) + D λ) ∈ N_K(λ)."""

    def __init__(
        self,
        x0: ArrayLike,
        B: ArrayLike,
        G: TimeField,
        set: Set,
        f: TimeField | None = None,
        D: ArrayLike | None = None,
    ) -> None: ...
    @property
    def x0(self) -> Array: ...
    @property
    def set(self) -> Set: ...
    def model(self) -> Model: ...

class RelaySystem:
    """Linear system with relays, an Lcs whose λ is u ∈ [lower, upper]."""

    def __init__(self, system: Lcs, lower: float = -1.0, upper: float = 1.0) -> None: ...
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    def model(self, x0: ArrayLike) -> Model: ...
    def to_lcs(self) -> Lcs: ...

# Complementarity systems

def complementarity_system(
    x0: ArrayLike,
    system: Lcs,
    E: ArrayLike | None = None,
    M: ArrayLike | None = None,
    equalities: Sequence[int] = (),
) -> Model: ...
def nonlinear_complementarity_system(
    x0: ArrayLike,
    f: TimeField | None,
    g: Callable[[Array], ArrayLike],
    h: TimeField,
    D: ArrayLike | None = None,
) -> Model: ...
def gradient_system(
    x0: ArrayLike,
    g: TimeField,
    slope: Callable[[Array], ArrayLike],
    f: TimeField | None = None,
) -> Model: ...
def to_sweeping(system: Lcs, P: ArrayLike, x0: ArrayLike) -> tuple[Model, Array]: ...
def to_piecewise(system: Lcs) -> PiecewiseAffineSystem: ...
def lexicographic_rate(system: Lcs, x: ArrayLike, tolerance: float = 1e-12) -> Array: ...

# Piecewise, switched and impulsive systems

class AffineCell(_Options):
    """One cell of a piecewise affine system:  x' = A x + a  where  G x ≥ g."""

    A: Array
    a: Array
    G: Array
    g: Array
    def __init__(
        self, *, A: ArrayLike = ..., a: ArrayLike = ..., G: ArrayLike = ..., g: ArrayLike = ...
    ) -> None: ...

class PiecewiseAffineSystem:
    """Piecewise affine system on cells that cover the space."""

    def __init__(self, cells: list[AffineCell]) -> None: ...
    @property
    def cells(self) -> list[AffineCell]: ...
    def cells_at(self, x: ArrayLike, tolerance: float = 1e-12) -> list[int]: ...
    def rate(self, x: ArrayLike) -> Array: ...
    def filippov_fields(
        self, x: ArrayLike, with_thin_cells: bool = False, tolerance: float = 1e-12
    ) -> Array: ...
    def require_continuous(self, points: ArrayLike, tolerance: float = 1e-9) -> None: ...
    def model(self, x0: ArrayLike) -> Model: ...

class ImpulsiveSystem:
    """Impulsive system  x' = f(t, x) + g(x) u'  with an input u that jumps."""

    def __init__(
        self,
        x0: ArrayLike,
        g: Callable[[Array], ArrayLike],
        f: TimeField | None = None,
        rate: Callable[[float], float] | None = None,
        times: ArrayLike | None = None,
        jumps: ArrayLike | None = None,
    ) -> None: ...
    def model(self) -> Model: ...
    def after_jump(self, x: ArrayLike, jump: float, steps: int = 100) -> Array: ...
    def solve(self, end: float, step: float) -> Array: ...

def switched_system(
    x0: ArrayLike, fields: list[TimeField], times: ArrayLike, modes: Sequence[int]
) -> Model: ...

class ReachableSet:
    """Reachable sets of the linear inclusion  x' ∈ A(t) x + B(t) U."""

    def __init__(
        self,
        A: ArrayLike | Callable[[float], ArrayLike],
        B: ArrayLike | Callable[[float], ArrayLike],
        U: Set | None = None,
        X0: Set | None = None,
        x0: ArrayLike | None = None,
    ) -> None: ...
    @overload
    def support(self, d: Sequence[float], end: float, steps: int) -> float: ...
    @overload
    def support(self, d: ArrayLike, end: float, steps: int) -> float | Array: ...
    def box(self, end: float, steps: int) -> Array: ...

# Fields that jump on surfaces

class Surface:
    """What a surface does to solutions that meet it."""

    crossing_up: ClassVar[Surface]
    crossing_down: ClassVar[Surface]
    sliding: ClassVar[Surface]
    repulsive: ClassVar[Surface]
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __init__(self, value: int) -> None: ...

def surface_kind(above: float, below: float) -> Surface: ...
def sliding_share(above: float, below: float) -> float: ...
def product_shares(s1: float, s2: float) -> Array: ...

class Regions:
    """Regions of the signs of some surfaces."""

    def __init__(self, signs: ArrayLike) -> None: ...
    def discriminants(self, c: ArrayLike) -> Array: ...
    def region(self, c: ArrayLike) -> int: ...

class ActiveRegions:
    """Regions that meet at a point: how solutions go on."""

    def __init__(self, normals: ArrayLike, fields: ArrayLike) -> None: ...
    @property
    def M(self) -> Array: ...
    def shift(self) -> float: ...
    def lcp_matrix(self, alpha: float) -> Array: ...
    def shares(self, alpha: float | None = None) -> Array: ...
    def reduced(self) -> Array: ...
    def regular(self) -> bool: ...

# Boundary value problems

class Shooting(_Options):
    """How solve_boundary_value() looks for the initial state: Newton's method, damped."""

    tolerance: float
    max_iterations: int
    difference: float
    def __init__(
        self, *, tolerance: float = 1e-10, max_iterations: int = 30, difference: float = 1e-7
    ) -> None: ...

class BoundaryValueReport:
    """What became of a boundary value problem."""

    @property
    def x0(self) -> Array: ...
    @property
    def x_end(self) -> Array: ...
    @property
    def status(self) -> SolveStatus: ...
    @property
    def iterations(self) -> int: ...
    @property
    def residual(self) -> float: ...
    def converged(self) -> bool: ...

def solve_boundary_value(
    model: Model,
    M: ArrayLike,
    N: ArrayLike,
    b: ArrayLike,
    end: float,
    steps: int,
    scheme: Scheme | None = None,
    guess: ArrayLike | None = None,
    options: Shooting | None = None,
) -> BoundaryValueReport: ...

# Systems that have a way of their own to be run

class LcsEvents(_Options):
    """How simulate_lcs_events() finds events and modes."""

    tolerance: float
    min_dwell: float
    max_short: int
    max_events: int
    solver: ComplementarityAlgorithm
    def __init__(
        self,
        *,
        tolerance: float = 1e-10,
        min_dwell: float = 1e-9,
        max_short: int = 8,
        max_events: int = 10000,
        solver: ComplementarityAlgorithm = ...,
    ) -> None: ...

class EventStatus:
    """How a run from event to event ended."""

    done: ClassVar[EventStatus]
    no_mode: ClassVar[EventStatus]
    accumulation: ClassVar[EventStatus]
    max_events: ClassVar[EventStatus]
    solver_failed: ClassVar[EventStatus]
    not_finite: ClassVar[EventStatus]
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __init__(self, value: int) -> None: ...

class LcsEventRun:
    """An exact solution of an Lcs from event to event."""

    @property
    def status(self) -> EventStatus: ...
    @property
    def end(self) -> float: ...
    @property
    def shortest(self) -> float: ...
    @property
    def t(self) -> Array: ...
    @property
    def held(self) -> list[list[int]]: ...
    @property
    def jumps(self) -> Array: ...
    def done(self) -> bool: ...
    def x(self, t: ArrayLike) -> Array: ...
    def lambda_(self, t: ArrayLike) -> Array: ...
    def w(self, t: ArrayLike) -> Array: ...

def simulate_lcs_events(
    system: Lcs, x0: ArrayLike, end: float, options: LcsEvents | None = None
) -> LcsEventRun: ...

class BallComplement:
    """{x : |x − center| ≥ radius}: all but a ball."""

    def __init__(self, center: ArrayLike, radius: float = 1.0) -> None: ...
    @property
    def center(self) -> Array: ...
    @property
    def radius(self) -> float: ...

class SmoothSet:
    """{x : g(x) ≥ 0} with smooth g, prox-regular with the constant r."""

    def __init__(
        self,
        n: int,
        g: Callable[[Array], ArrayLike],
        slope: Callable[[Array], ArrayLike],
        r: float,
        m: int = 1,
    ) -> None: ...
    @property
    def n(self) -> int: ...
    @property
    def m(self) -> int: ...
    @property
    def r(self) -> float: ...

class CatchingUpRun:
    """A run; column k belongs to the time t[k]."""

    @property
    def t(self) -> Array: ...
    @property
    def x(self) -> Array: ...
    @property
    def longest(self) -> float: ...
    def done(self) -> bool: ...

class ProxRegularSweeping:
    """Sweeping process with a set that need not be convex, but prox-regular."""

    def __init__(
        self,
        x0: ArrayLike,
        set: BallComplement | SmoothSet,
        center: Callable[[float], ArrayLike] | None = None,
        f: TimeField | None = None,
    ) -> None: ...
    def model(self) -> Model: ...
    def run(self, step: float, end: float) -> CatchingUpRun: ...

class TwoSurfaceEuler(_Options):
    """Backward Euler for a TwoSurfaceSystem."""

    solver: NcpAlgorithm
    def __init__(self, *, solver: NcpAlgorithm = ...) -> None: ...

class TwoSurfaceRun:
    """A run; column k belongs to the time t[k]."""

    @property
    def t(self) -> Array: ...
    @property
    def x(self) -> Array: ...
    @property
    def s(self) -> Array: ...
    @property
    def last(self) -> SolveReport: ...
    def done(self) -> bool: ...

class TwoSurfaceSystem:
    """A field that jumps on two surfaces, in the sense of Filippov."""

    def __init__(
        self,
        x0: ArrayLike,
        fields: list[TimeField],
        surfaces: Callable[[Array], ArrayLike],
    ) -> None: ...
    def rate(self, t: float, x: ArrayLike, s1: float, s2: float) -> Array: ...
    def sliding(self, t: float, x: ArrayLike) -> tuple[Array, SolveReport]: ...
    def simulate(
        self, step: float, end: float, scheme: TwoSurfaceEuler | None = None
    ) -> TwoSurfaceRun: ...
