from typing import TypeAlias

from ._algorithms import Algorithm
from ._inclusions import (
    Bdf2,
    CatchingUp,
    ExplicitInclusion,
    Mannshardt,
    Sdirk,
    ThetaMethod,
    ZeroOrderHold,
)
from ._types import _Options

SystemRule: TypeAlias = Theta | ExactFlow
GapRule: TypeAlias = ForecastGap | ConsistentGap
Stabilisation: TypeAlias = NoStabilisation | Baumgarte | CombinedProjection
AlphaFamily: TypeAlias = ChungHulbert | HilberHughesTaylor | Newmark
ConstraintLevels: TypeAlias = LevelsP | LevelsV | LevelsA | LevelsPV | LevelsPVA
Scheme: TypeAlias = (
    MoreauJean
    | StewartTrinkle
    | AnitescuPotra
    | PaoliSchatzman
    | GeneralizedAlpha
    | ThetaMethod
    | Bdf2
    | Sdirk
    | CatchingUp
    | ExplicitInclusion
    | Mannshardt
    | ZeroOrderHold
)

class Theta(_Options):
    """The θ-method of the scheme with a θ of its own, for one system."""

    theta: float
    def __init__(self, *, theta: float = 0.5) -> None: ...

class ExactFlow(_Options):
    """The exact flow of a linear system with constant matrices, loads held over the step:"""

    def __init__(self) -> None: ...

class ForecastGap(_Options):
    """Contacts whose gap is forecast to be closed obey their laws in velocities."""

    def __init__(self) -> None: ...

class ConsistentGap(_Options):
    """Jean's gap: contacts obey 0 ≤ g/h + u⁺ ⟂ r ≥ 0, g at q + (1−θ) h v; e = 0 only."""

    reach: float
    def __init__(self, *, reach: float = ...) -> None: ...

class NoStabilisation(_Options):
    """Violated positions are left as they are."""

    def __init__(self) -> None: ...

class Baumgarte(_Options):
    """A step gives back the share β of a violation, at velocity level."""

    beta: float
    def __init__(self, *, beta: float = 0.2) -> None: ...

class CombinedProjection(_Options):
    """Contacts that would be violated take part from the first, and the new positions are"""

    tolerance: float
    iterations: int
    def __init__(self, *, tolerance: float = 1e-10, iterations: int = 20) -> None: ...

class MoreauJean(_Options):
    """Moreau-Jean time stepping, the θ-scheme for systems with impacts:"""

    theta: float
    gamma: float
    gap_tolerance: float
    gap: GapRule
    stabilisation: Stabilisation
    solver: Algorithm
    newton_tolerance: float
    newton_iterations: int
    systems: dict[str, SystemRule]
    def __init__(
        self,
        *,
        theta: float = 0.5,
        gamma: float = 0.5,
        gap_tolerance: float = 1e-12,
        gap: GapRule = ...,
        stabilisation: Stabilisation = ...,
        solver: Algorithm = ...,
        newton_tolerance: float = 1e-12,
        newton_iterations: int = 30,
        systems: dict[str, SystemRule] = ...,
    ) -> None: ...

class StewartTrinkle(_Options):
    """Stewart-Trinkle time stepping: backward Euler, contacts by the linearised gap,"""

    theta: float
    reach: float
    solver: Algorithm
    newton_tolerance: float
    newton_iterations: int
    systems: dict[str, SystemRule]
    def __init__(
        self,
        *,
        theta: float = 1.0,
        reach: float = ...,
        solver: Algorithm = ...,
        newton_tolerance: float = 1e-12,
        newton_iterations: int = 30,
        systems: dict[str, SystemRule] = ...,
    ) -> None: ...

class AnitescuPotra(_Options):
    """Anitescu-Potra time stepping: backward Euler, contacts that are closed at the beginning of"""

    theta: float
    gap_tolerance: float
    solver: Algorithm
    newton_tolerance: float
    newton_iterations: int
    systems: dict[str, SystemRule]
    def __init__(
        self,
        *,
        theta: float = 1.0,
        gap_tolerance: float = 1e-12,
        solver: Algorithm = ...,
        newton_tolerance: float = 1e-12,
        newton_iterations: int = 30,
        systems: dict[str, SystemRule] = ...,
    ) -> None: ...

class PaoliSchatzman(_Options):
    """Paoli-Schatzman time stepping: two steps in the positions, contacts without friction,"""

    solver: Algorithm
    newton_tolerance: float
    newton_iterations: int
    def __init__(
        self,
        *,
        solver: Algorithm = ...,
        newton_tolerance: float = 1e-12,
        newton_iterations: int = 30,
    ) -> None: ...

class ChungHulbert(_Options):
    """Coefficients by the spectral radius ρ at infinite frequency."""

    rho: float
    def __init__(self, *, rho: float = 0.9) -> None: ...

class HilberHughesTaylor(_Options):
    """Coefficients α_m = 0, α_f = a."""

    a: float
    def __init__(self, *, a: float = 0.05) -> None: ...

class Newmark(_Options):
    """Coefficients α_m = α_f = 0 with γ and β; the default is trapezoidal."""

    gamma: float
    beta: float
    def __init__(self, *, gamma: float = 0.5, beta: float = 0.25) -> None: ...

class LevelsP(_Options):
    """Constraints on positions: index 3, bilateral constraints only."""

    def __init__(self) -> None: ...

class LevelsV(_Options):
    """Constraints on velocities: index 2, positions drift."""

    def __init__(self) -> None: ...

class LevelsA(_Options):
    """Constraints on accelerations: index 1, bilateral constraints only."""

    def __init__(self) -> None: ...

class LevelsPV(_Options):
    """Constraints on positions and velocities."""

    def __init__(self) -> None: ...

class LevelsPVA(_Options):
    """Constraints on positions, velocities and accelerations."""

    strategy: int
    def __init__(self, *, strategy: int = 3) -> None: ...

class GeneralizedAlpha(_Options):
    """Nonsmooth generalized-α: a smooth motion of second order, and corrections U of the"""

    coefficients: AlphaFamily
    levels: ConstraintLevels
    augmentation: float
    solver: Algorithm
    newton_tolerance: float
    newton_iterations: int
    def __init__(
        self,
        *,
        coefficients: AlphaFamily = ...,
        levels: ConstraintLevels = ...,
        augmentation: float = 1.0,
        solver: Algorithm = ...,
        newton_tolerance: float = 1e-10,
        newton_iterations: int = 50,
    ) -> None: ...
