"""Algorithms for contact with friction and the options within them."""

from typing import TypeAlias

from ._algorithms import (
    Automatic,
    Gpcg,
    InteriorPoint,
    Lemke,
    Mehrotra,
    Psor,
    TwoPhaseProjection,
)
from ._types import _Options

FrictionAlgorithm: TypeAlias = (
    Automatic | CoulombCascade | Nsgs | FixedPointProjection | HyperplaneProjection
    | SpectralProjection | PredictionCorrection | SkewedProjection | NonsmoothNewton
    | FrictionProximalPoint | TrescaFixedPoint | Aclm | SoclcpRelaxation | ConvexProjectedGradient
    | Mprgp | Panagiotopoulos | Admm | FacetedFriction | GlockerNcp | DirectMcp
)
LocalSolver: TypeAlias = (
    LocalNewton | LocalProjection | LocalVi | LocalNonsmoothNewton | LocalExact | LocalDisk
)
ContactEquation: TypeAlias = (
    AlartCurnier | JeanMoreau | NaturalMap | ConeFischerBurmeister | HueberStadlerWohlmuth
    | XuewenSohWanji | SlidingAngle | RegularisedCoulomb | NormalMap | SkewedNaturalMap
    | SmoothedFischerBurmeister | SmoothedNaturalMap
)
NewtonLinearSolver: TypeAlias = DirectLu | GmresIlu | BicgstabIlu
LineSearch: TypeAlias = FullStep | GoldsteinPrice | Armijo
StepRule: TypeAlias = AdaptiveStep | FixedStep
SweepOrder: TypeAlias = NaturalOrder | ShuffledOnce | ShuffledEverySweep
RhoRule: TypeAlias = (
    DefaultRho | FixedRho | NormRho | SpectralRho | PerContactRho | AdaptiveRho
)
AlphaRule: TypeAlias = SuccessDriven | ErrorDriven
ConvexInner: TypeAlias = Nsgs | FixedPointProjection | ConvexProjectedGradient | Mprgp
NormalSolver: TypeAlias = Psor | ConvexProjectedGradient | Mprgp | Gpcg | TwoPhaseProjection
TangentSolver: TypeAlias = FixedPointProjection | ConvexProjectedGradient | Mprgp

class NaturalMap(_Options):
    """Equations of a contact: r − P_K(r − ρ(u + g(u) e_N)), any set."""

    def __init__(self) -> None: ...

class AlartCurnier(_Options):
    """Equations of a contact: r_N − (x_N)₊, r_T − P_D(x_T), D the disk of radius mu (x_N)₊."""

    def __init__(self) -> None: ...

class JeanMoreau(_Options):
    """Equations of a contact: r_N − (x_N)₊, r_T − P_D(x_T), D the disk of radius mu (r_N)₊."""

    def __init__(self) -> None: ...

class ConeFischerBurmeister(_Options):
    """Equations of a contact: Fischer and Burmeister's function of the second-order cone."""

    def __init__(self) -> None: ...

class HueberStadlerWohlmuth(_Options):
    """Equations of a contact: r_N − (x_N)₊, max(mu x_N, ‖x_T‖) r_T − mu (x_N)₊ x_T."""

    def __init__(self) -> None: ...

class XuewenSohWanji(_Options):
    """Equations of a contact in space by minima; for comparison, with zeros that solve nothing."""

    def __init__(self) -> None: ...

class SlidingAngle(_Options):
    """Equations of a contact: the plane problem in the sliding direction, smoothed or not."""

    smoothing: float
    def __init__(self, *, smoothing: float = 0.0) -> None: ...

class RegularisedCoulomb(_Options):
    """Equations of another law: friction as a smooth function of the slip, which creeps."""

    epsilon: float
    def __init__(self, *, epsilon: float = 0.001) -> None: ...

class NormalMap(_Options):
    """Equations of a contact: ρ(u + g(u) e_N) + x − P_K(x), r = P_K(x)."""

    def __init__(self) -> None: ...

