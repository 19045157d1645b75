// mppx, another protocol for paid requests, charges by EIP-3009 and has the Go facilitator settle.
// node mppx.mjs URL WEBSOCKET TOKEN OWNER_KEY FACILITATOR
import { Mppx as Client } from "mppx/client";
import { evm as paying } from "mppx/evm/client";
import { evm as charging } from "mppx/evm/server";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { chain, merchant, payer, read, tokenData } from "./course.mjs";
import * as node from "./fakenode.mjs";
import { open } from "./mppx_shop.mjs";

const [facilitator] = node.options;
const money = { currency: node.token, chainId: chain.id, decimals: 6, authorization: tokenData };
const shop = await open(charging.charge({ ...money, recipient: merchant.address, x402: { facilitator } }));

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
