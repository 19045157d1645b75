"""Where the node's binary is."""

import os
import shutil
from pathlib import Path

_FILE = "fakenode.exe" if os.name == "nt" else "fakenode"


def binary_path() -> str:
    """Returns the path of the node's binary: the one in this package, which the wheel of each platform brings, or the
    one that the variable FAKENODE_BINARY names. Raises FileNotFoundError when there is none; the message says what to
    do."""
    named = os.environ.get("FAKENODE_BINARY", "")
    if named:
        if shutil.which(named) is None:
            raise FileNotFoundError(f"fakenode: FAKENODE_BINARY names {named}, which is no program")
        return named
    packaged = Path(__file__).parent / "bin" / _FILE
    if not packaged.exists():
        raise FileNotFoundError("fakenode: no binary in the package: install a wheel for this platform, or name a binary in FAKENODE_BINARY")
    return str(packaged)
