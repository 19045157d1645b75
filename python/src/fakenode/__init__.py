"""A local chain node for tests: start() runs one, Client commands one that runs, and the fixture fakenode of the pytest
plugin is a chain of its own for each test."""

from .binary import binary_path
from .client import Client
from .control import (
    Bridge,
    Call,
    Conclusion,
    Fault,
    Faults,
    FeedFault,
    Flashblock,
    FlashblockFaultResult,
    Forecast,
    ForkComparison,
    Info,
    L1Block,
    Paymaster,
    PaymasterPolicy,
    Profile,
    Progress,
    Proposed,
    ReorgResult,
    ScenarioName,
    Subscription,
    TransactionPlace,
    WorldInfo,
    WorldURLs,
)
from .rpc import HTTPStatusError, NodeError, RpcError
from .start import Fakenode, StartError, start
from .world import Account, World

__all__ = [
    "Account",
    "Bridge",
    "Call",
    "Client",
    "Conclusion",
    "Fakenode",
    "Fault",
    "Faults",
    "FeedFault",
    "Flashblock",
    "FlashblockFaultResult",
    "Forecast",
    "ForkComparison",
    "HTTPStatusError",
    "Info",
    "L1Block",
    "NodeError",
    "Paymaster",
    "PaymasterPolicy",
    "Profile",
    "Progress",
    "Proposed",
    "ReorgResult",
    "RpcError",
    "ScenarioName",
    "StartError",
    "Subscription",
    "TransactionPlace",
    "World",
    "WorldInfo",
    "WorldURLs",
    "binary_path",
    "start",
]
