// What every script here begins with: its arguments, the node's controls, the token's ABI, and a way to report.
import { readFileSync } from "node:fs";

const [url, websocketURL, token, owner] = process.argv.slice(2);

// The node under test, and the private key of the token's owner, who pauses and blacklists.
export { url, websocketURL, token, owner };
// Arguments after those, for the script itself.
export const options = process.argv.slice(6);

export const mnemonic = "test test test test test test test test test test test junk";
export const payer = 0; // development accounts, by index
export const merchant = 1;
export const stranger = 2;

// contract reads the interface, and on demand the creation code, of one of fakenode's contracts.
export const contract = (path) => {
  const read = (ending) => readFileSync(new URL(`../../${path}.${ending}`, import.meta.url), "utf8");
  return { abi: JSON.parse(read("abi")), get bytecode() { return read("bin").trim(); } };
};

export const tokenABI = contract("tokencontract/token").abi;

const authorization = "address,address,uint256,uint256,uint256,bytes32,bytes";
export const receive = `receiveWithAuthorization(${authorization})`;
export const cancel = "cancelAuthorization(address,bytes32,bytes)";

// rpc calls a method without any library, for what libraries have no name for.
export async function rpc(method, ...params) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = await response.json();
  if (error) throw new Error(`${method}: ${error.code} ${error.message}`);
  return result;
}

export const seal = (blocks = 1) => rpc("fakenode_seal", blocks);
export const preconfirm = () => rpc("fakenode_preconfirm");
export const advance = (milliseconds) => rpc("fakenode_advance", milliseconds);
export const reorg = (description) => rpc("fakenode_reorg", description);

// apart runs f and puts the chain, its pool and its clock back as they were.
export async function apart(f) {
  const snapshot = await rpc("fakenode_snapshot");
  try {
    return await f();
  } finally {
    await rpc("fakenode_revert", snapshot);
  }
}

// Queue receives what a subscription sends, in order.
export class Queue {
  #items = [];
  #waiting = [];

  push = (item) => {
    const next = this.#waiting.shift();
    next ? next(item) : this.#items.push(item);
  };

  // next waits for an item.
  next() {
    if (this.#items.length > 0) return Promise.resolve(this.#items.shift());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error("nothing was received")), 600_000);
      this.#waiting.push((item) => {
        clearTimeout(timer);
        resolve(item);
      });
    });
  }

  async take(count) {
    const items = [];
    while (items.length < count) items.push(await this.next());
    return items;
  }
}

// report prints the script's result as JSON, with amounts as decimal strings, and ends the process: connections that a
// library keeps open would hold it.
export function report(result) {
  const text = JSON.stringify(result, (_, value) => (typeof value === "bigint" ? value.toString() : value));
  process.stdout.write(text + "\n", () => process.exit(0));
}
