// What viem, with its own chains and RISE's client of shreds, sees where latest moves: a payment that is announced, lost
// by a fault, sealed, and taken back by a reorg.
// node realtime.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { createPublicClient, createWalletClient, http, webSocket } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { megaeth, rise } from "viem/chains";
import { shredActions } from "shreds/viem";
import * as node from "./fakenode.mjs";

const id = Number(await node.rpc("eth_chainId"));
const chain = [megaeth, rise].find((known) => known.id === id);
const account = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const wallet = createWalletClient({ account, chain, transport: http(node.url) });
const client = createPublicClient({ chain, transport: webSocket(node.websocketURL, { reconnect: false }) });
const to = "0x00000000000000000000000000000000000000aa";
const balance = async () => String(await client.getBalance({ address: to }));

// The announcements that hold transactions, as the chain's own client hears of them.
const heard = new node.Queue();
const onData = (shred) => { if (shred.transactions.length > 0) heard.push(shred); };
if (chain === rise) {
  client.extend(shredActions).watchShreds({ includeStateChanges: true, onShred: onData, onError: (error) => { throw error; } });
  await client.getChainId(); // the subscription is open then
} else {
  await client.transport.subscribe({ params: ["miniBlocks"], onData: ({ result }) => onData(result) });
}

// Requests on one socket are taken in order: the payment is in the pool when the clock moves.
const pay = async (method) => {
  const request = await wallet.prepareTransactionRequest({ to, value: 7n });
  const receipt = client.request({ method, params: [await wallet.signTransaction(request)] });
  await client.request({ method: "fakenode_advance", params: [10] });
  return receipt;
};
const balances = [await balance()];
const method = chain === rise ? "eth_sendRawTransactionSync" : "realtime_sendRawTransaction";
const receipt = await pay(method);
balances.push(await balance());
const announced = await heard.next();
await node.rpc("fakenode_flashblockFault", { kind: "drop" });
balances.push(await balance());
await node.seal();
balances.push(await balance());
const sealed = await client.getTransactionReceipt({ hash: receipt.transactionHash });
await node.reorg({ depth: 1, transactions: "drop" });
balances.push(await balance());
console.log(JSON.stringify({
  chain: chain.id, receipt, balances, sealed: sealed.blockHash,
  announced: JSON.parse(JSON.stringify(announced, (_, value) => (typeof value === "bigint" ? String(value) : value))),
}));
process.exit();
