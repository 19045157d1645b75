// What viem's bundler client sees of faults of the bundler: with two accounts, of which the faults strike one.
// node bundler_faults.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { encodeFunctionData, http } from "viem";
import { createBundlerClient } from "viem/account-abstraction";
import { coinbase, funded, simple } from "./accounts.mjs";
import { chain, client, merchant } from "./course.mjs";
import * as node from "./fakenode.mjs";

const token = { address: node.token, abi: node.tokenABI };
const payment = { to: node.token, data: encodeFunctionData({ ...token, functionName: "transfer", args: [merchant.address, 10_000n] }) };
const bundler = createBundlerClient({ client, chain, transport: http(node.url), pollingInterval: 20 });

const sent = (account, more = {}) => bundler.sendUserOperation({ account, calls: [payment], ...more });
const receipt = (hash) => node.rpc("eth_getUserOperationReceipt", hash);
const success = async (hash) => (await receipt(hash))?.success ?? null;
const known = (hash) => node.rpc("eth_getUserOperationByHash", hash);
const fault = (description) => node.rpc("fakenode_bundlerFault", description);
// place is where an operation is, and without hashes why.
const place = async (hash) => {
  const { where, reason = "", fault } = await node.rpc("fakenode_operation", hash);
  return [where, reason.replace(/0x[0-9a-f]+/g, "…"), fault ?? ""].filter(Boolean).join(": ");
};
const refusal = async (f) => {
  try {
    await f();
    return null;
  } catch (error) {
    return (error.walk((inner) => inner.code !== undefined) ?? error).details;
  }
};

const struck = await funded(await coinbase()), spared = await simple();

const nonceOf = () => struck.getNonce({ key: 0n }); // viem's own key is the time
await sent(struck); // is deployed in every course
await node.seal();

const courses = {
  async never() {
    await fault({ kind: "never", sender: struck.address });
    const nonce = await nonceOf();
    const [first, second] = [await sent(struck, { nonce }), await sent(struck, { nonce: nonce + 1n })];
    const other = await sent(spared);
    await node.seal(2);
    const course = { first: await place(first), second: await success(second), other: await success(other), armed: (await node.rpc("fakenode_faults")).operations.length };
    await node.rpc("fakenode_release");
    await node.seal();
    return { ...course, released: [await success(first), await success(second)] };
  },
  async late() {
    await fault({ kind: "late", blocks: 2, sender: struck.address });
    const hash = await sent(struck), other = await sent(spared);
    await node.seal();
    const course = { other: await success(other), waiting: await place(hash) };
    await node.seal();
    course.second = await success(hash);
    await node.preconfirm();
    return { ...course, due: await success(hash), place: await place(hash) };
  },
  async lateByTime() {
    await fault({ kind: "late", milliseconds: 400, sender: struck.address });
    const hash = await sent(struck);
    await node.advance(200);
    const course = { waiting: await success(hash) };
    await node.advance(200);
    return { ...course, due: await success(hash) };
  },
  async revert() {
    await fault({ kind: "revert" });
    const nonce = await nonceOf();
    const hash = await sent(struck, { nonce });
    const bundle = (await known(hash)).transactionHash;
    await node.seal();
    const { status } = await client.getTransactionReceipt({ hash: bundle });
    const course = { status, success: await success(hash), known: await known(hash), place: await place(hash), nonce: await nonceOf() === nonce };
    const again = await sent(struck, { nonce });
    await node.seal();
    return { ...course, again: await success(again) };
  },
  async replace() {
    await fault({ kind: "replace" });
    const hash = await sent(struck);
    const first = (await known(hash)).transactionHash;
    await node.seal();
    const { transactionHash } = (await receipt(hash)).receipt;
    return { success: await success(hash), another: transactionHash !== first, first: await node.rpc("fakenode_transaction", first), place: await place(hash) };
  },
  async forget() {
    await fault({ kind: "forget" });
    const hash = await sent(struck);
    await node.seal();
    return { known: await known(hash), place: await place(hash) };
  },
  async lie() {
    await fault({ kind: "lie" });
    const nonce = await nonceOf();
    const hash = await sent(struck, { nonce });
    const told = await receipt(hash);
    const course = {
      told: told.success, logs: told.logs.length > 0, bundle: await node.rpc("eth_getTransactionByHash", told.receipt.transactionHash),
      known: (await known(hash)).transactionHash === told.receipt.transactionHash, place: await place(hash),
    };
    await node.seal();
    return { ...course, taken: await receipt(hash), nonce: await nonceOf() === nonce, after: await place(hash) };
  },
  async underestimate() {
    await fault({ kind: "underestimate" });
    const hash = await sent(struck);
    await node.seal();
    await fault({ kind: "underestimate", limit: "verificationGasLimit", percent: 10 });
    return { success: await success(hash), place: await place(hash), verification: await refusal(() => sent(struck)) };
  },
  async cheaper() {
    const nonce = await nonceOf(), fees = { maxFeePerGas: 4_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
    const first = await sent(struck, { nonce, ...fees });
    const known = await refusal(() => sent(struck, { nonce, ...fees }));
    const low = await refusal(() => sent(struck, { nonce, maxFeePerGas: 4_400_000_000n, maxPriorityFeePerGas: 1_099_999_999n }));
    const second = await sent(struck, { nonce, maxFeePerGas: 4_400_000_000n, maxPriorityFeePerGas: 1_100_000_000n });
    await node.seal();
    return { known: known.replace(first, "…"), low: low.replace(first, "…").replace(/0x[0-9a-f]{64}/, "…"), first: await success(first), second: await success(second) };
  },
};
const results = {};
for (const [name, play] of Object.entries(courses)) {
  results[name] = await node.apart(play).catch((error) => ({ failed: error.stack }));
}
node.report({ results });