class SkewedNaturalMap(_Options):
    """Equations of a contact: the natural map in the metric of diag(1/ρ_N, 1/ρ_T)."""

    def __init__(self) -> None: ...

class SmoothedFischerBurmeister(_Options):
    """Equations of a contact: Fischer and Burmeister's function smoothed, driven to the limit."""

    smoothing: float
    reduction: float
    def __init__(self, *, smoothing: float = 0.1, reduction: float = 0.1) -> None: ...

class SmoothedNaturalMap(_Options):
    """Equations of a contact: the natural map of the cone smoothed, driven to the limit."""

    smoothing: float
    reduction: float
    def __init__(self, *, smoothing: float = 0.1, reduction: float = 0.1) -> None: ...

class DirectLu(_Options):
    """Linear systems of Newton's method: sparse LU."""

    def __init__(self) -> None: ...

class GmresIlu(_Options):
    """Linear systems of Newton's method: restarted GMRES with an incomplete LU."""

    tolerance: float
    max_iterations: int
    restart: int
    drop: float
    fill: int
    def __init__(
        self,
        *,
        tolerance: float = 1e-10,
        max_iterations: int = 500,
        restart: int = 50,
        drop: float = 0.0001,
        fill: int = 10,
    ) -> None: ...

class BicgstabIlu(_Options):
    """Linear systems of Newton's method: BiCGSTAB with an incomplete LU."""

    tolerance: float
    max_iterations: int
    drop: float
    fill: int
    def __init__(
        self,
        *,
        tolerance: float = 1e-10,
        max_iterations: int = 500,
        drop: float = 0.0001,
        fill: int = 10,
    ) -> None: ...

class SlipFriction(_Options):
    """Friction of the slip speed in the plane by complementarity problems."""

    tolerance: float
    max_iterations: int
    inner: Lemke | Mehrotra | InteriorPoint
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 2000,
        inner: Lemke | Mehrotra | InteriorPoint = ...,
    ) -> None: ...

class FullStep(_Options):
    """Line search: the full Newton step."""

    def __init__(self) -> None: ...

class GoldsteinPrice(_Options):
    """Line search of Goldstein and Price, both ways."""

    m1: float
    m2: float
    a: float
    max_iterations: int
    def __init__(
        self,
        *,
        m1: float = 0.01,
        m2: float = 0.99,
        a: float = 1.1,
        max_iterations: int = 20,
    ) -> None: ...

class Armijo(_Options):
    """Line search of Armijo: halves the step until the merit falls enough."""

    m1: float
    max_iterations: int
    def __init__(self, *, m1: float = 0.01, max_iterations: int = 20) -> None: ...

class AdaptiveStep(_Options):
    """Self-adaptive step ρ of a projection, reduced and enlarged."""

    rho: float
    L: float
    L_min: float
    nu: float
    solodov_tseng: bool
    han_lo: bool
    restart: bool
    def __init__(
        self,
        *,
        rho: float = 1.0,
        L: float = 0.9,
        L_min: float = 0.3,
        nu: float = 0.6666666666666666,
        solodov_tseng: bool = False,
        han_lo: bool = False,
        restart: bool = False,
    ) -> None: ...

class FixedStep(_Options):
    """The same step ρ in every projection; diverges if it is too large."""

    rho: float
    def __init__(self, *, rho: float = 1.0) -> None: ...

class NaturalOrder(_Options):
    """Sweeps over the blocks as they are numbered."""

    def __init__(self) -> None: ...

class ShuffledOnce(_Options):
    """Sweeps in one random order."""

    seed: int
    def __init__(self, *, seed: int = 1) -> None: ...

class ShuffledEverySweep(_Options):
    """A new random order in every sweep."""

    seed: int
    def __init__(self, *, seed: int = 1) -> None: ...

class DefaultRho(_Options):
    """Scalings: PerContactRho, but SpectralRho for NaturalMap."""

    def __init__(self) -> None: ...

class FixedRho(_Options):
    """Scalings: one given number."""

    rho: float
    def __init__(self, *, rho: float = 1.0) -> None: ...

