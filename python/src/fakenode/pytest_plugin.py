"""The fixtures that pytest finds once the package is installed."""

from __future__ import annotations

from typing import Any, Iterator

import pytest

from .start import Fakenode, start
from .world import World


@pytest.fixture(scope="session")
def fakenode_flags() -> dict[str, Any]:
    """The flags of the node, as start takes them: none. A conftest.py may have a fixture of this name in its place."""
    return {}


@pytest.fixture(scope="session")
def fakenode_process(fakenode_flags: dict[str, Any]) -> Iterator[Fakenode]:
    """The node of this session, one for each process of pytest-xdist. What is done to it before a test, every later
    test sees."""
    with start(**fakenode_flags) as node:
        yield node


@pytest.fixture
def fakenode(fakenode_process: Fakenode) -> Iterator[World]:
    """A chain of its own for the test, a copy of the node's at the start, that is gone after it."""
    with fakenode_process.world() as world:
        yield world
