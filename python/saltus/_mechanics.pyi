"""Rigid bodies: scenes of shapes, ready piles and masonry."""

from numpy.typing import ArrayLike

from ._model import Model
from ._types import Array, _Options

class RigidScene:
    """Rigid bodies with shapes, in contact with friction."""

    def __init__(self) -> None: ...
    def add_sphere(
        self,
        radius: float,
        *,
        density: float = 1000.0,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        v: ArrayLike | None = None,
        omega: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
    ) -> int: ...
    def add_capsule(
        self,
        radius: float,
        half_length: float,
        *,
        density: float = 1000.0,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        v: ArrayLike | None = None,
        omega: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
    ) -> int: ...
    def add_box(
        self,
        half: ArrayLike,
        *,
        density: float = 1000.0,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        v: ArrayLike | None = None,
        omega: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
    ) -> int: ...
    def add_polyhedron(
        self,
        points: ArrayLike,
        *,
        density: float = 1000.0,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        v: ArrayLike | None = None,
        omega: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
    ) -> int: ...
    def fix_plane(
        self,
        *,
        normal: ArrayLike | None = None,
        offset: float = 0.0,
        mu: float = 0.5,
        e: float = 0.0,
    ) -> None: ...
    def fix_box(
        self,
        half: ArrayLike,
        *,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
    ) -> None: ...
    def bodies(self) -> int: ...
    def model(self, *, gravity: ArrayLike | None = None) -> Model: ...

class RigidBodies(_Options):
    """A pool of rigid bodies in space:  m v' = m g + p,  I ω' + ω × Iω = τ."""

    m: Array
    inertia: Array
    gravity: Array
    midpoint: bool
    def __init__(
        self,
        *,
        m: ArrayLike = ...,
        inertia: ArrayLike = ...,
        gravity: ArrayLike = ...,
        midpoint: bool = True,
    ) -> None: ...

class PlanarBodies(_Options):
    """A pool of rigid bodies in the plane:  m v' = m g + p,  J φ'' = τ."""

    m: Array
    inertia: Array
    gravity: Array
    def __init__(
        self, *, m: ArrayLike = ..., inertia: ArrayLike = ..., gravity: ArrayLike = ...
    ) -> None: ...

class PileOfSpheres(_Options):
    """Balls of different diameters that fall into a box, or on a plane."""

    count: int
    size: float
    spread: float
    mu: float
    e: float
    density: float
    gravity: float
    columns: int
    walls: int
    seed: int
    def __init__(
        self,
        *,
        count: int = 200,
        size: float = 0.1,
        spread: float = 0.3,
        mu: float = 0.5,
        e: float = 0.0,
        density: float = 2000.0,
        gravity: float = 9.81,
        columns: int = 0,
        walls: int = 1,
        seed: int = 1,
    ) -> None: ...
    def model(self) -> Model: ...

class PileOfBoxes(_Options):
    """Boxes of different edges, turned at random, that fall into a box."""

    count: int
    size: float
    spread: float
    mu: float
    e: float
    density: float
    gravity: float
    columns: int
    walls: int
    seed: int
    def __init__(
        self,
        *,
        count: int = 200,
        size: float = 0.1,
        spread: float = 0.3,
        mu: float = 0.5,
        e: float = 0.0,
        density: float = 2000.0,
        gravity: float = 9.81,
        columns: int = 0,
        walls: int = 1,
        seed: int = 1,
    ) -> None: ...
    def model(self) -> Model: ...

class PileOfCapsules(_Options):
    """Capsules that fall into a box, or on a plane."""

    count: int
    size: float
    spread: float
    mu: float
    e: float
    density: float
    gravity: float
    columns: int
    walls: int
    seed: int
    def __init__(
        self,
        *,
        count: int = 200,
        size: float = 0.1,
        spread: float = 0.3,
        mu: float = 0.5,
        e: float = 0.0,
        density: float = 2000.0,
        gravity: float = 9.81,
        columns: int = 0,
        walls: int = 1,
        seed: int = 1,
    ) -> None: ...
    def model(self) -> Model: ...

class BoxStack(_Options):
    """A tower of equal boxes on the ground."""

    count: int
    edge: float
    height: float
    mu: float
    density: float
    gravity: float
    tilt: float
    def __init__(
        self,
        *,
        count: int = 10,
        edge: float = 0.2,
        height: float = 0.1,
        mu: float = 0.5,
        density: float = 2000.0,
        gravity: float = 9.81,
        tilt: float = 0.0,
    ) -> None: ...
    def model(self) -> Model: ...

class Wall(_Options):
    """A wall of bricks in running bond, hit by a ball if it has a speed."""

    columns: int
    rows: int
    length: float
    height: float
    width: float
    mu: float
    density: float
    gravity: float
    speed: float
    ball: float
    def __init__(
        self,
        *,
        columns: int = 6,
        rows: int = 6,
        length: float = 0.2,
        height: float = 0.1,
        width: float = 0.1,
        mu: float = 0.6,
        density: float = 2000.0,
        gravity: float = 9.81,
        speed: float = 0.0,
        ball: float = 0.15,
    ) -> None: ...
    def model(self) -> Model: ...

class Arch(_Options):
    """A semicircular masonry arch of equal voussoirs."""

    count: int
    radius: float
    thickness: float
    width: float
    mu: float
    density: float
    gravity: float
    def __init__(
        self,
        *,
        count: int = 25,
        radius: float = 1.0,
        thickness: float = 0.2,
        width: float = 0.4,
        mu: float = 0.7,
        density: float = 2000.0,
        gravity: float = 9.81,
    ) -> None: ...
    def model(self) -> Model: ...
