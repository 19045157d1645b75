/** Bytes in hex, such as the hash of a block: "0x…". */
export type Hex = `0x${string}`;

/** A whole number as control methods take it: a plain number, a bigint, decimal digits, or hex. */
export type Numeric = number | bigint | string;

/** Where the clock and the chain are after `advance` or `jump`. */
export interface Progress {
  /** The clock, in Unix seconds. */
  timestamp: number;
  timestampMs: number;
  /** The number of the newest sealed block. */
  blockNumber: number;
  /** The index of the newest flashblock of the pending block, null before the first. */
  flashblockIndex: number | null;
}

/** One pre-confirmed slice of the block being built. Number and index are null when a fault swallowed it. */
export interface Flashblock {
  blockNumber: number | null;
  index: number | null;
  transactions: Hex[];
}

/** A reorg: the newest blocks are replaced. */
export interface ReorgOptions {
  /** How many blocks are removed. */
  depth: Numeric;
  /** How many blocks replace them: one more than depth by default. */
  length?: Numeric;
  /** What becomes of the removed transactions: mined again in order (the default), lost, or mined in reverse order. */
  transactions?: "requeue" | "drop" | "reverse";
  /** Hashes of removed transactions that are lost. */
  drop?: Hex[];
  /** Raw transactions of each new block. */
  blocks?: Hex[][];
  /** The order in which subscribers receive the removed logs. */
  removedOrder?: "forward" | "reverse";
  /** Allows a reorg below the finalized block. */
  force?: boolean;
  /** On an L1: what becomes of the transactions of the L2 whose blocks go with it, mined again by default. */
  l2Transactions?: "requeue" | "drop" | "reverse";
}

/** What a reorg did, the oldest block first. */
export interface ReorgResult {
  removed: Hex[];
  added: Hex[];
  /** Transactions that wait in the pool for a later block. */
  requeued: Hex[];
}

/** What goes wrong with pre-confirmation. docs/rpc.md says which members go with which kind. */
export interface FlashblockFault {
  kind: "drop" | "omit" | "alterLogs" | "duplicate" | "stall" | "lateBlock" | "replace" | "lag";
  count?: Numeric;
  transactions?: "requeue" | "gone";
  hashes?: Hex[];
  retract?: boolean;
}

export interface FlashblockFaultResult {
  /** The hashes of the transactions concerned. */
  transactions: Hex[];
  flashblocks: number;
  /** Whether the fault waits for the next seal or flashblock. */
  armed: boolean;
}

/** How the raw feed of flashblocks goes wrong, for all its readers. docs/flashblocks.md says what each kind does. */
export interface FeedFault {
  kind: "gap" | "wrongLink" | "truncate" | "reorder" | "disconnect";
  /** The first frame that is struck, counted from 1. */
  nth?: Numeric;
  /** How many in a row: 1 by default. */
  count?: Numeric;
  /** What is left of a frame of truncate: half of it by default. */
  bytes?: Numeric;
  /** The code of the close frame of disconnect: none by default. */
  code?: Numeric;
}

/** What a transaction or call did. Gas is plain, amounts and values are hex. Names are there where `--artifacts` has them. */
export interface Profile {
  /** Null for a call. */
  transaction: Hex | null;
  /** Why it failed. */
  error?: string;
  /** That of the receipt: intrinsicGas, floorGas and the gas of all functions, less refundedGas. */
  gasUsed: number;
  intrinsicGas: number;
  refundedGas: number;
  floorGas: number;
  /** Those with the most gas of their own first. */
  functions: (ProfiledAccount & { function: string; calls: number; gas: number; totalGas: number })[];
  /** Of ether, where token is null, and of tokens. */
  movements: { token: Hex | null; contract?: string; from: Hex; to: Hex; amount: Hex; id?: Hex }[];
  /** Accounts that changed. */
  accounts: (ProfiledAccount & {
    balance?: { from: Hex; to: Hex };
    nonce?: { from: Hex; to: Hex };
    code?: boolean;
    storage?: { slot: Hex; name: string; from: Hex; to: Hex }[];
  })[];
  calls: ProfiledCall;
}

