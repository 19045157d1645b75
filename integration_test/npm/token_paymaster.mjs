// viem's bundler client on the node's own URL: operations of accounts without ether, which pay for them in the token,
// through a lost pre-confirmation and a reorg.
// node token_paymaster.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { encodeFunctionData, maxUint256, parseEventLogs } from "viem";
import { payable, versions } from "./accounts.mjs";
import { client, merchant, refused } from "./course.mjs";
import * as node from "./fakenode.mjs";
import { bundlerWith, sent as sentBy, success, token, transport } from "./operations.mjs";

const bundler = bundlerWith({ paymaster: true });
const { address: paymaster } = await node.rpc("fakenode_paymaster");
const { abi } = node.contract("contracts/entrypoint/paymaster");
const approval = { to: node.token, data: encodeFunctionData({ ...token, functionName: "approve", args: [paymaster, maxUint256] }) };
const rate = 100_000_000n; // token units an ether

const balanceOf = (address) => client.readContract({ ...token, functionName: "balanceOf", args: [address], blockTag: "pending" });
const sent = (account, more) => sentBy(account, { paymasterContext: { token: node.token }, ...more }, bundler);

// bill is what an operation has cost the account, in token units.
async function bill(hash, account, before) {
  const { logs, actualGasCost } = await bundler.getUserOperationReceipt({ hash });
  const [{ args }] = parseEventLogs({ abi, logs, eventName: "UserOperationSponsored" });
  const cost = args.tokenAmount;
  const fair = actualGasCost * rate / 10n ** 18n;
  return {
    named: args.userOpHash === hash && args.tokenPerNative === rate,
    taken: before - await balanceOf(account.address) === cost + 10_000n,
    covers: cost >= fair && cost <= fair * 5n / 4n,
  };
}

async function flow(account) {
  const course = { ether: Number(await client.getBalance({ address: account.address })) };
  let hash = await sent(account); // with nothing approved
  await node.seal();
  const earned = await balanceOf(merchant.address);
  course.unapproved = await success(hash);
  await sent(account, { calls: [approval], paymasterContext: undefined }); // sponsored
  await node.seal();
  const before = await balanceOf(account.address);
  course.earned = Number(earned - await balanceOf(merchant.address));

  await node.rpc("fakenode_paymaster", { exchangeRate: rate.toString() });
  hash = await sent(account);
  await node.preconfirm();
  course.preconfirmed = await bill(hash, account, before);
  await node.rpc("fakenode_flashblockFault", { kind: "drop", count: 1, transactions: "gone" });
  await node.seal();
  course.lost = await success(hash);
  course.refunded = await balanceOf(account.address) === before;

  hash = await sent(account, { paymasterContext: { erc20: node.token } }); // as Coinbase's clients name it
  await node.seal();
  await node.reorg({ depth: 1 });
  await node.seal();
  course.again = await success(hash);
  course.sealed = await bill(hash, account, before);
  course.refused = await refused(() => sent(account, { paymasterContext: { token: merchant.address } }));
  return course;
}

const accounts = {};
for (const [name, open] of Object.entries(versions)) {
  accounts[name] = await node.apart(async () => flow(await payable(await open()))).catch((error) => ({ failed: error.stack }));
}
// In one operation with the payment, as the last of its calls.
const together = await node.apart(async () => {
  await node.rpc("fakenode_paymaster", { exchangeRate: rate.toString() });
  const account = await payable(await versions["EntryPoint 0.6"]());
  const hash = await sent(account, { calls: [approval] });
  await node.seal();
  return success(hash);
});
node.report({ accounts, together });
