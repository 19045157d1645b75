// What viem sees on Monad and its test network by its own definitions: payments, logs by filter and query, fees, the
// states of a block, and a proposal that is replaced.
// node monad.mjs URL WEBSOCKET TOKEN OWNER_KEY, of either network
import { createPublicClient, createWalletClient, formatEther, getAbiItem, http, parseEther, webSocket } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { monad, monadTestnet } from "viem/chains";
import * as node from "./fakenode.mjs";

const id = Number(await node.rpc("eth_chainId"));
const chain = [monad, monadTestnet].find((known) => known.id === id);
const account = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const client = createPublicClient({ chain, transport: http(node.url), pollingInterval: 20 });
const wallet = createWalletClient({ account, chain, transport: http(node.url) });
const socket = createPublicClient({ chain, transport: webSocket(node.websocketURL, { reconnect: false }) });
const states = new node.Queue();
await socket.transport.subscribe({ params: ["monadNewHeads"], onData: ({ result }) => states.push(result) });

const to = "0x00000000000000000000000000000000000000aa";
const paid = await client.waitForTransactionReceipt({ hash: await wallet.sendTransaction({ to, value: parseEther("1.5"), gas: 30_000n }) });
const event = getAbiItem({ abi: node.tokenABI, name: "Transfer" });
const filter = await client.createEventFilter({ address: node.token, event });
const call = { address: node.token, abi: node.tokenABI, functionName: "transfer", args: [to, 25n] };
const transfer = await client.waitForTransactionReceipt({ hash: await wallet.writeContract(call) });
const { blockHash, blockNumber } = transfer;
const found = [await client.getLogs({ address: node.token, event, fromBlock: blockNumber }), await client.getFilterChanges({ filter })];
const { maxFeePerGas, maxPriorityFeePerGas } = await client.estimateFeesPerGas();
await node.rpc("fakenode_replaceProposal", "drop");
const replaced = await client.getBlock({ blockNumber });
const name = (error) => error.name;
node.report({
  chain: chain.id, gasUsed: paid.gasUsed, balance: formatEther(await client.getBalance({ address: to })), maxFeePerGas, maxPriorityFeePerGas,
  values: found.map(([log]) => log.args.value), states: (await states.take(4)).map((head) => `${Number(head.number)} ${head.commitState}`),
  same: replaced.hash === blockHash, block: await client.getBlock({ blockHash }).catch(name),
  receipt: await client.getTransactionReceipt({ hash: transfer.transactionHash }).catch(name), removed: (await client.getFilterChanges({ filter })).length,
});