class NormRho(_Options):
    """Scalings: 1/‖W‖∞."""

    def __init__(self) -> None: ...

class SpectralRho(_Options):
    """Scalings: 1/λ_max(W)."""

    def __init__(self) -> None: ...

class PerContactRho(_Options):
    """Scalings from the own block of each contact."""

    conservative: bool
    def __init__(self, *, conservative: bool = False) -> None: ...

class AdaptiveRho(_Options):
    """Scalings of PerContactRho, adapted by the steps of the iteration."""

    range: float
    def __init__(self, *, range: float = 100.0) -> None: ...

class SuccessDriven(_Options):
    """Proximal parameter: smaller after a success, larger otherwise."""

    down: float
    up: float
    def __init__(self, *, down: float = 10.0, up: float = 5.0) -> None: ...

class ErrorDriven(_Options):
    """Proximal parameter: sigma · residual^nu."""

    sigma: float
    nu: float
    def __init__(self, *, sigma: float = 1.0, nu: float = 1.0) -> None: ...

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

class LocalVi(_Options):
    """One contact: projections with a self-adaptive step; the most robust."""

    tolerance: float
    max_iterations: int
    step: StepRule
    extragradient: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-14,
        max_iterations: int = 200,
        step: StepRule = ...,
        extragradient: bool = False,
    ) -> None: ...

class LocalNonsmoothNewton(_Options):
    """One contact: Newton's method on its equations."""

    tolerance: float
    max_iterations: int
    equation: ContactEquation
    line_search: LineSearch
    def __init__(
        self,
        *,
        tolerance: float = 1e-14,
        max_iterations: int = 30,
        equation: ContactEquation = ...,
        line_search: LineSearch = ...,
    ) -> None: ...

class LocalExact(_Options):
    """One contact: every mode in closed form, slip by a quartic."""

    def __init__(self) -> None: ...

class LocalDisk(_Options):
    """One contact: stick, cut back to the disk; an approximation."""

    def __init__(self) -> None: ...

class CoulombCascade(_Options):
    """For contact with friction: the default, robust and fast."""

    tolerance: float
    budget: int
    threads: int
    def __init__(
        self, *, tolerance: float = 1e-08, budget: int = 12000, threads: int = 0
    ) -> None: ...

class Nsgs(_Options):
    """Nonsmooth Gauss-Seidel: sweeps over the blocks, each solved with the latest others."""

    tolerance: float
    max_iterations: int
    omega: float
    local: LocalSolver
    over_relaxation: float
    order: SweepOrder
    adaptive_local: bool
    cheap_test: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 1000,
        omega: float = 1.0,
        local: LocalSolver = ...,
        over_relaxation: float = 1.0,
        order: SweepOrder = ...,
        adaptive_local: bool = False,
        cheap_test: bool = False,
    ) -> None: ...

class FixedPointProjection(_Options):
    """For friction at low accuracy, asymmetric or rank-deficient W; never diverges, slow."""

    tolerance: float
    max_iterations: int
    step: StepRule
    extragradient: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        step: StepRule = ...,
        extragradient: bool = False,
    ) -> None: ...

class HyperplaneProjection(_Options):
    """For comparison: needs no Lipschitz constant, very slow."""

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

class SpectralProjection(_Options):
    """For friction at medium accuracy by products with W alone; faster than the fixed point."""

    tolerance: float
    max_iterations: int
    patience: int
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        patience: int = 30,
    ) -> None: ...

class PredictionCorrection(_Options):
    """For friction at low accuracy, unsymmetric W; longer steps than the extragradient method."""

    tolerance: float
    max_iterations: int
    step: StepRule
    gamma: float
    projected: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        step: StepRule = ...,
        gamma: float = 1.8,
        projected: bool = True,
    ) -> None: ...

class SkewedProjection(_Options):
    """For friction at low accuracy, contacts of very different masses."""

    tolerance: float
    max_iterations: int
    step: StepRule
    extragradient: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        step: StepRule = ...,
        extragradient: bool = False,
    ) -> None: ...

