// What viem and ethers make of a node that is behind: the situations of threads that users opened, each played by a fault.
// node stale.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { createPublicClient, createWalletClient, http, webSocket } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { HDNodeWallet, JsonRpcProvider, Mnemonic, NonceManager, Wallet } from "ethers";
import * as node from "./fakenode.mjs";

const chainId = Number(await node.rpc("eth_chainId"));
const chain = { id: chainId, name: "fakenode", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } } };
const account = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const other = mnemonicToAccount(node.mnemonic, { addressIndex: node.merchant }).address;
const transport = http(node.url, { retryCount: 0 });
const viem = createPublicClient({ chain, transport, cacheTime: 0, pollingInterval: 10 });
const sender = createWalletClient({ account, chain, transport });
const ethers = new JsonRpcProvider(node.url, chainId, { staticNetwork: true, batchMaxCount: 1, cacheTimeout: -1, pollingInterval: 10 });
const key = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(node.mnemonic), `m/44'/60'/0'/0/${node.stranger}`).privateKey;

const behind = (fault) => node.rpc("fakenode_setFault", { method: "*", times: -1, behind: 1, ...fault });
const caughtUp = () => node.rpc("fakenode_clearFaults");
const send = () => sender.sendTransaction({ to: other, value: 1n, gas: 21_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n });
const transfer = () => sender.writeContract({ address: node.token, abi: node.tokenABI, functionName: "transfer", args: [other, 1n], gas: 200_000n });
const outcome = (promise) => promise.then((value) => value, (error) => error.name ?? error.code);
const code = (promise) => promise.then(() => "done", (error) => error.code ?? error.name);
// calls waits until the node has answered so many calls of a method from now on.
const calls = async (method, count) => {
  const before = (await node.rpc("fakenode_calls", { method })).length;
  while ((await node.rpc("fakenode_calls", { method })).length < before + count) await new Promise((done) => setImmediate(done));
};
const report = {};
await node.seal(2);

// The head goes back.
{
  const seen = { viem: [], ethers: [] };
  const unwatch = viem.watchBlockNumber({ onBlockNumber: (n) => seen.viem.push(Number(n)), emitOnBegin: true });
  ethers.on("block", (n) => seen.ethers.push(n));
  await calls("eth_blockNumber", 6);
  await behind({ behind: 2 });
  await calls("eth_blockNumber", 6);
  await caughtUp();
  await node.seal();
  while (!seen.viem.includes(3) || !seen.ethers.includes(3)) await new Promise((done) => setImmediate(done));
  unwatch();
  await ethers.removeAllListeners();
  const back = (numbers) => numbers.some((n, i) => n < numbers[i - 1]);
  report.headGoesBack = { viem: back(seen.viem), ethers: back(seen.ethers) };
}

// A receipt that was there is null; who waits for confirmations goes on waiting.
{
  const hash = await send();
  await node.seal();
  const receipt = { viem: (await viem.getTransactionReceipt({ hash })).status, ethers: (await ethers.getTransactionReceipt(hash)).status };
  await behind();
  report.receiptThenNull = { before: receipt, viem: await outcome(viem.getTransactionReceipt({ hash })), ethers: await outcome(ethers.getTransactionReceipt(hash)) };
  const waiting = outcome(viem.waitForTransactionReceipt({ hash, confirmations: 2, timeout: 600_000 }).then(({ status }) => status));
  await calls("eth_blockNumber", 4);
  await caughtUp();
  await node.seal();
  report.waitedForReceipt = await waiting;
}

// No logs of a block that was announced, up to the newest block; by its number or hash an error.
{
  await transfer();
  const [block] = await node.seal();
  const { number } = await viem.getBlock({ blockHash: block });
  const recent = { address: node.token, fromBlock: number - 1n, toBlock: "latest" };
  const there = (await viem.getLogs(recent)).length;
  await behind();
  report.logsNotYetThere = {
    there, viem: (await viem.getLogs(recent)).length, ethers: (await ethers.getLogs(recent)).length,
    viemByNumber: await outcome(viem.getLogs({ address: node.token, fromBlock: number, toBlock: number })),
    ethersByNumber: await code(ethers.getLogs({ address: node.token, fromBlock: number, toBlock: number })),
    viemByHash: await outcome(viem.getLogs({ address: node.token, blockHash: block })),
    ethersByHash: await code(ethers.getLogs({ address: node.token, blockHash: block })),
    block: await outcome(viem.getBlock({ blockHash: block })), ethersBlock: await ethers.getBlock(block),
    // State of before; at the block's number an error.
    pinned: await outcome(viem.getBalance({ address: other, blockNumber: number })),
  };
  await caughtUp();
}

