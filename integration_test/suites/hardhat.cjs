// The configuration of a Hardhat 2 project as it is, but for three things: compilers come from npm, as SOLJSON names them
// (VERSION=PATH, separated by commas), since Hardhat would download them, localhost is at NODE_URL, and the plugin that
// WITHOUT names is not loaded.
const Module = require("node:module");
const path = require("node:path");
const checkout = process.env.CHECKOUT;
const ofProject = (name) => require(require.resolve(name, { paths: [checkout] }));

const load = Module._load;
Module._load = (name, ...rest) => (name === process.env.WITHOUT ? {} : load(name, ...rest));

process.chdir(checkout);
const compilers = new Map(process.env.SOLJSON.split(",").map((entry) => entry.split("=")));
const own = ofProject(path.join(checkout, process.env.CONFIG ?? "hardhat.config.js"));
const config = own.default ?? own;
const { subtask } = ofProject("hardhat/config");
const { TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD } = ofProject("hardhat/builtin-tasks/task-names");

subtask(TASK_COMPILE_SOLIDITY_GET_SOLC_BUILD, async ({ solcVersion }) => {
  const compilerPath = compilers.get(solcVersion);
  if (!compilerPath) throw new Error(`SOLJSON names no compiler ${solcVersion}`);
  return { compilerPath, isSolcJs: true, version: solcVersion, longVersion: solcVersion };
});

module.exports = {
  ...config,
  warnings: "off",
  networks: { ...config.networks, localhost: { url: process.env.NODE_URL } },
};
