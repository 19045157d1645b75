// x402's own facilitator and the Go one are asked the same about random payments by channel, and settle them on the same
// chain. The answers that differ are reported.
// node channel_courses.mjs URL WEBSOCKET TOKEN OWNER_KEY FACILITATOR COURSES SEED
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/facilitator";
import { encodeAbiParameters, hashTypedData, keccak256, pad, publicActions, toHex } from "viem";
import { account, artifact, chain, client, merchant, payer, read, relayer, tokenData, wallet } from "./course.mjs";
import * as node from "./fakenode.mjs";

const [theirRival, courses, seed] = [node.options[0], Number(node.options[1]), Number(node.options[2])];
const network = `eip155:${chain.id}`, zero = pad("0x", { size: 20 }), permit2 = "0x000000000022D473030F116dDEE9F6B43aC78BA3";
const settlement = { address: "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003", abi: artifact("channels/settlement").abi };
const collectors = { eip3009: "0x4020806089470a89826cB9fB1f4059150b550004", permit2: "0x4020425FAf3B746C082C2f942b4E5159887B0005" };
const stranger = account(node.stranger);

let bits = seed;
const random = (n) => { // a number below n
  bits = (bits + 0x6d2b79f5) | 0;
  let t = Math.imul(bits ^ (bits >>> 15), 1 | bits);
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
  return ((t ^ (t >>> 14)) >>> 0) % n;
};
const pick = (...of) => of[random(of.length)];
const rarely = () => random(30) === 0;

const facilitator = new x402Facilitator();
facilitator.register(network, new BatchSettlementEvmScheme(toFacilitatorEvmSigner({ ...wallet(relayer).extend(publicActions), address: relayer.address }), relayer));
const ask = async (step, ...asked) => {
  const theirs = await facilitator[step](...structuredClone(asked)).catch((error) => ({ thrown: error.message }));
  return theirs;
};
const askGo = async (step, paymentPayload, paymentRequirements) => {
  const response = await fetch(`${theirRival}/${step}`, { method: "POST", body: JSON.stringify({ paymentPayload, paymentRequirements }) });
  const text = await response.text();
  return response.ok ? JSON.parse(text) : { thrown: text };
};

// What both must agree on: everything but the words beside a reason, and how a hash or an address is spelt.
const essence = ({ isValid, invalidReason, success, errorReason, thrown, payer: paidBy, amount, extra, transaction }) => JSON.stringify({
  isValid, invalidReason, success, errorReason, thrown, payer: paidBy?.toLowerCase(), amount: success ? amount ?? "" : undefined,
  extra: extra && JSON.parse(JSON.stringify(sorted(extra)).toLowerCase()), transaction: success ? Boolean(transaction) : undefined,
});
const sorted = (value) => (typeof value === "object" && value !== null
  ? Object.fromEntries(Object.entries(value).filter(([, v]) => v !== undefined).sort().map(([k, v]) => [k, sorted(v)])) : value);

const domain = { name: "x402 Batch Settlement", version: "1", chainId: chain.id, verifyingContract: settlement.address };
const uint = (name, bits = 256) => ({ name, type: `uint${bits}` });
const address = (name) => ({ name, type: "address" });
const bytes32 = (name) => ({ name, type: "bytes32" });
const ChannelConfig = [address("payer"), address("payerAuthorizer"), address("receiver"), address("receiverAuthorizer"), address("token"), uint("withdrawDelay", 40), bytes32("salt")];
const idOf = (message) => hashTypedData({ domain, types: { ChannelConfig }, primaryType: "ChannelConfig", message });
const signVoucher = (by, channelId, maxClaimableAmount) =>
  by.signTypedData({ domain, types: { Voucher: [bytes32("channelId"), uint("maxClaimableAmount", 128)] }, primaryType: "Voucher", message: { channelId, maxClaimableAmount } });
const tokenDomain = { ...tokenData, chainId: chain.id, verifyingContract: node.token };

