// The documented payment flow (contract 4.2-read to 4.2-window) with ethers, and each way a capture fails.
// node ethers_flow.mjs URL WEBSOCKET TOKEN OWNER_KEY PRIMARY_TYPE
import { Contract, HDNodeWallet, JsonRpcProvider, Mnemonic, Wallet, hexlify, isCallException, parseUnits, randomBytes } from "ethers";
import * as node from "./fakenode.mjs";

const [primaryType] = node.options;
// Every read asks the node: a cached answer would be older than the block just sealed.
const provider = new JsonRpcProvider(node.url, undefined, { cacheTimeout: -1, pollingInterval: 20 });
const phrase = Mnemonic.fromPhrase(node.mnemonic);
const account = (index) => HDNodeWallet.fromMnemonic(phrase, `m/44'/60'/0'/0/${index}`).connect(provider);
const payer = account(node.payer), merchant = account(node.merchant), stranger = account(node.stranger);
const owner = new Wallet(node.owner, provider);
const token = new Contract(node.token, node.tokenABI, provider);
const as = (from) => token.connect(from);

const used = (nonce, blockTag = "latest") => token.authorizationState(payer.address, nonce, { blockTag });

// Step 1: the domain, from the token.
const { chainId } = await provider.getNetwork();
const domain = { name: await token.name(), version: await token.version(), chainId: Number(chainId), verifyingContract: node.token };

const authorizationTypes = {
  [primaryType]: [
    { name: "from", type: "address" }, { name: "to", type: "address" }, { name: "value", type: "uint256" },
    { name: "validAfter", type: "uint256" }, { name: "validBefore", type: "uint256" }, { name: "nonce", type: "bytes32" },
  ],
};
const cancelTypes = { CancelAuthorization: [{ name: "authorizer", type: "address" }, { name: "nonce", type: "bytes32" }] };

// Step 2: the terms, with a fresh random nonce.
async function draft() {
  const { timestamp } = await provider.getBlock("latest");
  return {
    from: payer.address, to: merchant.address, value: parseUnits("25.00", 6),
    validAfter: BigInt(timestamp - 60), validBefore: BigInt(timestamp + 15 * 60), nonce: hexlify(randomBytes(32)),
  };
}

// Step 3: the signature.
const sign = (signer, message) => signer.signTypedData(domain, authorizationTypes, message);

const captureArguments = (a, signature) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature];

async function settled(transaction) {
  await node.seal();
  return provider.getTransactionReceipt(transaction.hash);
}

// reason returns the reason that ethers gives for a call that reverted, "" if it succeeds.
async function reason(call) {
  try {
    await call();
    return "";
  } catch (error) {
    if (!isCallException(error)) throw error;
    return error.reason;
  }
}

const decoded = (log) => {
  const { name, args } = token.interface.parseLog(log);
  return { name, args: args.toObject(), logIndex: log.index };
};

async function flow() {
  const authorization = await draft();
  const signatures = { local: await sign(payer, authorization), node: await sign(await provider.getSigner(payer.address), authorization) };
  // Step 4: stored against the order, and read back for the capture.
  const orders = new Map([["order-1", { authorization, signature: signatures.local }]]);
  const order = orders.get("order-1");
  const { nonce } = order.authorization;
  // Step 5: unused, covered, captured.
  const before = { used: await used(nonce), payer: await token.balanceOf(payer.address), merchant: await token.balanceOf(merchant.address) };
  const transaction = await as(merchant)[node.receive](...captureArguments(order.authorization, order.signature));
  await node.preconfirm();
  const receipt = await provider.getTransactionReceipt(transaction.hash);
  const preconfirmed = {
    used: { pending: await used(nonce, "pending"), latest: await used(nonce, "latest") },
    status: receipt.status === 1 ? "success" : "reverted", blockHash: receipt.blockHash,
    logs: (await provider.getLogs({ address: node.token, fromBlock: "pending", toBlock: "pending" })).length,
  };
  await node.seal();
  const sealed = await transaction.wait();
  const logs = await provider.getLogs({ address: node.token, fromBlock: "latest", toBlock: "latest" });
  return {
    domain, authorization, signatures, before, preconfirmed,
    sealed: {
      used: await used(nonce), status: sealed.status === 1 ? "success" : "reverted",
      payer: await token.balanceOf(payer.address), merchant: await token.balanceOf(merchant.address), events: logs.map(decoded),
    },
  };
}

// refused captures what cannot be captured: simulated, estimated, and sent all the same.
async function refused({ change, tamper, prepare, caller = merchant }) {
  return node.apart(async () => {
    let authorization = { ...(await draft()), ...change?.() };
    const signature = await sign(payer, authorization);
    authorization = { ...authorization, ...tamper?.(authorization) };
    await prepare?.(authorization);
    const capture = as(caller)[node.receive];
    const input = captureArguments(authorization, signature);
    const simulated = await reason(() => capture.staticCall(...input));
    const estimated = await reason(() => capture(...input));
    const usedBefore = await used(authorization.nonce);
    const receipt = await settled(await capture(...input, { gasLimit: 200_000n }));
    return {
      simulated, estimated, status: receipt.status === 1 ? "success" : "reverted", logs: receipt.logs.length,
      changed: usedBefore !== (await used(authorization.nonce)), used: usedBefore,
    };
  });
}

const now = BigInt((await provider.getBlock("latest")).timestamp);
const asOwner = (name, ...args) => async () => settled(await as(owner)[name](...args));
const ways = {
  "too early": { change: () => ({ validAfter: now + 600n }) },
  "too late": { prepare: () => node.advance(16 * 60 * 1000) },
  "wrong caller": { caller: stranger },
  "low balance": { prepare: async () => settled(await as(payer).transfer(stranger.address, await token.balanceOf(payer.address))) },
  paused: { prepare: asOwner("pause") },
  blacklisted: { prepare: asOwner("blacklist", payer.address) },
  tampered: { tamper: (a) => ({ value: a.value + 1n }) },
  cancelled: {
    prepare: async ({ nonce }) => {
      const signature = await payer.signTypedData(domain, cancelTypes, { authorizer: payer.address, nonce });
      const { logs } = await settled(await as(merchant)[node.cancel](payer.address, nonce, signature));
      const { name, args } = decoded(logs[0]);
      if (name !== "AuthorizationCanceled" || args.nonce !== nonce) throw new Error(`cancelling logged ${name} with nonce ${args.nonce}`);
    },
  },
};

if (node.options.includes("refused-only")) {
  node.report({ refusals: { plain: await refused({}) } });
} else {
  const result = await flow();
  const refusals = {};
  for (const [name, way] of Object.entries(ways)) refusals[name] = await refused(way);
  node.report({ ...result, refusals });
}
