// A shop that sells a report for a cent by x402, a facilitator that settles, and a buyer, on a node of their own.
import { once } from "node:events";
import { x402Client } from "@x402/core/client";
import { x402Facilitator } from "@x402/core/facilitator";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as ExactClient } from "@x402/evm/exact/client";
import { registerExactEvmScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmScheme as ExactServer } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import { decodePaymentResponseHeader, wrapFetchWithPayment } from "@x402/fetch";
import express from "express";
import { fakenodeActions, start } from "fakenode";
import { createTestClient, erc20Abi, http, publicActions, walletActions } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { base } from "viem/chains";

const node = await start({ preset: "base-flashblocks", seal: "instant" }); // chain 8453, USDC at its address
const [payer, merchant, relayer] = node.accounts.map(({ privateKey }) => privateKeyToAccount(privateKey));
const client = createTestClient({ account: relayer, chain: base, mode: "anvil", transport: http(node.url), pollingInterval: 20 })
  .extend(publicActions)
  .extend(walletActions)
  .extend(fakenodeActions());
const received = () => client.readContract({ address: node.token, abi: erc20Abi, functionName: "balanceOf", args: [merchant.address] });

const facilitator = new x402Facilitator();
registerExactEvmScheme(facilitator, { signer: toFacilitatorEvmSigner({ ...client, address: relayer.address }), networks: "eip155:8453" });
const server = new x402ResourceServer(facilitator).register("eip155:8453", new ExactServer());
const accepts = { scheme: "exact", network: "eip155:8453", payTo: merchant.address, price: "$0.01" };
const shop = express().use(paymentMiddleware({ "GET /report": { accepts, description: "A report" } }, server));
shop.get("/report", (_, response) => response.json({ report: "sunny" }));
const listener = shop.listen(0, "127.0.0.1");
await once(listener, "listening");

const buyer = x402Client.fromConfig({ schemes: [{ network: "eip155:*", client: new ExactClient(payer) }] });
const before = await received();
const response = await wrapFetchWithPayment(fetch, buyer)(`http://127.0.0.1:${listener.address().port}/report`);
const { transaction } = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE"));
console.log("bought", await response.json(), "for", (await received()) - before);

await client.reorg({ depth: 1, transactions: "drop" }); // the shop has delivered, and its money is gone
console.log("received", (await received()) - before, "the payment is", (await client.transaction(transaction)).where);
listener.close();
await node.stop();
