"""Running the node."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import IO, TYPE_CHECKING, Any

from .binary import binary_path
from .world import Account, Genesis, World

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .control import WorldURLs
    from .flags import Flags


class StartError(Exception):
    """The node did not start; the message is what it said."""


class Fakenode(World):
    """A running node: its world at /, and the process."""

    def __init__(self, process: subprocess.Popen[str], log: _Log, config: dict[str, Any]) -> None:
        main, testnet, l1 = config["main"], config["testnet"], config.get("l1")
        genesis = Genesis(
            chain_id=main["chainId"],
            accounts=tuple(_account(account) for account in config["accounts"]),
            token=main["token"],
            token_owner=_account(config["tokenOwner"]),
        )
        urls: WorldURLs = {
            "name": "",
            "chainId": main["chainId"],
            "url": main["url"],
            "webSocketUrl": main["webSocketUrl"],
            "testnetUrl": testnet["url"],
            "testnetWebSocketUrl": testnet["webSocketUrl"],
        }
        if l1 is not None:
            urls["l1Url"], urls["l1WebSocketUrl"] = l1["url"], l1["webSocketUrl"]
        super().__init__(urls, genesis)
        self._process, self._log = process, log

    @property
    def pid(self) -> int:
        """The id of the process, for a signal."""
        return self._process.pid

    def stop(self) -> None:
        """Ends the process and returns once it is gone. Stopping again does nothing."""
        self._process.terminate()
        self._process.wait()
        self._log.end()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()

    def __enter__(self) -> Fakenode:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()


def start(**flags: Unpack[Flags]) -> Fakenode:
    """Starts a node on a free port whose clock stands still: blocks are sealed on command, unless seal or the preset
    says otherwise. Errors of calls that revert have the reason, unless compat says otherwise.

    The flags are those of the command line with "_" for "-", which --help describes: start(seal="instant",
    block_time="500ms"). A list repeats a flag. The node ends with this process, also when that is killed. Raises
    StartError with what the node says when a flag is wrong or the port is taken."""
    with tempfile.TemporaryDirectory(prefix="fakenode-") as folder:
        config = Path(folder, "node.json")
        process = _launch({**flags, "config_out": str(config)})
        assert process.stdout is not None and process.stderr is not None
        log = _Log(process.stderr)
        if not process.stdout.readline():  # that it listens
            process.wait()
            raise StartError(log.whole() or f"fakenode ended with exit code {process.returncode}")
        log.pass_on()
        return Fakenode(process, log, json.loads(config.read_text(encoding="utf-8")))


def _launch(flags: dict[str, Any], *command: str) -> subprocess.Popen[str]:
    """Runs the program, or a command of it, with the flags and what start sets where they do not."""
    given = {"port": 0, **_defaults(flags.get("preset")), **flags, "quiet": True, "exit_with_stdin": True}
    return subprocess.Popen(
        [binary_path(), *command, *_arguments(given)],
        stdin=subprocess.PIPE,  # which ends with this process, and the node with it
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
    )


def _defaults(preset: Any) -> dict[str, Any]:
    """Returns what start sets where the flags do not. A preset that imitates another dev node brings its own."""
    if (preset or os.environ.get("FAKENODE_PRESET")) in ("anvil", "hardhat"):
        return {}
    return {"seal": "manual", "compat": "geth"}


def _arguments(flags: dict[str, Any]) -> list[str]:
    """Returns the command line of flags: {"block_time": "2s", "import_": "chain.rlp", "no_preconf": True} is
    --block-time=2s --import=chain.rlp --no-preconf=true."""
    arguments = []
    for name, value in flags.items():
        for one in value if isinstance(value, (list, tuple)) else [] if value is None else [value]:
            text = str(one).lower() if isinstance(one, bool) else str(one)
            arguments.append(f"--{name.rstrip('_').replace('_', '-')}={text}")
    return arguments


def _account(account: dict[str, str]) -> Account:
    return Account(account["address"], account["privateKey"])


class _Log:
    """What the node writes to stderr: kept until it serves, then passed on line by line to sys.stderr as it is by then,
    so that pytest shows it with the test."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._kept: list[str] | None = []
        self._thread = threading.Thread(target=self._follow, name="fakenode-log", daemon=True)
        self._thread.start()

    def pass_on(self) -> None:
        """Writes what was kept, and all that comes later."""
        with self._lock:
            kept, self._kept = self._kept, None
        for line in kept or []:
            sys.stderr.write(line)

    def whole(self) -> str:
        """Returns all that a node wrote that has ended before it served."""
        self.end()
        return "".join(self._kept or []).strip()

    def end(self) -> None:
        """Waits until all is read of a node that has ended."""
        self._thread.join()

    def _follow(self) -> None:
        with self._stream:
            for line in self._stream:
                with self._lock:
                    if self._kept is not None:
                        self._kept.append(line)
                        continue
                sys.stderr.write(line)
