"""Types shared by the stubs."""

from os import PathLike
from typing import Any, ClassVar, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Array: TypeAlias = NDArray[np.float64]
SparseMatrix: TypeAlias = Any  # of scipy.sparse
MatrixLike: TypeAlias = ArrayLike | SparseMatrix
Path: TypeAlias = str | PathLike[str]

class Error(ValueError):
    """A caller's mistake: the text says where, what was given and what was expected."""

class _Options:
    """Fields are given by name and are attributes; values are compared field by field."""

    def __eq__(self, other: object) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
