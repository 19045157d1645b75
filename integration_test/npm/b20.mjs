// A payment with a memo as Base's "Accept B20 payments" shows it, its refusals, and a permit, with viem and the ABI as
// Base publishes it.
// node b20.mjs URL WEBSOCKET TOKEN OWNER_KEY STABLECOIN REGISTRY
import {
  BaseError, ContractFunctionRevertedError, createPublicClient, createWalletClient, defineChain, hexToString, http, keccak256,
  parseAbi, parseEventLogs, parseSignature, parseUnits, stringToHex, toHex,
} from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const [address, registry] = node.options;
const transport = http(node.url);
const id = await createPublicClient({ transport }).getChainId();
const chain = defineChain({ id, name: "fakenode", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } } });
const client = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 20 });
const account = (index) => mnemonicToAccount(node.mnemonic, { addressIndex: index });
const payer = account(node.payer), merchant = account(node.merchant), stranger = account(node.stranger);
const issuer = privateKeyToAccount(node.owner);

const abi = parseAbi([
  "function decimals() view returns (uint8)",
  "function currency() view returns (string)",
  "function balanceOf(address account) view returns (uint256)",
  "function transferWithMemo(address to, uint256 amount, bytes32 memo) returns (bool)",
  "function transferFromWithMemo(address from, address to, uint256 amount, bytes32 memo) returns (bool)",
  "function mint(address to, uint256 amount)",
  "function nonces(address owner) view returns (uint256)",
  "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
  "function eip712Domain() view returns (bytes1 fields, string name, string version, uint256 chainId, address verifyingContract, bytes32 salt, uint256[] extensions)",
  "function pause(uint8[] features)",
  "function unpause(uint8[] features)",
  "function isPaused(uint8 feature) view returns (bool)",
  "function updatePolicy(bytes32 policyScope, uint64 newPolicyId)",
  "event Transfer(address indexed from, address indexed to, uint256 amount)",
  "event Memo(address indexed caller, bytes32 indexed memo)",
  "error ContractPaused(uint8 feature)",
  "error PolicyForbids(bytes32 policyScope, uint64 policyId)",
  "error InsufficientBalance(address sender, uint256 balance, uint256 needed)",
  "error InvalidReceiver(address receiver)",
  "error AccessControlUnauthorizedAccount(address account, bytes32 neededRole)",
]);
const registryABI = parseAbi([
  "function createPolicyWithAccounts(address admin, uint8 policyType, address[] accounts) returns (uint64 newPolicyId)",
]);

const read = (functionName, args = [], blockTag = "latest") => client.readContract({ address, abi, functionName, args, blockTag });

// send sends a call, seals a block, and returns the receipt.
async function send(from, functionName, args, to = { address, abi }) {
  const hash = await createWalletClient({ account: from, chain, transport }).writeContract({ ...to, functionName, args });
  await node.seal();
  return client.waitForTransactionReceipt({ hash });
}

// refusal returns the token's error for a call as a wallet's page asks before it sends, "" if there is none.
async function refusal(from, functionName, args) {
  try {
    await client.simulateContract({ account: from, address, abi, functionName, args });
    return "";
  } catch (error) {
    const reverted = error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError);
    if (!reverted) throw error;
    return `${reverted.data?.errorName}(${reverted.data?.args?.join(", ") ?? ""})`;
  }
}

const decimals = await read("decimals");
const amount = parseUnits("10", decimals);
const memo = stringToHex("order-42", { size: 32 });
const pay = [merchant.address, amount, memo];

// The payment, and what the merchant reads: in the receipt, and by the memo alone.
const receipt = await send(payer, "transferWithMemo", pay);
const [logged] = parseEventLogs({ abi, logs: receipt.logs, eventName: "Memo" });
const [found] = await client.getContractEvents({ address, abi, eventName: "Memo", args: { memo }, fromBlock: 0n });
const transfers = await client.getContractEvents({ address, abi, eventName: "Transfer", blockHash: found.blockHash });
const parent = transfers.find((t) => t.transactionHash === found.transactionHash && t.logIndex === found.logIndex - 1);
const paid = {
  order: hexToString(logged.args.memo, { size: 32 }).replace(/\0+$/, ""), caller: logged.args.caller,
  from: parent.args.from, to: parent.args.to, amount: parent.args.amount, balance: await read("balanceOf", [merchant.address]),
};

// The permit: the merchant collects.
const domain = await read("eip712Domain");
const deadline = (await client.getBlock()).timestamp + 900n;
const signature = parseSignature(await payer.signTypedData({
  domain: { name: domain[1], version: domain[2], chainId: domain[3], verifyingContract: domain[4] },
  types: { Permit: ["address owner", "address spender", "uint256 value", "uint256 nonce", "uint256 deadline"].map((field) => {
    const [type, name] = field.split(" ");
    return { type, name };
  }) },
  primaryType: "Permit",
  message: { owner: payer.address, spender: merchant.address, value: amount, nonce: await read("nonces", [payer.address]), deadline },
}));
await send(stranger, "permit", [payer.address, merchant.address, amount, deadline, Number(signature.v), signature.r, signature.s]);
const collected = await send(merchant, "transferFromWithMemo", [payer.address, merchant.address, amount, toHex(43, { size: 32 })]);
const order = parseEventLogs({ abi, logs: collected.logs }).map(({ eventName }) => eventName);

// What a page shows in place of a failed payment.
const refusals = { open: await refusal(payer, "transferWithMemo", pay) };
refusals.poor = await refusal(payer, "transferWithMemo", [merchant.address, 10n ** 13n, memo]);
refusals.toToken = await refusal(payer, "transferWithMemo", [address, amount, memo]);
refusals.mint = await refusal(payer, "mint", [payer.address, amount]);
await send(issuer, "pause", [[0]]);
refusals.paused = await refusal(payer, "transferWithMemo", pay);
const paused = await read("isPaused", [0]);
await send(issuer, "unpause", [[0]]);
await send(issuer, "createPolicyWithAccounts", [issuer.address, 0, [payer.address]], { address: registry, abi: registryABI });
await send(issuer, "updatePolicy", [keccak256(toHex("TRANSFER_SENDER_POLICY")), 2n]);
refusals.blocked = await refusal(payer, "transferWithMemo", pay);
refusals.other = await refusal(stranger, "transferWithMemo", pay);
await send(issuer, "mint", [stranger.address, amount]);

node.report({ paid, decimals, currency: await read("currency"), order, paused, refusals, minted: await read("balanceOf", [stranger.address]) });
