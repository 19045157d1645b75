// viem's op-stack actions with viem's own chain definitions, and nothing but URLs changed: deposits and withdrawals
// through reorgs of both chains.
// node l1.mjs URL WEBSOCKET TOKEN OWNER_KEY CHAIN
import { parseEther } from "viem";
import { getL2TransactionHashes, getWithdrawals } from "viem/op-stack";
import { alice, bob, l1, l2, onL1, onL2, targetChain } from "./l1_clients.mjs";

const superRoots = process.argv[6] !== "base"; // games are about times

// sealed makes the L1's next block, and everything on the L2 until then.
const sealed = () => l1.request({ method: "fakenode_seal" });
const receipt = (client, hash) => client.getTransactionReceipt({ hash }).catch(() => null);
const balances = async () => ({ l1: await l1.getBalance(bob), l2: await l2.getBalance(bob) });

async function deposited(amount) {
  const args = await l2.buildDepositTransaction({ mint: amount, value: amount, to: bob.address, account: alice });
  const hash = await onL1.depositTransaction({ ...args, targetChain });
  await sealed();
  return hash;
}

const course = {};
const before = await balances();

// A deposit is on L2 as soon as a block there refers to its L1 block.
const hash = await deposited(parseEther("1"));
const onFirst = await receipt(l1, hash);
const [minted] = getL2TransactionHashes(onFirst);
await l2.request({ method: "fakenode_seal" });
course.deposited = (await receipt(l2, minted))?.status === "success" && (await balances()).l2 - before.l2 === parseEther("1");

// A reorg of the L1 moves it to another block, where it is another transaction of the L2.
await l1.request({ method: "fakenode_reorg", params: [{ depth: 1, length: 1 }] });
const onSecond = await receipt(l1, hash);
const [again] = getL2TransactionHashes(onSecond);
await l2.request({ method: "fakenode_seal" });
course.moved = onSecond.blockHash !== onFirst.blockHash && again !== minted && await receipt(l2, minted) === null
  && (await receipt(l2, again))?.status === "success" && (await balances()).l2 - before.l2 === parseEther("1");

// One that loses it takes it from the L2.
await l1.request({ method: "fakenode_reorg", params: [{ depth: 1, length: 1, transactions: "drop" }] });
course.lost = await receipt(l1, hash) === null && await receipt(l2, again) === null && (await balances()).l2 === before.l2;

// A withdrawal, through all its states.
const amount = parseEther("2");
const request = await l1.buildInitiateWithdrawal({ to: bob.address, value: amount });
const started = await onL2.initiateWithdrawal(request);
await l2.request({ method: "fakenode_seal" });
course.states = [];
course.answered = []; // by fakenode_bridge of either chain
// since is what viem compares games with.
const since = async ({ blockNumber }) => superRoots ? (await l2.getBlock({ blockNumber })).timestamp : blockNumber;
const status = async () => {
  const sent = await l2.getTransactionReceipt({ hash: started });
  const state = await l1.getWithdrawalStatus({ receipt: sent, targetChain, ...(superRoots && { l2Timestamp: await since(sent) }) });
  course.states.push(state);
  const [above, below] = await Promise.all([l2, l1].map((client) => client.request({ method: "fakenode_bridge" })));
  course.answered.push(JSON.stringify(above) === JSON.stringify(below) ? above.withdrawals[0].status : "the chains differ");
  return state;
};
await status();
// A game about the very block of the withdrawal counts.
await l2.request({ method: "fakenode_propose", params: [{}] });
await sealed();
await status();
await l1.request({ method: "fakenode_seal" });
const prove = async () => {
  const sent = await l2.getTransactionReceipt({ hash: started });
  const [withdrawal] = getWithdrawals(sent);
  const game = await l1.getGame({ l2BlockNumber: await since(sent), targetChain });
  const built = await l2.buildProveWithdrawal({ game, withdrawal });
  // As code did before super roots: with them it asks for the block whose number is the time.
  const output = { l2BlockNumber: game.l2BlockNumber, outputIndex: game.index, outputRoot: game.rootClaim, timestamp: game.timestamp };
  course.old = await l2.buildProveWithdrawal({ output, withdrawal }).then(() => "built", () => "no such block");
  const proof = await onL1.proveWithdrawal(built);
  await sealed();
  return { withdrawal, proof };
};
let { withdrawal, proof } = await prove();
course.proven = (await receipt(l1, proof))?.status === "success";
await status();
await l1.request({ method: "fakenode_reorg", params: [{ depth: 1, length: 1, transactions: "drop" }] });
await status();
({ withdrawal, proof } = await prove());
await status();

// A week of waiting is one jump: then the game is resolved with the next block, and its proof and it are old enough.
for (let i = 0; i < 3; i++) {
  await l2.request({ method: "evm_increaseTime", params: [7 * 24 * 3600 + 1] });
  await sealed();
}
await status();
const finalized = await onL1.finalizeWithdrawal({ targetChain, withdrawal });
await sealed();
course.paid = (await receipt(l1, finalized))?.status === "success" && (await balances()).l1 - before.l1 === amount;
await status();

// A reorg of the L1 below the withdrawal's proof takes the payment back, and the L2 goes with it.
await l1.request({ method: "fakenode_reorg", params: [{ depth: 1, length: 1, transactions: "drop" }] });
course.unpaid = (await balances()).l1 === before.l1;
await status();
console.log(JSON.stringify(course));