/** An account, and whose code it has. */
export interface ProfiledAccount {
  address: Hex;
  contract?: string;
  /** The account whose code it is, where this one delegates to another (EIP-7702). */
  delegate?: Hex;
}

/** A call with all below it. */
export interface ProfiledCall {
  /** As the EVM names it, such as "CALL". */
  op: string;
  from: Hex;
  to: Hex;
  contract?: string;
  /** The account whose code it is, where to delegates to another (EIP-7702). */
  delegate?: Hex;
  /** In words, such as "deposit(amount: 5)", or the data in hex. */
  text: string;
  value?: Hex;
  /** With the calls below. */
  gas: number;
  result?: string;
  error?: string;
  steps?: { call?: ProfiledCall; event?: ProfiledAccount & { text: string }; console?: string }[];
}

/** What takes a course: wei per gas or blob gas, or gas. Those of L1 are under --rules op. */
export type WeatherOf = "baseFee" | "blobBaseFee" | "gasLimit" | "l1BaseFee" | "l1BlobBaseFee";

/** The course of a price or limit over the next blocks. docs/rpc.md says what each shape is. */
export type Weather =
  | {
      of: WeatherOf;
      shape: "spike" | "ramp" | "sawtooth";
      /** The present value by default. */
      from?: Numeric;
      to: Numeric;
      /** From one end to the other, at least 2. */
      blocks: Numeric;
      /** 1 by default, for sawtooth -1: until it is replaced. */
      times?: Numeric;
    }
  | { of: WeatherOf; shape: "list"; values: Numeric[]; times?: Numeric }
  | { of: WeatherOf; shape: "calm" };

/** A course that is not over. */
export interface Forecast {
  of: WeatherOf;
  shape: "spike" | "ramp" | "sawtooth" | "list";
  from?: Hex;
  to?: Hex;
  values?: Hex[];
  blocks: number;
  firstBlock: number;
  /** Null: it goes on until it is replaced. */
  lastBlock: number | null;
}

/** How far behind a replica is. An empty object: not at all. */
export interface ReplicaLag {
  /** Blocks, 64 at most with jitter and stuck. */
  behind?: Numeric;
  /** By the node's clock, 300,000 at most with jitterMs. */
  behindMs?: Numeric;
  /** How many more blocks at most, drawn for each block. */
  jitter?: Numeric;
  /** How much longer at most, drawn. */
  jitterMs?: Numeric;
  /** For how many blocks it stands still now and then. */
  stuck?: Numeric;
  /** For how many blocks after a reorg it stays on the branch that was removed. */
  orphaned?: Numeric;
  /** Draws the others. The replica's own by default. */
  seed?: Numeric;
}

/** A replica, and the head and pending block that it sees. */
export interface Replica {
  replica: number;
  behind: number;
  behindMs: number;
  jitter: number;
  jitterMs: number;
  stuck: number;
  orphaned: number;
  seed: number;
  blockNumber: number;
  blockHash: Hex;
  /** Null without a flashblock. */
  flashblockIndex: number | null;
}

/** Something that the bundler does wrong with operations to come. docs/payments.md says what each kind is. */
export type BundlerFault = {
  /** Whose operations are struck: everybody's by default. */
  sender?: Hex;
  /** How many: 1 by default. */
  count?: Numeric;
} & (
  | { kind: "never" | "revert" | "replace" | "twice" | "forget" }
  | { kind: "late"; blocks?: Numeric; milliseconds?: Numeric }
  | { kind: "lie"; blocks?: Numeric }
  | { kind: "underestimate"; limit?: "callGasLimit" | "verificationGasLimit"; percent?: Numeric }
);

/** Where a user operation is, why it is not further, and what struck it. */
export interface OperationPlace {
  where: TransactionPlace["where"];
  reason?: string;
  /** Of the bundle. */
  transactionHash?: Hex;
  blockHash?: Hex;
  fault?: BundlerFault["kind"];
}

