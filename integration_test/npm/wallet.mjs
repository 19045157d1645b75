// viem's wallet actions for batches of calls on the node's own URL: through a lost pre-confirmation and reorgs, and what
// the wallet refuses.
// node wallet.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { createWalletClient, encodeFunctionData, http, verifyMessage, zeroHash } from "viem";
import { chain, merchant, payer, read, refused, relayer } from "./course.mjs";
import * as node from "./fakenode.mjs";

const wallet = (account) => createWalletClient({ account, chain, transport: http(node.url), pollingInterval: 20 });
const dapp = wallet(payer.address);
const token = { to: node.token, abi: node.tokenABI };
const pay = (amount) => ({ ...token, functionName: "transfer", args: [merchant.address, amount] });
const calls = [pay(10_000n), { to: node.token, data: encodeFunctionData({ ...token, ...pay(5_000n) }) }];
const beyond = pay(10n ** 18n);

const atomic = async () => (await dapp.getCapabilities({ chainId: chain.id })).atomic.status;
const seen = async (id) => {
  const { status, statusCode, receipts, ...said } = await dapp.getCallsStatus({ id });
  if (said.id !== id || said.chainId !== chain.id || said.version !== "2.0.0") throw new Error(JSON.stringify(said));
  return `${status} ${statusCode} ${receipts.map((r) => `${r.status}${r.blockHash === zeroHash ? " early" : ""}`).join(", ")}`.trim();
};

async function flow(forceAtomic) {
  const course = { before: await atomic() };
  const { id } = await dapp.sendCalls({ calls, forceAtomic });
  await dapp.showCallsStatus({ id });
  course.pooled = await seen(id);
  await node.preconfirm();
  course.preconfirmed = await seen(id);
  course.early = (await dapp.waitForCallsStatus({ id, status: ({ receipts }) => receipts.length > 0 })).statusCode;
  await node.rpc("fakenode_flashblockFault", { kind: "drop" });
  course.lost = await seen(id);
  // The client waits while nothing but this script makes a block.
  const looks = [];
  const waited = await dapp.waitForCallsStatus({ id, status: ({ statusCode }) => {
    if (looks.push(statusCode) === 1) node.seal();
    return statusCode >= 200;
  } });
  course.waited = [looks[0], waited.statusCode, waited.atomic];
  const [{ blockHash }] = waited.receipts;
  await node.reorg({ depth: 1 });
  const again = await dapp.getCallsStatus({ id });
  course.again = [again.statusCode, again.receipts[0].blockHash !== blockHash];
  await node.reorg({ depth: 2, length: 1, transactions: "drop" });
  course.gone = await seen(id);
  course.failed = await refused(() => dapp.waitForCallsStatus({ id, throwOnFailure: true, retryCount: 0 }));

  let looked = 0;
  const sync = await dapp.sendCallsSync({ calls: [...calls, beyond], forceAtomic, status: ({ statusCode }) => {
    if (looked++ === 0) node.seal();
    return statusCode >= 200;
  } });
  course.sync = [sync.status, `${sync.statusCode}`, sync.receipts.map((r) => r.status).join(", ")];
  course.after = await atomic();
  return course;
}

const start = await read("balanceOf", merchant.address);
const courses = {};
for (const forceAtomic of [true, false]) {
  courses[forceAtomic ? "atomic" : "sequential"] = await node.apart(async () => ({ ...await flow(forceAtomic), paid: Number(await read("balanceOf", merchant.address) - start) }));
}

// declined is how a batch fails for a user who answers with a code.
async function declined(code) {
  await node.rpc("fakenode_setFault", { method: "wallet_sendCalls", error: { code, message: "User rejected the request." } });
  return refused(() => dapp.sendCalls({ calls, forceAtomic: true }));
}

await node.rpc("fakenode_delegate", relayer.address, node.token);
await dapp.sendCalls({ calls, id: "order-1" });
node.report({
  courses,
  refused: {
    version: await refused(() => dapp.sendCalls({ calls, version: "1.0" })),
    user: await declined(4001),
    stranger: await refused(() => wallet(node.token).sendCalls({ calls })),
    strangersCapabilities: await refused(() => wallet(node.token).getCapabilities()),
    capability: await refused(() => dapp.sendCalls({ calls, capabilities: { paymasterService: { url: node.url } } })),
    chain: await refused(() => dapp.sendCalls({ calls, chain: { ...chain, id: 1 } })),
    duplicate: await refused(() => dapp.sendCalls({ calls, id: "order-1" })),
    unknown: await refused(() => dapp.getCallsStatus({ id: "order-2" })),
    unseen: await refused(() => dapp.showCallsStatus({ id: "order-2" })),
    large: await refused(() => dapp.sendCalls({ calls: Array(101).fill(calls[0]) })),
    upgrade: await declined(5750),
    atomicity: await refused(() => wallet(relayer.address).sendCalls({ calls, forceAtomic: true })),
  },
  page: {
    accounts: await dapp.requestAddresses(),
    permissions: (await dapp.requestPermissions({ eth_accounts: {} })).map((p) => p.parentCapability),
    caveats: (await dapp.getPermissions())[0].caveats[0].value.length,
    watched: await dapp.watchAsset({ type: "ERC20", options: { address: node.token, symbol: "USDC", decimals: 6 } }),
    switched: await dapp.switchChain({ id: chain.id }).then(() => true),
    added: await dapp.addChain({ chain }).then(() => true),
    signed: await verifyMessage({ address: payer.address, message: "hello", signature: await dapp.signMessage({ message: "hello" }) }),
    otherChain: await refused(() => dapp.switchChain({ id: 1 })),
  },
  optional: (await dapp.sendCalls({ calls, capabilities: { paymasterService: { url: node.url, optional: true } } })).id.length,
});
