"""The command fakenode, also as python -m fakenode."""

import os
import subprocess
import sys

from .binary import binary_path


def main() -> int:
    """Runs the binary in this process's place: the same arguments, streams, signals and exit code."""
    try:
        path = binary_path()
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    if sys.platform == "win32":  # which cannot replace a process: Ctrl+C reaches both
        child = subprocess.Popen([path, *sys.argv[1:]])
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                pass
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
