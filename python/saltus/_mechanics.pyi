"""Rigid bodies: scenes of shapes, ready piles and masonry."""

from collections.abc import Callable

from numpy.typing import ArrayLike

from ._model import Law, Model
from ._types import Array, _Options

class _Joints:
    """Joints that space and plane both have."""

    def fixed(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        *,
        name: str = "",
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def distance(
        self,
        a: int,
        b: int,
        anchor_a: ArrayLike,
        anchor_b: ArrayLike,
        length: float = 0.0,
        *,
        name: str = "",
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def spring(
        self,
        a: int,
        b: int,
        anchor_a: ArrayLike,
        anchor_b: ArrayLike,
        *,
        stiffness: float,
        damping: float = 0.0,
        rest: float = 0.0,
        name: str = "",
    ) -> int: ...
    def rope(
        self,
        a: int,
        b: int,
        anchor_a: ArrayLike,
        anchor_b: ArrayLike,
        length: float,
        *,
        e: float = 0.0,
        name: str = "",
    ) -> int: ...
    def gear(
        self, first: int, second: int, teeth_first: int, teeth_second: int, *, name: str = ""
    ) -> None: ...
    def rack(self, slider: int, hinge: int, radius: float, *, name: str = "") -> None: ...

class RigidScene(_Joints):
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
        kind: int = 0,
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
        kind: int = 0,
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
        kind: int = 0,
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
        kind: int = 0,
    ) -> int: ...
    def add_body(
        self,
        mass: float,
        inertia: ArrayLike,
        *,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        v: ArrayLike | None = None,
        omega: ArrayLike | None = None,
    ) -> int: ...
    def attach_sphere(
        self,
        body: int,
        radius: float,
        *,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
        kind: int = 0,
    ) -> None: ...
    def attach_capsule(
        self,
        body: int,
        radius: float,
        half_length: float,
        *,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
        kind: int = 0,
    ) -> None: ...
    def attach_box(
        self,
        body: int,
        half: ArrayLike,
        *,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
        kind: int = 0,
    ) -> None: ...
    def fix_plane(
        self,
        *,
        normal: ArrayLike | None = None,
        offset: float = 0.0,
        mu: float = 0.5,
        e: float = 0.0,
        kind: int = 0,
    ) -> None: ...
    def fix_box(
        self,
        half: ArrayLike,
        *,
        x: ArrayLike | None = None,
        turn: ArrayLike | None = None,
        mu: float = 0.5,
        e: float = 0.0,
        kind: int = 0,
    ) -> None: ...
    def law(self, kind_a: int, kind_b: int, law: Law) -> None: ...
    def accelerated(self) -> None: ...
    def bodies(self) -> int: ...
    def model(self, *, gravity: ArrayLike | None = None) -> Model: ...
    def ball(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        *,
        name: str = "",
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def universal(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        axis_a: ArrayLike,
        axis_b: ArrayLike,
        *,
        name: str = "",
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def hinge(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        axis: ArrayLike,
        *,
        name: str = "",
        limits: ArrayLike | None = None,
        e: float = 0.0,
        velocity: float | Callable[[float], float] | None = None,
        position: float | Callable[[float], float] | None = None,
        max_force: float | None = None,
        spring: ArrayLike | None = None,
        friction: float = 0.0,
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def slider(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        axis: ArrayLike,
        *,
        name: str = "",
        limits: ArrayLike | None = None,
        e: float = 0.0,
        velocity: float | Callable[[float], float] | None = None,
        position: float | Callable[[float], float] | None = None,
        max_force: float | None = None,
        spring: ArrayLike | None = None,
        friction: float = 0.0,
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def cylindrical(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        axis: ArrayLike,
        *,
        name: str = "",
        limits: ArrayLike | None = None,
        e: float = 0.0,
        velocity: float | Callable[[float], float] | None = None,
        position: float | Callable[[float], float] | None = None,
        max_force: float | None = None,
        spring: ArrayLike | None = None,
        friction: float = 0.0,
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def screw(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        axis: ArrayLike,
        pitch: float,
        *,
        name: str = "",
        limits: ArrayLike | None = None,
        e: float = 0.0,
        velocity: float | Callable[[float], float] | None = None,
        position: float | Callable[[float], float] | None = None,
        max_force: float | None = None,
        spring: ArrayLike | None = None,
        friction: float = 0.0,
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...

class PlanarScene(_Joints):
    """Bodies of the plane, joints and contacts between them."""

    def __init__(self) -> None: ...
    def add_body(
        self,
        mass: float,
        inertia: float,
        *,
        x: ArrayLike | None = None,
        angle: float = 0.0,
        v: ArrayLike | None = None,
        omega: float = 0.0,
    ) -> int: ...
    def bodies(self) -> int: ...
    def model(self, *, gravity: ArrayLike | None = None) -> Model: ...
    def revolute(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        *,
        name: str = "",
        limits: ArrayLike | None = None,
        e: float = 0.0,
        velocity: float | Callable[[float], float] | None = None,
        position: float | Callable[[float], float] | None = None,
        max_force: float | None = None,
        spring: ArrayLike | None = None,
        friction: float = 0.0,
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def prismatic(
        self,
        a: int,
        b: int,
        anchor: ArrayLike,
        axis: ArrayLike,
        *,
        name: str = "",
        limits: ArrayLike | None = None,
        e: float = 0.0,
        velocity: float | Callable[[float], float] | None = None,
        position: float | Callable[[float], float] | None = None,
        max_force: float | None = None,
        spring: ArrayLike | None = None,
        friction: float = 0.0,
        tolerance: float = 1e-06,
        collide: bool = False,
    ) -> int: ...
    def on_line(
        self,
        body: int,
        law: Law,
        *,
        normal: ArrayLike | None = None,
        offset: float = 0.0,
        radius: float = 0.0,
        point: ArrayLike | None = None,
        name: str = "",
    ) -> None: ...
    def disks(
        self, a: int, b: int, law: Law, *, radius_a: float, radius_b: float, name: str = ""
    ) -> None: ...

class Mobility:
    """What the bilateral constraints of a model leave free at its initial state."""

    @property
    def dof(self) -> int: ...
    @property
    def rows(self) -> int: ...
    @property
    def rank(self) -> int: ...
    @property
    def freedom(self) -> int: ...
    @property
    def redundant(self) -> dict[str, int]: ...
    @property
    def moving(self) -> dict[str, float]: ...

class CohesiveZone(_Options):
    """Cohesive zone with adhesion that damage reduces."""

    c_N: float
    c_T: float
    w: float
    b: float
    p: float
    k: float
    def __init__(
        self,
        *,
        c_N: float = 1.0,
        c_T: float = 0.0,
        w: float = 1.0,
        b: float = 0.0,
        p: float = 1.0,
        k: float = 0.0,
    ) -> None: ...
    def adhesion(self, beta: float, g: float, g_T: float, h: float) -> float: ...
    def adhesion_along(
        self, beta: ArrayLike, g: ArrayLike, g_T: ArrayLike, spacing: float, h: float
    ) -> Array: ...
    def normal_force(self, beta: float, g: float) -> float: ...
    def tangential_force(self, beta: float, g_T: float) -> float: ...
    def energy(self, beta: float, g: float, g_T: float) -> float: ...

class VibroImpactMotion:
    """Motion of an oscillator with a stop."""

    @property
    def t(self) -> Array: ...
    @property
    def x(self) -> Array: ...
    @property
    def v(self) -> Array: ...
    @property
    def impacts(self) -> Array: ...

def vibro_impact(
    x: float,
    v: float,
    end: float,
    steps: int,
    *,
    a: float = 0.0,
    omega: float = 1.0,
    x_max: float = 1.0,
    e: float = 1.0,
    f: Callable[[float], float] | None = None,
    method: str = "runge_kutta",
    impact_time: str = "dichotomy",
    most_impacts: int = 10,
) -> VibroImpactMotion: ...
def angle_sum(polygon: ArrayLike, point: ArrayLike) -> float: ...
def ray_crossings(polygon: ArrayLike, point: ArrayLike) -> int: ...
def polygon_contains(polygon: ArrayLike, point: ArrayLike) -> bool: ...
def gyroscopic_term(
    mass: Callable[[Array], ArrayLike], q: ArrayLike, v: ArrayLike
) -> Array: ...
def mobility(model: Model) -> Mobility: ...
def penetrations(model: Model, *, tolerance: float = 1e-09) -> dict[str, float]: ...

class RigidBodies(_Options):
    """A pool of rigid bodies in space:  m v' = m g + p,  I ω' + ω × Iω = τ."""

    m: Array
    inertia: Array
    gravity: Array
    midpoint: bool
    accelerated: bool
    def __init__(
        self,
        *,
        m: ArrayLike = ...,
        inertia: ArrayLike = ...,
        gravity: ArrayLike = ...,
        midpoint: bool = True,
        accelerated: bool = False,
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

class KaplaTower(_Options):
    """A tower of planks, two on each level."""

    levels: int
    length: float
    width: float
    thickness: float
    mu: float
    density: float
    gravity: float
    tilt: float
    def __init__(
        self,
        *,
        levels: int = 30,
        length: float = 0.117,
        width: float = 0.0234,
        thickness: float = 0.0078,
        mu: float = 0.4,
        density: float = 600.0,
        gravity: float = 9.81,
        tilt: float = 0.0,
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
