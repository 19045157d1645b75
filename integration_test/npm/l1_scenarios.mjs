// The withdrawals of docs/l1.md's scenarios, made by viem alone: its own chain definitions, with other URLs.
// node l1_scenarios.mjs URL WEBSOCKET TOKEN OWNER_KEY CHAIN FLOW
// FLOW is how viem knows from when on a game counts: "given" (l2Timestamp), "receipt" (of its first log) or "number".
import { BaseError, ContractFunctionRevertedError, parseEther } from "viem";
import { getWithdrawals } from "viem/op-stack";
import { bob, l1, l2, onL1, onL2, targetChain } from "./l1_clients.mjs";

const flow = process.argv[7];

const call = (client, method, ...params) => client.request({ method, params });
const sealed = () => call(l1, "fakenode_seal");
const refusal = (error) => {
  const reverted = error instanceof BaseError && error.walk((e) => e instanceof ContractFunctionRevertedError);
  return reverted ? (reverted.data?.errorName ?? reverted.signature) : error.message.split("\n")[0];
};

// A withdrawal of one ether, and how far viem says it is.
class Course {
  states = [];
  refused = [];

  static async begin() {
    const c = new Course();
    const request = await l1.buildInitiateWithdrawal({ to: bob.address, value: parseEther("1") });
    const hash = await onL2.initiateWithdrawal(request);
    await call(l2, "fakenode_seal");
    c.receipt = await l2.getTransactionReceipt({ hash });
    [c.withdrawal] = getWithdrawals(c.receipt);
    c.before = await l1.getBalance(bob);
    if (flow === "given") c.since = (await l2.getBlock({ blockNumber: c.receipt.blockNumber })).timestamp;
    return c;
  }

  async status() {
    this.states.push(await l1.getWithdrawalStatus({ receipt: this.receipt, targetChain, ...(flow === "given" && { l2Timestamp: this.since }) }));
  }

  // prove proves by a new game.
  async prove() {
    for (let i = 0; i < 2; i++) await call(l2, "fakenode_seal"); // for viem's way from a time to a block
    await call(l2, "fakenode_propose");
    for (let i = 0; i < 2; i++) await sealed();
    this.game ??= (await l1.waitToProve({ receipt: this.receipt, targetChain, ...(flow === "given" && { l2Timestamp: this.since }) })).game;
    const newest = await l1.getGame({ l2BlockNumber: this.game.l2BlockNumber, targetChain });
    try {
      const proof = await l2.buildProveWithdrawal({ game: newest, withdrawal: this.withdrawal });
      await onL1.proveWithdrawal(proof);
    } catch (error) {
      this.refused.push(refusal(error));
    }
    await sealed();
    return newest.index;
  }

  async finalize() {
    try {
      await onL1.finalizeWithdrawal({ targetChain, withdrawal: this.withdrawal });
    } catch (error) {
      this.refused.push(refusal(error));
    }
    await sealed();
  }

  // week passes, with the end of each game whose time is over.
  static async week() {
    await call(l2, "evm_increaseTime", 7 * 24 * 3600 + 1);
    await sealed();
  }

  // ended returns the course and the ether that came.
  async ended() {
    await this.status();
    return { states: this.states, refused: this.refused, received: Number((await l1.getBalance(bob)) - this.before) / 1e18 };
  }
}

const wait = async () => {
  for (let i = 0; i < 3; i++) await Course.week();
};

const before = []; // what old code came to, while there is no game about the withdrawal yet
const stories = {
  async FinalizedTooEarly(c) {
    before.push(await old(await Course.begin()));
    await c.finalize();
    await c.status();
    await wait();
    await c.status();
    await c.finalize();
  },
  async GameBlacklisted(c, game) {
    await call(l2, "fakenode_blacklistGame", Number(game));
    await sealed();
    await c.status();
    await c.prove();
    await c.status();
    await wait();
    await c.finalize();
  },
  async PortalPaused(c) {
    await wait();
    await call(l2, "fakenode_pausePortal", true);
    await sealed();
    await c.finalize();
    await call(l2, "fakenode_pausePortal", false);
    await sealed();
    await c.status();
    await c.finalize();
  },
  async ProvedTwice(c) {
    await c.prove();
    await wait();
    await c.finalize();
    await c.status();
    await c.finalize();
  },
  async WithdrawalProvenAgainstBadRoot(c, game) {
    const depth = Number((await l2.getBlockNumber()) - c.receipt.blockNumber) + 1;
    await call(l2, "fakenode_reorg", { depth, transactions: "drop" });
    await call(l2, "fakenode_resolveGame", { index: Number(game), status: "challenger" });
    await sealed();
    await c.status();
    await wait();
    await c.finalize();
    await c.prove();
  },
};

// old proves as code did before super roots: it compares games by the number of the withdrawal's block.
async function old(c) {
  for (let i = 0; i < 2; i++) await call(l2, "fakenode_seal");
  try {
    const game = await l1.getGame({ l2BlockNumber: c.receipt.blockNumber, targetChain });
    await onL1.proveWithdrawal(await l2.buildProveWithdrawal({ game, withdrawal: c.withdrawal }));
    return "proven";
  } catch (error) {
    return refusal(error);
  }
}

const courses = {};
for (const [name, story] of Object.entries(stories)) {
  const c = await Course.begin();
  await c.status();
  before.push(await old(c));
  const game = await c.prove();
  await c.status();
  await story(c, game);
  courses[name] = await c.ended();
}
console.log(JSON.stringify({ courses, old: before }));
