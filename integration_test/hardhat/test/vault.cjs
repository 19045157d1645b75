const { expect } = require("chai");
const { ethers } = require("hardhat");
const { impersonateAccount, loadFixture, setBalance, stopImpersonatingAccount, takeSnapshot, time } = require("@nomicfoundation/hardhat-network-helpers");

const DAY = 24 * 60 * 60;
const locked = ethers.parseEther("3");

describe("Vault", () => {
  async function deployed() {
    const [owner, other] = await ethers.getSigners();
    const unlockTime = (await time.latest()) + DAY;
    const vault = await ethers.deployContract("Vault", [unlockTime], { value: locked });
    await vault.waitForDeployment();
    return { vault, unlockTime, owner, other };
  }

  it("rejects an early withdrawal with a custom error and its arguments", async () => {
    const { vault, unlockTime } = await loadFixture(deployed);
    await time.setNextBlockTimestamp(unlockTime - 1);
    await expect(vault.withdraw()).to.be.revertedWithCustomError(vault, "TooEarly").withArgs(unlockTime - 1, unlockTime);
  });

  it("begins each test with the fixture as it was", async () => {
    const { vault, unlockTime } = await loadFixture(deployed);
    expect(await time.latest()).to.be.below(unlockTime);
    expect(await ethers.provider.getBalance(vault)).to.equal(locked);
    await time.increaseTo(unlockTime);
    await expect(vault.withdraw()).to.changeEtherBalance(vault, -locked);
  });

  it("pays its owner after the time, and says so", async () => {
    const { vault, unlockTime, owner } = await loadFixture(deployed);
    await time.increaseTo(unlockTime);
    await expect(vault.withdraw()).to.emit(vault, "Withdrawn").withArgs(owner, locked);
  });

  it("rejects everybody else, and pays an impersonated owner", async () => {
    const { vault, unlockTime, owner, other } = await loadFixture(deployed);
    await time.increaseTo(unlockTime);
    await expect(vault.connect(other).withdraw()).to.be.revertedWithCustomError(vault, "NotOwner").withArgs(other);

    const stranger = "0x00000000000000000000000000000000000000ff";
    await impersonateAccount(stranger);
    await setBalance(stranger, ethers.parseEther("1"));
    const signer = await ethers.getSigner(stranger);
    await expect(vault.connect(signer).withdraw()).to.be.revertedWithCustomError(vault, "NotOwner").withArgs(stranger);
    await stopImpersonatingAccount(stranger);
    await expect(signer.sendTransaction({ to: owner })).to.be.rejected;

    const snapshot = await takeSnapshot();
    await vault.withdraw();
    expect(await ethers.provider.getBalance(vault)).to.equal(0n);
    await snapshot.restore();
    expect(await ethers.provider.getBalance(vault)).to.equal(locked);
  });
});
