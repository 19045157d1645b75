// Serves Hardhat's own network as `hardhat node` does: for each line that it reads, a new one in place of the last, whose
// URL it prints to standard error, as Hardhat logs to the other.
process.env.HARDHAT_NETWORK = "hardhat";
const hre = require("hardhat");
const { createProvider } = require("hardhat/internal/core/providers/construction");
const { normalizeHardhatNetworkAccountsConfig } = require("hardhat/internal/core/providers/util");
const own = hre.config.networks.hardhat;
own.accounts = normalizeHardhatNetworkAccountsConfig(own.accounts); // deriving the keys takes most of a network's time
let last;

async function serve() {
  await last?.close();
  own.initialDate = new Date().toISOString();
  const provider = await createProvider(hre.config, "hardhat", hre.artifacts);
  last = await hre.run("node:create-server", { hostname: "127.0.0.1", port: 0, provider });
  const { port } = await last.listen();
  console.error(`http://127.0.0.1:${port}`);
}

require("node:readline").createInterface({ input: process.stdin }).on("line", serve).on("close", () => process.exit());