// An old nonce: a wallet that asks each time is refused, one that counts is not.
{
  const wallet = new Wallet(key, ethers), counting = new NonceManager(wallet);
  const payment = { to: other, value: 1n, gasLimit: 21_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n };
  await counting.sendTransaction(payment);
  await node.seal();
  await behind({ method: "eth_getTransactionCount" });
  report.nonceFromReplica = { ethers: await code(wallet.sendTransaction(payment)), counting: await code(counting.sendTransaction(payment)) };
  await caughtUp();
  await node.seal();
}
{
  await send();
  await node.seal();
  await behind(); // viem lets the node fill in the nonce
  report.nonceFromReplica.viem = await outcome(send().then(() => "done", (error) => { throw error.walk?.((e) => e.name === "NonceTooLowError") ?? error; }));
  await caughtUp();
}

// newHeads comes before the block can be asked for: viem's watcher of blocks asks by number and gets nothing.
{
  const pushed = createPublicClient({ chain, transport: webSocket(node.websocketURL, { retryCount: 0 }), cacheTime: 0 });
  const heads = [];
  await pushed.transport.subscribe({ params: ["newHeads"], onData: ({ result }) => heads.push(result.hash), onError: (error) => { throw error; } });
  await behind();
  const [block] = await node.seal();
  while (!heads.includes(block)) await new Promise((done) => setImmediate(done));
  report.headBeforeBlock = await outcome(pushed.getBlock({ blockHash: block }));
  await caughtUp();
  report.headThenBlock = (await pushed.getBlock({ blockHash: block })).hash === block;
}

// A transaction just sent, to a node that is behind: whoever waits for it goes on waiting until it is there.
{
  const wallet = new Wallet(key, ethers);
  const hash = await send();
  await behind();
  const response = await wallet.sendTransaction({ to: other, value: 1n, gasLimit: 21_000n, maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n, nonce: 2 });
  const waiting = [viem.waitForTransactionReceipt({ hash, timeout: 600_000 }).then(({ status }) => status), response.wait(1, 600_000).then(({ status }) => status)].map(outcome);
  await calls("eth_getTransactionReceipt", 1);
  report.rightAfterSend = { viem: await outcome(viem.getTransaction({ hash })), ethers: await ethers.getTransaction(hash) };
  await caughtUp();
  const waited = Promise.all(waiting);
  for (let over = waited.then(() => true); !(await Promise.race([over, node.seal()]) === true);); // ethers looks only when a block comes
  report.rightAfterSend.waited = await waited;
}

// A filter is known to the replica that made it. viem's watcher makes another one, and what came between is lost.
{
  const [made, asked] = [1, 2].map((number) => createPublicClient({ chain, transport: http(`${node.url}/replica/${number}`, { retryCount: 0 }) }));
  const filter = await made.createBlockFilter();
  const foreign = new JsonRpcProvider(`${node.url}/replica/2`, chainId, { staticNetwork: true, batchMaxCount: 1 });
  report.filterElsewhere = {
    viem: await outcome(asked.request({ method: "eth_getFilterChanges", params: [filter.id] })), ethers: await code(foreign.send("eth_getFilterChanges", [filter.id])),
  };
  foreign.destroy();
  const seen = [], errors = new Set();
  const unwatch = viem.watchContractEvent({
    address: node.token, abi: node.tokenABI, eventName: "Transfer", pollingInterval: 10,
    onLogs: (logs) => seen.push(...logs.map((log) => log.transactionHash)), onError: (error) => errors.add(error.name),
  });
  await calls("eth_getFilterChanges", 2);
  await node.rpc("fakenode_setFault", { method: "eth_getFilterChanges", times: -1, error: { code: -32000, message: "filter not found" } });
  await calls("eth_getFilterChanges", 2);
  const lost = await transfer();
  await node.seal();
  await calls("eth_newFilter", 2);
  await caughtUp();
  await calls("eth_getFilterChanges", 2);
  const later = await transfer();
  await node.seal();
  while (!seen.includes(later)) await new Promise((done) => setImmediate(done));
  unwatch();
  Object.assign(report.filterElsewhere, { watched: seen.length, lost: !seen.includes(lost), errors: [...errors] });
}
ethers.destroy();
node.report(report);
