// viem's bundler client on the node's own URL: operations of smart accounts through a lost pre-confirmation and reorgs,
// and what the bundler refuses.
// node bundler.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { encodeFunctionData, parseEther } from "viem";
import { funded, versions } from "./accounts.mjs";
import { client, merchant, refused } from "./course.mjs";
import * as node from "./fakenode.mjs";
import { bundler, payment, receipt as got, sent, success, token } from "./operations.mjs";

async function flow(account) {
  const course = {};
  let hash = await sent(account);
  course.pooled = [await got(hash) === null, (await bundler.getUserOperation({ hash })).userOperation.sender === account.address.toLowerCase()];
  await node.preconfirm();
  const receipt = await bundler.waitForUserOperationReceipt({ hash, timeout: 5_000 });
  const found = await bundler.getUserOperation({ hash });
  course.preconfirmed = receipt.success && receipt.userOpHash === hash && receipt.sender === account.address.toLowerCase() && receipt.actualGasCost > 0n
    && found.transactionHash === receipt.receipt.transactionHash && found.userOperation.callData === await account.encodeCalls([payment]);
  course.logs = receipt.logs.filter(({ address }) => address === node.token.toLowerCase()).length;
  await node.rpc("fakenode_flashblockFault", { kind: "drop", count: 1, transactions: "gone" });
  await node.seal();
  course.lost = await success(hash);
  hash = await sent(account);
  await node.seal();
  course.sealed = await success(hash);
  await node.reorg({ depth: 1, transactions: "drop" });
  course.removed = await success(hash);
  hash = await sent(account);
  await node.seal();
  await node.reorg({ depth: 1 });
  await node.seal();
  course.again = await success(hash);
  const nonce = await account.getNonce();
  const both = [await sent(account, { nonce }), await sent(account, { nonce: nonce + 1n })];
  course.waiting = (await node.rpc("debug_bundler_dumpMempool", account.entryPoint.address)).length;
  await node.seal();
  course.both = await Promise.all(both.map(success));
  await sent(account);
  await node.rpc("debug_bundler_clearState");
  course.cleared = (await node.rpc("debug_bundler_dumpMempool", account.entryPoint.address)).length;
  const beyond = encodeFunctionData({ ...token, functionName: "transfer", args: [merchant.address, 10n ** 18n] });
  course.refused = {
    nonce: await refused(() => sent(account, { nonce })),
    poor: await refused(() => sent(account, { maxFeePerGas: parseEther("1"), maxPriorityFeePerGas: 1n })),
    undeployed: await refused(() => sent({ ...account, address: merchant.address, getFactoryArgs: async () => ({}) }, { nonce: 0n, callGasLimit: 100_000n, verificationGasLimit: 100_000n, preVerificationGas: 100_000n })),
    call: await refused(() => bundler.estimateUserOperationGas({ account, calls: [{ ...payment, data: beyond }] })),
    missing: await refused(() => bundler.request({ method: "eth_sendUserOperation", params: [{ sender: account.address, nonce: "0x0" }, account.entryPoint.address] })),
    entryPoint: await refused(() => bundler.request({ method: "eth_sendUserOperation", params: [{}, merchant.address] })),
  };
  course.paid = Number(await client.readContract({ ...token, functionName: "balanceOf", args: [merchant.address] })) - start;
  return course;
}

const start = Number(await client.readContract({ ...token, functionName: "balanceOf", args: [merchant.address] }));
const flows = {};
for (const [name, open] of Object.entries(versions)) {
  flows[name] = await node.apart(async () => flow(await funded(await open()))).catch((error) => ({ failed: error.stack }));
}
node.report({ entryPoints: await node.rpc("eth_supportedEntryPoints"), accounts: flows });
