import type {
  Bridge,
  BundlerFault,
  Call,
  Conclusion,
  Deposit,
  Disconnection,
  Fault,
  Faults,
  Flashblock,
  FeedFault,
  FlashblockFault,
  FlashblockFaultResult,
  Forecast,
  ForkComparison,
  ForkComparisonOptions,
  Hex,
  Info,
  L1Block,
  L1Options,
  Numeric,
  OperationPlace,
  Orphan,
  Paymaster,
  PaymasterPolicy,
  Profile,
  Progress,
  Proposed,
  ReorgOptions,
  ReorgResult,
  Replica,
  ReplicaLag,
  ScenarioMove,
  ScenarioName,
  ScenarioParams,
  Subscription,
  TransactionPlace,
  Weather,
} from "./control.js";
import { deploy, type Requester } from "./artifact.js";
import type { NewWorldOptions, World, WorldInfo } from "./world.js";

/** The methods fakenode_*, named without the prefix, which docs/rpc.md describes, and what is made of them. */
export type FakenodeActions = FakenodeMethods & {
  /**
   * Deploys the contract of an artifact, a JSON file in Foundry's out/ or Hardhat's artifacts/, in one transaction, sealed
   * when it returns, and returns its address. Libraries that it is to be linked with are deployed first, once each. The
   * sender is the first development account by default. Arguments of a constructor need viem beside this package.
   */
  deployArtifact(path: string, args?: readonly unknown[], options?: { from?: Hex }): Promise<Hex>;
};

/** The methods fakenode_*, named without the prefix. */
export type FakenodeMethods = {
  /** Moves the clock and makes every flashblock and block that is due on the way. */
  advance(milliseconds: Numeric): Promise<Progress>;
  /** Under --l1: returns what goes on between the L2 and its L1, and what each withdrawal waits for. */
  bridge(): Promise<Bridge>;
  /** Lets the bundler do something wrong with user operations to come. */
  bundlerFault(fault: BundlerFault): Promise<null>;
  /** Returns the calls that clients made, the oldest first; since is the number of a call, and leaves out all up to it. */
  calls(filter?: { method?: string; since?: Numeric }): Promise<Call[]>;
  /** Ends what setFault, flashblockFault, feedFault and hold began. */
  clearFaults(): Promise<null>;
  /** Ends a world: its name is free again. */
  closeWorld(name: string): Promise<null>;
  /** Executes sealed transactions again under two hard forks and returns what each does under both. */
  compareForks(options?: ForkComparisonOptions): Promise<ForkComparison>;
  /** Returns the lines that contracts wrote by console.log in a transaction. */
  console(hash: Hex): Promise<string[]>;
  /** Lets an account run the code of an implementation (EIP-7702), or none any more for the zero address. */
  delegate(account: Hex, implementation: Hex): Promise<null>;
  /** Under --rules op: puts a deposit from L1 at the beginning of the next block that has not begun; returns its hash. */
  deposit(deposit: Deposit): Promise<Hex>;
  /** Cuts WebSocket connections and returns how many. */
  disconnect(options?: Disconnection): Promise<number>;
  /** Returns the faults in force. */
  faults(): Promise<Faults>;
  /** Lets the raw feed go wrong: frames lost, cut short, linked wrongly, out of order, or readers disconnected. */
  feedFault(fault: FeedFault): Promise<null>;
  /** Lets pre-confirmation go wrong: flashblocks lost, transactions left out, logs that change. */
  flashblockFault(fault: FlashblockFault): Promise<FlashblockFaultResult>;
  /** Returns what an offline fork was asked for and its cache file lacks. */
  forkMisses(): Promise<string[]>;
  /** Takes a game out of what withdrawals on the L1 may rely on, with its next block; returns the hash there. */
  blacklistGame(index: Numeric): Promise<Hex>;
  /** Keeps transactions in the pool, for a time on the clock or until release: without hashes and senders all of them. */
  hold(options?: { hashes?: Hex[]; senders?: Hex[]; milliseconds?: Numeric; blocks?: Numeric }): Promise<null>;
  /** Returns version, configuration, clock, head, pending block and pool. */
  info(): Promise<Info>;
  /** Moves the clock and seals one block there, with no flashblock and no block on the way: a month costs as a second. */
  jump(milliseconds: Numeric): Promise<Progress>;
  /** Gives an account more units (6 decimals) of the payment token and returns its balance, as a hex quantity. */
  mintToken(address: Hex, units: Numeric): Promise<Hex>;
  /** Makes a copy of this world, as it is now or as at a snapshot, and returns its URLs. */
  newWorld(options?: NewWorldOptions): Promise<World>;
  /** Stops withdrawals on the L1 with its next block, or lets them go on; returns the hash there. */
  pausePortal(paused: boolean): Promise<Hex>;
  /** Returns where a user operation is, and which fault struck it. */
  operation(hash: Hex): Promise<OperationPlace>;
  /** Returns the blocks that reorgs removed, the highest first. */
  orphans(): Promise<Orphan[]>;
  /** Decides what the paymaster service sponsors, and what its paymaster has; returns how things are. */
  paymaster(policy?: PaymasterPolicy): Promise<Paymaster>;
  /** Makes one flashblock of what is ready in the pool. */
  preconfirm(): Promise<Flashblock>;
  /** Returns what an executed transaction did, or a call would do: gas by function, movements, changes, calls. */
  profile(what: Hex | { from?: Hex; to?: Hex; data?: Hex; value?: Hex; gas?: Hex }, block?: Hex | string): Promise<Profile>;
  /** Makes a game on the L1 about a block of the L2, by default the head, with its next block. */
  propose(proposal?: { number?: Numeric; root?: Hex }): Promise<Proposed>;
  /** Ends all holds and returns how many transactions of the pool they held. */
  release(): Promise<number>;
  /** Replaces the newest blocks. */
  reorg(options: ReorgOptions): Promise<ReorgResult>;
  /** Replaces the newest block by an empty one in silence, as on Monad; its transactions wait for the next by default. */
  replaceProposal(transactions?: "requeue" | "drop"): Promise<ReorgResult>;
  /** Ends a game on the L1 with its next block, by default for its claim; returns the hash there. */
  resolveGame(end: { index: Numeric; status?: "defender" | "challenger" }): Promise<Hex>;
  /** Restores a snapshot, which can be used again; announce tells subscribers, as of a reorg. */
  revert(id: Hex, announce?: boolean): Promise<true>;
  /** Plays a course of events around one payment and returns what a correct client must conclude. */
  scenario(name: ScenarioName, params?: ScenarioParams): Promise<Conclusion>;
  /** Begins to tell a scenario move by move, in place of one that is not over yet, and returns its id. */
  scenarioStart(name: ScenarioName, params?: ScenarioParams): Promise<number>;
  /** Makes the next move of a scenario, and returns what it did to the payment. */
  scenarioNext(id: Numeric): Promise<ScenarioMove>;
  /** Makes blocks, one by default, of everything pre-confirmed and everything ready, and returns their hashes. */
  seal(blocks?: Numeric): Promise<Hex[]>;
  /** Lets calls of a method, or notifications, fail. */
  setFault(fault: Fault): Promise<null>;
  /** Sets the block that the tag finalized names. */
  setFinalized(blockNumber: Numeric): Promise<null>;
  /** Under --rules op: changes the L1 block that L2 blocks refer to, and returns all of it. */
  setL1(options: L1Options): Promise<L1Block>;
  /** Sets the block that the tag safe names. */
  setSafe(blockNumber: Numeric): Promise<null>;
  /** Remembers chain, pending block, pool, clock, settings, faults and filters, and returns an id for revert. */
  snapshot(): Promise<Hex>;
  /** Returns who subscribes to what. */
  subscriptions(): Promise<Subscription[]>;
  /** Returns where a transaction is, why it is not further, and what it does. */
  transaction(hash: Hex): Promise<TransactionPlace>;
  /** Sets how far behind a replica is, counted from 1 (--replicas), and returns that and what it sees. */
  replica(number: Numeric, lag?: ReplicaLag): Promise<Replica>;
  /** Lets a price or limit of the next blocks take a course, and returns the courses that are not over. */
  weather(course?: Weather): Promise<Forecast[]>;
  /** Returns the worlds beside the networks at /, the oldest first. */
  worlds(): Promise<WorldInfo[]>;
}; // not an interface: viem's extend asks for a type with an index signature

