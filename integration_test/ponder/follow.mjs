// Runs ponder, an indexer, on a node that seals on command, and compares its table with the chain after blocks and reorgs.
// Usage: node follow.mjs URL TOKEN DIRECTORY, the last for the database. Prints the number of transfers after each scenario, as JSON.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";

const [url, token, directory] = process.argv.slice(2);
const patience = 600_000; // ms, for the table to become what the chain is

async function rpc(method, ...params) {
  const headers = { "Content-Type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }) });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.message}`);
  return result;
}

async function freePort() {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address();
  server.close();
  return port;
}

const [payer, payee] = await rpc("eth_accounts");
const word = (value) => BigInt(value).toString(16).padStart(64, "0");
async function pay(amount) {
  await rpc("eth_sendTransaction", { from: payer, to: token, data: "0xa9059cbb" + word(payee) + word(amount) });
}
async function payments(count) {
  for (let i = 1; i <= count; i++) {
    await pay(i);
    await rpc("fakenode_seal");
  }
}

// The transfers of the chain, one string each, in the order of the chain.
const topic = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
async function onChain() {
  const logs = await rpc("eth_getLogs", { address: token, topics: [topic], fromBlock: "0x0", toBlock: "latest" });
  return logs.map((l) => [Number(l.blockNumber), l.blockHash, BigInt(l.topics[1]), BigInt(l.topics[2]), BigInt(l.data)].join(" "));
}

const port = await freePort();
async function inTable() {
  try {
    const rows = await (await fetch(`http://127.0.0.1:${port}/transfers`)).json();
    return rows.sort((a, b) => a.block - b.block).map((r) => [r.block, r.hash, BigInt(r.from), BigInt(r.to), r.value].join(" "));
  } catch {
    return undefined; // ponder is not up yet
  }
}

// Returns how many transfers there are once the table holds those of the chain.
async function agreed(scenario) {
  const chain = await onChain();
  const end = Date.now() + patience;
  for (let table; Date.now() < end; await new Promise((done) => setTimeout(done, 50))) {
    table = await inTable();
    if (table && table.join("\n") === chain.join("\n")) return chain.length;
  }
  throw new Error(`${scenario}: the table is not what the chain is\ntable:\n${(await inTable())?.join("\n")}\nchain:\n${chain.join("\n")}`);
}

const scenarios = {
  history: () => payments(3),
  blocks: () => payments(12),
  "reorg of 1, mined again": () => rpc("fakenode_reorg", { depth: 1 }),
  "reorg of 3, lost": () => rpc("fakenode_reorg", { depth: 3, transactions: "drop" }),
  "reorg of 8": async () => {
    await payments(4);
    await rpc("fakenode_reorg", { depth: 8, length: 9 });
  },
  "two reorgs at once": async () => {
    await rpc("fakenode_reorg", { depth: 2, transactions: "drop" });
    await rpc("fakenode_reorg", { depth: 4 });
  },
  "a late block": async () => {
    await pay(7);
    await rpc("fakenode_preconfirm");
    await rpc("fakenode_flashblockFault", { kind: "lateBlock" });
    await rpc("fakenode_seal", 2);
  },
  "blocks after all": () => payments(3),
};

const counts = {};
let ponder;
const said = [];
try {
  for (const [name, play] of Object.entries(scenarios)) {
    await play();
    if (!ponder) {
      const environment = { ...process.env, FAKENODE_URL: url, TOKEN: token, DATABASE_DIRECTORY: directory, PONDER_TELEMETRY_DISABLED: "1" };
      ponder = spawn(process.execPath, ["node_modules/ponder/dist/esm/bin/ponder.js", "start", "--port", port, "--schema", "public"], { env: environment });
      for (const stream of [ponder.stdout, ponder.stderr]) stream.on("data", (chunk) => said.push(chunk));
    }
    counts[name] = await agreed(name);
  }
  console.log(JSON.stringify(counts));
} catch (failure) {
  console.error(failure.message, Buffer.concat(said).toString().slice(-4000));
  process.exitCode = 1;
} finally {
  ponder?.kill("SIGKILL");
}