// now is the wall clock, which both facilitators compare with.
const now = () => Math.floor(Date.now() / 1000);
let nonces = seed * 1_000_000;

async function authorization(from, channelId, amount) {
  const salt = pad(toHex(++nonces), { size: 32 });
  const validAfter = rarely() ? now() + 1_000 : 0, validBefore = rarely() ? now() + random(5) : now() + 3_000;
  const nonce = keccak256(encodeAbiParameters([{ type: "bytes32" }, { type: "uint256" }], [channelId, BigInt(salt)]));
  const types = { ReceiveWithAuthorization: [address("from"), address("to"), uint("value"), uint("validAfter"), uint("validBefore"), bytes32("nonce")] };
  const message = { from: payer.address, to: rarely() ? stranger.address : collectors.eip3009, value: amount, validAfter, validBefore, nonce };
  const signature = await from.signTypedData({ domain: tokenDomain, types, primaryType: "ReceiveWithAuthorization", message });
  return { erc3009Authorization: { validAfter: String(validAfter), validBefore: String(validBefore), salt, signature } };
}

async function permitted(from, channelId, amount) {
  const a = {
    from: rarely() ? stranger.address : payer.address, permitted: { token: rarely() ? permit2 : node.token, amount: String(rarely() ? amount + 1n : amount) },
    spender: rarely() ? stranger.address : collectors.permit2, nonce: String(++nonces), deadline: String(rarely() ? now() + 3 : now() + 3_000),
    witness: { channelId: rarely() ? pad("0x7", { size: 32 }) : channelId },
  };
  const types = {
    PermitWitnessTransferFrom: [{ name: "permitted", type: "TokenPermissions" }, address("spender"), uint("nonce"), uint("deadline"), { name: "witness", type: "DepositWitness" }],
    TokenPermissions: [address("token"), uint("amount")], DepositWitness: [bytes32("channelId")],
  };
  const message = { ...a, permitted: { ...a.permitted, amount: BigInt(a.permitted.amount) }, nonce: BigInt(a.nonce), deadline: BigInt(a.deadline) };
  const signature = await from.signTypedData({ domain: { name: "Permit2", chainId: chain.id, verifyingContract: permit2 }, types, primaryType: "PermitWitnessTransferFrom", message });
  return { permit2Authorization: { ...a, signature } };
}

async function permit(amount) {
  const value = rarely() ? amount + 1n : amount, deadline = rarely() ? now() + 3 : now() + 3_000;
  const message = { owner: payer.address, spender: permit2, value, nonce: await read("nonces", payer.address), deadline: BigInt(deadline) };
  const types = { Permit: [address("owner"), address("spender"), uint("value"), uint("nonce"), uint("deadline")] };
  const signature = await (rarely() ? stranger : payer).signTypedData({ domain: tokenDomain, types, primaryType: "Permit", message });
  const info = {
    from: rarely() ? stranger.address : payer.address, asset: rarely() ? permit2 : node.token, spender: rarely() ? node.token : permit2, amount: String(value),
    nonce: String(message.nonce), deadline: String(deadline), signature, version: "1",
  };
  return { eip2612GasSponsoring: { info } };
}

