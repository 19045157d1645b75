// Every action of viem's test client, each checked by what a reader of the chain sees afterwards.
// node viem_test_client.mjs URL WEBSOCKET TOKEN OWNER_KEY anvil|hardhat|ganache
import assert from "node:assert/strict";
import { createTestClient, defineChain, http, keccak256, pad, parseEther, parseGwei, publicActions, toHex, walletActions, zeroHash } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const [mode] = node.options;
const transport = http(node.url);
const id = Number(await node.rpc("eth_chainId"));
const chain = defineChain({ id, name: "fakenode", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } } });
const client = createTestClient({ mode, chain, transport, cacheTime: 0 }).extend(publicActions).extend(walletActions);
const payer = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const merchant = mnemonicToAccount(node.mnemonic, { addressIndex: node.merchant });
const nobody = "0x00000000000000000000000000000000000000b1";
const send = (more = {}) => client.sendTransaction({ account: payer, to: merchant.address, value: 1n, ...more });
const code = "0x602a60005260206000f3"; // returns 42

const actions = {
  async mine() {
    const before = await client.getBlock();
    await client.mine({ blocks: 3, interval: 10 });
    const after = await client.getBlock();
    assert.equal(after.number, before.number + 3n);
    assert.ok(after.timestamp >= before.timestamp + 20n);
  },
  async setBalance() {
    await client.setBalance({ address: nobody, value: parseEther("5") });
    assert.equal(await client.getBalance({ address: nobody }), parseEther("5"));
  },
  async setCode() {
    await client.setCode({ address: nobody, bytecode: code });
    assert.equal(await client.getCode({ address: nobody }), code);
    assert.equal(BigInt((await client.call({ to: nobody })).data), 42n);
  },
  async setNonce() {
    await client.setNonce({ address: nobody, nonce: 77 });
    assert.equal(await client.getTransactionCount({ address: nobody }), 77);
  },
  async setStorageAt() {
    await client.setStorageAt({ address: nobody, index: 2, value: toHex(9, { size: 32 }) });
    await client.setStorageAt({ address: nobody, index: keccak256("0x01"), value: toHex(8, { size: 32 }) });
    assert.equal(BigInt(await client.getStorageAt({ address: nobody, slot: toHex(2) })), 9n);
    assert.equal(BigInt(await client.getStorageAt({ address: nobody, slot: keccak256("0x01") })), 8n);
  },
  async "setStorageAt: a token balance"() {
    const slot = keccak256(`0x${pad(nobody).slice(2)}${toHex(9, { size: 32 }).slice(2)}`);
    await client.setStorageAt({ address: node.token, index: slot, value: toHex(1234, { size: 32 }) });
    assert.equal(await client.readContract({ address: node.token, abi: node.tokenABI, functionName: "balanceOf", args: [nobody] }), 1234n);
  },
  async "impersonateAccount, stopImpersonatingAccount"() {
    const unlocked = { account: nobody, to: merchant.address, value: 1n };
    await client.setBalance({ address: nobody, value: parseEther("1") });
    await assert.rejects(client.sendTransaction(unlocked));
    await client.impersonateAccount({ address: nobody });
    const hash = await client.sendTransaction(unlocked);
    await client.mine({ blocks: 1 });
    const receipt = await client.getTransactionReceipt({ hash });
    assert.equal(receipt.status, "success");
    assert.equal(receipt.from, nobody);
    await client.stopImpersonatingAccount({ address: nobody });
    await assert.rejects(client.sendTransaction(unlocked));
  },
  async sendUnsignedTransaction() {
    await client.setBalance({ address: nobody, value: parseEther("1") });
    const hash = await client.sendUnsignedTransaction({ from: nobody, to: merchant.address, value: 2n });
    await client.mine({ blocks: 1 });
    const { from, value } = await client.getTransaction({ hash });
    assert.deepEqual({ from, value }, { from: nobody, value: 2n });
  },
  async increaseTime() {
    const { timestamp } = await client.getBlock();
    await client.increaseTime({ seconds: 3600 });
    await client.mine({ blocks: 1 });
    assert.ok((await client.getBlock()).timestamp >= timestamp + 3600n);
  },
  async setNextBlockTimestamp() {
    const timestamp = (await client.getBlock()).timestamp + 12345n;
    await client.setNextBlockTimestamp({ timestamp });
    await client.mine({ blocks: 1 });
    assert.equal((await client.getBlock()).timestamp, timestamp);
  },
  async "setBlockTimestampInterval, removeBlockTimestampInterval"() {
    await client.setBlockTimestampInterval({ interval: 100 });
    const { timestamp } = await client.getBlock();
    await client.mine({ blocks: 2 });
    assert.equal((await client.getBlock()).timestamp, timestamp + 200n);
    await client.removeBlockTimestampInterval();
    await client.mine({ blocks: 1 });
    assert.ok((await client.getBlock()).timestamp < timestamp + 300n);
  },
  async setNextBlockBaseFeePerGas() {
    await client.setNextBlockBaseFeePerGas({ baseFeePerGas: parseGwei("20") });
    await client.mine({ blocks: 1 });
    assert.equal((await client.getBlock()).baseFeePerGas, parseGwei("20"));
  },
  async setBlockGasLimit() {
    await client.setBlockGasLimit({ gasLimit: 12_345_678n });
    await client.mine({ blocks: 1 });
    assert.equal((await client.getBlock()).gasLimit, 12_345_678n);
  },
  async setCoinbase() {
    await client.setCoinbase({ address: nobody });
    await client.mine({ blocks: 1 });
    assert.equal((await client.getBlock()).miner, nobody);
  },
  async "setMinGasPrice: there is a base fee"() {
    await assert.rejects(client.setMinGasPrice({ gasPrice: parseGwei("50") }), /EIP-1559/);
  },
  async "getTxpoolStatus, getTxpoolContent, inspectTxpool"() {
    const hash = await send();
    const nonce = (await client.getTransactionCount({ address: payer.address })).toString();
    const { pending, queued } = await client.getTxpoolStatus();
    assert.deepEqual({ pending, queued }, { pending: 1, queued: 0 });
    const pooled = ({ pending }) => Object.entries(pending).find(([from]) => from.toLowerCase() === payer.address.toLowerCase())[1][nonce];
    assert.equal(pooled(await client.getTxpoolContent()).hash, hash);
    assert.match(pooled(await client.inspectTxpool()), new RegExp(`^${merchant.address}: 1 wei`, "i"));
  },
  async dropTransaction() {
    const hash = await send();
    await client.dropTransaction({ hash });
    await client.mine({ blocks: 1 });
    await assert.rejects(client.getTransactionReceipt({ hash }));
    assert.equal((await client.getTxpoolStatus()).pending, 0);
  },
  async "setAutomine, getAutomine"() {
    assert.equal(await client.getAutomine(), false);
    await client.setAutomine(true);
    assert.equal(await client.getAutomine(), true);
    const receipt = await client.getTransactionReceipt({ hash: await send() });
    assert.notEqual(receipt.blockHash, zeroHash);
    await client.setAutomine(false);
    const hash = await send();
    await assert.rejects(client.getTransactionReceipt({ hash }));
  },
  async setIntervalMining() {
    await client.setIntervalMining({ interval: 5 });
    const number = await client.getBlockNumber();
    await node.advance(10_000);
    assert.equal(await client.getBlockNumber(), number + 2n);
    await client.setIntervalMining({ interval: 0 });
  },
  async "snapshot, revert"() {
    const snapshot = await client.snapshot();
    const number = await client.getBlockNumber();
    await client.setBalance({ address: nobody, value: 1n });
    await client.mine({ blocks: 2 });
    await client.revert({ id: snapshot });
    assert.equal(await client.getBlockNumber(), number);
    assert.equal(await client.getBalance({ address: nobody }), 0n);
  },
  async "dumpState, loadState"() {
    await client.setBalance({ address: nobody, value: 321n });
    const state = await client.dumpState();
    await client.setBalance({ address: nobody, value: 1n });
    await client.loadState({ state });
    assert.equal(await client.getBalance({ address: nobody }), 321n);
  },
  async "reset: to a fork, which there is none"() {
    await assert.rejects(client.reset({ jsonRpcUrl: "http://127.0.0.1:1", blockNumber: 1n }), /fork/i);
  },
  async setLoggingEnabled() {
    await client.setLoggingEnabled(false);
  },
};

if (mode === "hardhat") {
  delete actions.setIntervalMining; // hardhat's interval is in milliseconds, anvil's, of the same name, in seconds
}
if (mode === "ganache") { // viem names it methods that ganache itself never had; these exist
  const there = ["setBalance", "setCode", "sendUnsignedTransaction", "increaseTime", "setNextBlockTimestamp", "setBlockGasLimit", "setAutomine, getAutomine", "setIntervalMining", "snapshot, revert"];
  for (const name of Object.keys(actions)) if (!there.includes(name)) delete actions[name];
}

// reset forgets snapshots, so it comes last.
async function reset() {
  const { hash } = await client.getBlock({ blockNumber: 0n });
  await client.mine({ blocks: 4 });
  await client.request({ method: `${mode}_reset` });
  assert.equal(await client.getBlockNumber(), 0n);
  assert.equal((await client.getBlock()).hash, hash);
}

const failures = {};
const check = (name, run) => run().catch((error) => { failures[name] = error.message; });
for (const [name, action] of Object.entries(actions)) await check(name, () => node.apart(action));
if (mode !== "ganache") {
  actions.reset = reset;
  await check("reset", reset);
}
node.report({ checked: Object.keys(actions).length, failures });
