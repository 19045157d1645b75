"""The control methods of a node, typed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, Sequence

from . import rpc

if TYPE_CHECKING:
    from . import control
    from .control import Numeric


class Client:
    """Commands the network at a URL: the methods fakenode_*, named without the prefix and in snake case, and rpc for
    all others. Members of a parameter are keyword arguments. docs/rpc.md describes each. Safe for threads."""

    def __init__(self, url: str, timeout: float = 300) -> None:
        self.url = url
        """The JSON-RPC endpoint of the network."""
        self.timeout = timeout
        """How long a call may take, in seconds."""

    def rpc(self, method: str, *params: Any) -> Any:
        """Calls a method and returns its result. Raises RpcError when the node answers with an error."""
        return rpc.call(self.url, method, *params, timeout=self.timeout)

    def advance(self, milliseconds: Numeric) -> control.Progress:
        """Moves the clock and makes every flashblock and block that is due on the way."""
        return self._command("advance", milliseconds)

    def blacklist_game(self, index: Numeric) -> str:
        """Takes a game out of what withdrawals on the L1 may rely on, with its next block; returns the hash there."""
        return self._command("blacklistGame", index)

    def bridge(self) -> control.Bridge:
        """Under l1: returns what goes on between the L2 and its L1, and what each withdrawal waits for."""
        return self._command("bridge")

    def bundler_fault(
        self,
        *,
        kind: control.BundlerFaultKind,
        sender: str | None = None,
        count: Numeric | None = None,
        blocks: Numeric | None = None,
        milliseconds: Numeric | None = None,
        limit: Literal["callGasLimit", "verificationGasLimit"] | None = None,
        percent: Numeric | None = None,
    ) -> None:
        """Lets the bundler do something wrong with user operations to come. docs/payments.md says what each kind is,
        and which members it takes."""
        members = _members(kind=kind, sender=sender, count=count, blocks=blocks, milliseconds=milliseconds)
        self._command("bundlerFault", members | _members(limit=limit, percent=percent))

    def calls(self, *, method: str | None = None, since: Numeric | None = None) -> list[control.Call]:
        """Returns the calls that clients made, the oldest first; since is the number of a call, and leaves out all up
        to it."""
        return self._command("calls", _members(method=method, since=since))

    def clear_faults(self) -> None:
        """Ends what set_fault, flashblock_fault, feed_fault, bundler_fault and hold began."""
        self._command("clearFaults")

    def close_world(self, name: str) -> None:
        """Ends a world: its name is free again."""
        self._command("closeWorld", name)

    def compare_forks(
        self,
        *,
        forks: tuple[str, str] | None = None,
        transaction: str | None = None,
        call: list[object] | None = None,
        from_block: Numeric | None = None,
        to_block: Numeric | None = None,
        state_byte_gas: Numeric | None = None,
    ) -> control.ForkComparison:
        """Executes sealed transactions again under two hard forks, osaka and amsterdam by default, and returns what
        each does under both; or a call, the parameters of eth_call."""
        options = _members(
            forks=forks, transaction=transaction, call=call, from_block=from_block, to_block=to_block, state_byte_gas=state_byte_gas,
        )
        return self._command("compareForks", options)

    def console(self, hash: str) -> list[str]:
        """Returns the lines that contracts wrote by console.log in a transaction."""
        return self._command("console", hash)

    def delegate(self, account: str, implementation: str) -> None:
        """Lets an account run the code of an implementation (EIP-7702), or none any more for the zero address."""
        self._command("delegate", account, implementation)

    def deposit(
        self,
        *,
        from_: str,
        to: str | None = None,
        mint: Numeric | None = None,
        value: Numeric | None = None,
        gas: Numeric | None = None,
        data: str | None = None,
    ) -> str:
        """Under rules="op": puts a deposit from L1 at the beginning of the next block that has not begun; returns its
        hash. Amounts are in wei; mint is what from_ gets on L2 before the call, even if the call fails."""
        return self._command("deposit", _members(from_=from_, to=to, mint=mint, value=value, gas=gas, data=data))

    def disconnect(self, *, code: Numeric | None = None, kind: control.SubscriptionKind | Literal["flashblocks"] | None = None) -> int:
        """Cuts WebSocket connections and returns how many; with kind those with such a subscription, or the readers of
        the raw feed. Without code there is no close frame."""
        return self._command("disconnect", _members(code=code, kind=kind))

    def faults(self) -> control.Faults:
        """Returns the faults in force."""
        return self._command("faults")

    def feed_fault(
        self,
        *,
        kind: control.FeedFaultKind,
        nth: Numeric | None = None,
        count: Numeric | None = None,
        bytes: Numeric | None = None,
        code: Numeric | None = None,
    ) -> None:
        """Lets the raw feed go wrong: frames lost, cut short, linked wrongly, out of order, or readers disconnected."""
        self._command("feedFault", _members(kind=kind, nth=nth, count=count, bytes=bytes, code=code))

    def flashblock_fault(
        self,
        *,
        kind: control.FlashblockFaultKind,
        count: Numeric | None = None,
        transactions: Literal["requeue", "gone"] | None = None,
        hashes: Sequence[str] | None = None,
        retract: bool | None = None,
    ) -> control.FlashblockFaultResult:
        """Lets pre-confirmation go wrong: flashblocks lost, transactions left out, logs that change."""
        members = _members(kind=kind, count=count, transactions=transactions, hashes=hashes, retract=retract)
        return self._command("flashblockFault", members)

    def fork_misses(self) -> list[str]:
        """Returns what an offline fork was asked for and its cache file lacks."""
        return self._command("forkMisses")

    def hold(
        self,
        *,
        hashes: Sequence[str] | None = None,
        senders: Sequence[str] | None = None,
        milliseconds: Numeric | None = None,
        blocks: Numeric | None = None,
    ) -> None:
        """Keeps transactions in the pool, for a time on the clock, for so many blocks, or until release: without hashes
        and senders all of them."""
        self._command("hold", _members(hashes=hashes, senders=senders, milliseconds=milliseconds, blocks=blocks))

    def info(self) -> control.Info:
        """Returns version, configuration, clock, head, pending block and pool."""
        return self._command("info")

    def jump(self, milliseconds: Numeric) -> control.Progress:
        """Moves the clock and seals one block there, with no flashblock and no block on the way."""
        return self._command("jump", milliseconds)

    def mint_token(self, address: str, units: Numeric) -> str:
        """Gives an account more units (6 decimals) of the payment token and returns its balance, in hex."""
        return self._command("mintToken", address, units)

    def new_world(
        self,
        *,
        name: str | None = None,
        snapshot: str | None = None,
        owner: str | None = None,
        ttl: Numeric | None = None,
    ) -> control.WorldURLs:
        """Makes a copy of this world, as it is now or as at a snapshot, and returns its URLs. When nobody used it for ttl
        milliseconds it ends."""
        return self._command("newWorld", _members(name=name, snapshot=snapshot, owner=owner, ttl=ttl))

    def operation(self, hash: str) -> control.OperationPlace:
        """Returns where a user operation is, and which fault struck it."""
        return self._command("operation", hash)

    def orphans(self) -> list[control.Orphan]:
        """Returns the blocks that reorgs removed, the highest first."""
        return self._command("orphans")

    def pause_portal(self, paused: bool) -> str:
        """Stops withdrawals on the L1 with its next block, or lets them go on; returns the hash there."""
        return self._command("pausePortal", paused)

    def paymaster(self, policy: control.PaymasterPolicy | None = None) -> control.Paymaster:
        """Decides what the paymaster service sponsors, with {} everything, and what its paymaster has; returns how
        things are. Without a policy nothing changes."""
        return self._command("paymaster", *([] if policy is None else [policy]))

    def preconfirm(self) -> control.Flashblock:
        """Makes one flashblock of what is ready in the pool."""
        return self._command("preconfirm")

    def profile(self, what: str | dict[str, str], block: Numeric | None = None) -> control.Profile:
        """Returns what an executed transaction did, by its hash, or a call would do: gas by function, movements,
        changes, calls."""
        return self._command("profile", what, *([] if block is None else [block]))

    def propose(self, *, number: Numeric | None = None, root: str | None = None) -> control.Proposed:
        """Makes a game on the L1 about a block of the L2, by default the head, with its next block."""
        return self._command("propose", _members(number=number, root=root))

    def release(self) -> int:
        """Ends all holds and returns how many transactions of the pool they held."""
        return self._command("release")

    def reorg(
        self,
        *,
        depth: Numeric,
        length: Numeric | None = None,
        transactions: control.Fate | None = None,
        drop: Sequence[str] | None = None,
        blocks: Sequence[Sequence[str]] | None = None,
        removed_order: Literal["forward", "reverse"] | None = None,
        force: bool | None = None,
        l2_transactions: control.Fate | None = None,
    ) -> control.ReorgResult:
        """Replaces the newest blocks: depth of them by length, which is one more by default. The removed transactions
        are mined again, unless transactions says otherwise; drop has the hashes of those that are lost, blocks raw
        transactions of each new block."""
        members = _members(
            depth=depth,
            length=length,
            transactions=transactions,
            drop=drop,
            blocks=blocks,
            removed_order=removed_order,
            force=force,
            l2_transactions=l2_transactions,
        )
        return self._command("reorg", members)

    def replace_proposal(self, transactions: Literal["requeue", "drop"] = "requeue") -> control.ReorgResult:
        """Replaces the newest block by an empty one in silence, as on Monad; its transactions wait for the next block, or
        are lost."""
        return self._command("replaceProposal", transactions)

    def resolve_game(self, *, index: Numeric, status: Literal["defender", "challenger"] | None = None) -> str:
        """Ends a game on the L1 with its next block, by default for its claim; returns the hash there."""
        return self._command("resolveGame", _members(index=index, status=status))

    def revert(self, id: str, announce: bool = False) -> Literal[True]:
        """Restores a snapshot, which can be used again; announce tells subscribers, as of a reorg."""
        return self._command("revert", id, announce)

    def scenario(
        self,
        name: control.ScenarioName,
        *,
        payer: Numeric | None = None,
        merchant: Numeric | None = None,
        amount: str | None = None,
        depth: Numeric | None = None,
        times: Numeric | None = None,
        step_ms: Numeric | None = None,
    ) -> control.Conclusion:
        """Plays a course of events around one payment and returns what a correct client must conclude. Payer and
        merchant are development accounts by index, 0 and 1 by default; the amount is in dollars, "25.00" by default."""
        return self._command("scenario", name, _members(payer=payer, merchant=merchant, amount=amount, depth=depth, times=times, step_ms=step_ms))

    def scenario_start(self, name: control.ScenarioName, params: dict[str, Any] | None = None) -> int:
        """Begins to tell a scenario move by move, in place of one that is not over yet, and returns its id. Params are
        those of scenario, named as on the wire."""
        return self._command("scenarioStart", name, params or {})

    def scenario_next(self, id: Numeric) -> control.ScenarioMove:
        """Makes the next move of a scenario, and returns what it did to the payment."""
        return self._command("scenarioNext", id)

    def seal(self, blocks: Numeric = 1) -> list[str]:
        """Makes blocks of everything pre-confirmed and everything ready, and returns their hashes."""
        return self._command("seal", blocks)

    def set_fault(
        self,
        *,
        method: str,
        kind: control.SubscriptionKind | None = None,
        nth: Numeric | None = None,
        times: Numeric | None = None,
        where: str | None = None,
        null: bool | None = None,
        latency_ms: Numeric | None = None,
        latency_spread_ms: Numeric | None = None,
        seed: Numeric | None = None,
        error: control.WireError | None = None,
        http_status: Numeric | None = None,
        lose_answer: bool | None = None,
        drop_connection: bool | None = None,
        truncate: Numeric | None = None,
        silent: bool | None = None,
        drop: bool | None = None,
        duplicate: bool | None = None,
        stray: bool | None = None,
        reorder: bool | None = None,
        behind: Numeric | None = None,
        behind_ms: Numeric | None = None,
        branch: Literal["orphaned"] | None = None,
        share: float | None = None,
    ) -> None:
        """Lets calls of a method fail, "*" for all but fakenode_*, or notifications, "eth_subscription". The first
        call that fails is nth, 1 by default; times is how many, 1 by default, -1 for all. Where is a text that a
        parameter of the call has; null answers null. Behind, behind_ms and branch answer as a node that lags; share is
        the part of the calls that is struck."""
        members = _members(
            method=method,
            kind=kind,
            nth=nth,
            times=times,
            where=where,
            null=null,
            latency_ms=latency_ms,
            latency_spread_ms=latency_spread_ms,
            seed=seed,
            error=error,
            http_status=http_status,
            lose_answer=lose_answer,
            drop_connection=drop_connection,
            truncate=truncate,
            silent=silent,
            drop=drop,
            duplicate=duplicate,
            stray=stray,
            reorder=reorder,
            behind=behind,
            behind_ms=behind_ms,
            branch=branch,
            share=share,
        )
        self._command("setFault", members)

    def replica(self, number: Numeric, lag: control.ReplicaLag | None = None) -> control.Replica:
        """Sets how far behind a replica is, counted from 1 (--replicas), and returns that and what it sees; without lag
        nothing changes, {} is not behind."""
        return self._command("replica", number, *([] if lag is None else [lag]))

    def set_finalized(self, block_number: Numeric) -> None:
        """Sets the block that the tag finalized names."""
        self._command("setFinalized", block_number)

    def set_l1(
        self,
        *,
        number: Numeric | None = None,
        timestamp: Numeric | None = None,
        base_fee: Numeric | None = None,
        blob_base_fee: Numeric | None = None,
        base_fee_scalar: Numeric | None = None,
        blob_base_fee_scalar: Numeric | None = None,
        operator_fee_scalar: Numeric | None = None,
        operator_fee_constant: Numeric | None = None,
        da_footprint_gas_scalar: Numeric | None = None,
        batcher_hash: str | None = None,
    ) -> control.L1Block:
        """Under rules="op": changes the L1 block that L2 blocks refer to, and returns all of it. The timestamp is in
        Unix seconds, fees are in wei per gas."""
        members = _members(
            number=number,
            timestamp=timestamp,
            base_fee=base_fee,
            blob_base_fee=blob_base_fee,
            base_fee_scalar=base_fee_scalar,
            blob_base_fee_scalar=blob_base_fee_scalar,
            operator_fee_scalar=operator_fee_scalar,
            operator_fee_constant=operator_fee_constant,
            da_footprint_gas_scalar=da_footprint_gas_scalar,
            batcher_hash=batcher_hash,
        )
        return self._command("setL1", members)

    def set_safe(self, block_number: Numeric) -> None:
        """Sets the block that the tag safe names."""
        self._command("setSafe", block_number)

    def snapshot(self) -> str:
        """Remembers chain, pending block, pool, clock, settings, faults and filters, and returns an id for revert."""
        return self._command("snapshot")

    def subscriptions(self) -> list[control.Subscription]:
        """Returns who subscribes to what."""
        return self._command("subscriptions")

    def transaction(self, hash: str) -> control.TransactionPlace:
        """Returns where a transaction is, why it is not further, and what it does."""
        return self._command("transaction", hash)

    def weather(
        self,
        *,
        of: control.WeatherOf | None = None,
        shape: control.WeatherShape | None = None,
        from_: Numeric | None = None,
        to: Numeric | None = None,
        blocks: Numeric | None = None,
        times: Numeric | None = None,
        values: Sequence[Numeric] | None = None,
    ) -> list[control.Forecast]:
        """Lets a price or limit of the next blocks take a course, in wei per gas or in gas, and returns the courses
        that are not over; without arguments nothing changes."""
        course = _members(of=of, shape=shape, from_=from_, to=to, blocks=blocks, times=times, values=values)
        return self._command("weather", *([course] if course else []))

    def worlds(self) -> list[control.WorldInfo]:
        """Returns the worlds beside the networks at /, the oldest first."""
        return self._command("worlds")

    def _command(self, name: str, *params: Any) -> Any:
        return self.rpc(f"fakenode_{name}", *params)


def _members(**arguments: Any) -> dict[str, Any]:
    """Returns the members of a parameter as the wire names them: from_ is from, latency_ms is latencyMs."""
    return {_camel(name): value for name, value in arguments.items() if value is not None}


def _camel(name: str) -> str:
    first, *rest = name.rstrip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)
