// For hardhat-deploy: a contract behind a proxy, and one whose address follows from its code.
module.exports = async ({ getNamedAccounts, deployments }) => {
  const { deployer } = await getNamedAccounts();
  await deployments.deploy("Box", { from: deployer, log: true, proxy: { proxyContract: "OpenZeppelinTransparentProxy", execute: { init: { methodName: "initialize", args: [5] } } } });
  await deployments.deploy("BoxV2", { from: deployer, log: true, deterministicDeployment: true });
  console.log(`value ${await deployments.read("Box", "value")}`);
};
