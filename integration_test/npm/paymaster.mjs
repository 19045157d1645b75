// viem's paymaster client on the node's own URL: operations of accounts without ether, through a lost pre-confirmation and
// reorgs, and what the paymaster refuses.
// node paymaster.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { parseEther } from "viem";
import { createPaymasterClient, formatUserOperationRequest } from "viem/account-abstraction";
import { funded, payable, versions } from "./accounts.mjs";
import { client, payer, refused, send } from "./course.mjs";
import * as node from "./fakenode.mjs";
import { bundlerWith, sent as sentBy, success, transport } from "./operations.mjs";

const paymaster = createPaymasterClient({ transport });
const bundler = bundlerWith({ paymaster: true });
const sent = (account, more) => sentBy(account, more, bundler);
const policy = (description) => node.rpc("fakenode_paymaster", description);

// under returns how an operation is refused under a policy.
const under = (account, description) => node.apart(async () => {
  await policy(description);
  return refused(() => sent(account));
});

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
    denied: await under(account, { deny: [account.address] }),
    dear: await under(account, { maxCost: 1 }),
    spent: await under(account, { budget: receipt.actualGasCost.toString() }),
    wrong: await under(account, { signature: "wrong" }),
    expired: await under(account, { signature: "expired" }),
    early: await under(account, { signature: "early" }),
    dry: await under(account, { deposit: 0 }),
  };
  return course;
}

// signedApart plays operations whose paymaster's signature stands beside its data (0.9), with a paymaster that pays for
// everything.
async function signedApart(account) {
  const generous = "0x00000000000000000000000000000000000009e9";
  await node.rpc("anvil_setCode", generous, "0x604060005260606000f3"); // returns no context and 0
  await send(payer, { ...account.entryPoint, functionName: "depositTo", args: [generous], value: parseEther("1") });
  await node.seal();
  const fields = { paymaster: generous, paymasterData: "0x1234", paymasterSignature: `0x${"5a".repeat(300)}` };
  const plain = bundlerWith();
  const hash = await sentBy(account, fields, plain);
  const waiting = await plain.getUserOperation({ hash });
  await node.preconfirm();
  const receipt = await plain.waitForUserOperationReceipt({ hash, timeout: 5_000 });
  const found = await plain.getUserOperation({ hash });
  await node.seal();
  await node.reorg({ depth: 1 });
  await node.seal();
  const magic = "0x123422e325a297439656";
  return {
    success: receipt.success, paymaster: receipt.paymaster.toLowerCase() === generous, again: await success(hash),
    fields: [waiting, found].map(({ userOperation }) => Object.entries(fields).every(([name, value]) => userOperation[name] === value)),
    refused: {
      magic: await refused(() => sentBy(account, { ...fields, paymasterData: magic }, plain)),
      limits: await refused(async () => plain.request({
        method: "eth_sendUserOperation",
        params: [{ ...formatUserOperationRequest(found.userOperation), paymasterPostOpGasLimit: undefined }, account.entryPoint.address],
      })),
    },
  };
}

const accounts = {};
for (const [name, open] of Object.entries(versions)) {
  accounts[name] = await node.apart(async () => flow(await payable(await open()))).catch((error) => ({ failed: error.stack }));
}
const apart = await node.apart(async () => signedApart(await funded(await versions["EntryPoint 0.9"]())));
const early = await refused(async () => sentBy(await versions["EntryPoint 0.8"](), { paymaster: node.token, paymasterSignature: "0x5a" }, bundlerWith()));
node.report({ accounts, apart, early });
