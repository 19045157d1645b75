"""Exams of a back end."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Callable, Literal, NamedTuple, TypedDict, Union

from .control import Payment, ScenarioName
from .start import StartError, _launch

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .flags import Flags

ExamPayment = Literal["open", "paid", "shipped"]
"""What a back end says: nothing paid, paid in its books, or shipped for good."""


class _Payment(TypedDict):
    payment: ExamPayment


class ExamPaid(_Payment, total=False):
    """A payment with the token units that the back end credits, decimal or hex."""

    amount: str


class ExamTransfers(TypedDict):
    """What an indexer lists: transaction, blockHash, from, to and value of each transfer."""

    transfers: list[dict[str, str]]


ExamAnswer = Union[ExamPayment, ExamPaid, ExamTransfers]


class _Question(Payment):
    scenario: ScenarioName
    step: int


class ExamQuestion(_Question, total=False):
    """Which payment a back end is asked about, after a move of a story. One that captures is also told the order, and
    which authorization to capture for it now, with x402's names. An indexer is asked for all transfers of the contract
    from a block on."""

    order: str
    capture: dict[str, str]
    fromBlock: int


class ExamResult(NamedTuple):
    passed: bool
    """Whether the back end passed."""
    report: str
    """A line for each story, with the step that fooled the back end, or the course of accidents that did."""


def exam(
    ask: Callable[[ExamQuestion, str], ExamAnswer],
    *,
    kinds: str | None = None,
    wait: str = "0s",
    patience: str = "0s",
    **flags: Unpack[Flags],
) -> ExamResult:
    """Plays stories move by move on a node of its own, and asks after each move what the back end says of the payment;
    the second argument is the node's URL. The flags are those of start; kinds are the stories' kinds, with commas
    between them. A back end that looks at the chain now and then is asked so long after each move as wait says, and may
    correct a wrong answer as long as patience says, such as "10s". Raises what ask raises, and StartError with what the
    node says when a flag is wrong."""
    own = {"wait": wait, "patience": patience} | ({} if kinds is None else {"kinds": kinds})
    result, failure = _examined("exam", ask, {**flags, **own})
    if failure is not None:
        raise failure
    return result


def explore(
    ask: Callable[[ExamQuestion, str], ExamAnswer],
    *,
    runs: int | None = None,
    for_: str | None = None,
    seed: int = 0,
    depth: int = 3,
    indexer: bool = False,
    captures: bool = False,
    without: str | None = None,
    found: str | None = None,
    wait: str = "0s",
    patience: str = "0s",
    **flags: Unpack[Flags],
) -> ExamResult:
    """Searches for accidents that fool the back end, on a node of its own: the report has the shortest course of them.
    Runs schedules are drawn by seed, 400 by default, or as many as fit into for_, such as "1m"; depth is that of the
    deepest reorg that the back end means to survive, without has names of accidents that do not happen, found is a
    folder of schedules that are played first. An indexer is asked for transfers in place of payments; one that captures
    is handed authorizations, of which each order takes one. The others are those of exam. An ask that raises gives no
    answer. Raises StartError with what the node says when a flag is wrong."""
    own: dict[str, Any] = {"runs": runs, "for": for_, "seed": seed, "depth": depth, "wait": wait, "patience": patience}
    own |= {"indexer": indexer, "captures": captures, "without": without, "found": found}
    return _examined("explore", ask, {**flags, **own})[0]


def _examined(
    command: str, ask: Callable[[ExamQuestion, str], ExamAnswer], flags: dict[str, Any]
) -> tuple[ExamResult, Exception | None]:
    """Runs a command that asks a back end, and returns the first exception of ask."""
    listens = threading.Event()
    url = ""
    failures: list[Exception] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question: ExamQuestion = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            listens.wait()
            try:
                answer = ask(question, url)
                body = json.dumps({"payment": answer} if isinstance(answer, str) else answer).encode()
                self.send_response(200)
            except Exception as failure:
                failures.append(failure)
                body = str(failure).encode()
                self.send_response(500)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, name="fakenode-exam", daemon=True).start()
        with _launch(flags, command, f"http://127.0.0.1:{server.server_port}") as process:
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            url = "http://" + process.stdout.readline().removeprefix("Listening on ").strip()
            listens.set()
            report, complaint = process.stdout.read(), process.stderr.read()
        server.shutdown()
    if process.returncode not in (0, 1) or not report:
        raise StartError(complaint.strip() or f"fakenode ended with exit code {process.returncode}")
    return ExamResult(process.returncode == 0, report), failures[0] if failures else None