/** What the paymaster service sponsors: nothing given is no limit. Amounts are in wei. */
export interface PaymasterPolicy {
  /** Senders whose operations are refused. */
  deny?: Hex[];
  /** What one operation may cost at most. */
  maxCost?: Numeric;
  /** What all operations may cost, those counted in that the paymaster has paid for. */
  budget?: Numeric;
  /** How long a signature is good, in seconds. */
  validFor?: Numeric;
  /** valid by default. */
  signature?: PaymasterSignature;
  /** What an ether costs accounts that pay in a token, in token units: 3,000,000,000 by default. */
  exchangeRate?: Numeric;
  /** What the paymaster has at every EntryPoint from now on. */
  deposit?: Numeric;
}

/** A kind of signatures: no EntryPoint takes an operation with another one than a valid one. */
export type PaymasterSignature = "valid" | "wrong" | "expired" | "early";

/** The paymaster, and what its service sponsors. */
export interface Paymaster {
  address: Hex;
  signer: Hex;
  deny: Hex[];
  maxCost?: Hex;
  budget?: Hex;
  validFor?: number;
  signature: PaymasterSignature;
  /** In token units an ether. */
  exchangeRate: Hex;
  /** With what is pre-confirmed. */
  deposits: { entryPoint: Hex; deposit: Hex }[];
}

/** A deposit from L1, under --rules op. Amounts are in wei. */
export interface Deposit {
  from: Hex;
  /** The account that is called. Without it the data creates a contract. */
  to?: Hex;
  /** What from gets on L2 before the call, even if the call fails. */
  mint?: Numeric;
  value?: Numeric;
  /** 200,000 by default. */
  gas?: Numeric;
  data?: Hex;
}

/** What the L1 block that L2 blocks refer to may be changed to. Fees are in wei per gas. */
export interface L1Options {
  number?: Numeric;
  /** Unix seconds. */
  timestamp?: Numeric;
  baseFee?: Numeric;
  blobBaseFee?: Numeric;
  baseFeeScalar?: Numeric;
  blobBaseFeeScalar?: Numeric;
  operatorFeeScalar?: Numeric;
  operatorFeeConstant?: Numeric;
  daFootprintGasScalar?: Numeric;
  batcherHash?: Hex;
}

/** The L1 block that L2 blocks refer to: all members are hex. */
export type L1Block = Record<Exclude<keyof L1Options, "batcherHash">, Hex> & { batcherHash: Hex; hash: Hex };

/** What goes on between an L2 and its L1: the newest of each kind, the last one first. Times are Unix seconds. */
export interface Bridge {
  l1: { hash: Hex; number: number; timestamp: number };
  l2: { hash: Hex; number: number; timestamp: number };
  /** Whether withdrawals are stopped. */
  paused: boolean;
  deposits: BridgeDeposit[];
  withdrawals: BridgeWithdrawal[];
  games: BridgeGame[];
  /** Blocks of the L1 with the blocks of the L2 that refer to them. */
  origins: { hash: Hex; number: number; firstBlock: number; lastBlock: number }[];
}

/** A deposit in a block of the L1. Amounts are in wei. */
export interface BridgeDeposit {
  l1TransactionHash: Hex;
  l1BlockHash: Hex;
  l1BlockNumber: number;
  from: Hex;
  /** Null: it creates a contract. */
  to: Hex | null;
  mint: Hex;
  value: Hex;
  /** On the L2, whether it is there already or not. */
  transactionHash: Hex;
  derived: boolean;
  /** Null: it is not derived yet, or pre-confirmed. */
  blockHash: Hex | null;
  blockNumber: number | null;
  succeeded: boolean | null;
}

