"""Exams of a back end."""

from __future__ import annotations

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING, Any, Callable, Literal, NamedTuple

from .control import Payment, ScenarioName
from .start import StartError, _launch

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from .flags import Flags

ExamAnswer = Literal["open", "paid", "shipped"]
"""What a back end says: nothing paid, paid in its books, or shipped for good."""


class ExamQuestion(Payment):
    """Which payment a back end is asked about, after a move of a story."""

    scenario: ScenarioName
    step: int


class ExamResult(NamedTuple):
    passed: bool
    """Whether all stories are passed."""
    report: str
    """A line for each story, with the step that fooled the back end."""


def exam(ask: Callable[[ExamQuestion, str], ExamAnswer], **flags: Unpack[Flags]) -> ExamResult:
    """Plays stories move by move on a node of its own, and asks after each move what the back end says of the payment;
    the second argument is the node's URL. The flags are those of start; exam_kinds are the stories' kinds. Raises what
    ask raises, and StartError with what the node says when a flag is wrong."""
    listens = threading.Event()
    url = ""
    failures: list[Exception] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            question: ExamQuestion = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            listens.wait()
            try:
                body = json.dumps({"payment": ask(question, url)}).encode()
                self.send_response(200)
            except Exception as failure:
                failures.append(failure)
                body = b""
                self.send_response(500)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, name="fakenode-exam", daemon=True).start()
        with _launch({**flags, "exam": f"http://127.0.0.1:{server.server_port}"}) as process:
            assert process.stdin is not None and process.stdout is not None and process.stderr is not None
            url = "http://" + process.stdout.readline().removeprefix("Listening on ").strip()
            listens.set()
            report, complaint = process.stdout.read(), process.stderr.read()
        server.shutdown()
    if failures:
        raise failures[0]
    if not report.endswith("stories passed\n"):
        raise StartError(complaint.strip() or f"fakenode ended with exit code {process.returncode}")
    return ExamResult(process.returncode == 0, report)
