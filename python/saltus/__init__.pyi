"""Types of the package saltus, by topic in the stubs beside this one.

What things mean is in the docstrings: help(saltus).
"""

from ._algorithms import *
from ._algorithms_friction import *
from ._algorithms_nonlinear import *
from ._analysis import *
from ._circuits import *
from ._elastic import *
from ._formalisms import *
from ._friction import *
from ._inclusions import *
from ._mechanics import *
from ._model import *
from ._problems import *
from ._programs import *
from ._schemes import *
from ._sets import *
from ._simulation import *
from ._types import *

from . import friction as friction

__version__: str
