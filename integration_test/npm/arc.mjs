// What viem sees on Arc and its test network by its own definitions: one balance with two scales, two logs of a payment,
// what is hidden, and a blocked account.
// node arc.mjs URL WEBSOCKET TOKEN OWNER_KEY, of either network
import { createPublicClient, createWalletClient, formatEther, formatUnits, getAbiItem, http, parseEther, parseUnits, webSocket } from "viem";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { arc, arcTestnet } from "viem/chains";
import * as node from "./fakenode.mjs";

const id = Number(await node.rpc("eth_chainId"));
const chain = [arc, arcTestnet].find((known) => known.id === id);
const account = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const transport = http(node.url);
const client = createPublicClient({ chain, transport, pollingInterval: 20 });
const wallet = createWalletClient({ account, chain, transport });
const socket = createPublicClient({ chain, transport: webSocket(node.websocketURL, { reconnect: false }) });
const token = { address: node.token, abi: node.tokenABI };
const event = getAbiItem({ abi: node.tokenABI, name: "Transfer" });

const to = "0x00000000000000000000000000000000000000aa";
const heard = new node.Queue();
socket.watchEvent({ event, args: { to }, onLogs: (logs) => logs.forEach(heard.push) });
await socket.getBlockNumber(); // the subscription is there
const filter = await client.createEventFilter({ address: node.token, event });
await client.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to, value: parseEther("1.5") }) });
const hash = await wallet.writeContract({ ...token, functionName: "transfer", args: [to, parseUnits("0.25", 6)] });
const { blockNumber, logs } = await client.waitForTransactionReceipt({ hash });

const owner = createWalletClient({ account: privateKeyToAccount(node.owner), chain, transport });
const blocked = await owner.writeContract({ ...token, functionName: "blacklist", args: [to] });
await client.waitForTransactionReceipt({ hash: blocked });
const reason = (error) => error.details ?? error.shortMessage;
const name = (error) => error.cause?.name ?? error.name;

node.report({
  chain: chain.id, symbol: chain.nativeCurrency.symbol,
  native: formatEther(await client.getBalance({ address: to })),
  shown: formatUnits(await client.readContract({ ...token, functionName: "balanceOf", args: [to] }), 6),
  logs: logs.map(({ address, data }) => `${address} ${BigInt(data)}`),
  byTopic: (await client.getLogs({ event, args: { to }, fromBlock: blockNumber, toBlock: blockNumber })).length,
  byToken: (await client.getFilterChanges({ filter })).map((log) => log.args.value),
  heard: (await heard.take(3)).map((log) => log.args.value),
  finalized: (await client.getBlock({ blockTag: "finalized" })).number - blockNumber,
  pending: await client.getBlock({ blockTag: "pending" }).catch(name),
  pool: await client.createPendingTransactionFilter().catch(reason),
  send: await wallet.sendTransaction({ to, value: 1n, gas: 21_000n }).catch(reason),
  token: await client.simulateContract({ ...token, account, functionName: "transfer", args: [to, 1n] }).catch(({ cause }) => cause.reason),
});
