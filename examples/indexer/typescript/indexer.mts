// Keeps the balances of a token through reorgs, with viem. Each time the chain changes it prints the state as one line of JSON.
//
//   npm i viem && node indexer.mts ws://127.0.0.1:8545 TOKEN      (Node.js 22.18 or later runs TypeScript as it is)
import { createPublicClient, erc20Abi, parseAbi, webSocket, zeroAddress, type Address, type Hash } from "viem";

const [url, token] = process.argv.slice(2) as [string, Address];
const client = createPublicClient({ transport: webSocket(url), cacheTime: 0 });
const events = parseAbi([
  "event Transfer(address indexed from, address indexed to, uint256 value)",
  "event Memo(address indexed caller, bytes32 indexed memo)", // B20's, right behind the transfer's
]);

type Transfer = { from: Address; to: Address; value: bigint; memo?: Hash };
type Block = { number: bigint; hash: Hash; parentHash: Hash; transfers: Transfer[] };

/** The chain as it was entered, oldest first. What a reorg takes away is undone from here: nobody has to say what was in it. */
const chain: Block[] = [];
const balances = new Map<Address, bigint>();

/** Logs of one block by its hash: a query by number may be answered from another branch than the one being walked. */
async function transfersOf(blockHash: Hash): Promise<Transfer[]> {
  const transfers = new Map<number, Transfer>();
  for (const log of await client.getLogs({ address: token, events, blockHash, strict: true })) {
    if (log.eventName === "Transfer") {
      transfers.set(log.logIndex!, { ...log.args });
      continue;
    }
    const paid = transfers.get(log.logIndex! - 1);
    if (paid) paid.memo = log.args.memo;
  }
  return [...transfers.values()];
}

async function header(block: { blockHash: Hash } | { blockTag: "latest" }): Promise<Block> {
  const { number, hash, parentHash } = await client.getBlock(block);
  return { number: number!, hash: hash!, parentHash, transfers: [] };
}

/**
 * The newest block. Calls are spread over nodes, some of which are behind: one that is not above the newest entered block takes
 * that back only if it is answered ten times in a row.
 */
async function newest(): Promise<Block> {
  const tip = chain.at(-1);
  for (let answers = 1; ; answers++) {
    const latest = await header({ blockTag: "latest" });
    if (!tip || latest.hash === tip.hash || latest.number > tip.number || answers === 10) return latest;
  }
}

/** The balance of an account before the first entered block, which no transfer tells. */
async function opening(account: Address): Promise<bigint> {
  return client.readContract({ address: token, abi: erc20Abi, functionName: "balanceOf", args: [account], blockNumber: chain[0].number });
}

function move(transfers: Transfer[], direction: 1n | -1n): void {
  for (const { from, to, value } of transfers) {
    for (const [account, amount] of [[from, -value], [to, value]] as const) {
      if (account !== zeroAddress) balances.set(account, balances.get(account)! + direction * amount); // else minted or burnt
    }
  }
}

/**
 * Makes the index what the chain is now. From the newest block it walks parent hashes down to a block that was entered: a new
 * block, a gap, a reorg of any depth and a shorter chain are one case. It fails, and changes nothing, if the chain changes
 * under it; the next call begins anew.
 */
async function follow(): Promise<void> {
  const latest = await newest();
  if (chain.length === 0) chain.push(latest);
  const entered = new Set(chain.map(({ hash }) => hash));
  const fresh: Block[] = [];
  let next = latest;
  while (!entered.has(next.hash)) {
    if (next.number <= chain[0].number) throw new Error(`block ${chain[0].number}, the first, is gone: start from a finalized one`);
    next.transfers = await transfersOf(next.hash);
    fresh.unshift(next);
    next = await header({ blockHash: next.parentHash });
  }
  for (const { from, to } of fresh.flatMap(({ transfers }) => transfers)) { // reads that may fail come before the first change
    for (const account of [from, to]) if (account !== zeroAddress && !balances.has(account)) balances.set(account, await opening(account));
  }
  const preconfirmed = await pending();
  const undone = chain.splice(chain.findIndex(({ hash }) => hash === next.hash) + 1);
  move(undone.flatMap(({ transfers }) => transfers), -1n);
  move(fresh.flatMap(({ transfers }) => transfers), 1n);
  chain.push(...fresh);
  show(latest, undone.length, fresh.length, preconfirmed);
}

/** Pre-confirmed transfers: the node's answer, replaced as a whole each time. They count towards no balance. */
async function pending(): Promise<number> {
  return (await client.getLogs({ address: token, event: events[0], fromBlock: "pending", toBlock: "pending" })).length;
}

function show({ number, hash }: Block, undone: number, entered: number, preconfirmed: number): void {
  const text = (_: string, value: unknown) => (typeof value === "bigint" ? value.toString() : value);
  const memos = Object.fromEntries(chain.flatMap(({ transfers }) => transfers).filter(({ memo }) => memo).map(({ memo, value }) => [memo, value]));
  console.log(JSON.stringify({ block: number, hash, undone, entered, pending: preconfirmed, balances: Object.fromEntries(balances), memos }, text));
}

// Subscriptions only say when to look. News that comes while the index is being made counts for the next look.
let news = false;
let following = false;
async function wake(): Promise<void> {
  news = true;
  if (following) return;
  following = true;
  while (news) {
    news = false;
    await follow().catch((error: Error) => console.error(error.message)); // the poll tries again
  }
  following = false;
}
await client.transport.subscribe({ params: ["newHeads"], onData: wake });
await client.transport.subscribe({ params: ["pendingLogs", { address: token }] as never, onData: wake });
setInterval(wake, 2_000);
await wake();