// payment returns a random payment and what was asked for.
async function payment() {
  const config = {
    payer: payer.address, payerAuthorizer: pick(payer.address, payer.address, zero), receiver: rarely() ? stranger.address : merchant.address,
    receiverAuthorizer: rarely() ? stranger.address : relayer.address, token: rarely() ? permit2 : node.token,
    withdrawDelay: rarely() ? pick(899, 2_592_001, 1_000) : 900, salt: pad(toHex(1 + random(3)), { size: 32 }),
  };
  const channelId = rarely() ? pad("0x5", { size: 32 }) : idOf(config);
  const [balance, claimed] = await client.readContract({ ...settlement, functionName: "channels", args: [channelId] });
  const refunds = await client.readContract({ ...settlement, functionName: "refundNonce", args: [channelId] });
  const kind = pick("deposit", "deposit", "voucher", "voucher", "refund", "claim", "claim", "settle", "back", "back", rarely() ? "nonsense" : "voucher");
  const amount = rarely() ? 10n ** 13n : BigInt(100 + random(900));
  const left = balance - claimed, ceiling = claimed + BigInt(random(Number(left > 0n ? left + left / 8n + 2n : 300n)));
  const by = rarely() ? stranger : payer;
  const voucher = async (of) => ({ channelId, maxClaimableAmount: String(of), signature: await signVoucher(by, channelId, of) });
  const requirements = {
    scheme: "batch-settlement", network, amount: "100", asset: node.token, payTo: merchant.address, maxTimeoutSeconds: 600,
    extra: { ...tokenData, receiverAuthorizer: relayer.address, withdrawDelay: 900 },
  };
  if (rarely()) requirements.extra = pick({ ...requirements.extra, name: undefined }, { ...requirements.extra, receiverAuthorizer: undefined }, { ...requirements.extra, withdrawDelay: undefined },
    { ...requirements.extra, receiverAuthorizer: zero }, { ...requirements.extra, name: "Another" });
  const accepted = { ...requirements, ...(rarely() ? pick({ scheme: "exact" }, { network: "eip155:1" }) : {}) };
  const claim = async (total) => {
    const { maxClaimableAmount, signature } = await voucher(rarely() ? total - 1n : total + BigInt(random(3)));
    return { voucher: { channel: config, maxClaimableAmount }, signature, totalClaimed: String(total) };
  };
  const payload = { type: kind === "back" ? "refund" : kind, channelConfig: config };
  let extensions;
  if (kind === "deposit") {
    const method = pick("eip3009", "eip3009", "permit2");
    if (random(3) === 0) requirements.extra.assetTransferMethod = accepted.extra.assetTransferMethod = rarely() ? "permit2" : method;
    const authorize = method === "permit2" ? permitted : authorization;
    payload.deposit = { amount: String(rarely() ? amount + 1n : amount), authorization: await authorize(by, channelId, amount) };
    if (method === "permit2" && random(3) > 0) extensions = await permit(amount);
    payload.voucher = await voucher(rarely() ? ceiling + amount + amount : ceiling + 1n);
  } else if (kind === "voucher" || kind === "refund") {
    payload.voucher = await voucher(ceiling);
  } else if (kind === "claim") {
    payload.claims = await Promise.all(Array.from({ length: 1 + random(2) }, () => claim(ceiling)));
  } else if (kind === "settle") {
    Object.assign(payload, { receiver: config.receiver, token: config.token });
  } else if (kind === "back") {
    const claims = random(2) ? [await claim(ceiling)] : [];
    Object.assign(payload, { voucher: await voucher(ceiling), amount: String(rarely() ? 0n : 1n + BigInt(random(500))), refundNonce: String(rarely() ? refunds + 1n : refunds), claims });
  }
  return [kind, { x402Version: 2, accepted, payload, ...(extensions && { extensions }) }, requirements];
}

const differences = [], reasons = {};
const compare = (course, kind, step, theirs, ours) => {
  const reason = theirs.invalidReason ?? theirs.errorReason ?? theirs.thrown ?? `${step}: good`;
  reasons[reason] = (reasons[reason] ?? 0) + 1;
  if (essence(theirs) !== essence(ours)) differences.push({ course, kind, step, theirs: essence(theirs), ours: essence(ours) + (ours.invalidMessage ?? ours.errorMessage ?? "") });
};
for (let course = 0; course < courses; course++) {
  const [kind, payload, requirements] = await payment();
  compare(course, kind, "verify", await ask("verify", payload, requirements), await askGo("verify", payload, requirements));
  const theirs = await node.apart(() => ask("settle", payload, requirements));
  compare(course, kind, "settle", theirs, await askGo("settle", payload, requirements));
}
node.report({ reasons, differences });