/** A withdrawal in a block of the L2. The amount is in wei. */
export interface BridgeWithdrawal {
  withdrawalHash: Hex;
  transactionHash: Hex;
  blockHash: Hex;
  blockNumber: number;
  sender: Hex;
  target: Hex;
  value: Hex;
  /** As viem's getWithdrawalStatus has it. */
  status: "waiting-to-prove" | "ready-to-prove" | "waiting-to-finalize" | "ready-to-finalize" | "finalized";
  /** All that it waits for; until is null where that is not a matter of time. */
  waits: { for: "game" | "maturity" | "resolution" | "finality" | "unpause"; until: number | null }[];
  /** The game of its proof, or one by which it can be proven. */
  game: number | null;
  provenAt: number | null;
  prover: Hex | null;
  /** Of its payment. */
  l1TransactionHash: Hex | null;
  /** Whether the call that its payment made succeeded. */
  succeeded: boolean | null;
}

/** A claim about the L2's state on the L1. */
export interface BridgeGame {
  index: number;
  address: Hex;
  rootClaim: Hex;
  /** Of the L2 block that it is about. */
  blockNumber: number;
  /** Who won. */
  status: "inProgress" | "challenger" | "defender";
  /** Whether the claim is so of the L2 as it is now. */
  right: boolean;
  blacklisted: boolean;
  retired: boolean;
  createdAt: number;
  resolvedAt: number | null;
}

/** A claim about the L2's state that was sent to the L1. */
export interface Proposed {
  /** Of the L2's block. */
  number: Hex;
  root: Hex;
  /** On the L1. */
  transactionHash: Hex;
}

/** How calls of a method, or notifications, fail. */
export interface Fault {
  /** The method, "*" for all but fakenode_*, or "eth_subscription" for notifications. */
  method: string;
  /** The kind of subscription whose notifications fail: every kind by default. */
  kind?: SubscriptionKind;
  /** The first call that fails, counted from 1. */
  nth?: Numeric;
  /** How many calls fail: 1 by default, -1 for all. */
  times?: Numeric;
  /** A text that a parameter of the call is or has inside: a hash, an address, the number of a block. */
  where?: string;
  latencyMs?: Numeric;
  /** A random delay up to this comes on top, the same for the same seed. */
  latencySpreadMs?: Numeric;
  seed?: Numeric;
  error?: { code: number; message: string; data?: unknown };
  /** Whether the answer is null, and the method does not run. */
  null?: boolean;
  /** The HTTP status in place of the answer. The method does not run, unless loseAnswer is set. */
  httpStatus?: Numeric;
  /** Whether the method runs and its answer is lost: the client gets httpStatus, 504 by default. */
  loseAnswer?: boolean;
  dropConnection?: boolean;
  /** How many bytes of the answer, or of the result in the notification, arrive. */
  truncate?: Numeric;
  /** Whether the call is never answered. */
  silent?: boolean;
  /** How many blocks the node that answers is behind: 64 at most. */
  behind?: Numeric;
  /** How long it is behind, by the node's clock: 300,000 at most. */
  behindMs?: Numeric;
  /** The branch of which the answers are: the one that a reorg removed. */
  branch?: "orphaned";
  /** The part of the calls that is struck, such as 0.3, the same for the same seed. */
  share?: number;
  /** Of a notification: it is lost. */
  drop?: boolean;
  /** Of a notification: it is sent twice. */
  duplicate?: boolean;
  /** Of a notification: one of a subscription that the client does not have is sent before it. */
  stray?: boolean;
  /** Of a notification: it is sent behind the next one of its subscription. */
  reorder?: boolean;
}

/** The faults in force. */
export interface Faults {
  /** Of calls and notifications, with the times that are left. */
  calls: Fault[];
  /** Of flashblocks. */
  flashblocks: { kind: FlashblockFault["kind"]; count: number }[];
  /** Of the raw feed, with the counts that are left. */
  feed: FeedFault[];
  /** Of transactions in the pool, with the milliseconds or blocks that are left. */
  holds: { hashes: Hex[]; senders: Hex[]; milliseconds?: number; blocks?: number }[];
  /** Of the bundler, with the counts that are left. */
  operations: BundlerFault[];
}

