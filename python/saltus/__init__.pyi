"""Types of the package saltus; what things mean is in the docstrings: help(saltus)."""

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any, ClassVar, Literal, Protocol, TypeAlias, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

Array: TypeAlias = NDArray[np.float64]
SparseMatrix: TypeAlias = Any  # of scipy.sparse
MatrixLike: TypeAlias = ArrayLike | SparseMatrix
Operator: TypeAlias = Callable[[State], ArrayLike] | ArrayLike
Path: TypeAlias = str | PathLike[str]

class Error(ValueError):
    """A caller's mistake: the text says where, what was given and what was expected."""

class _Options:
    """Fields are given by name and are attributes; values are compared field by field."""

    def __eq__(self, other: object) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

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
    | LinearLagrangian
    | Lagrangian
    | FirstOrderLinear
    | FirstOrder
    | _SecondOrderSystem
    | _FirstOrderSystem
)
Relation: TypeAlias = (
    LinearRelation | FirstOrderLinearRelation | _LagrangianRelation | _FirstOrderRelation
)
Law: TypeAlias = Equality | Complementarity | NewtonImpact | Relay | Coulomb
ComplementarityAlgorithm: TypeAlias = (
    Automatic | Lemke | Murty | Bard | CottleDantzig | Keller | Enumeration | BlockPivoting | Psor
    | ProjectedJacobi | SymmetricPsor | BlockSplitting | LineSearchSplitting | GradientProjection
    | Gpcg | TwoPhaseProjection | Latin | SemismoothNewton | InteriorPoint | PotentialReduction
    | ShortStep | PredictorCorrector | LongStep | Mehrotra
)
FrictionAlgorithm: TypeAlias = Automatic | Nsgs
Algorithm: TypeAlias = ComplementarityAlgorithm | Nsgs
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
    def __init__(self, *, mu: float = 0.0, e: float = 0.0) -> None: ...

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

# Algorithms and schemes

class Automatic(_Options):
    """The default: BlockPivoting, then Lemke, then Psor without friction; Nsgs with friction."""

    tolerance: float
    def __init__(self, *, tolerance: float = 1e-08) -> None: ...

class Lemke(_Options):
    """Lemke's complementary pivoting, ties broken lexicographically."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 0) -> None: ...

class Murty(_Options):
    """Murty's least-index principal pivoting: finite for P-matrices. Dense; the initial guess is"""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 0) -> None: ...

class BlockPivoting(_Options):
    """Block principal pivoting: exchanges every row of the wrong sign at once."""

    tolerance: float
    max_iterations: int
    patience: int
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 0,
        patience: int = 10,
    ) -> None: ...

class Psor(_Options):
    """Projected successive over-relaxation; omega = 1 is projected Gauss-Seidel, rho > 0 helps"""

    tolerance: float
    max_iterations: int
    omega: float
    rho: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        omega: float = 1.0,
        rho: float = 0.0,
    ) -> None: ...

class Bard(_Options):
    """For often quick on P-matrices, without a proof; to compare with Murty."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 0) -> None: ...

class CottleDantzig(_Options):
    """For small dense P or positive semi-definite matrices; certificates."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 0) -> None: ...

