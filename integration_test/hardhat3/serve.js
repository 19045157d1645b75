// Serves Hardhat's own network as `hardhat node` does: for each line that it reads, a new one in place of the last, whose
// URL it prints to standard error, as Hardhat logs to the other.
import { network } from "hardhat";
import { createInterface } from "node:readline";

let last;

async function serve() {
  await last?.close();
  last = await network.createServer({ network: "node", override: { initialDate: new Date() } }, "127.0.0.1", 0);
  const { port } = await last.listen();
  console.error(`http://127.0.0.1:${port}`);
}

createInterface({ input: process.stdin }).on("line", serve).on("close", () => process.exit());
