// viem's paymaster client on the node's own URL: operations of accounts without ether, through a lost pre-confirmation and
// reorgs, and what the paymaster refuses.
// node paymaster.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { encodeFunctionData, http } from "viem";
import { createBundlerClient, createPaymasterClient } from "viem/account-abstraction";
import { penniless } from "./accounts.mjs";
import { chain, client, merchant } from "./course.mjs";
import * as node from "./fakenode.mjs";

const token = { address: node.token, abi: node.tokenABI };
const payment = { to: node.token, data: encodeFunctionData({ ...token, functionName: "transfer", args: [merchant.address, 10_000n] }) };
const transport = http(node.url);
const paymaster = createPaymasterClient({ transport });
const bundler = createBundlerClient({ client, chain, transport, paymaster: true, pollingInterval: 20 });

const sent = (account, more = {}) => bundler.sendUserOperation({ account, calls: [payment], ...more });
const success = async (hash) => (await node.rpc("eth_getUserOperationReceipt", hash))?.success ?? null;
const policy = (description) => node.rpc("fakenode_paymaster", description);

// refused returns the code and the node's words for an operation under a policy.
async function refused(account, description) {
  const snapshot = await node.rpc("fakenode_snapshot");
  try {
    await policy(description);
    await sent(account);
    return null;
  } catch (error) {
    const cause = error.walk((inner) => inner.code !== undefined) ?? error;
    return { name: error.cause?.name ?? error.name, code: cause.code, text: cause.details ?? cause.message };
  } finally {
    await node.rpc("fakenode_revert", snapshot);
  }
}

async function flow(account) {
  const course = { ether: Number(await client.getBalance({ address: account.address })) };
  const deposit = async () => BigInt((await policy()).deposits.find(({ entryPoint }) => entryPoint === account.entryPoint.address.toLowerCase()).deposit);
  const before = await deposit();
  let hash = await sent(account);
  await node.preconfirm();
  const receipt = await bundler.waitForUserOperationReceipt({ hash, timeout: 5_000 });
  course.preconfirmed = receipt.success && receipt.paymaster.toLowerCase() === (await policy()).address;
  course.paid = before - await deposit() === receipt.actualGasCost;
  await node.rpc("fakenode_flashblockFault", { kind: "drop", count: 1, transactions: "gone" });
  await node.seal();
  course.lost = await success(hash);
  course.refunded = await deposit() === before;
  hash = await sent(account, { paymaster }); // a client of its own
  await node.seal();
  course.sealed = await success(hash);
  await node.reorg({ depth: 1 });
  await node.seal();
  course.again = await success(hash);
  course.refused = {
    denied: await refused(account, { deny: [account.address] }),
    dear: await refused(account, { maxCost: 1 }),
    spent: await refused(account, { budget: receipt.actualGasCost.toString() }),
    wrong: await refused(account, { signature: "wrong" }),
    expired: await refused(account, { signature: "expired" }),
    early: await refused(account, { signature: "early" }),
    dry: await refused(account, { deposit: 0 }),
  };
  return course;
}

const accounts = {};
for (const [name, open] of Object.entries(penniless)) {
  accounts[name] = await node.apart(async () => flow(await open())).catch((error) => ({ failed: error.stack }));
}
node.report({ accounts });
