#!/usr/bin/env node
// The compiler of npm's package solc under the command line of the native one, for Foundry, which would download that.
const solc = require("solc");

if (process.argv.includes("--version")) {
  console.log(`solc, the solidity compiler commandline interface\nVersion: ${solc.version().replace("Emscripten.clang", "Linux.g++")}`);
} else {
  console.log(solc.compile(require("node:fs").readFileSync(0, "utf8")));
}
