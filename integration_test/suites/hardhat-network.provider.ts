// Stands for the helper of the tests of Hardhat's network: a node of its own for each test, over HTTP, in place of the
// network in the process. FAKENODE names the binary.
import { spawn, ChildProcess } from "child_process";
import { BackwardsCompatibilityProviderAdapter } from "hardhat/internal/core/providers/backwards-compatibility";
import { HttpProvider } from "hardhat/internal/core/providers/http";
import { Client } from "undici";

import { FakeModulesLogger } from "./fakeLogger";
import * as defaults from "./providers";

// What other helpers call hard forks that the node has under another name.
const forks: Record<string, string> = { merge: "paris", arrowGlacier: "london", grayGlacier: "london", petersburg: "constantinople" };

export type UseProviderOptions = Record<string, any>;

export function useProvider(options: UseProviderOptions = {}) {
  let node: ChildProcess;

  beforeEach("start a node", async function (this: any) {
    if (options.forkConfig !== undefined) this.skip();
    const { mining = defaults.DEFAULT_MINING_CONFIG, accounts = defaults.DEFAULT_ACCOUNTS, hardfork = defaults.DEFAULT_HARDFORK } = options;
    const flags = [
      "--preset", "hardhat", "--port", "0", "--accounts", `${accounts.length}`, "--balance", "1000", "--hardfork", forks[hardfork] ?? hardfork,
      "--chain-id", `${options.chainId ?? defaults.DEFAULT_CHAIN_ID}`, "--gas-limit", `${options.blockGasLimit ?? defaults.DEFAULT_BLOCK_GAS_LIMIT}`,
    ];
    if (options.allowUnlimitedContractSize) flags.push("--code-size-limit", "0");
    if (options.allowBlocksWithSameTimestamp) flags.push("--equal-timestamps");
    if (options.initialBaseFeePerGas !== undefined) flags.push("--base-fee", `${options.initialBaseFeePerGas}`);
    if ((options.mempool ?? mining.mempool).order === "fifo") flags.push("--order", "fifo");
    node = spawn(process.env.FAKENODE ?? "fakenode", flags);
    const port = await new Promise<number>((resolve, reject) => {
      let said = "";
      const hear = (text: Buffer) => {
        said += text;
        const found = /127\.0\.0\.1:(\d+)/.exec(said);
        if (found !== null) resolve(Number(found[1]));
      };
      node.stdout!.on("data", hear);
      node.stderr!.on("data", hear);
      node.on("exit", () => reject(new Error(`${flags.join(" ")}: ${said}`)));
    });
    const url = `http://127.0.0.1:${port}/`;
    const client = new Client(url, { keepAliveTimeout: 10, keepAliveMaxTimeout: 10 });
    this.logger = new FakeModulesLogger();
    this.serverInfo = { address: "127.0.0.1", port };
    this.provider = new BackwardsCompatibilityProviderAdapter(new HttpProvider(url, "json-rpc", {}, 20000, client));
    this.hardhatNetworkProvider = this.provider;
    this.isEdr = true;
    if (!mining.auto) await this.provider.send("evm_setAutomine", [false]);
    if (mining.interval !== 0) await this.provider.send("evm_setIntervalMining", [mining.interval]);
    if (options.coinbase !== undefined) await this.provider.send("hardhat_setCoinbase", [options.coinbase]);
  });

  afterEach("stop the node", () => {
    node?.kill("SIGKILL");
  });
}