class NonsmoothNewton(_Options):
    """For friction of deformable bodies (W of full rank) at high accuracy."""

    tolerance: float
    max_iterations: int
    equation: ContactEquation
    rho: RhoRule
    line_search: LineSearch
    start_projections: int
    linear: NewtonLinearSolver
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 100,
        equation: ContactEquation = ...,
        rho: RhoRule = ...,
        line_search: LineSearch = ...,
        start_projections: int = 0,
        linear: NewtonLinearSolver = ...,
    ) -> None: ...

class FrictionProximalPoint(_Options):
    """For friction of rigid bodies with more contacts than degrees of freedom, high accuracy."""

    tolerance: float
    max_iterations: int
    inner: NonsmoothNewton | Nsgs
    alpha: float
    rule: AlphaRule
    omega: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        inner: NonsmoothNewton | Nsgs = ...,
        alpha: float = 1.0,
        rule: AlphaRule = ...,
        omega: float = 1.0,
    ) -> None: ...

class ConvexProjectedGradient(_Options):
    """For Tresca and associated friction, bounds; symmetric W, products only."""

    tolerance: float
    max_iterations: int
    rho: float
    l: float
    sigma: float
    max_reductions: int
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        rho: float = 1.0,
        l: float = 0.6666666666666666,
        sigma: float = 0.1,
        max_reductions: int = 100,
    ) -> None: ...

class Mprgp(_Options):
    """For Tresca and associated friction, bounds; symmetric W, by conjugate gradients."""

    tolerance: float
    max_iterations: int
    gamma: float
    step: float
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 20000,
        gamma: float = 1.0,
        step: float = 1.5,
    ) -> None: ...

class TrescaFixedPoint(_Options):
    """For friction by quadratic programs; rigid bodies, slow."""

    tolerance: float
    max_iterations: int
    inner: ConvexInner
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        inner: ConvexInner = ...,
    ) -> None: ...

class Aclm(_Options):
    """For friction by second-order cone programs; large coefficients, few sliding contacts."""

    tolerance: float
    max_iterations: int
    inner: ConvexInner
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 200,
        inner: ConvexInner = ...,
    ) -> None: ...

class SoclcpRelaxation(_Options):
    """For associated friction; a start for other methods."""

    tolerance: float
    inner: ConvexInner
    def __init__(self, *, tolerance: float = 1e-08, inner: ConvexInner = ...) -> None: ...

class Panagiotopoulos(_Options):
    """For small friction coefficients; comparison."""

    tolerance: float
    max_iterations: int
    normal: NormalSolver
    tangent: TangentSolver
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 500,
        normal: NormalSolver = ...,
        tangent: TangentSolver = ...,
    ) -> None: ...

class Admm(_Options):
    """For friction, many contacts per body, medium accuracy; few factorisations."""

    tolerance: float
    max_iterations: int
    rho: float
    over_relaxation: float
    balance: bool
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        max_iterations: int = 10000,
        rho: float = 0.0,
        over_relaxation: float = 1.5,
        balance: bool = True,
    ) -> None: ...

class FacetedFriction(_Options):
    """For friction in the plane, exactly; in space an approximation, for comparison."""

    tolerance: float
    facets: int
    outer: bool
    inner: Lemke | Mehrotra | InteriorPoint
    def __init__(
        self,
        *,
        tolerance: float = 1e-08,
        facets: int = 8,
        outer: bool = False,
        inner: Lemke | Mehrotra | InteriorPoint = ...,
    ) -> None: ...

class GlockerNcp(_Options):
    """For small problems in space; a smooth exact formulation."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 100) -> None: ...

class DirectMcp(_Options):
    """For comparison: the law of friction without a cone."""

    tolerance: float
    max_iterations: int
    def __init__(self, *, tolerance: float = 1e-08, max_iterations: int = 100) -> None: ...

def friction_preset(name: str) -> FrictionAlgorithm: ...
def friction_preset_names() -> list[str]: ...