class Keller(_Options):
    """For small symmetric matrices of any inertia, copositive ones among them."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 0) -> None: ...

class Enumeration(_Options):
    """For at most 20 rows, any matrix; enumerate_solutions gives all solutions."""

    tolerance: float
    max_size: int
    def __init__(self, *, tolerance: float = 1e-08, max_size: int = 20) -> None: ...

class ProjectedJacobi(_Options):
    """For diagonally dominant matrices; the result does not depend on the order of the rows."""

    tolerance: float
    max_iterations: int
    omega: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        omega: float = 1.0,
    ) -> None: ...

class SymmetricPsor(_Options):
    """For as Psor, less dependent on the numbering of the rows."""

    tolerance: float
    max_iterations: int
    omega: float
    rho: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        omega: float = 1.0,
        rho: float = 0.0,
    ) -> None: ...

class BlockSplitting(_Options):
    """For problems with natural blocks, each solved exactly."""

    tolerance: float
    max_iterations: int
    rho: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        rho: float = 0.0,
    ) -> None: ...

class LineSearchSplitting(_Options):
    """For symmetric matrices, also indefinite copositive; small row-sufficient ones."""

    tolerance: float
    max_iterations: int
    omega: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        omega: float = 1.0,
    ) -> None: ...

class SufficientDecrease(_Options):
    """Step along the projected path: sufficient decrease."""

    mu: float
    memory: int
    def __init__(self, *, mu: float = 0.1, memory: int = 10) -> None: ...

class CauchyPoint(_Options):
    """Step along the projected path: the exact Cauchy point."""

    def __init__(self) -> None: ...

class GradientProjection(_Options):
    """For large symmetric problems, low accuracy."""

    tolerance: float
    max_iterations: int
    search: SufficientDecrease | CauchyPoint
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        search: SufficientDecrease | CauchyPoint = ...,
    ) -> None: ...

class Gpcg(_Options):
    """For large symmetric positive semi-definite problems with bounds, without factorisation."""

    tolerance: float
    max_iterations: int
    nu1: float
    nu2: float
    mu: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        nu1: float = 0.25,
        nu2: float = 0.1,
        mu: float = 0.1,
    ) -> None: ...

class TwoPhaseProjection(_Options):
    """For symmetric positive definite matrices with an uneven diagonal."""

    tolerance: float
    max_iterations: int
    omega: float
    nu2: float
    mu: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        omega: float = 1.0,
        nu2: float = 0.1,
        mu: float = 0.1,
    ) -> None: ...

class Latin(_Options):
    """For monotone problems, asymmetric or with zeros on the diagonal."""

    tolerance: float
    max_iterations: int
    k: float
    relaxation: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        k: float = 0.0,
        relaxation: float = 0.8,
    ) -> None: ...

class FischerBurmeister(_Options):
    """C-function of Fischer and Burmeister."""

    def __init__(self) -> None: ...

class PenalisedFischerBurmeister(_Options):
    """Penalised Fischer-Burmeister C-function."""

    share: float
    def __init__(self, *, share: float = 0.95) -> None: ...

class Minimum(_Options):
    """C-function min(w, z)."""

    def __init__(self) -> None: ...

class Maximum(_Options):
    """C-function with the positive part, max."""

    rho: float
    def __init__(self, *, rho: float = 1.0) -> None: ...

class EvtushenkoPurtov(_Options):
    """Smooth C-function of Evtushenko and Purtov."""

    def __init__(self) -> None: ...

class SemismoothNewton(_Options):
    """For asymmetric or semi-definite sparse problems, high accuracy."""

    tolerance: float
    max_iterations: int
    function: FischerBurmeister | PenalisedFischerBurmeister | Minimum | Maximum | EvtushenkoPurtov
    sigma: float
    kappa: float
    power: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        function: FischerBurmeister | PenalisedFischerBurmeister | Minimum | Maximum | EvtushenkoPurtov = ...,
        sigma: float = 0.0001,
        kappa: float = 1e-09,
        power: float = 2.1,
    ) -> None: ...

class InteriorPoint(_Options):
    """For reference: the generic primal-dual method on monotone problems."""

    tolerance: float
    max_iterations: int
    sigma: float
    fraction: float
    purify: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 300,
        sigma: float = 0.1,
        fraction: float = 0.99,
        purify: bool = True,
    ) -> None: ...

class PotentialReduction(_Options):
    """For reference: potential reduction on monotone problems."""

    tolerance: float
    max_iterations: int
    nu: float
    purify: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 500,
        nu: float = 10.0,
        purify: bool = True,
    ) -> None: ...

class ShortStep(_Options):
    """For reference: best proven number of iterations."""

    tolerance: float
    max_iterations: int
    theta: float
    purify: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        theta: float = 0.4,
        purify: bool = True,
    ) -> None: ...

class PredictorCorrector(_Options):
    """For reference: proven quadratic convergence."""

    tolerance: float
    max_iterations: int
    inner: float
    outer: float
    purify: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        inner: float = 0.25,
        outer: float = 0.5,
        purify: bool = True,
    ) -> None: ...

class LongStep(_Options):
    """For monotone problems, wide neighbourhood."""

    tolerance: float
    max_iterations: int
    epsilon: float
    sigma_min: float
    sigma_max: float
    purify: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        epsilon: float = 0.001,
        sigma_min: float = 0.1,
        sigma_max: float = 0.5,
        purify: bool = True,
    ) -> None: ...

class Mehrotra(_Options):
    """For large monotone problems without a good guess."""

    tolerance: float
    max_iterations: int
    fraction: float
    purify: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 100,
        fraction: float = 0.9995,
        purify: bool = True,
    ) -> None: ...

class LocalNewton(_Options):
    """One contact with friction: closed form in the plane, Newton's method in space."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-14, max_iterations: int = 30) -> None: ...