/** Every method: the compiler checks that none is missing. */
const names: Readonly<Record<keyof FakenodeMethods, true>> = {
  advance: true,
  blacklistGame: true,
  bridge: true,
  bundlerFault: true,
  calls: true,
  clearFaults: true,
  closeWorld: true,
  compareForks: true,
  console: true,
  delegate: true,
  deposit: true,
  disconnect: true,
  faults: true,
  feedFault: true,
  flashblockFault: true,
  forkMisses: true,
  hold: true,
  info: true,
  jump: true,
  mintToken: true,
  newWorld: true,
  operation: true,
  orphans: true,
  pausePortal: true,
  paymaster: true,
  preconfirm: true,
  profile: true,
  propose: true,
  release: true,
  reorg: true,
  replaceProposal: true,
  replica: true,
  resolveGame: true,
  revert: true,
  scenario: true,
  scenarioNext: true,
  scenarioStart: true,
  seal: true,
  setFault: true,
  setFinalized: true,
  setL1: true,
  setSafe: true,
  snapshot: true,
  subscriptions: true,
  transaction: true,
  weather: true,
  worlds: true,
};

/**
 * Returns the extension of a viem client by the methods fakenode_* and deployArtifact:
 *
 *     const client = createTestClient({ mode: "anvil", transport: http(url) }).extend(fakenodeActions())
 *     await client.reorg({ depth: 1, transactions: "drop" })
 *
 * viem's testActions have a snapshot and a revert of their own: the extension that comes last wins.
 */
export function fakenodeActions(): (client: Requester) => FakenodeActions {
  return (client) => {
    const actions = Object.keys(names).map((name) => [
      name,
      (...params: unknown[]) => client.request({ method: `fakenode_${name}`, params: wireParams(params) }),
    ]);
    return {
      ...(Object.fromEntries(actions) as FakenodeMethods),
      deployArtifact: (path, args = [], { from } = {}) => deploy(client, path, args, from),
    };
  };
}

/** Returns the parameters as JSON can carry them: without undefined ones at the end, and with bigints as digits. */
function wireParams(params: readonly unknown[]): unknown[] {
  const given = params.slice(0, params.findLastIndex((param) => param !== undefined) + 1);
  return JSON.parse(JSON.stringify(given, (_, value: unknown) => (typeof value === "bigint" ? value.toString() : value))) as unknown[];
}
