"""The types of what the control methods take and answer. Members are named as on the wire; docs/rpc.md describes them.
Hashes, addresses and other bytes are hex, "0x…"."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict, Union

if TYPE_CHECKING:
    from typing_extensions import NotRequired

Numeric = Union[int, str]
"""A whole number as control methods take it: an int, decimal digits, or hex."""

SubscriptionKind = Literal[
    "logs",
    "newFlashblockTransactions",
    "newFlashblocks",
    "newHeads",
    "newPendingTransactions",
    "pendingLogs",
    "syncing",
    "transactionReceipts",
]
"""The kinds of eth_subscribe."""

ScenarioName = Literal[
    "BundleRevertedByNeighbour",
    "CaptureReorgedOut",
    "CaptureThenReorg",
    "CeilingExceeded",
    "ChannelDepositReorgedOut",
    "ClaimRacesWithdrawal",
    "DeepReorg",
    "DelegationFrontRun",
    "DepositDelayed",
    "DepositReorgedOut",
    "DepositSeenThenLost",
    "FakeToken",
    "FeeSpikeWhileCapturing",
    "FinalizedTooEarly",
    "FlappingHead",
    "GameBlacklisted",
    "HeadGoesBack",
    "LateBlock",
    "LogsNotYetThere",
    "LostPreconfirmation",
    "MemoReorgedOut",
    "NonceFromReplica",
    "NonceOfAnotherPayer",
    "OperationInLostFlashblock",
    "OtherToken",
    "PartialCapturesThenReorg",
    "PaymasterRanDry",
    "PeriodRollover",
    "PermissionRevoked",
    "PermitFrontRun",
    "PhantomLog",
    "PortalPaused",
    "ProposalReplaced",
    "ProvedTwice",
    "ReceiptThenNull",
    "ReclaimRacesCapture",
    "ReplicaOnOrphan",
    "SettledUnseen",
    "ShippedThenReorgedOut",
    "SponsoredThenReorgedOut",
    "StalledPending",
    "VoucherAfterRefund",
    "WithdrawalOverslept",
    "WithdrawalProvenAgainstBadRoot",
]
"""The names of the courses of events that scenario plays. Those of deposits, games and withdrawals need l1."""

FlashblockFaultKind = Literal["drop", "omit", "alterLogs", "duplicate", "stall", "lateBlock", "replace", "lag"]
BundlerFaultKind = Literal["never", "late", "revert", "replace", "twice", "forget", "lie", "underestimate"]
FeedFaultKind = Literal["gap", "wrongLink", "truncate", "reorder", "disconnect"]
Fate = Literal["requeue", "drop", "reverse"]
"""What becomes of removed transactions: mined again in order, lost, or mined in reverse order."""
WeatherOf = Literal["baseFee", "blobBaseFee", "gasLimit", "l1BaseFee", "l1BlobBaseFee"]
WeatherShape = Literal["spike", "ramp", "sawtooth", "list", "calm"]


class Progress(TypedDict):
    """Where the clock and the chain are after advance or jump."""

    timestamp: int
    """The clock, in Unix seconds."""
    timestampMs: int
    blockNumber: int
    """The number of the newest sealed block."""
    flashblockIndex: int | None
    """The index of the newest flashblock of the pending block, None before the first."""


class Flashblock(TypedDict):
    """One pre-confirmed slice of the block being built. Number and index are None when a fault swallowed it."""

    blockNumber: int | None
    index: int | None
    transactions: list[str]


class ReorgResult(TypedDict):
    """What a reorg did, the oldest block first."""

    removed: list[str]
    added: list[str]
    requeued: list[str]
    """Transactions that wait in the pool for a later block."""


class FlashblockFaultResult(TypedDict):
    transactions: list[str]
    """The hashes of the transactions concerned."""
    flashblocks: int
    armed: bool
    """Whether the fault waits for the next seal or flashblock."""


class FeedFault(TypedDict):
    """How the raw feed of flashblocks goes wrong, for all its readers."""

    kind: FeedFaultKind
    nth: NotRequired[int]
    count: NotRequired[int]
    bytes: NotRequired[int]
    code: NotRequired[int]


class WireError(TypedDict):
    """The error of a JSON-RPC answer."""

    code: int
    message: str
    data: NotRequired[Any]


class Fault(TypedDict):
    """How calls of a method, or notifications, fail."""

    method: str
    kind: NotRequired[SubscriptionKind]
    nth: NotRequired[int]
    times: NotRequired[int]
    where: NotRequired[str]
    null: NotRequired[bool]
    latencyMs: NotRequired[int]
    latencySpreadMs: NotRequired[int]
    seed: NotRequired[int]
    error: NotRequired[WireError]
    httpStatus: NotRequired[int]
    loseAnswer: NotRequired[bool]
    dropConnection: NotRequired[bool]
    truncate: NotRequired[int]
    silent: NotRequired[bool]
    behind: NotRequired[int]
    behindMs: NotRequired[int]
    branch: NotRequired[Literal["orphaned"]]
    share: NotRequired[float]
    drop: NotRequired[bool]
    duplicate: NotRequired[bool]
    stray: NotRequired[bool]
    reorder: NotRequired[bool]


class ArmedFlashblockFault(TypedDict):
    kind: FlashblockFaultKind
    count: int


class Hold(TypedDict):
    hashes: list[str]
    senders: list[str]
    milliseconds: NotRequired[int]
    blocks: NotRequired[int]


class Faults(TypedDict):
    """The faults in force, with the times, counts, milliseconds and blocks that are left."""

    calls: list[Fault]
    flashblocks: list[ArmedFlashblockFault]
    feed: list[FeedFault]
    holds: list[Hold]
    operations: list[ArmedBundlerFault]


class Subscription(TypedDict):
    """An open subscription."""

    connection: int
    """The number of its WebSocket connection."""
    id: str
    kind: SubscriptionKind
    option: NotRequired[Any]
    """The second parameter of eth_subscribe."""
    unreadBytes: int
    """How many bytes its connection has not read yet."""
    observer: bool
    """Whether it stays out of the journal."""


class ArmedBundlerFault(TypedDict):
    """Something that the bundler does wrong with operations to come, with the count that is left."""

    kind: BundlerFaultKind
    sender: NotRequired[str]
    count: int
    blocks: NotRequired[int]
    milliseconds: NotRequired[int]
    limit: NotRequired[Literal["callGasLimit", "verificationGasLimit"]]
    percent: NotRequired[int]


class OperationPlace(TypedDict):
    """Where a user operation is, why it is not further, and what struck it."""

    where: Literal["pool", "preconfirmed", "sealed", "orphaned", "dropped", "unknown"]
    reason: NotRequired[str]
    transactionHash: NotRequired[str]
    """Of the bundle."""
    blockHash: NotRequired[str]
    fault: NotRequired[BundlerFaultKind]


class Orphan(TypedDict):
    """A block that a reorg removed."""

    number: int
    hash: str


class NamedEvent(TypedDict):
    """A log by name."""

    logIndex: int
    contract: NotRequired[str]
    text: str


class TransactionPlace(TypedDict):
    """Where a transaction is, why it is not further, and what it does where its contracts have names."""

    where: Literal["pool", "preconfirmed", "sealed", "orphaned", "dropped", "unknown"]
    reason: NotRequired[str]
    blockHash: NotRequired[str]
    contract: NotRequired[str]
    call: NotRequired[str]
    events: NotRequired[list[NamedEvent]]
    note: NotRequired[str]
    """Why the outcome depends on the variant of the payment token."""


class Call(TypedDict):
    """A call that a client made."""

    number: int
    """Counts the calls of the network, from 1."""
    method: str
    params: Any
    timestampMs: int
    """When it arrived, in Unix time."""
    durationUs: int
    error: NotRequired[WireError]
    view: NotRequired[str]
    """Which replica, and from how far behind, answered; without it the node as it is now."""


class Payment(TypedDict):
    """A payment of a scenario."""

    transaction: str
    contract: str
    """What the payer signed for: the token, or a contract of docs/payments.md."""
    payer: str
    nonce: str
    """The payment's name on the contract."""
    merchant: str
    value: str
    """The payment in token units (6 decimals)."""


