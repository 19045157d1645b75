// A Hardhat project with three programs that deploy, on the node at FAKENODE_URL. The compiler is the one from npm.
const { subtask } = require("hardhat/config");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
require("@nomicfoundation/hardhat-ethers");
require("@nomicfoundation/hardhat-ignition-ethers");
require("@openzeppelin/hardhat-upgrades");
require("hardhat-deploy");

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: require.resolve("solc/soljson.js"),
  isSolcJs: true,
  version: "0.8.28",
  longVersion: require("solc").version(),
}));

module.exports = {
  solidity: "0.8.28",
  defaultNetwork: "fakenode",
  namedAccounts: { deployer: 0 },
  networks: { fakenode: { url: process.env.FAKENODE_URL } },
};
