// Every way to pay by a signature that x402's own clients know, each through a lost pre-confirmation and a reorg.
// node payments.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { x402Client } from "@x402/core/client";
import { x402Facilitator } from "@x402/core/facilitator";
import { toClientEvmSigner, toFacilitatorEvmSigner } from "@x402/evm";
import { AuthCaptureEvmScheme } from "@x402/evm/auth-capture/client";
import { createPermit2ApprovalTx, ExactEvmScheme } from "@x402/evm/exact/client";
import { registerExactEvmScheme } from "@x402/evm/exact/facilitator";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { UptoEvmScheme as UptoFacilitator } from "@x402/evm/upto/facilitator";
import { publicActions } from "viem";
import { artifact, chain, client, merchant, payer, play, refusal, relayer, seal, send, tokenData, wallet } from "./course.mjs";
import * as node from "./fakenode.mjs";

const network = `eip155:${chain.id}`;

const signer = toClientEvmSigner(payer, client);
const buyer = x402Client.fromConfig({
  schemes: [ExactEvmScheme, UptoEvmScheme, AuthCaptureEvmScheme].map((Scheme) => ({ network: "eip155:*", client: new Scheme(signer) })),
  spendControls: false, // they know the assets of public chains only
});

const facilitatorSigner = toFacilitatorEvmSigner({ ...wallet(relayer).extend(publicActions), address: relayer.address });
const facilitator = new x402Facilitator();
registerExactEvmScheme(facilitator, { signer: facilitatorSigner, networks: network });
facilitator.register(network, new UptoFacilitator(facilitatorSigner));

const ceiling = "10000"; // one cent, in token units
const terms = (scheme, extra = {}) => ({
  scheme, network, amount: ceiling, asset: node.token, payTo: merchant.address, maxTimeoutSeconds: 600, extra: { ...tokenData, ...extra },
});
const pay = (requirements, extensions) =>
  buyer.createPaymentPayload({ x402Version: 2, resource: { url: "http://shop.example/report" }, accepts: [requirements], extensions });
const allowPermit2 = async () => {
  const { to, data } = createPermit2ApprovalTx(node.token);
  await client.waitForTransactionReceipt({ hash: await wallet(payer).sendTransaction({ to, data }) });
  await seal();
};

// byFacilitator settles by x402's own facilitator, an amount below the ceiling where the scheme has one.
async function byFacilitator(requirements, { amount = ceiling, extensions } = {}) {
  const payload = await pay(requirements, extensions);
  return play(async () => {
    const { success, errorReason } = await facilitator.settle(payload, { ...requirements, amount });
    return success ? "" : errorReason.split("\n", 2).join(" "); // the rest describes the call
  });
}

// A server that pays for the payer's approval of Permit2 announces it so.
const sponsored = { eip2612GasSponsoring: { info: { description: "", version: "1" }, schema: {} } };

// The client signs, and the merchant's operator reserves the money and captures a part of it.
async function byEscrow(escrow, abi, collector, extra) {
  const now = Math.floor(Date.now() / 1000);
  const requirements = terms("auth-capture", {
    captureAuthorizer: relayer.address, feeRecipient: relayer.address, captureDeadline: now + 3600, refundDeadline: now + 7200, minFeeBps: 0, maxFeeBps: 100,
    authCaptureEscrow: escrow, ...extra,
  });
  const { payload } = await pay(requirements);
  const info = {
    operator: relayer.address, payer: payer.address, receiver: merchant.address, token: node.token, maxAmount: BigInt(ceiling),
    preApprovalExpiry: Number(payload.authorization?.validBefore ?? payload.permit2Authorization.deadline),
    authorizationExpiry: now + 3600, refundExpiry: now + 7200, minFeeBps: 0, maxFeeBps: 100, feeReceiver: relayer.address, salt: BigInt(payload.salt),
  };
  const contract = { address: escrow, abi };
  return play(() => refusal(async () => {
    await send(relayer, { ...contract, functionName: "authorize", args: [info, 8000n, collector, payload.signature] });
    await send(relayer, { ...contract, functionName: "capture", args: [info, 5000n, 0, relayer.address] });
  }));
}

const escrow1_0 = "0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff", escrow1_1 = "0xf96815976523E00e65Be8f34cA5e64b4f41EB19c";
const paths = {
  "exact, EIP-3009": () => byFacilitator(terms("exact")),
  "exact, Permit2": async () => {
    await allowPermit2();
    return byFacilitator(terms("exact", { assetTransferMethod: "permit2" }));
  },
  "exact, Permit2, sponsored": () => byFacilitator(terms("exact", { assetTransferMethod: "permit2" }), { extensions: sponsored }),
  upto: async () => {
    await allowPermit2();
    return byFacilitator(terms("upto", { facilitatorAddress: relayer.address }), { amount: "7000" });
  },
  "upto, sponsored": () => byFacilitator(terms("upto", { facilitatorAddress: relayer.address }), { amount: "7000", extensions: sponsored }),
  "upto, above the ceiling": async () => {
    await allowPermit2();
    const requirements = terms("upto", { facilitatorAddress: relayer.address });
    const { errorReason } = await facilitator.settle(await pay(requirements), { ...requirements, amount: String(Number(ceiling) + 1) });
    return { again: errorReason };
  },
  "upto, no allowance": async () => {
    const requirements = terms("upto", { facilitatorAddress: relayer.address });
    const { invalidReason } = await facilitator.verify(await pay(requirements), requirements);
    return { again: invalidReason };
  },
  "auth-capture, EIP-3009": () => byEscrow(escrow1_1, artifact("escrow/escrow").abi, "0x8612dfdc421f80336cd14E8EF9cb1E765dB5ab88"),
  "auth-capture, Permit2": async () => {
    await allowPermit2();
    return byEscrow(escrow1_1, artifact("escrow/escrow").abi, "0xD69831Aed5bfe262067ec4c751f4F830EcdD446e", { assetTransferMethod: "permit2" });
  },
  "auth-capture 1.0": () => byEscrow(escrow1_0, artifact("escrow/escrow_v1_0").abi, "0x0E3dF9510de65469C4518D7843919c0b8C7A7757"),
};

const played = {};
for (const [name, path] of Object.entries(paths)) {
  played[name] = await node.apart(path).catch((error) => ({ failed: error.stack }));
}
node.report(played);