class Conclusion(Payment):
    """What a correct client must conclude from a scenario once it is over."""

    scenario: str
    statement: str
    settled: bool
    """Whether the transaction is in the chain and moved its money."""
    received: str
    """What the merchant got in all, in token units."""
    blockHash: str
    blockNumber: int
    orphans: list[str]


class ScenarioMove(TypedDict):
    """A move of a scenario that is told move by move."""

    step: int
    """Counts the moves from 1."""
    did: str
    """What it did to the payment; at the end, the conclusion's statement."""
    done: bool
    conclusion: NotRequired[Conclusion]
    """There once it is done."""


class Proposed(TypedDict):
    """A claim about the L2's state that was sent to the L1."""

    number: str
    """Of the L2's block."""
    root: str
    transactionHash: str
    """On the L1."""


PaymasterSignature = Literal["valid", "wrong", "expired", "early"]
"""A kind of signatures: no EntryPoint takes an operation with another one than a valid one."""


class PaymasterPolicy(TypedDict, total=False):
    """What the paymaster service sponsors: nothing given is no limit. Amounts are in wei."""

    deny: list[str]
    """Senders whose operations are refused."""
    maxCost: Numeric
    """What one operation may cost at most."""
    budget: Numeric
    """What all operations may cost, those counted in that the paymaster has paid for."""
    validFor: Numeric
    """How long a signature is good, in seconds."""
    signature: PaymasterSignature
    """"valid" by default."""
    exchangeRate: Numeric
    """What an ether costs accounts that pay in a token, in token units: 3,000,000,000 by default."""
    deposit: Numeric
    """What the paymaster has at every EntryPoint from now on."""


