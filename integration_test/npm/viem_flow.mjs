// The documented payment flow (contract 4.2-read to 4.2-window) with viem, and each way a capture fails.
// node viem_flow.mjs URL WEBSOCKET TOKEN OWNER_KEY PRIMARY_TYPE
import {
  BaseError, ContractFunctionRevertedError, createPublicClient, createWalletClient, defineChain, http,
  parseEventLogs, parseUnits, toHex,
} from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const [primaryType] = node.options;
const transport = http(node.url);
const id = await createPublicClient({ transport }).getChainId();
const chain = defineChain({ id, name: "fakenode", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } } });
const client = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 20 });
const account = (index) => mnemonicToAccount(node.mnemonic, { addressIndex: index });
const wallet = (from) => createWalletClient({ account: from, chain, transport });
const payer = account(node.payer), merchant = account(node.merchant), stranger = account(node.stranger);
const owner = privateKeyToAccount(node.owner);
const contract = { address: node.token, abi: node.tokenABI };

const read = (functionName, args = [], blockTag = "latest") => client.readContract({ ...contract, functionName, args, blockTag });
const write = (from, functionName, args, more = {}) => wallet(from).writeContract({ ...contract, functionName, args, ...more });
const used = (nonce, blockTag) => read("authorizationState", [payer.address, nonce], blockTag);

// Step 1: the domain, from the token.
const domain = { name: await read("name"), version: await read("version"), chainId: id, verifyingContract: node.token };

const authorizationFields = [
  { name: "from", type: "address" }, { name: "to", type: "address" }, { name: "value", type: "uint256" },
  { name: "validAfter", type: "uint256" }, { name: "validBefore", type: "uint256" }, { name: "nonce", type: "bytes32" },
];
const cancelFields = [{ name: "authorizer", type: "address" }, { name: "nonce", type: "bytes32" }];

// Step 2: the terms, with a fresh random nonce.
async function draft() {
  const { timestamp } = await client.getBlock();
  return {
    from: payer.address, to: merchant.address, value: parseUnits("25.00", 6),
    validAfter: timestamp - 60n, validBefore: timestamp + 15n * 60n,
    nonce: toHex(crypto.getRandomValues(new Uint8Array(32))),
  };
}

// Step 3: the signature.
const sign = (signer, message) => signer.signTypedData({ domain, primaryType, types: { [primaryType]: authorizationFields }, message });

const captureArguments = (a, signature) => [a.from, a.to, a.value, a.validAfter, a.validBefore, a.nonce, signature];
const capture = (from, a, signature, more) => write(from, "receiveWithAuthorization", captureArguments(a, signature), more);

async function settled(hash) {
  await node.seal();
  return client.waitForTransactionReceipt({ hash });
}

// reason returns the reason that viem gives for a call that reverted, "" if it succeeds.
async function reason(call) {
  try {
    await call();
    return "";
  } catch (error) {
    if (!(error instanceof BaseError)) throw error;
    const revert = error.walk((e) => e instanceof ContractFunctionRevertedError);
    if (!revert) throw error;
    return revert.reason;
  }
}

async function flow() {
  const authorization = await draft();
  const signatures = {
    local: await sign(payer, authorization),
    node: await createWalletClient({ account: payer.address, chain, transport })
      .signTypedData({ domain, primaryType, types: { [primaryType]: authorizationFields }, message: authorization }),
  };
  // Step 4: stored against the order, and read back for the capture.
  const orders = new Map([["order-1", { authorization, signature: signatures.local }]]);
  const order = orders.get("order-1");
  const { nonce } = order.authorization;
  // Step 5: unused, covered, captured.
  const before = { used: await used(nonce), payer: await read("balanceOf", [payer.address]), merchant: await read("balanceOf", [merchant.address]) };
  const hash = await capture(merchant, order.authorization, order.signature);
  await node.preconfirm();
  const receipt = await client.waitForTransactionReceipt({ hash });
  const preconfirmed = {
    used: { pending: await used(nonce, "pending"), latest: await used(nonce, "latest") },
    status: receipt.status, blockHash: receipt.blockHash,
    logs: (await client.getLogs({ address: node.token, fromBlock: "pending", toBlock: "pending" })).length,
  };
  await node.seal();
  const sealed = await client.getTransactionReceipt({ hash });
  const logs = await client.getLogs({ address: node.token, fromBlock: "latest", toBlock: "latest" });
  return {
    domain, authorization, signatures, before, preconfirmed,
    sealed: {
      used: await used(nonce), status: sealed.status, payer: await read("balanceOf", [payer.address]), merchant: await read("balanceOf", [merchant.address]),
      events: parseEventLogs({ abi: node.tokenABI, logs }).map(({ eventName, args, logIndex }) => ({ name: eventName, args, logIndex })),
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
    const simulated = await reason(() => client.simulateContract({ ...contract, account: caller, functionName: "receiveWithAuthorization", args: captureArguments(authorization, signature) }));
    const estimated = await reason(() => capture(caller, authorization, signature));
    const usedBefore = await used(authorization.nonce);
    const receipt = await settled(await capture(caller, authorization, signature, { gas: 200_000n }));
    return {
      simulated, estimated, status: receipt.status, logs: receipt.logs.length,
      changed: usedBefore !== (await used(authorization.nonce)), used: usedBefore,
    };
  });
}

const now = (await client.getBlock()).timestamp;
const asOwner = (functionName, args) => async () => settled(await write(owner, functionName, args));
const ways = {
  "too early": { change: () => ({ validAfter: now + 600n }) },
  "too late": { prepare: () => node.advance(16 * 60 * 1000) },
  "wrong caller": { caller: stranger },
  "low balance": { prepare: async () => settled(await write(payer, "transfer", [stranger.address, await read("balanceOf", [payer.address])])) },
  paused: { prepare: asOwner("pause", []) },
  blacklisted: { prepare: asOwner("blacklist", [payer.address]) },
  tampered: { tamper: (a) => ({ value: a.value + 1n }) },
  cancelled: {
    prepare: async ({ nonce }) => {
      const message = { authorizer: payer.address, nonce };
      const signature = await payer.signTypedData({ domain, primaryType: "CancelAuthorization", types: { CancelAuthorization: cancelFields }, message });
      const { logs } = await settled(await write(merchant, "cancelAuthorization", [payer.address, nonce, signature]));
      const [canceled] = parseEventLogs({ abi: node.tokenABI, logs, eventName: "AuthorizationCanceled" });
      if (canceled.args.nonce !== nonce) throw new Error("AuthorizationCanceled carries another nonce");
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
