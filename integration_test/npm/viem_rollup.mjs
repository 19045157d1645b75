// viem's actions for OP-stack chains against the node, and the fees, encodings and roots of its blocks recomputed with
// libraries that know nothing of it: Solady's FastLZ and the tries of EthereumJS.
// node viem_rollup.mjs URL WEBSOCKET TOKEN OWNER_KEY COUNT
import { createRequire } from "node:module";
import { createMPT } from "@ethereumjs/mpt";
import { concatHex, createPublicClient, createWalletClient, hexToBigInt, hexToNumber, http, keccak256, numberToHex, size, slice, toBytes, toHex, toRlp, trim } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import { base } from "viem/chains";
import { getSourceHash, getWithdrawals, publicActionsL2, serializeTransaction, walletActionsL2 } from "viem/op-stack";
import * as node from "./fakenode.mjs";

const { LibZip } = createRequire(import.meta.url)("solady");
const [count] = node.options.map(Number);
const transport = http(node.url);
const client = createPublicClient({ chain: base, transport, cacheTime: 0, pollingInterval: 20 }).extend(publicActionsL2());
const account = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const wallet = createWalletClient({ account, chain: base, transport }).extend(walletActionsL2());

// A generator of numbers that is the same in every run.
let state = 1n;
const random = (below) => {
  state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
  return Number(state >> 33n) % below;
};

// fjord is the L1 fee of signed bytes by the specification.
function fjord(raw, l1) {
  const compressed = BigInt(size(LibZip.flzCompress(raw)));
  const linear = 836_500n * compressed - 42_585_600n;
  const estimated = linear > 100_000_000n ? linear : 100_000_000n;
  const price = BigInt(l1.baseFeeScalar) * 16n * BigInt(l1.baseFee) + BigInt(l1.blobBaseFeeScalar) * BigInt(l1.blobBaseFee);
  return { fee: (estimated * price) / 1_000_000_000_000n, floor: estimated === 100_000_000n };
}

// request is a random transaction; authorizations are for an account that nothing else uses.
const delegator = mnemonicToAccount(node.mnemonic, { addressIndex: 9 });
let delegatorNonce = 0;
async function request(nonce, kind) {
  const alphabet = [2, 5, 16, 256][random(4)];
  const data = toHex(Uint8Array.from({ length: random(3) === 0 ? 0 : random(6000) }, () => random(alphabet)));
  const common = { chainId: base.id, nonce, to: account.address, value: BigInt(random(1000)), data, gas: 2_000_000n };
  switch (kind) {
    case "legacy":
      return { ...common, type: kind, gasPrice: 2_000_000_000n };
    case "eip2930":
      return { ...common, type: kind, gasPrice: 2_000_000_000n, accessList: [{ address: node.token, storageKeys: [numberToHex(random(1000), { size: 32 })] }] };
    case "eip1559":
      return { ...common, type: kind, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: BigInt(random(1000)) };
    default: {
      const authorization = await delegator.signAuthorization({ chainId: base.id, contractAddress: node.token, nonce: delegatorNonce++ });
      return { ...common, type: kind, maxFeePerGas: 2_000_000_000n, maxPriorityFeePerGas: 0n, authorizationList: [authorization] };
    }
  }
}

const settings = [
  { baseFee: 1_000_000_000, blobBaseFee: 1 },
  { baseFee: "0x6fc23ac00", blobBaseFee: "0x2540be400" }, // 30 and 10 gwei
  { baseFee: 7, blobBaseFee: "0xba43b7400", baseFeeScalar: 5_227, operatorFeeScalar: 3, operatorFeeConstant: 1_000_000 },
];
const result = { transactions: 0, kinds: {}, wrongFees: [], wrongFloors: [], worst: 0, wrongRoots: [], wrongDeposits: [], deposits: 0, blocks: 0 };
let nonce = await client.getTransactionCount({ address: account.address });
for (const [i, setting] of settings.entries()) {
  const l1 = await node.rpc("fakenode_setL1", setting);
  await node.seal();
  const sent = [];
  for (const end = Math.round((count * (i + 1)) / settings.length); result.transactions < end; result.transactions++) {
    const kind = ["legacy", "eip2930", "eip1559", "eip7702"][random(4)];
    result.kinds[kind] = (result.kinds[kind] ?? 0) + 1;
    const tx = await request(nonce++, kind);
    const raw = await account.signTransaction(tx);
    const estimate = kind === "eip1559" ? await client.estimateL1Fee({ account, ...tx }) : undefined;
    sent.push({ raw, estimate, hash: await client.sendRawTransaction({ serializedTransaction: raw }) });
    if (sent.length % 20 === 0) await node.seal();
  }
  await node.seal();
  for (const { raw, estimate, hash } of sent) {
    const receipt = await node.rpc("eth_getTransactionReceipt", hash);
    const { fee, floor } = fjord(raw, l1);
    if (BigInt(receipt.l1Fee) !== fee) result.wrongFees.push({ hash, got: BigInt(receipt.l1Fee).toString(), want: fee.toString() });
    if (estimate === undefined) continue;
    if (floor && estimate !== fee) result.wrongFloors.push({ hash, got: estimate.toString(), want: fee.toString() });
    result.worst = Math.max(result.worst, Math.abs(Number(estimate) / Number(fee) - 1));
  }
}

