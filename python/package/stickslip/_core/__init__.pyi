"""Types of the extension module. Units are SI, angles radians; shapes stand behind the names of arrays.

nq, nv and nu are numbers of a robot: coordinates, velocities, and coordinates of joints (what can be driven).
"""

from collections.abc import Sequence

import numpy as np

from .batch import Batch as Batch
from .parts import Body as Body
from .parts import Joint as Joint
from .parts import Recording as Recording
from .parts import Report as Report
from .robot import Robot as Robot
from .world import World as World

__version__: str

CONTACT: np.dtype[np.void]
"""The type of a contact, an entry of :meth:`World.contacts`.

``bodies`` (2,)
    Numbers of the two bodies or links, :attr:`Body.id`; -1 where a contact has none.
``links`` (2,)
    Their numbers among the links of their robots; -1 for what is no link.
``state``
    0 open, 1 sticking, 2 sliding.
``point`` (3,), ``normal`` (3,), ``tangents`` (2, 3)
    Where it is [m], the unit normal from the first body to the second, unit tangents s and t; (normal, s, t) is
    right-handed. World axes.
``gap``
    Gap at the start of the step [m]; negative = penetration.
``force`` (3,)
    Mean force over the step on the **second** body, world axes [N]; the first gets the opposite.
``local_force`` (3,)
    The same along normal, s and t.
``slip_velocity`` (3,)
    Tangential velocity of the second body relative to the first at the end of the step, world axes [m/s].
``friction``
    Coulomb coefficient.
"""

def command(arguments: Sequence[str]) -> int:
    """The command ``stickslip``; gives its exit status."""
