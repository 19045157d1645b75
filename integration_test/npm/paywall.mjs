// x402's fetch buys from a shop that is not x402's own: a fixed price, a total by use, and nothing without money.
// Then thousands of requests on a channel, whose rest comes back.
// node paywall.mjs URL WEBSOCKET TOKEN OWNER_KEY SHOP QUOTES
import { x402Client } from "@x402/core/client";
import { toClientEvmSigner } from "@x402/evm";
import { BatchSettlementEvmScheme } from "@x402/evm/batch-settlement/client";
import { createPermit2ApprovalTx, ExactEvmScheme } from "@x402/evm/exact/client";
import { UptoEvmScheme } from "@x402/evm/upto/client";
import { decodePaymentResponseHeader, wrapFetchWithPayment } from "@x402/fetch";
import { createWalletClient, http } from "viem";
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts";
import { chain, client, merchant, payer, read } from "./course.mjs";
import * as node from "./fakenode.mjs";

const [shop, quotes] = node.options;
const fetchAs = (account) => {
  const signer = toClientEvmSigner(account, client);
  const schemes = [new ExactEvmScheme(signer), new UptoEvmScheme(signer)].map((scheme) => ({ network: "eip155:*", client: scheme }));
  return wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes, spendControls: false }));
};

// buy pays for a route and reports what came and what it cost.
async function buy(path, account = payer) {
  const before = await read("balanceOf", merchant.address);
  const response = await fetchAs(account)(`${shop}${path}`);
  const header = response.headers.get("PAYMENT-RESPONSE");
  const settlement = header && decodePaymentResponseHeader(header);
  const receipt = settlement && await client.getTransactionReceipt({ hash: settlement.transaction });
  return {
    status: response.status, body: (await response.text()).trim(), paid: Number((await read("balanceOf", merchant.address)) - before),
    success: settlement?.success ?? false, receipt: receipt?.status ?? "",
  };
}

// The node seals every transaction at once.
const wallet = createWalletClient({ account: payer, chain, transport: http(node.url) });
const { to, data } = createPermit2ApprovalTx(node.token);
const bought = { unpaid: (await fetch(`${shop}/report`)).status, report: await buy("/report"), "words, not allowed": await buy("/words?count=3") };
await client.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to, data }) });
bought.words = await buy("/words?count=3");
bought.penniless = await buy("/report", privateKeyToAccount(generatePrivateKey()));

// A client on a channel deposits once, and a second one that knows nothing of it goes on where the first ended.
const channels = () => {
  const scheme = new BatchSettlementEvmScheme(toClientEvmSigner(payer, client), { depositStrategy: () => 100n * BigInt(quotes) + 5_000n });
  return [scheme, wrapFetchWithPayment(fetch, x402Client.fromConfig({ schemes: [{ network: "eip155:*", client: scheme }], spendControls: false }))];
};
const start = await read("balanceOf", payer.address);
const [first, paying] = channels(), [, another] = channels();
const statuses = {};
for (let i = 0; i < Number(quotes); i++) {
  const { status } = await (i < Number(quotes) / 2 ? paying : another)(`${shop}/quote`);
  statuses[status] = (statuses[status] ?? 0) + 1;
}
const back = await first.refund(`${shop}/quote`).catch((error) => error.message);
bought.channel = { statuses, back: back.amount ?? back, paid: Number(start - (await read("balanceOf", payer.address))) };
node.report(bought);