// The other estimates of viem, by what the receipt says.
const { operatorFeeScalar, operatorFeeConstant } = await node.rpc("fakenode_setL1", {});
await node.seal();
const tx = { account, to: account.address, value: 1n };
const gas = await client.estimateGas(tx);
result.operatorFee = (await client.estimateOperatorFee(tx)) === gas * BigInt(operatorFeeScalar) * 100n + BigInt(operatorFeeConstant);
result.totalFee = (await client.estimateTotalFee(tx)) > (await client.estimateL1Fee(tx)) + (await client.estimateOperatorFee(tx));
result.l1BaseFee = (await client.getL1BaseFee()).toString();
result.l1Gas = (await client.estimateL1Gas(tx)) >= 1600n;

// A withdrawal: the log, and the proof against the header.
const withdrawn = await wallet.initiateWithdrawal({ request: { gas: 21_000n, to: account.address, value: 5n }, gas: 200_000n });
await node.seal();
const receipt = await client.getTransactionReceipt({ hash: withdrawn });
const [withdrawal] = getWithdrawals(receipt);
const proof = await client.buildProveWithdrawal({ withdrawal, output: { outputIndex: 0n, outputRoot: "0x", timestamp: 0n, l2BlockNumber: receipt.blockNumber } });
const head = await node.rpc("eth_getBlockByNumber", numberToHex(receipt.blockNumber), false);
result.withdrawal = {
  value: withdrawal.value.toString(),
  root: proof.outputRootProof.messagePasserStorageRoot === head.withdrawalsRoot && proof.outputRootProof.stateRoot === head.stateRoot,
  nodes: proof.withdrawalProof.length,
};

// A deposit, as viem decodes it.
const deposited = await node.rpc("fakenode_deposit", { from: account.address, to: account.address, mint: "0x5", value: "0x3" });
await node.seal();
const deposit = await client.getTransaction({ hash: deposited });
const depositReceipt = await node.rpc("eth_getTransactionReceipt", deposited);
result.deposit = { type: deposit.type, mint: deposit.mint?.toString(), status: depositReceipt.status, version: depositReceipt.depositReceiptVersion };

// The roots of every block, from what the node answers in JSON.
const quantity = (hex) => (hexToBigInt(hex) === 0n ? "0x" : trim(hex.length % 2 ? `0x0${hex.slice(2)}` : hex));
async function rootOf(list) {
  const trie = await createMPT();
  for (const [i, encoded] of list.entries()) await trie.put(toBytes(toRlp(i === 0 ? "0x" : toHex(i))), toBytes(encoded));
  return toHex(trie.root());
}
function receiptBytes(r) {
  const logs = r.logs.map(({ address, topics, data }) => [address, topics, data]);
  const fields = [quantity(r.status), quantity(r.cumulativeGasUsed), r.logsBloom, logs];
  if (r.type === "0x7e") fields.push(quantity(r.depositNonce), quantity(r.depositReceiptVersion));
  return r.type === "0x0" ? toRlp(fields) : concatHex([numberToHex(Number(r.type), { size: 1 }), toRlp(fields)]);
}
const depositBytes = (t) =>
  serializeTransaction({ ...t, type: "deposit", mint: BigInt(t.mint ?? 0), value: BigInt(t.value), gas: BigInt(t.gas), data: t.input });

// checkDeposits compares the deposits of a block with viem's encoding and source hashes. Those of users are numbered over
// the whole chain. viem has no source hash for BaseTime's deposit: its rule is that of an upgrade's, with the number of
// the block in place of a text.
let ofUsers = 0;
function checkDeposits(block) {
  const deposits = block.transactions.filter(({ type }) => type === "0x7e");
  const attributes = deposits[0].input;
  const l1BlockHash = slice(attributes, 100, 132);
  const word = (value) => numberToHex(value, { size: 32 });
  for (const [i, t] of deposits.entries()) {
    const wrong = (what) => result.wrongDeposits.push(`${what} of deposit ${i} of block ${Number(block.number)}`);
    if (keccak256(depositBytes(t)) !== t.hash) wrong("hash");
    let source;
    if (i === 0) {
      source = getSourceHash({ domain: "l1InfoDeposit", l1BlockHash, sequenceNumber: hexToNumber(slice(attributes, 12, 20)) });
    } else if (i === 1 && t.to === "0x4200000000000000000000000000000000000030") {
      source = keccak256(concatHex([word(3n), keccak256(word(BigInt(block.number)))]));
      const part = Number(BigInt(block.timestampMs) - BigInt(block.timestamp) * 1000n);
      if (t.input !== concatHex(["0x86bdf394", word(part)]) || part % 200 !== 0 || part > 800) wrong("data");
    } else {
      source = getSourceHash({ domain: "userDeposit", l1BlockHash, l1LogIndex: ofUsers++ });
    }
    if (t.sourceHash !== source) wrong("source hash");
  }
  result.deposits += deposits.length;
}
const last = Number(await client.getBlockNumber());
for (let n = 1; n <= last; n++, result.blocks++) {
  const block = await node.rpc("eth_getBlockByNumber", toHex(n), true);
  checkDeposits(block);
  const transactions = [];
  for (const t of block.transactions) transactions.push(t.type === "0x7e" ? depositBytes(t) : await node.rpc("eth_getRawTransactionByHash", t.hash));
  const receipts = (await node.rpc("eth_getBlockReceipts", toHex(n))).map(receiptBytes);
  if ((await rootOf(transactions)) !== block.transactionsRoot) result.wrongRoots.push(`transactions of block ${n}`);
  if ((await rootOf(receipts)) !== block.receiptsRoot) result.wrongRoots.push(`receipts of block ${n}`);
  const decoded = await client.getBlock({ blockNumber: BigInt(n), includeTransactions: true });
  if (decoded.transactions[0].type !== "deposit") result.wrongRoots.push(`viem does not know the deposit of block ${n}`);
}
console.log(JSON.stringify(result));
