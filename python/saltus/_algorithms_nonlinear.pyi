"""Algorithms for quadratic and nonlinear programs, complementarity and variational inequalities."""

from typing import TypeAlias

from ._algorithms import Automatic, Lemke
from ._types import _Options

QpAlgorithm: TypeAlias = (
    QpAutomatic | ActiveSet | DualActiveSet | QpInteriorPoint | KktLdlt | KktLu | RangeSpace
    | NullSpace
)
NcpAlgorithm: TypeAlias = (
    NcpAutomatic | NcpNewton | NcpLevenbergMarquardt | NcpInexactNewton | NewtonJosephy
    | PathSearch | Smoothing | ProximalPoint | NcpNeSqp | NcpQpcomp | NcpSemicomp
    | NcpInteriorPoint
)
ViAlgorithm: TypeAlias = (
    ViAutomatic | NaturalMapNewton | NormalMapNewton | ProximalPoint | ViFixedPoint
    | ViVariableStep | ViExtragradient | ViSolodovTseng | ViHyperplane | RegularisedGapDescent
    | DGapDescent | ViDiminishingStep | GapDescent | ViSmoothing | ViPivoting
)
AviAlgorithm: TypeAlias = ViAlgorithm | AviSplitting
NlpAlgorithm: TypeAlias = (
    NlpSqp | NlpAugmentedLagrangian | NlpPenalty | NlpBarrier | NlpInteriorPoint | NlpRosen
)

class QpAutomatic(_Options):
    """The default for a Qp."""

    tolerance: float
    small: int
    def __init__(self, *, tolerance: float = 1e-08, small: int = 300) -> None: ...

class ActiveSet(_Options):
    """Primal active set for a convex Qp, warm-started by z. Dense, up to 2000 variables."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 0) -> None: ...

class DualActiveSet(_Options):
    """Dual active set of Goldfarb and Idnani for a convex Qp. Dense, up to 1000 variables."""

    tolerance: float
    max_iterations: int
    rho: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 0,
        rho: float = 0.01,
    ) -> None: ...

class QpInteriorPoint(_Options):
    """Primal-dual interior point for a convex Qp, dense or sparse; the guess is not used."""

    tolerance: float
    max_iterations: int
    regularisation: float
    purify: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 100,
        regularisation: float = 1e-10,
        purify: bool = True,
    ) -> None: ...

class KktLdlt(_Options):
    """Qp with equalities only: symmetric factorisation of the KKT matrix."""

    tolerance: float
    regularisation: float
    def __init__(self, *, tolerance: float = 1e-08, regularisation: float = 0.0) -> None: ...

class KktLu(_Options):
    """Qp with equalities only: LU factorisation of the KKT matrix."""

    tolerance: float
    regularisation: float
    def __init__(self, *, tolerance: float = 1e-08, regularisation: float = 0.0) -> None: ...

class RangeSpace(_Options):
    """Qp with equalities only, positive definite Q: the multipliers first. Few equalities."""

    tolerance: float
    regularisation: float
    def __init__(self, *, tolerance: float = 1e-08, regularisation: float = 0.0) -> None: ...

class NullSpace(_Options):
    """Qp with equalities only: on the null space of C. Takes dependent rows. Dense."""

    tolerance: float
    def __init__(self, *, tolerance: float = 1e-08) -> None: ...

class NcpAutomatic(_Options):
    """The default for Ncp and Mcp."""

    tolerance: float
    def __init__(self, *, tolerance: float = 1e-08) -> None: ...

class NcpNewton(_Options):
    """Semismooth Newton method on Fischer and Burmeister's equation, with line search."""

    tolerance: float
    max_iterations: int
    lambda_: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        lambda_: float = 1.0,
    ) -> None: ...

class NcpLevenbergMarquardt(_Options):
    """Semismooth Levenberg-Marquardt method: every step is defined and descends."""

    tolerance: float
    max_iterations: int
    factor: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 500,
        factor: float = 0.01,
    ) -> None: ...