/** An open subscription. */
export interface Subscription {
  /** The number of its WebSocket connection. */
  connection: number;
  id: Hex;
  kind: SubscriptionKind;
  /** The second parameter of eth_subscribe. */
  option?: unknown;
  /** How many bytes its connection has not read yet. */
  unreadBytes: number;
  /** Whether it stays out of the journal. */
  observer: boolean;
}

/** The kinds of eth_subscribe. */
export type SubscriptionKind =
  | "logs"
  | "newFlashblockTransactions"
  | "newFlashblocks"
  | "newHeads"
  | "newPendingTransactions"
  | "pendingLogs"
  | "syncing"
  | "transactionReceipts";

/** Which WebSocket connections are cut, and how. */
export interface Disconnection {
  /** The code of the close frame: by default there is none and the client sees 1006. */
  code?: Numeric;
  /** Only connections with a subscription of this kind, or readers of the raw feed. */
  kind?: SubscriptionKind | "flashblocks";
}

/** A block that a reorg removed. */
export interface Orphan {
  number: number;
  hash: Hex;
}

/** Where a transaction is, and why it is not further. */
export interface TransactionPlace {
  where: "pool" | "preconfirmed" | "sealed" | "orphaned" | "dropped" | "unknown";
  reason?: string;
  blockHash?: Hex;
  /** What it does, where its contracts have names: the contract that it calls, the call, and its first 100 logs. */
  contract?: string;
  call?: string;
  events?: { logIndex: number; contract?: string; text: string }[];
  /** Why the outcome depends on the variant of the payment token. */
  note?: string;
}

/** A call that a client made. */
export interface Call {
  /** Counts the calls of the network, from 1. */
  number: number;
  method: string;
  params: unknown;
  /** When it arrived, in Unix time. */
  timestampMs: number;
  durationUs: number;
  error?: { code: number; message: string };
  /** Which replica, and from how far behind, answered; without it the node as it is now. */
  view?: string;
}

/** The names of the courses of events that `scenario` plays. Those of deposits, games and withdrawals need `l1`. */
export type ScenarioName =
  | "BundleRevertedByNeighbour"
  | "CaptureReorgedOut"
  | "CaptureThenReorg"
  | "CeilingExceeded"
  | "ChannelDepositReorgedOut"
  | "ClaimRacesWithdrawal"
  | "DeepReorg"
  | "DelegationFrontRun"
  | "DepositDelayed"
  | "DepositReorgedOut"
  | "DepositSeenThenLost"
  | "FakeToken"
  | "FeeSpikeWhileCapturing"
  | "FinalizedTooEarly"
  | "FlappingHead"
  | "GameBlacklisted"
  | "HeadGoesBack"
  | "LateBlock"
  | "LogsNotYetThere"
  | "LostPreconfirmation"
  | "MemoReorgedOut"
  | "NonceFromReplica"
  | "NonceOfAnotherPayer"
  | "OperationInLostFlashblock"
  | "OtherToken"
  | "PartialCapturesThenReorg"
  | "PaymasterRanDry"
  | "PeriodRollover"
  | "PermissionRevoked"
  | "PermitFrontRun"
  | "PhantomLog"
  | "PortalPaused"
  | "ProposalReplaced"
  | "ProvedTwice"
  | "ReceiptThenNull"
  | "ReclaimRacesCapture"
  | "ReplicaOnOrphan"
  | "SettledUnseen"
  | "ShippedThenReorgedOut"
  | "SponsoredThenReorgedOut"
  | "StalledPending"
  | "VoucherAfterRefund"
  | "WithdrawalOverslept"
  | "WithdrawalProvenAgainstBadRoot";

export interface ScenarioParams {
  /** Development accounts by index: 0 and 1 by default. */
  payer?: Numeric;
  merchant?: Numeric;
  /** In dollars: "25.00" by default. */
  amount?: string;
  depth?: Numeric;
  times?: Numeric;
  /** Wall time after each move, so that clients that poll see it: none by default. */
  stepMs?: Numeric;
}

