// x402's own client, server and facilitator sell by the request on a payment channel, each step of it through a lost
// pre-confirmation and a reorg.
// node channels.mjs URL WEBSOCKET TOKEN OWNER_KEY REQUESTS
import { once } from "node:events";
import { x402Client } from "@x402/core/client";
import { x402Facilitator } from "@x402/core/facilitator";
import { toClientEvmSigner, toFacilitatorEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme as ChannelClient } from "@x402/evm/batch-settlement/client";
import { BatchSettlementEvmScheme as ChannelFacilitator } from "@x402/evm/batch-settlement/facilitator";
import { BatchSettlementEvmScheme as ChannelServer } from "@x402/evm/batch-settlement/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import { wrapFetchWithPayment } from "@x402/fetch";
import express from "express";
import { publicActions } from "viem";
import { artifact, chain, client, merchant, payer, read, relayer, seal, send, tokenData, wallet } from "./course.mjs";
import * as node from "./fakenode.mjs";

const requests = Number(node.options[0]), price = 100n; // token units
const deposit = price * BigInt(requests + 100); // the rest is refunded and withdrawn
const network = `eip155:${chain.id}`;
const settlement = { address: "0x4020074e9dF2ce1deE5A9C1b5c3f541D02a10003", abi: artifact("channels/settlement").abi };
const ask = (functionName, ...args) => client.readContract({ ...settlement, functionName, args });

// The facilitator, and what it was last asked to settle: the same bytes are settled again when the chain loses them.
const facilitator = new x402Facilitator();
const facilitatorSigner = toFacilitatorEvmSigner({ ...wallet(relayer).extend(publicActions), address: relayer.address });
facilitator.register(network, new ChannelFacilitator(facilitatorSigner, relayer));
let last;
const door = {
  getSupported: async () => facilitator.getSupported(),
  verify: (...asked) => facilitator.verify(...asked),
  settle: async (...asked) => facilitator.settle(...(last = structuredClone(asked))),
};
const again = async () => {
  const { success, errorReason, errorMessage } = await facilitator.settle(...last);
  if (!success) throw new Error(`not settled again: ${errorReason} ${errorMessage ?? ""}`);
};

const seller = new ChannelServer(merchant.address, { receiverAuthorizerSigner: merchant });
const accepts = { scheme: "batch-settlement", network, payTo: merchant.address, price: { amount: String(price), asset: node.token, extra: tokenData } };
const app = express().use(paymentMiddleware({ "GET /answer": { accepts, description: "An answer" } }, new x402ResourceServer(door).register(network, seller)));
app.get("/answer", (_, response) => response.json({ answer: 42 }));
const server = app.listen(0, "127.0.0.1");
await once(server, "listening");
const shop = `http://127.0.0.1:${server.address().port}/answer`;

const buyer = new ChannelClient(toClientEvmSigner(payer, client), { depositStrategy: () => deposit });
const paying = wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes: [{ network: "eip155:*", client: buyer }], spendControls: false }));
let served = 0;
const buy = async (count) => {
  for (let i = 0; i < count; i++) {
    const response = await paying(shop);
    const body = await response.text();
    if (response.status !== 200) throw new Error(`request ${served}: ${response.status} ${body} ${response.headers.get("PAYMENT-REQUIRED")}`);
    served++;
  }
};
const manager = seller.createChannelManager(door, network, node.token);

const start = { payer: await read("balanceOf", payer.address), merchant: await read("balanceOf", merchant.address) };
const config = () => last[0].payload.channelConfig ?? last[0].payload.claims[0].voucher.channel;
let channel; // its terms
const look = async () => {
  const id = await ask("getChannelId", channel);
  const [balance, claimed] = await ask("channels", id);
  return [balance, claimed, (await read("balanceOf", merchant.address)) - start.merchant, start.payer - (await read("balanceOf", payer.address))].map(Number);
};

// through takes a step and loses its pre-confirmation, takes it again and loses its block, and takes it a third time.
// It returns the channel's balance and claims, what the merchant has got and what the payer is short of, at latest.
async function through(step, between = async () => {}, redo = again) {
  const course = {};
  await step();
  channel ??= config();
  course.preconfirmed = await look();
  await node.rpc("fakenode_flashblockFault", { kind: "drop", count: 1, transactions: "gone" });
  await seal();
  course.lost = await look();
  await between();
  await redo();
  await seal();
  course.sealed = await look();
  await node.reorg({ depth: 1, transactions: "drop" });
  course.removed = await look();
  await redo();
  await seal();
  course.settled = await look();
  return course;
}

const courses = {};
const onTrust = 10;
// Their server serves on its mirror of the chain: vouchers are out while the deposit is gone.
courses.deposit = await through(() => buy(1), () => buy(onTrust));
await buy(requests - served);
courses.claim = await through(() => manager.claim());
courses.settle = await through(() => manager.settle());
courses.refund = await through(() => buyer.refund(shop, { amount: String(price * 40n) }));

const withdraw = (functionName, ...args) => () => send(payer, { ...settlement, functionName, args: [channel, ...args] });
const initiate = withdraw("initiateWithdraw", price * 60n), finalize = withdraw("finalizeWithdraw");
courses.initiate = await through(initiate, undefined, initiate);
await node.advance(901_000);
courses.finalize = await through(finalize, undefined, finalize);
node.report({ served, courses });
