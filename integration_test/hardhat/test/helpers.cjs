// Every call of hardhat-network-helpers, with the effect that its documentation promises.
const { expect } = require("chai");
const { ethers } = require("hardhat");
const helpers = require("@nomicfoundation/hardhat-network-helpers");

const { provider } = ethers;
const someone = "0x00000000000000000000000000000000000000aa";
const latest = () => provider.getBlock("latest");

describe("hardhat-network-helpers", () => {
  let start;
  beforeEach(async () => (start = await helpers.takeSnapshot()));
  afterEach(() => start.restore());

  it("mines", async () => {
    const before = await latest();
    await helpers.mine();
    await helpers.mine(3, { interval: 60 });
    await helpers.mineUpTo(before.number + 10);
    expect((await latest()).number).to.equal(before.number + 10);
    expect((await provider.getBlock(before.number + 4)).timestamp - (await provider.getBlock(before.number + 3)).timestamp).to.equal(60);
  });

  it("moves time", async () => {
    const before = await helpers.time.latest();
    await helpers.time.increase(100);
    expect(await helpers.time.latest()).to.equal(before + 100);
    await helpers.time.increaseTo(before + 1000);
    expect(await helpers.time.latest()).to.equal(before + 1000);
    await helpers.time.setNextBlockTimestamp(before + 2000);
    await helpers.mine();
    expect(await helpers.time.latest()).to.equal(before + 2000);
    expect(await helpers.time.latestBlock()).to.equal((await latest()).number);
    await expect(helpers.time.increaseTo(before)).to.be.rejected;
  });

  it("sets accounts", async () => {
    await helpers.setBalance(someone, 12345n);
    await helpers.setCode(someone, "0x6001");
    await helpers.setNonce(someone, 7);
    await helpers.setStorageAt(someone, 3, 9);
    expect(await provider.getBalance(someone)).to.equal(12345n);
    expect(await provider.getCode(someone)).to.equal("0x6001");
    expect(await provider.getTransactionCount(someone)).to.equal(7);
    expect(BigInt(await helpers.getStorageAt(someone, 3))).to.equal(9n);
    await expect(helpers.setNonce(someone, 6)).to.be.rejected;
  });

  it("sets the next block", async () => {
    await helpers.setCoinbase(someone);
    await helpers.setBlockGasLimit(20_000_000);
    await helpers.setNextBlockBaseFeePerGas(2_000_000_000);
    await helpers.setPrevRandao(4711);
    await helpers.mine();
    const block = await latest();
    expect(block.miner.toLowerCase()).to.equal(someone);
    expect(block.gasLimit).to.equal(20_000_000n);
    expect(block.baseFeePerGas).to.equal(2_000_000_000n);
    const { mixHash } = await provider.send("eth_getBlockByNumber", ["latest", false]);
    expect(BigInt(mixHash)).to.equal(4711n);
  });

  it("drops a transaction and resets the node", async () => {
    expect(await helpers.dropTransaction("0x" + "11".repeat(32))).to.equal(false);
    await helpers.mine(5);
    await helpers.reset();
    expect((await latest()).number).to.equal(0);
    start = await helpers.takeSnapshot();
  });
});
