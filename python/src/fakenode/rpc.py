"""JSON-RPC over HTTP, with the standard library alone."""

import json
import urllib.error
import urllib.request
from typing import Any

# Without the proxy of the environment: a node of tests is on this machine.
_opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


class NodeError(Exception):
    """What a node answers in place of a result."""


class RpcError(NodeError):
    """The error of a JSON-RPC answer."""

    def __init__(self, method: str, code: int, message: str, data: Any = None) -> None:
        super().__init__(f"{method}: {message}")
        self.method = method
        self.code = code
        """The code, such as -32602 for a parameter that is wrong."""
        self.data = data
        """What the node adds to the message, such as the data of a revert."""


class HTTPStatusError(NodeError):
    """An answer that is no JSON-RPC, such as that of a fault with an HTTP status."""

    def __init__(self, method: str, status: int, body: str) -> None:
        super().__init__(f"{method}: HTTP {status}: {body.strip()}")
        self.method = method
        self.status = status


def call(url: str, method: str, *params: Any, timeout: float) -> Any:
    """Calls a method of a node and returns its result. Raises RpcError when the node answers with an error, and
    TimeoutError or another OSError when no answer comes within timeout, in seconds."""
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()
    request = urllib.request.Request(url, body, {"Content-Type": "application/json"})
    try:
        with _opener.open(request, timeout=timeout) as response:
            answer = json.load(response)
    except urllib.error.HTTPError as refused:
        raise HTTPStatusError(method, refused.code, refused.read().decode(errors="replace")) from None
    if "error" in answer:
        error = answer["error"]
        raise RpcError(method, error["code"], error["message"], error.get("data"))
    return answer["result"]
