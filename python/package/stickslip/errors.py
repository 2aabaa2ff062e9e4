"""The exceptions of stickslip: one family, below :class:`StickslipError`."""


class StickslipError(Exception):
    """Whatever stickslip refuses. A refused call leaves its world as it was."""


class InputError(StickslipError, ValueError):
    """A shape, number or combination that makes no sense; the message says what and where."""


class UnknownNameError(StickslipError, LookupError):
    """A name that is not there; the message has the nearest ones."""


class RemovedError(StickslipError):
    """A body, robot or joint that was removed from its world."""


class RobotFileError(StickslipError):
    """A robot file that can't be read or placed; the message names file, link and joint."""


class StepError(StickslipError, RuntimeError):
    """A step that was refused."""


class BusyError(StickslipError, RuntimeError):
    """A world that another thread is using."""


class RecordingError(StickslipError, OSError):
    """A recording that can't be written."""


class InternalError(StickslipError, RuntimeError):
    """A defect of stickslip (a panic in Rust). The world is out of use until a state is restored into it."""


class RobotFileWarning(UserWarning):
    """What the loader repaired, assumed or left out of a robot file, with the line."""