class PaymasterDeposit(TypedDict):
    entryPoint: str
    deposit: str


class Paymaster(TypedDict):
    """The paymaster, and what its service sponsors."""

    address: str
    signer: str
    deny: list[str]
    maxCost: NotRequired[str]
    budget: NotRequired[str]
    validFor: NotRequired[int]
    signature: PaymasterSignature
    exchangeRate: str
    """In token units an ether."""
    deposits: list[PaymasterDeposit]
    """With what is pre-confirmed."""


class BridgeDeposit(TypedDict):
    """A deposit in a block of the L1. Amounts are in wei."""

    l1TransactionHash: str
    l1BlockHash: str
    l1BlockNumber: int
    to: str | None
    """None: it creates a contract."""
    mint: str
    value: str
    transactionHash: str
    """On the L2, whether it is there already or not."""
    derived: bool
    blockHash: str | None
    """None: it is not derived yet, or pre-confirmed."""
    blockNumber: int | None
    succeeded: bool | None


BridgeWait = TypedDict(
    "BridgeWait",
    {"for": Literal["game", "maturity", "resolution", "finality", "unpause"], "until": Union[int, None]},
)
"""What a withdrawal waits for; until is None where that is not a matter of time."""


class BridgeWithdrawal(TypedDict):
    """A withdrawal in a block of the L2. The amount is in wei."""

    withdrawalHash: str
    transactionHash: str
    blockHash: str
    blockNumber: int
    sender: str
    target: str
    value: str
    status: Literal["waiting-to-prove", "ready-to-prove", "waiting-to-finalize", "ready-to-finalize", "finalized"]
    waits: list[BridgeWait]
    game: int | None
    """The game of its proof, or one by which it can be proven."""
    provenAt: int | None
    prover: str | None
    l1TransactionHash: str | None
    """Of its payment."""
    succeeded: bool | None
    """Whether the call that its payment made succeeded."""


class BridgeGame(TypedDict):
    """A claim about the L2's state on the L1."""

    index: int
    address: str
    rootClaim: str
    blockNumber: int
    """Of the L2 block that it is about."""
    status: Literal["inProgress", "challenger", "defender"]
    right: bool
    """Whether the claim is so of the L2 as it is now."""
    blacklisted: bool
    retired: bool
    createdAt: int
    resolvedAt: int | None


class BridgeOrigin(TypedDict):
    """A block of the L1 with the blocks of the L2 that refer to it."""

    hash: str
    number: int
    firstBlock: int
    lastBlock: int


class Forecast(TypedDict):
    """A course of a price or limit that is not over."""

    of: WeatherOf
    shape: WeatherShape
    to: NotRequired[str]
    values: NotRequired[list[str]]
    blocks: int
    firstBlock: int
    lastBlock: int | None
    """None: it goes on until it is replaced."""


class ReplicaLag(TypedDict, total=False):
    """How far behind a replica is, in blocks and in milliseconds of the node's clock: always, and drawn by seed."""

    behind: Numeric
    behindMs: Numeric
    jitter: Numeric
    jitterMs: Numeric
    stuck: Numeric
    """For how many blocks it stands still now and then."""
    orphaned: Numeric
    """For how many blocks after a reorg it stays on the branch that was removed."""
    seed: Numeric


class Replica(TypedDict):
    """A replica, and the head and pending block that it sees."""

    replica: int
    behind: int
    behindMs: int
    jitter: int
    jitterMs: int
    stuck: int
    orphaned: int
    seed: int
    blockNumber: int
    blockHash: str
    flashblockIndex: int | None
    """None without a flashblock."""


class L1Block(TypedDict):
    """The L1 block that L2 blocks refer to: all members are hex, fees in wei per gas."""

    number: str
    timestamp: str
    baseFee: str
    blobBaseFee: str
    baseFeeScalar: str
    blobBaseFeeScalar: str
    operatorFeeScalar: str
    operatorFeeConstant: str
    daFootprintGasScalar: str
    batcherHash: str
    hash: str


class WorldURLs(TypedDict):
    """A pair of networks of its own in a running node. Those of an L1 are there with the option l1."""

    name: str
    chainId: int
    url: str
    webSocketUrl: str
    testnetUrl: str
    testnetWebSocketUrl: str
    l1Url: NotRequired[str]
    l1WebSocketUrl: NotRequired[str]


