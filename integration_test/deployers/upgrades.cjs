// A proxy, its upgrade, and both again on the chain that a reset has emptied.
const { ethers, upgrades, network } = require("hardhat");

async function main() {
  for (const again of [false, true]) {
    if (again) {
      const { instanceId } = await network.provider.send("hardhat_metadata");
      await network.provider.send("hardhat_reset");
      if ((await network.provider.send("hardhat_metadata")).instanceId === instanceId) throw new Error("the instance is the same");
    }
    const box = await upgrades.deployProxy(await ethers.getContractFactory("Box"), [42], { kind: "transparent" });
    await box.waitForDeployment();
    const upgraded = await upgrades.upgradeProxy(await box.getAddress(), await ethers.getContractFactory("BoxV2"));
    await upgraded.deployTransaction.wait();
    await (await upgraded.increment()).wait();
    console.log(`${again ? "again" : "upgraded"}: ${await upgraded.value()}`);
  }
}

main();
