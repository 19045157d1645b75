// x402's fetch buys at x402's own middleware, which settles by a facilitator that cannot see receipts for a while.
// node pending.mjs URL WEBSOCKET TOKEN OWNER_KEY FACILITATOR
import { once } from "node:events";
import { x402Client } from "@x402/core/client";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { ExactEvmScheme as ExactClient } from "@x402/evm/exact/client";
import { ExactEvmScheme as ExactServer } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import { decodePaymentResponseHeader, wrapFetchWithPayment } from "@x402/fetch";
import express from "express";
import { client, merchant, payer, read } from "./course.mjs";
import * as node from "./fakenode.mjs";

const hide = () => node.rpc("fakenode_setFault", { method: "eth_getTransactionReceipt", null: true, times: -1 });
const show = () => node.rpc("fakenode_clearFaults");

// settled has what the facilitator answered; receipts are there again after so many answers.
let settled = [], shown;
class Facilitator extends HTTPFacilitatorClient {
  async settle(...payment) {
    const { success, errorReason, transaction } = await super.settle(...payment);
    settled.push({ success, errorReason, transaction });
    if (settled.length === shown) await show();
    return { success, errorReason, transaction, network };
  }
}

const network = `eip155:${await client.getChainId()}`;
const extra = { name: await read("name"), version: await read("version") };
const accepts = { scheme: "exact", network, payTo: merchant.address, price: { amount: "10000", asset: node.token, extra } };
const server = new x402ResourceServer(new Facilitator({ url: node.options[0] })).register(network, new ExactServer());
const shop = express().use(paymentMiddleware({ "GET /report": { accepts, description: "A report" } }, server));
shop.get("/report", (_, response) => response.json({ report: "sunny" }));
const listener = shop.listen(0, "127.0.0.1");
await once(listener, "listening");
const pay = wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes: [{ network: "eip155:*", client: new ExactClient(payer) }], spendControls: false }));

// buy reports what a purchase came to, while receipts are null until so many settlements were answered.
async function buy(answers) {
  [settled, shown] = [[], answers];
  const before = await read("balanceOf", merchant.address);
  if (answers > 0) await hide();
  const response = await pay(`http://127.0.0.1:${listener.address().port}/report`);
  await show();
  const { success, errorReason } = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE"));
  return {
    status: response.status, success, reason: errorReason ?? "", paid: Number((await read("balanceOf", merchant.address)) - before),
    answers: settled.map((answer) => answer.errorReason ?? "success"), transactions: new Set(settled.map((answer) => answer.transaction)).size,
  };
}

const inTime = await buy(1);
const tooLate = await buy(3); // the shop asks twice
node.report({ inTime, tooLate, again: await buy(0) });
