// A Hardhat project as its authors write one, but for two things: its network is the node at FAKENODE_URL, and the compiler
// is the one from npm, since Hardhat would download it.
const { subtask } = require("hardhat/config");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = require("hardhat/builtin-tasks/task-names");
require("@nomicfoundation/hardhat-chai-matchers");
require("@nomicfoundation/hardhat-ethers");

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async () => ({
  compilerPath: require.resolve("solc/soljson.js"),
  isSolcJs: true,
  version: "0.8.28",
  longVersion: require("solc").version(),
}));

module.exports = {
  solidity: "0.8.28",
  defaultNetwork: "fakenode",
  networks: { fakenode: { url: process.env.FAKENODE_URL ?? "http://127.0.0.1:8545" } },
  mocha: { timeout: 600_000 },
};
