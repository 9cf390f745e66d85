"""Algorithms for linear complementarity."""

from typing import TypeAlias

from ._algorithms_friction import FrictionAlgorithm
from ._types import _Options

ComplementarityAlgorithm: TypeAlias = (
    Automatic | Lemke | Murty | Bard | CottleDantzig | Keller | Enumeration | BlockPivoting | Psor
    | ProjectedJacobi | SymmetricPsor | BlockSplitting | LineSearchSplitting | GradientProjection
    | Gpcg | TwoPhaseProjection | ProjectedMultigrid | Latin | SemismoothNewton | InteriorPoint
    | PotentialReduction | ShortStep | PredictorCorrector | LongStep | Mehrotra
)
Algorithm: TypeAlias = ComplementarityAlgorithm | FrictionAlgorithm
CFunction: TypeAlias = (
    FischerBurmeister | PenalisedFischerBurmeister | Minimum | Maximum | EvtushenkoPurtov
)
HorizontalAlgorithm: TypeAlias = (
    Mehrotra | InteriorPoint | PotentialReduction | ShortStep | PredictorCorrector | LongStep
)

class Automatic(_Options):
    """The default: BlockPivoting, then Lemke, then others; CoulombCascade with friction."""

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
    proximal: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 0,
        patience: int = 10,
        proximal: bool = True,
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
    jacobi: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        nu1: float = 0.25,
        nu2: float = 0.1,
        mu: float = 0.1,
        jacobi: bool = False,
    ) -> None: ...

class TwoPhaseProjection(_Options):
    """For symmetric positive definite matrices with an uneven diagonal."""

    tolerance: float
    max_iterations: int
    omega: float
    nu2: float
    mu: float
    jacobi: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        omega: float = 1.0,
        nu2: float = 0.1,
        mu: float = 0.1,
        jacobi: bool = False,
    ) -> None: ...

class ProjectedMultigrid(_Options):
    """For large symmetric positive definite matrices of elliptic type, obstacle problems."""

    tolerance: float
    max_iterations: int
    sweeps: int
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        sweeps: int = 2,
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
    function: CFunction
    sigma: float
    kappa: float
    power: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        function: CFunction = ...,
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

class GapMinimisation(_Options):
    """Minimises z'w, for ExtendedLcp and GeneralisedLcp: a quadratic program if monotone."""

    tolerance: float
    enumerate: int
    def __init__(self, *, tolerance: float = 1e-08, enumerate: int = 12) -> None: ...

class ParametricPivoting(_Options):
    """Traces the solutions of a ParametricLcp by pivoting, from t = from_ to t = to."""

    from_: float
    to: float
    tolerance: float
    max_iterations: int
    def __init__(
        self,
        *,
        from_: float = 0.0,
        to: float = 1.0,
        tolerance: float = 1e-08,
        max_iterations: int = 0,
    ) -> None: ...
