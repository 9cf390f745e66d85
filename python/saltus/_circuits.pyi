"""Circuits from netlists."""

from ._simulation import Trajectory
from ._types import Array, Path

class CircuitResult:
    """A circuit over time."""

    @property
    def trajectory(self) -> Trajectory: ...
    @property
    def t(self) -> Array: ...
    @property
    def measures(self) -> dict[str, float]: ...
    @property
    def remarks(self) -> list[str]: ...
    @property
    def failure(self) -> str: ...
    @property
    def unknowns(self) -> int: ...
    @property
    def bounded(self) -> int: ...
    def names(self) -> list[str]: ...
    def __getitem__(self, name: str) -> Array: ...

def circuit(
    source: Path,
    *,
    step: float | None = None,
    until: float | None = None,
    theta: float | None = None,
    accuracy: float | None = None,
    every: int = 1,
) -> CircuitResult: ...
