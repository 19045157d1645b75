// mppx, another protocol for paid requests, charges by EIP-3009 and has the Go facilitator settle.
// node mppx.mjs URL WEBSOCKET TOKEN OWNER_KEY FACILITATOR
import { createServer } from "node:http";
import { once } from "node:events";
import { Mppx as Client } from "mppx/client";
import { evm as paying } from "mppx/evm/client";
import { evm as charging } from "mppx/evm/server";
import { Mppx as Server } from "mppx/server";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { chain, merchant, payer, read, tokenData } from "./course.mjs";
import * as node from "./fakenode.mjs";

const [facilitator] = node.options;
const money = { currency: node.token, chainId: chain.id, decimals: 6, authorization: tokenData };
const server = Server.create({
  methods: [charging.charge({ ...money, recipient: merchant.address, x402: { facilitator } })], secretKey: "a secret of at least thirty-two bytes", realm: "shop.example",
});
const sell = async (request) => {
  const response = await server.charge({ amount: "0.25" })(request);
  return response.status === 402 ? response.challenge : response.withReceipt(Response.json({ answer: 42 }));
};
const http = createServer(async (incoming, outgoing) => {
  const answer = await sell(new Request(`http://${incoming.headers.host}${incoming.url}`, { headers: incoming.headers }));
  outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
}).listen(0, "127.0.0.1");
await once(http, "listening");
const shop = `http://127.0.0.1:${http.address().port}/answer`;

async function buy(account) {
  const before = await read("balanceOf", merchant.address);
  const client = Client.create({ methods: [paying.charge({ ...money, currencies: [node.token], networks: [chain.id], account, maxAmount: "1" })], polyfill: false });
  const response = await client.fetch(shop);
  return { status: response.status, body: (await response.text()).slice(0, 200), paid: Number((await read("balanceOf", merchant.address)) - before) };
}
node.report({
  unpaid: (await fetch(shop)).status, bought: await buy(payer),
  penniless: await buy(privateKeyToAccount(generatePrivateKey())).catch((error) => ({ status: error.message })),
});
