// The x402 exact scheme: client, facilitator and resource server in one process pay through the node; then everything a
// facilitator refuses, with its reason.
// node x402.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { once } from "node:events";
import { x402Client } from "@x402/core/client";
import { x402Facilitator } from "@x402/core/facilitator";
import { HTTPFacilitatorClient } from "@x402/core/server";
import { toFacilitatorEvmSigner } from "@x402/evm";
import { ExactEvmScheme as ExactClient } from "@x402/evm/exact/client";
import { registerExactEvmScheme } from "@x402/evm/exact/facilitator";
import { ExactEvmScheme as ExactServer } from "@x402/evm/exact/server";
import { paymentMiddleware, x402ResourceServer } from "@x402/express";
import { decodePaymentResponseHeader, wrapFetchWithPayment } from "@x402/fetch";
import express from "express";
import { createPublicClient, createWalletClient, defineChain, http, publicActions } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const transport = http(node.url);
const client = createPublicClient({ transport, pollingInterval: 20 });
const id = await client.getChainId();
const chain = defineChain({ id, name: "fakenode", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } } });
const account = (index) => mnemonicToAccount(node.mnemonic, { addressIndex: index });
const payer = account(node.payer), merchant = account(node.merchant), relayer = account(3);
const wallet = (from) => createWalletClient({ account: from, chain, transport, pollingInterval: 20 });
// Of the asset that a chain has x402 knows everything, of a token elsewhere what it is told.
const [known] = (await node.rpc("fakenode_info")).config.x402Assets ?? [];
const token = known?.address ?? node.token;
const contract = { address: token, abi: node.tokenABI };
const read = (functionName, args = []) => client.readContract({ ...contract, functionName, args });
const asOwner = (functionName, args = []) => wallet(privateKeyToAccount(node.owner)).writeContract({ ...contract, functionName, args });

const network = `eip155:${id}`;
const extra = { name: await read("name"), version: await read("version") };
const price = "10000"; // one cent, in token units
const accepts = {
  scheme: "exact", network, payTo: merchant.address,
  price: known ? "$0.01" : { amount: price, asset: token, extra },
};

// serve listens on a free port and returns its URL.
async function serve(app) {
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${server.address().port}`;
}

const newFacilitator = () => {
  const facilitator = new x402Facilitator();
  const signer = toFacilitatorEvmSigner({ ...wallet(relayer).extend(publicActions), address: relayer.address });
  registerExactEvmScheme(facilitator, { signer, networks: network });
  return facilitator;
};

function facilitatorApp(facilitator) {
  const app = express().use(express.json());
  app.get("/supported", (_, response) => response.json(facilitator.getSupported()));
  for (const step of ["verify", "settle"]) {
    app.post(`/${step}`, async ({ body }, response) => response.json(await facilitator[step](body.paymentPayload, body.paymentRequirements)));
  }
  return app;
}

function shopApp(facilitatorURL) {
  const server = new x402ResourceServer(new HTTPFacilitatorClient({ url: facilitatorURL })).register(network, new ExactServer());
  const app = express().use(paymentMiddleware({ "GET /report": { accepts, description: "A report" } }, server));
  app.get("/report", (_, response) => response.json({ report: "sunny" }));
  return app;
}

const facilitator = newFacilitator();
const shop = await serve(shopApp(await serve(facilitatorApp(facilitator))));
const buyer = x402Client.fromConfig({
  schemes: [{ network: "eip155:*", client: new ExactClient(payer) }],
  spendControls: { allowedAssets: known ? undefined : true },
});

// pay buys the report. The payment that the client made for it comes back, too.
async function pay() {
  let used;
  buyer.onAfterPaymentCreation(async ({ paymentPayload }) => { used = paymentPayload; });
  const balances = async () => [await read("balanceOf", [payer.address]), await read("balanceOf", [merchant.address])];
  const [payerBefore, merchantBefore] = await balances();
  const unpaid = await fetch(`${shop}/report`);
  const response = await wrapFetchWithPayment(fetch, buyer)(`${shop}/report`);
  const [payerAfter, merchantAfter] = await balances();
  const settlement = decodePaymentResponseHeader(response.headers.get("PAYMENT-RESPONSE"));
  const receipt = await client.getTransactionReceipt({ hash: settlement.transaction });
  return {
    payload: used,
    bought: {
      unpaid: unpaid.status, status: response.status, body: await response.json(), paid: payerBefore - payerAfter, received: merchantAfter - merchantBefore,
      payer: settlement.payer, network: settlement.network, success: settlement.success, receipt: receipt.status, relayer: receipt.from,
    },
  };
}

const { payload: spent, bought } = await pay();
const requirements = spent.accepted;

// A payment that nobody settled yet, for other requirements if given.
const fresh = async (changed = {}) => {
  const accepted = { ...requirements, ...changed };
  return buyer.createPaymentPayload({ x402Version: 2, resource: spent.resource, accepts: [accepted] });
};
const refusal = ({ isValid, invalidReason }) => (isValid ? "" : invalidReason);
const failure = ({ success, errorReason }) => (success ? "" : errorReason);
const verify = async (payload, changed = {}) => refusal(await facilitator.verify(payload, { ...requirements, ...changed }));

const verified = {
  fresh: await verify(await fresh()),
  replayed: await verify(spent),
};
const tampered = await fresh();
tampered.payload.authorization.value = String(BigInt(price) + 1n);
verified["tampered value"] = await verify(tampered, { amount: tampered.payload.authorization.value });
const misnamed = { extra: { ...extra, name: extra.name + "!" } };
verified["wrong name"] = await verify(await fresh(misnamed), misnamed);
const fortune = { amount: String((await read("balanceOf", [payer.address])) + 1n) };
const uncapped = x402Client.fromConfig({ schemes: [{ network: "eip155:*", client: new ExactClient(payer) }], spendControls: false });
const greedy = await uncapped.createPaymentPayload({ x402Version: 2, resource: spent.resource, accepts: [{ ...requirements, ...fortune }] });
verified["over balance"] = await verify(greedy, fortune);

const waiting = await fresh();
await asOwner("pause");
verified.paused = await verify(waiting);
const settled = { paused: failure(await facilitator.settle(waiting, requirements)) };
await asOwner("unpause");
settled.fresh = failure(await facilitator.settle(waiting, requirements));
settled.again = failure(await newFacilitator().settle(waiting, requirements));

node.report({ bought, verified, settled });
