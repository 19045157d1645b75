"""Chains of their own in one running node."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Iterator

from .client import Client

if TYPE_CHECKING:
    from .control import WorldURLs


@dataclass(frozen=True)
class Account:
    """An account that the node funds and signs for."""

    address: str
    private_key: str


@dataclass(frozen=True)
class Genesis:
    """What all chains of a node have in common."""

    chain_id: int
    accounts: tuple[Account, ...]
    token: str | None
    token_owner: Account


class World(Client):
    """A pair of networks of its own in a running node. Commands go to the main network; Client(world.testnet_url) is
    for the other."""

    def __init__(self, urls: WorldURLs, genesis: Genesis) -> None:
        super().__init__(urls["url"])
        self.name = urls["name"]
        """"" is the world at /."""
        self.websocket_url = urls["webSocketUrl"]
        self.testnet_url = urls["testnetUrl"]
        self.testnet_websocket_url = urls["testnetWebSocketUrl"]
        self.l1_url = urls.get("l1Url")
        """The L1 below the main network, with the option l1, else None."""
        self.l1_websocket_url = urls.get("l1WebSocketUrl")
        self._genesis = genesis

    @property
    def chain_id(self) -> int:
        """The chain id of the main network."""
        return self._genesis.chain_id

    @property
    def accounts(self) -> tuple[Account, ...]:
        """The development accounts."""
        return self._genesis.accounts

    @property
    def token(self) -> str | None:
        """The address of the payment token, None when the genesis has none."""
        return self._genesis.token

    @property
    def token_owner(self) -> Account:
        """The account that mints, pauses and blacklists."""
        return self._genesis.token_owner

    @contextmanager
    def world(self, *, name: str | None = None, snapshot: str | None = None) -> Iterator[World]:
        """Makes a copy of this world, as it is now or as at a snapshot, that lasts as long as the with statement."""
        copy = World(self.new_world(name=name, snapshot=snapshot), self._genesis)
        try:
            yield copy
        finally:
            self.close_world(copy.name)