class NcpInexactNewton(_Options):
    """Semismooth Newton method with conjugate gradients: no factorisation."""

    tolerance: float
    max_iterations: int
    forcing: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 500,
        forcing: float = 0.1,
    ) -> None: ...

class NewtonJosephy(_Options):
    """Newton's method that solves a linear complementarity problem at each step."""

    tolerance: float
    max_iterations: int
    damping: bool
    inner: Lemke | Automatic
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 100,
        damping: bool = True,
        inner: Lemke | Automatic = ...,
    ) -> None: ...

class PathSearch(_Options):
    """Newton's method on the normal map with a path search by pivoting, as in PATH."""

    tolerance: float
    max_iterations: int
    max_pivots: int
    sigma: float
    memory: int
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 100,
        max_pivots: int = 0,
        sigma: float = 0.0001,
        memory: int = 4,
    ) -> None: ...

class Smoothing(_Options):
    """Newton's method on smoothed equations, the smoothing going to zero."""

    tolerance: float
    max_iterations: int
    epsilon: float
    shrink: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 300,
        epsilon: float = 1.0,
        shrink: float = 0.1,
    ) -> None: ...

class ProximalPoint(_Options):
    """Proximal point method: a sequence of regularised problems. Sure for monotone ones."""

    tolerance: float
    max_iterations: int
    rho: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        rho: float = 1.0,
    ) -> None: ...

class ViAutomatic(_Options):
    """The default for Vi, Avi and Soclcp."""

    tolerance: float
    def __init__(self, *, tolerance: float = 1e-08) -> None: ...

class NaturalMapNewton(_Options):
    """Newton's method on z − P(z − rho F(z)), with line search."""

    tolerance: float
    max_iterations: int
    rho: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        rho: float = 1.0,
    ) -> None: ...

class NormalMapNewton(_Options):
    """Newton's method on the normal map: F is only evaluated inside the set."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 200) -> None: ...

class ViFixedPoint(_Options):
    """Projection with a fixed step: strongly monotone F."""

    tolerance: float
    max_iterations: int
    gamma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        gamma: float = 1.0,
    ) -> None: ...

class ViVariableStep(_Options):
    """Projection with a variable step: co-coercive F."""

    tolerance: float
    max_iterations: int
    gamma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        gamma: float = 1.0,
    ) -> None: ...

class ViExtragradient(_Options):
    """Two projections per step: monotone F."""

    tolerance: float
    max_iterations: int
    gamma: float
    adaptive: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        gamma: float = 1.0,
        adaptive: bool = True,
    ) -> None: ...

class ViSolodovTseng(_Options):
    """One projection per step: monotone F."""

    tolerance: float
    max_iterations: int
    gamma: float
    theta: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        gamma: float = 1.0,
        theta: float = 1.5,
    ) -> None: ...

class ViHyperplane(_Options):
    """Projection on separating hyperplanes: pseudo-monotone F."""

    tolerance: float
    max_iterations: int
    tau: float
    sigma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        tau: float = 1.0,
        sigma: float = 0.5,
    ) -> None: ...

class RegularisedGapDescent(_Options):
    """Descent on the regularised gap: strongly monotone F."""

    tolerance: float
    max_iterations: int
    alpha: float
    sigma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        alpha: float = 1.0,
        sigma: float = 0.0001,
    ) -> None: ...

class DGapDescent(_Options):
    """Quasi-Newton descent on the D-gap, without constraints."""

    tolerance: float
    max_iterations: int
    alpha: float
    beta: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 2000,
        alpha: float = 0.5,
        beta: float = 2.0,
    ) -> None: ...

class AviSplitting(_Options):
    """Gauss-Seidel with projections for Avi and Soclcp: symmetric positive semi-definite M."""

    tolerance: float
    max_iterations: int
    omega: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        omega: float = 1.0,
    ) -> None: ...

class QviSuccessive(_Options):
    """A sequence of variational inequalities for a Qvi."""

    tolerance: float
    max_iterations: int
    omega: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        omega: float = 1.0,
    ) -> None: ...

class NlpSqp(_Options):
    """Sequential quadratic programming: fast, the default for an Nlp."""

    tolerance: float
    max_iterations: int
    line_search: bool
    bfgs: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        line_search: bool = True,
        bfgs: bool = False,
    ) -> None: ...

class NlpAugmentedLagrangian(_Options):
    """Multiplier method: unconstrained minimisations."""

    tolerance: float
    max_iterations: int
    sigma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        sigma: float = 10.0,
    ) -> None: ...

class NlpPenalty(_Options):
    """Exterior penalty: simple, of limited accuracy."""

    tolerance: float
    max_iterations: int
    epsilon: float
    shrink: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-06,
        max_iterations: int = 1000,
        epsilon: float = 1.0,
        shrink: float = 0.1,
    ) -> None: ...

class NlpBarrier(_Options):
    """Logarithmic barrier: from a guess with g > 0, which it keeps."""

    tolerance: float
    max_iterations: int
    epsilon: float
    shrink: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-06,
        max_iterations: int = 1000,
        epsilon: float = 1.0,
        shrink: float = 0.1,
    ) -> None: ...

class NcpNeSqp(_Options):
    """Newton's method on min(z, F), directions from convex quadratic programs."""

    tolerance: float
    max_iterations: int
    sigma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 300,
        sigma: float = 0.0001,
    ) -> None: ...

