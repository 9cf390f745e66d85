"""Elastic bodies of finite elements and contacts of their nodes."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._model import InteractionId, Law, Model, SystemId
from ._types import Array

class Mesh:
    """Finite elements: nodes, one per row, and the nodes of each element."""

    def __init__(self, kind: str, nodes: ArrayLike, elements: ArrayLike) -> None: ...
    @property
    def kind(self) -> str: ...
    @property
    def nodes(self) -> Array: ...
    @property
    def elements(self) -> NDArray[np.int32]: ...
    def nodes_on(self, axis: int, value: float) -> list[int]: ...

def box_mesh(
    kind: str, lengths: ArrayLike, divisions: Sequence[int], *, origin: ArrayLike | None = None
) -> Mesh: ...

class ElasticBody:
    """An elastic body of finite elements:  M q'' + C q' + F(q) = weight + p."""

    def __init__(
        self,
        mesh: Mesh,
        *,
        young: float = 1.0,
        poisson: float = 0.0,
        density: float = 1.0,
        section: float = 1.0,
        plane_stress: bool = False,
        finite_strains: bool = False,
        lumped: bool = False,
        damping_mass: float = 0.0,
        damping_stiffness: float = 0.0,
        gravity: ArrayLike | None = None,
        held: Sequence[int] | None = None,
        motion: Callable[[float, Array], ArrayLike] | None = None,
    ) -> None: ...
    @property
    def mesh(self) -> Mesh: ...
    @property
    def dof(self) -> int: ...
    @property
    def held(self) -> list[int]: ...
    def mass(self) -> float: ...
    def mass_matrix(self) -> Any: ...
    def stiffness_matrix(self) -> Any: ...
    def weight(self) -> Array: ...
    def dofs(self, nodes: Sequence[int], axis: int = -1) -> list[int]: ...
    def stresses(self, q: ArrayLike) -> Array: ...

def link_plane(
    model: Model,
    system: SystemId,
    body: ElasticBody,
    nodes: Sequence[int],
    normal: ArrayLike,
    offset: float,
    law: Law,
    *,
    name: str = "plane",
) -> list[InteractionId]: ...
def link_sides(
    model: Model,
    system: SystemId,
    body: ElasticBody,
    nodes: Sequence[int],
    other: SystemId,
    other_body: ElasticBody,
    other_nodes: Sequence[int],
    normal: ArrayLike,
    law: Law,
    *,
    name: str = "sides",
) -> list[InteractionId]: ...