class WorldInfo(TypedDict):
    """A world as a node lists it."""

    name: str
    blockNumber: int
    """The number of its newest block, as of the last request to it."""
    clients: int
    """How many WebSockets are open."""
    createdMs: int
    """When it was made, in Unix time."""
    owner: NotRequired[str]
    ttl: NotRequired[int]
    """Milliseconds after which it ends when nobody uses it."""


class Head(TypedDict):
    number: int
    hash: str
    timestamp: int


class Bridge(TypedDict):
    """What goes on between an L2 and its L1: the newest of each kind, the last one first. Times are Unix seconds."""

    l1: Head
    l2: Head
    paused: bool
    """Whether withdrawals are stopped."""
    deposits: list[BridgeDeposit]
    withdrawals: list[BridgeWithdrawal]
    games: list[BridgeGame]
    origins: list[BridgeOrigin]


class NodeConfig(TypedDict):
    seal: Literal["interval", "manual", "instant"]
    order: Literal["fifo", "fees", "sender"]
    compat: Literal["spec", "geth"]
    blockTimeMs: int
    flashblockTimeMs: int
    """0: flashblocks come on command only."""
    preconf: bool
    token: NotRequired[Literal["strict", "documented"]]
    """The variant of the payment token; absent where there is none or another chain's."""


class Clock(TypedDict):
    timestamp: int
    timestampMs: int
    real: bool


class PendingBlock(TypedDict):
    number: int
    timestamp: int
    flashblockIndex: int | None
    transactions: int


class Pool(TypedDict):
    pending: int
    queued: int


class ForkPoint(TypedDict):
    url: str
    chainId: int
    number: int
    hash: str
    requests: int


class Info(TypedDict):
    """The node as it is: configuration, clock, head, pending block and pool."""

    version: str
    chainId: int
    config: NodeConfig
    clock: Clock
    head: Head
    safe: int
    finalized: int
    pending: PendingBlock
    pool: Pool
    fork: NotRequired[ForkPoint]
    """What the network was forked from; absent where it is no fork."""
    codeless: NotRequired[list[str]]
    """Addresses without code that transactions with data went to, most likely by mistake."""


class FunctionGas(TypedDict):
    address: str
    contract: NotRequired[str]
    delegate: NotRequired[str]
    """The account whose code it is, where this one delegates to another (EIP-7702)."""
    function: str
    calls: int
    gas: int
    totalGas: int


class Profile(TypedDict):
    """What a transaction or call did. Gas is plain, amounts and values are hex."""

    transaction: str | None
    """None for a call."""
    error: NotRequired[str]
    """Why it failed."""
    gasUsed: int
    """That of the receipt: intrinsicGas, floorGas and the gas of all functions, less refundedGas."""
    intrinsicGas: int
    refundedGas: int
    floorGas: int
    functions: list[FunctionGas]
    """Those with the most gas of their own first."""
    movements: list[dict[str, Any]]
    """Of ether, where token is None, and of tokens."""
    accounts: list[dict[str, Any]]
    """Accounts that changed."""
    calls: dict[str, Any]


class ForkOutcome(TypedDict):
    """What a transaction does under one hard fork. Gas before refunds by kind is there from amsterdam on."""

    status: Literal["success", "failed", "rejected"]
    reason: NotRequired[str]
    gasUsed: int
    executionGas: NotRequired[int]
    stateGas: NotRequired[int]
    gasNeeded: NotRequired[int]
    """The smallest gas limit that would do."""
    logs: list[dict[str, Any]]


class ForkFinding(TypedDict):
    """An assumption that does not hold under the second fork."""

    name: str
    level: Literal["info", "warning", "error"]
    calls: list[str]
    """From the transaction's own call to the one in question, such as "Hook.onPaid(uint256)"."""
    reason: NotRequired[str]
    """The error under the second fork."""
    gas: list[dict[str, int]]
    """The limit and use of the last of calls, and by kind of its transaction, in the order of forks."""
    do: str
    """What to do about it."""


class ComparedTransaction(TypedDict):
    hash: str
    block: int
    index: int
    to: str | None
    gasLimit: int
    differs: list[str]
    """Of status, gas and logs."""
    outcomes: list[ForkOutcome]
    """In the order of forks."""
    findings: list[ForkFinding]
    """The assumptions that no longer hold."""


class ForkComparison(TypedDict):
    """Transactions that do not do the same under two hard forks."""

    forks: list[str]
    compared: int
    breaks: int
    """How many succeed under the first fork alone."""
    transactions: list[ComparedTransaction]