class NcpQpcomp(_Options):
    """NcpNeSqp with proximal perturbation when it stalls."""

    tolerance: float
    max_iterations: int
    rho: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        rho: float = 1.0,
    ) -> None: ...

class NcpSemicomp(_Options):
    """NcpNewton with proximal perturbation when it stalls."""

    tolerance: float
    max_iterations: int
    rho: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        rho: float = 1.0,
    ) -> None: ...

class NcpInteriorPoint(_Options):
    """Primal-dual interior point for monotone problems."""

    tolerance: float
    max_iterations: int
    sigma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 300,
        sigma: float = 0.1,
    ) -> None: ...

class ViDiminishingStep(_Options):
    """Projection with steps that go to zero: strictly monotone F."""

    tolerance: float
    max_iterations: int
    gamma: float
    power: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 50000,
        gamma: float = 1.0,
        power: float = 0.6,
    ) -> None: ...

class GapDescent(_Options):
    """Descent on the gap by linear programs: compact sets."""

    tolerance: float
    max_iterations: int
    sigma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        sigma: float = 0.0001,
    ) -> None: ...

class ViSmoothing(_Options):
    """Newton's method on a smoothed projection: monotone F."""

    tolerance: float
    max_iterations: int
    epsilon: float
    shrink: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 300,
        epsilon: float = 1.0,
        shrink: float = 0.1,
    ) -> None: ...

class ViPivoting(_Options):
    """Linearised problems solved by pivoting: polyhedral sets."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 100) -> None: ...

class NlpInteriorPoint(_Options):
    """Primal-dual interior point: convex programs, any guess."""

    tolerance: float
    max_iterations: int
    sigma: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 300,
        sigma: float = 0.1,
    ) -> None: ...

class NlpRosen(_Options):
    """Rosen's gradient projection: affine constraints, a feasible guess."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-06, max_iterations: int = 10000) -> None: ...

class NlpGradientProjection(_Options):
    """Projected gradient with line search, for a SetNlp."""

    tolerance: float
    max_iterations: int
    step: float
    shrink: float
    sigma: float
    newton: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        step: float = 1.0,
        shrink: float = 0.5,
        sigma: float = 0.0001,
        newton: bool = False,
    ) -> None: ...
