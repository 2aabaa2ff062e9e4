"""The command ``stickslip``, the same program as the Rust one."""

import signal
import sys

from ._core import command


def main() -> int:
    """Runs the command with the arguments of this process."""
    # Ctrl-C is the command's own to handle; Python's handler would wait for the command to end.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return command(["stickslip", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
