// What viem's bundler client sees of faults of the bundler: with two accounts, of which the faults strike one.
// node bundler_faults.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { toCoinbaseSmartAccount } from "viem/account-abstraction";
import { funded, versions } from "./accounts.mjs";
import { client, merchant, refused } from "./course.mjs";
import * as node from "./fakenode.mjs";
import { bundler, known, receipt, sent, success } from "./operations.mjs";

const fault = (description) => node.rpc("fakenode_bundlerFault", description);
// place is where an operation is, and without hashes why.
const place = async (hash) => {
  const { where, reason = "", fault } = await node.rpc("fakenode_operation", hash);
  return [where, reason.replace(/0x[0-9a-f]+/g, "…"), fault ?? ""].filter(Boolean).join(": ");
};
const refusal = async (f) => (await refused(f))?.text ?? null;

const spared = await funded(await toCoinbaseSmartAccount({ client, owners: [merchant], version: "1.1" }));
const nonceOf = (struck) => struck.getNonce({ key: 0n }); // viem's own key is the time

const courses = {
  async never(struck) {
    await fault({ kind: "never", sender: struck.address });
    const nonce = await nonceOf(struck);
    const [first, second] = [await sent(struck, { nonce }), await sent(struck, { nonce: nonce + 1n })];
    const other = await sent(spared);
    await node.seal(2);
    const course = { first: await place(first), second: await success(second), other: await success(other), armed: (await node.rpc("fakenode_faults")).operations.length };
    await node.rpc("fakenode_release");
    await node.seal();
    return { ...course, released: [await success(first), await success(second)] };
  },
  async late(struck) {
    await fault({ kind: "late", blocks: 2, sender: struck.address });
    const hash = await sent(struck), other = await sent(spared);
    await node.seal();
    const course = { other: await success(other), waiting: await place(hash) };
    await node.seal();
    course.second = await success(hash);
    await node.preconfirm();
    return { ...course, due: await success(hash), place: await place(hash) };
  },
  async lateByTime(struck) {
    await fault({ kind: "late", milliseconds: 400, sender: struck.address });
    const hash = await sent(struck);
    await node.advance(200);
    const course = { waiting: await success(hash) };
    await node.advance(200);
    return { ...course, due: await success(hash) };
  },
  async revert(struck) {
    await fault({ kind: "revert" });
    const nonce = await nonceOf(struck);
    const hash = await sent(struck, { nonce });
    const bundle = (await known(hash)).transactionHash;
    await node.seal();
    const { status } = await client.getTransactionReceipt({ hash: bundle });
    const course = { status, success: await success(hash), known: await known(hash), place: await place(hash), nonce: await nonceOf(struck) === nonce };
    const again = await sent(struck, { nonce });
    await node.seal();
    return { ...course, again: await success(again) };
  },
  async replace(struck) {
    await fault({ kind: "replace" });
    const hash = await sent(struck);
    const first = (await known(hash)).transactionHash;
    await node.seal();
    const { transactionHash } = (await receipt(hash)).receipt;
    return { success: await success(hash), another: transactionHash !== first, first: await node.rpc("fakenode_transaction", first), place: await place(hash) };
  },
  async twice(struck) {
    await fault({ kind: "twice" });
    const hash = await sent(struck);
    const first = (await known(hash)).transactionHash;
    await node.seal();
    const { transactions } = await node.rpc("eth_getBlockByNumber", "latest", true);
    const bundles = transactions.filter(({ input }) => input === transactions.find((tx) => tx.hash === first).input);
    const statuses = await Promise.all(bundles.map(async (tx) => (await client.getTransactionReceipt({ hash: tx.hash })).status));
    return { success: await success(hash), in: (await receipt(hash)).receipt.transactionHash === first, statuses, place: await place(hash) };
  },
  async forget(struck) {
    await fault({ kind: "forget" });
    const hash = await sent(struck);
    await node.seal();
    return { known: await known(hash), place: await place(hash) };
  },
  async lie(struck) {
    await fault({ kind: "lie" });
    const nonce = await nonceOf(struck);
    const hash = await sent(struck, { nonce });
    const told = await receipt(hash);
    const course = {
      told: told.success, logs: told.logs.length > 0, bundle: await node.rpc("eth_getTransactionByHash", told.receipt.transactionHash),
      known: (await known(hash)).transactionHash === told.receipt.transactionHash, place: await place(hash),
    };
    await node.seal();
    return { ...course, taken: await receipt(hash), nonce: await nonceOf(struck) === nonce, after: await place(hash) };
  },
  async underestimate(struck) {
    await fault({ kind: "underestimate" });
    const hash = await sent(struck);
    await node.seal();
    await fault({ kind: "underestimate", limit: "verificationGasLimit", percent: 10 });
    return { success: await success(hash), place: await place(hash), verification: (await refusal(() => sent(struck))).replace(" (or OOG)", "") };
  },
  async cheaper(struck) {
    const nonce = await nonceOf(struck), fees = { maxFeePerGas: 4_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n };
    const first = await sent(struck, { nonce, ...fees });
    const known = await refusal(() => sent(struck, { nonce, ...fees }));
    const low = await refusal(() => sent(struck, { nonce, maxFeePerGas: 4_400_000_000n, maxPriorityFeePerGas: 1_099_999_999n }));
    const second = await sent(struck, { nonce, maxFeePerGas: 4_400_000_000n, maxPriorityFeePerGas: 1_100_000_000n });
    await node.seal();
    return { known: known.replace(first, "…"), low: low.replace(first, "…").replace(/0x[0-9a-f]{64}/, "…"), first: await success(first), second: await success(second) };
  },
};
const results = {};
for (const [version, open] of Object.entries(versions)) {
  results[version] = await node.apart(async () => {
    const struck = await funded(await open());
    await sent(struck); // is deployed in every course
    await node.seal();
    const played = {};
    for (const [name, play] of Object.entries(courses)) {
      played[name] = await node.apart(() => play(struck)).catch((error) => ({ failed: error.stack }));
    }
    return played;
  });
}
node.report({ results });