class LocalProjection(_Options):
    """One contact with friction: repeated projection on the cone."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-12, max_iterations: int = 200) -> None: ...

class Nsgs(_Options):
    """Nonsmooth Gauss-Seidel: sweeps over the blocks, each solved with the latest others."""

    tolerance: float
    max_iterations: int
    omega: float
    local: LocalNewton | LocalProjection
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        omega: float = 1.0,
        local: LocalNewton | LocalProjection = ...,
    ) -> None: ...

class MoreauJean(_Options):
    """Moreau-Jean time stepping, the θ-scheme for systems with impacts:"""

    theta: float
    gamma: float
    gap_tolerance: float
    solver: Algorithm
    newton_tolerance: float
    newton_iterations: int
    def __init__(
        self,
        *,
        theta: float = 0.5,
        gamma: float = 0.5,
        gap_tolerance: float = 1e-12,
        solver: Algorithm = ...,
        newton_tolerance: float = 1e-12,
        newton_iterations: int = 30,
    ) -> None: ...

class RecordOptions(_Options):
    """What a run records, and how often."""

    every: int
    state: bool
    outputs: bool
    multipliers: bool
    def __init__(
        self,
        *,
        every: int = 1,
        state: bool = True,
        outputs: bool = True,
        multipliers: bool = True,
    ) -> None: ...

# Simulation

class SolveStatus:
    """What became of a solve."""

    not_run: ClassVar[SolveStatus]
    converged: ClassVar[SolveStatus]
    max_iterations: ClassVar[SolveStatus]
    stalled: ClassVar[SolveStatus]
    infeasible: ClassVar[SolveStatus]
    unbounded: ClassVar[SolveStatus]
    nonconvex: ClassVar[SolveStatus]
    numerical_error: ClassVar[SolveStatus]
    stopped: ClassVar[SolveStatus]
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __init__(self, value: int) -> None: ...

class StepStatus:
    """What happened to a step."""

    done: ClassVar[StepStatus]
    solver_failed: ClassVar[StepStatus]
    newton_failed: ClassVar[StepStatus]
    singular_matrix: ClassVar[StepStatus]
    not_finite: ClassVar[StepStatus]
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __init__(self, value: int) -> None: ...

class RunEnd:
    """Why a run ended."""

    not_run: ClassVar[RunEnd]
    reached_end: ClassVar[RunEnd]
    stopped: ClassVar[RunEnd]
    step_failed: ClassVar[RunEnd]
    interrupted: ClassVar[RunEnd]
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...
    def __init__(self, value: int) -> None: ...

class SolveReport:
    """What happened in a solve: the same measure for every algorithm."""

    @property
    def status(self) -> SolveStatus: ...
    @property
    def iterations(self) -> int: ...
    @property
    def residual(self) -> float: ...
    @property
    def seconds(self) -> float: ...
    def converged(self) -> bool: ...

class StepReport:
    """What happened in one time step."""

    @property
    def status(self) -> StepStatus: ...
    @property
    def active_rows(self) -> int: ...
    @property
    def newton_iterations(self) -> int: ...
    @property
    def newton_residual(self) -> float: ...
    @property
    def solve(self) -> SolveReport: ...
    @property
    def solver_iterations(self) -> int: ...
    def done(self) -> bool: ...

class StepTimes:
    """Where the wall time of the steps went, in seconds."""

    @property
    def free(self) -> float: ...
    @property
    def activate(self) -> float: ...
    @property
    def assemble(self) -> float: ...
    @property
    def solve(self) -> float: ...
    @property
    def update(self) -> float: ...

class RunReport:
    """What happened in a run, summed over its steps."""

    @property
    def end(self) -> RunEnd: ...
    @property
    def steps(self) -> int: ...
    @property
    def end_time(self) -> float: ...
    @property
    def active_steps(self) -> int: ...
    @property
    def solver_iterations(self) -> int: ...
    @property
    def newton_iterations(self) -> int: ...
    @property
    def unsolved_steps(self) -> int: ...
    @property
    def worst_residual(self) -> float: ...
    @property
    def seconds(self) -> float: ...
    @property
    def times(self) -> StepTimes: ...
    @property
    def recording_seconds(self) -> float: ...
    @property
    def last(self) -> StepReport: ...
    def ok(self) -> bool: ...
    def message(self) -> str: ...

class Trajectory:
    """What a run recorded: one row per instant; the arrays are read-only views."""

    @property
    def t(self) -> Array: ...
    @property
    def q(self) -> Array: ...
    @property
    def v(self) -> Array: ...
    @property
    def x(self) -> Array: ...
    @property
    def y(self) -> Array: ...
    @property
    def u(self) -> Array: ...
    @property
    def r(self) -> Array: ...
    @property
    def report(self) -> RunReport: ...
    def names(self) -> list[str]: ...
    def size(self) -> int: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> Array: ...
    def __contains__(self, name: str) -> bool: ...
    def save(self, path: Path, notes: dict[str, str] = {}) -> None: ...
    def plot(self, *names: str, ax: Any = None, show: bool | None = None) -> Any: ...

class Observation:
    """What an observer sees after each step."""

    @property
    def state(self) -> State: ...
    @property
    def report(self) -> StepReport: ...
    @property
    def step(self) -> int: ...
    @property
    def end_time(self) -> float: ...

class Simulation:
    """Time loop: model + state + scheme + clock."""

    def __init__(
        self,
        model: Model,
        scheme: MoreauJean | None = None,
        *,
        step: float,
        record: RecordOptions | None = None,
        accept_unsolved: bool = False,
        profile: bool = False,
    ) -> None: ...
    def run(self, end_time: float) -> Trajectory: ...
    def advance(self, h: float | None = None) -> StepReport: ...
    def observe(self, observer: Callable[[Observation], object]) -> None: ...
    def stop_when(self, condition: Callable[[State], bool]) -> None: ...
    def set_parameters(self, system: SystemId, z: ArrayLike) -> None: ...
    def set_state(self, state: State) -> None: ...
    def state(self) -> State: ...
    def model(self) -> Model: ...
    def scheme(self) -> MoreauJean: ...
    def multipliers(self) -> Array: ...
    def last_run(self) -> Trajectory | None: ...

def load(path: Path) -> Trajectory: ...
def read_notes(path: Path) -> dict[str, str]: ...

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

# Problems

class Lcp:
    """Linear complementarity problem: w = M z + q, 0 <= w _|_ z >= 0."""

    def __init__(self, M: MatrixLike, q: ArrayLike) -> None: ...
    @property
    def M(self) -> MatrixLike: ...
    @property
    def q(self) -> Array: ...
    def residual(self, z: ArrayLike) -> float: ...

class Mlcp:
    """Mixed linear complementarity problem: w_i = 0 on the rows `equalities`."""

    def __init__(self, M: MatrixLike, q: ArrayLike, equalities: Sequence[int]) -> None: ...
    @property
    def M(self) -> MatrixLike: ...
    @property
    def q(self) -> Array: ...
    @property
    def equalities(self) -> list[int]: ...
    def residual(self, z: ArrayLike) -> float: ...

class FrictionContact:
    """Contacts with Coulomb friction, reduced to the contact frame."""

    def __init__(
        self, W: MatrixLike, q: ArrayLike, mu: ArrayLike, dimension: int = 3
    ) -> None: ...
    @property
    def W(self) -> MatrixLike: ...
    @property
    def q(self) -> Array: ...
    @property
    def mu(self) -> Array: ...
    @property
    def dimension(self) -> int: ...
    def residual(self, z: ArrayLike) -> float: ...

class GlobalFrictionContact:
    """Contacts with Coulomb friction, with the velocities as unknowns."""

    def __init__(
        self,
        M: MatrixLike,
        H: MatrixLike,
        f: ArrayLike,
        w: ArrayLike,
        mu: ArrayLike,
        dimension: int = 3,
    ) -> None: ...
    @property
    def M(self) -> SparseMatrix: ...
    @property
    def H(self) -> SparseMatrix: ...
    @property
    def f(self) -> Array: ...
    @property
    def w(self) -> Array: ...
    @property
    def mu(self) -> Array: ...
    @property
    def dimension(self) -> int: ...
    def residual(self, v: ArrayLike, r: ArrayLike) -> float: ...
    def reduce(self) -> FrictionContact: ...
    def velocity(self, r: ArrayLike) -> Array: ...

@overload
def solve(
    problem: Lcp | Mlcp,
    guess: ArrayLike | None = None,
    solver: ComplementarityAlgorithm | None = None,
) -> tuple[Array, SolveReport]: ...
@overload
def solve(
    problem: FrictionContact,
    guess: ArrayLike | None = None,
    solver: FrictionAlgorithm | None = None,
) -> tuple[Array, SolveReport]: ...
@overload
def solve(
    problem: GlobalFrictionContact,
    guess: ArrayLike | None = None,
    solver: FrictionAlgorithm | None = None,
) -> tuple[tuple[Array, Array], SolveReport]: ...

# Sets

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
    def __init__(self, *, lower: float = -inf, upper: float = inf) -> None: ...

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
    | PolyhedralCone
    | Product
)
