"""Laws, schemes and formalisms for first-order inclusions."""

from collections.abc import Callable
from typing import TypeAlias

from numpy.typing import ArrayLike

from ._algorithms import Algorithm
from ._model import Model
from ._sets import Set
from ._types import Array, _Options

MultiplierRule: TypeAlias = AtStage | AveragedMultiplier
Selection: TypeAlias = (
    MiddleSelection | MinimalNorm | MinimalVariation | SwitchModel | Sigmoid
)
TimeField: TypeAlias = Callable[[float, Array], ArrayLike]

# Laws

class PiecewiseLinear(_Options):
    """A falling broken line between output and multiplier, on every row."""

    points: Array
    before: float
    after: float
    def __init__(
        self, *, points: ArrayLike = ..., before: float = 0.0, after: float = 0.0
    ) -> None: ...

class NormalCone(_Options):
    """Normal cone to a convex set K, of the multipliers or of the outputs."""

    set: Set
    of_output: bool
    def __init__(self, *, set: Set = ..., of_output: bool = False) -> None: ...

def saturation(gain: float, bound: float) -> PiecewiseLinear: ...
def dead_zone(width: float, gain: float) -> PiecewiseLinear: ...
def relay_with_dead_zone(width: float, bound: float) -> PiecewiseLinear: ...
def zener(voltage: float, reverse: float = 0.0, forward: float = 0.0) -> PiecewiseLinear: ...
def hinge_sum(slopes: ArrayLike, breaks: ArrayLike) -> PiecewiseLinear: ...

# Schemes

class AtStage(_Options):
    """The law is taken at θx⁺ + (1−θ)x, with one multiplier for the step."""

    def __init__(self) -> None: ...

class AveragedMultiplier(_Options):
    """The law is taken at the end, with the multiplier θλ⁺ + (1−θ)λ: for systems with D > 0."""

    def __init__(self) -> None: ...

class ThetaMethod(_Options):
    """θ-method for first-order inclusions."""

    theta: float
    multiplier: MultiplierRule
    solver: Algorithm
    def __init__(
        self, *, theta: float = 0.5, multiplier: MultiplierRule = ..., solver: Algorithm = ...
    ) -> None: ...

class Bdf2(_Options):
    """Backward differentiation formula of order 2 for first-order inclusions."""

    solver: Algorithm
    def __init__(self, *, solver: Algorithm = ...) -> None: ...

class Sdirk(_Options):
    """Diagonally implicit Runge-Kutta methods of order 2 or 3 for first-order inclusions."""

    order: int
    solver: Algorithm
    def __init__(self, *, order: int = 2, solver: Algorithm = ...) -> None: ...

class CatchingUp(_Options):
    """Moreau's catching-up algorithm for sweeping processes."""

    solver: Algorithm
    def __init__(self, *, solver: Algorithm = ...) -> None: ...

class ZeroOrderHold(_Options):
    """Exact discretisation of linear models with multipliers held over the step."""

    solver: Algorithm
    def __init__(self, *, solver: Algorithm = ...) -> None: ...

class MiddleSelection(_Options):
    """The middle of the multipliers that the law allows at y."""

    def __init__(self) -> None: ...

class MinimalNorm(_Options):
    """The multipliers that make x' shortest."""

    band: float
    def __init__(self, *, band: float = 0.0) -> None: ...

class MinimalVariation(_Options):
    """The multipliers that change x' least from the last step."""

    band: float
    def __init__(self, *, band: float = 0.0) -> None: ...

class SwitchModel(_Options):
    """Leine's switch model, for one relay."""

    epsilon: float
    def __init__(self, *, epsilon: float = 0.001) -> None: ...

class Sigmoid(_Options):
    """tanh(y/ε) in place of the sign."""

    epsilon: float
    def __init__(self, *, epsilon: float = 0.001) -> None: ...

class ExplicitInclusion(_Options):
    """Explicit Euler or Runge-Kutta, multipliers by a selection from the law: for comparison."""

    order: int
    selection: Selection
    def __init__(self, *, order: int = 1, selection: Selection = ...) -> None: ...

class Mannshardt(_Options):
    """Mannshardt's method for one relay: order 4, steps cut where the surface is met."""

    max_events: int
    def __init__(self, *, max_events: int = 10) -> None: ...

# Formalisms

def sweeping_process(
    x0: ArrayLike,
    set: Set,
    center: Callable[[float], ArrayLike] | None = None,
    scale: Callable[[float], float] | None = None,
    f: TimeField | None = None,
) -> Model: ...
def polyhedral_sweeping(
    x0: ArrayLike,
    A: ArrayLike,
    b: Callable[[float], ArrayLike],
    f: TimeField | None = None,
) -> Model: ...
def play(radius: float, input: Callable[[float], float], x0: float = 0.0) -> Model: ...
def unilateral_inclusion(x0: ArrayLike, set: Set, f: TimeField | None = None) -> Model: ...
def differential_variational_inequality(
    x0: ArrayLike,
    B: ArrayLike,
    G: TimeField,
    set: Set,
    f: TimeField | None = None,
    D: ArrayLike | None = None,
) -> Model: ...
def relay_system(
    x0: ArrayLike,
    A: ArrayLike,
    B: ArrayLike,
    C: ArrayLike,
    D: ArrayLike | None = None,
    a: ArrayLike | None = None,
    b: ArrayLike | None = None,
    lower: float = -1.0,
    upper: float = 1.0,
) -> Model: ...
def filippov_system(
    x0: ArrayLike,
    above: TimeField,
    below: TimeField,
    surface: Callable[[Array], float],
    normal: Callable[[Array], ArrayLike] | None = None,
) -> Model: ...
