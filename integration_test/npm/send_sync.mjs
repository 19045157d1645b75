// What viem's sendTransactionSync makes of a dialect of eth_sendRawTransactionSync: a payment that goes through, one
// whose time is up, and one with a nonce too high.
// node send_sync.mjs URL WEBSOCKET TOKEN OWNER_KEY [sealed]
import { createPublicClient, createWalletClient, defineChain, http, webSocket } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const chain = defineChain({ id: Number(await node.rpc("eth_chainId")), name: "chain", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } } });
const account = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const wallet = createWalletClient({ account, chain, transport: http(node.url) });
const socket = createPublicClient({ chain, transport: webSocket(node.websocketURL, { reconnect: false }) });

const pooled = new node.Queue();
await socket.transport.subscribe({ params: ["newPendingTransactions"], onData: ({ result }) => pooled.push(result) });
const pay = (more) => wallet.sendTransactionSync({ to: "0x00000000000000000000000000000000000000aa", value: 7n, gas: 21_000n, ...more });
const failure = async (payment) => {
  try {
    await payment;
  } catch (error) {
    const { code, data } = error.walk((e) => typeof e.code === "number") ?? {};
    return code ? { code, data } : { name: (error.cause ?? error).name };
  }
  throw new Error("the payment went through");
};

const payment = pay({ nonce: 0 });
await pooled.next();
await node.preconfirm();
const [sealed] = node.options; // it answers once a block has the payment
if (sealed) await node.seal();
const { blockHash } = await payment;
const late = await failure(pay({ nonce: 1, timeout: 1 }));
await node.seal(2);
const nonce = await socket.getTransactionCount({ address: account.address });
const gap = await failure(pay({ nonce: nonce + 3, timeout: 1 }));
const { queued } = await node.rpc("txpool_status");
console.log(JSON.stringify({ blockHash, late, gap, queued: Number(queued) }));
process.exit();