/** A move of a scenario that is told move by move. */
export interface ScenarioMove {
  /** Counts the moves from 1. */
  step: number;
  /** What it did to the payment; at the end, the conclusion's statement. */
  did: string;
  done: boolean;
  /** There once it is done. */
  conclusion?: Conclusion;
}

/** What a correct client must conclude from a scenario once it is over. */
export interface Conclusion {
  scenario: string;
  statement: string;
  transaction: Hex;
  /** What the payer signed for: the token, or a contract of docs/payments.md. */
  contract: Hex;
  payer: Hex;
  /** The payment's name on the contract. */
  nonce: Hex;
  merchant: Hex;
  /** The payment in token units (6 decimals). */
  value: string;
  /** Whether the transaction is in the chain and moved its money. */
  settled: boolean;
  /** What the merchant got in all, in token units. */
  received: string;
  blockHash: Hex;
  blockNumber: number;
  orphans: Hex[];
}

/** The node as it is: configuration, clock, head, pending block and pool. */
export interface Info {
  version: string;
  chainId: number;
  config: {
    seal: "interval" | "manual" | "instant";
    order: "fifo" | "fees" | "sender";
    compat: "spec" | "geth";
    blockTimeMs: number;
    /** 0: flashblocks come on command only. */
    flashblockTimeMs: number;
    preconf: boolean;
    /** The variant of the payment token; absent where there is none or another chain's. */
    token?: "strict" | "documented";
  };
  clock: { timestamp: number; timestampMs: number; real: boolean };
  head: { number: number; hash: Hex; timestamp: number };
  safe: number;
  finalized: number;
  pending: { number: number; timestamp: number; flashblockIndex: number | null; transactions: number };
  pool: { pending: number; queued: number };
  /** What the network was forked from; absent where it is no fork. `requests` counts those sent to the other chain. */
  fork?: { url: string; chainId: number; number: number; hash: Hex; requests: number };
  /** Addresses without code that transactions with data went to, most likely by mistake; absent without any. */
  codeless?: Hex[];
}

/** Which transactions are compared, and under which hard forks. */
export interface ForkComparisonOptions {
  /** Default: osaka and amsterdam. */
  forks?: [string, string];
  /** Default: all of the blocks. */
  transaction?: Hex;
  /** The parameters of eth_call: that call in place of transactions. */
  call?: unknown[];
  /** Default: the first. */
  fromBlock?: Hex | string;
  /** Default: the newest. */
  toBlock?: Hex | string;
  /** Price of a byte of state in gas. Default: 1530. */
  stateByteGas?: Hex | number;
}

/** Transactions that do not do the same under two hard forks. */
export interface ForkComparison {
  forks: [string, string];
  compared: number;
  /** How many succeed under the first fork alone. */
  breaks: number;
  transactions: {
    hash: Hex;
    block: number;
    index: number;
    from: Hex;
    to: Hex | null;
    gasLimit: number;
    /** Of status, gas and logs. */
    differs: string[];
    /** In the order of forks. */
    outcomes: [ForkOutcome, ForkOutcome];
    /** The assumptions that no longer hold. */
    findings: ForkFinding[];
  }[];
}

/** An assumption that does not hold under the second fork. */
export interface ForkFinding {
  /** Such as fixed-gas-in-code. */
  name: string;
  level: "info" | "warning" | "error";
  /** From the transaction's own call to the one in question, such as "Hook.onPaid(uint256)". */
  calls: string[];
  /** The error under the second fork. */
  reason?: string;
  /** The gas of the last of calls, and by kind of its transaction, in the order of forks. */
  gas: { limit: number; used: number; transactionExecution: number; transactionState: number }[];
  /** What to do about it. */
  do: string;
}

/** What a transaction does under one hard fork. Gas before refunds by kind is there from amsterdam on. */
export interface ForkOutcome {
  status: "success" | "failed" | "rejected";
  reason?: string;
  gasUsed: number;
  executionGas?: number;
  stateGas?: number;
  /** The smallest gas limit that would do. */
  gasNeeded?: number;
  logs: { address: Hex; topics: Hex[]; data: Hex }[];
}
