// Compiles the token and the fixtures' helper contracts with the pinned solc and writes one JSON artifact per contract.
// node build.mjs          writes the artifacts beside their packages
// node build.mjs DIR      writes them, by file name alone, into DIR
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import solc from "solc";

const here = dirname(fileURLToPath(import.meta.url));
const fixtures = join(here, "../../fixtures/contracts");

// One entry per build: its sources see only one another, so a change to a helper leaves the token's bytes alone.
const builds = [
  {
    sources: here,
    contracts: {
      Token: join(here, "../token.json"),
      DocumentedFlowToken: join(here, "../documented_flow.json"),
    },
  },
  {
    sources: fixtures,
    contracts: {
      Multicall3: join(fixtures, "multicall3.json"),
      Wallet: join(fixtures, "wallet.json"),
      Reverter: join(fixtures, "reverter.json"),
      Emitter: join(fixtures, "emitter.json"),
      Counter: join(fixtures, "counter.json"),
      BatchTransfer: join(fixtures, "batch_transfer.json"),
    },
  },
  payments("permit2", { Permit2: "permit2.json" }),
  payments("checkout", { Checkout: "checkout.json" }),
  payments("escrow", {
    AuthCaptureEscrow: "escrow.json",
    AuthCaptureEscrowV1_0: "escrow_v1_0.json",
    TokenStore: "token_store.json",
    ERC3009PaymentCollector: "erc3009_collector.json",
    Permit2PaymentCollector: "permit2_collector.json",
    PreApprovalPaymentCollector: "pre_approval_collector.json",
    OperatorRefundCollector: "refund_collector.json",
  }),
  payments("entrypoint", {
    EntryPointV06: "v06.json",
    EntryPointV07: "v07.json",
    SenderCreator: "sender_creator.json",
    SimpleAccount: "account.json",
  }),
  payments("smartwallet", { SmartWallet: "smart_wallet.json", SmartWalletFactory: "factory.json" }),
  payments("spendpermission", { SpendPermissionManager: "manager.json", PublicERC6492Validator: "validator.json" }),
  payments("predeploys", {
    WETH9: "weth9.json",
    GasPriceOracle: "gas_price_oracle.json",
    FeeVault: "fee_vault.json",
    L1Block: "l1_block.json",
    L1BlockNumber: "l1_block_number.json",
    L2ToL1MessagePasser: "message_passer.json",
    Create2Deployer: "create2_deployer.json",
    L2CrossDomainMessenger: "messenger.json",
    L2StandardBridge: "standard_bridge.json",
    CreateX: "createx.json",
  }),
  payments("x402", { x402ExactPermit2Proxy: "exact.json", x402UptoPermit2Proxy: "upto.json" }),
];

// Contracts of one purpose, such as a payment path: a folder of their own, which sees the published interfaces as well.
function payments(folder, artifacts) {
  const sources = join(fixtures, folder);
  return {
    sources,
    imports: join(fixtures, "interfaces"),
    contracts: Object.fromEntries(Object.entries(artifacts).map(([name, file]) => [name, join(sources, file)])),
  };
}

// Everything that changes a byte is fixed here; without metadata, comments and paths change none.
const settings = {
  evmVersion: "paris",
  optimizer: { enabled: true, runs: 200 },
  viaIR: false,
  metadata: { bytecodeHash: "none", appendCBOR: false },
};

for (const build of builds) {
  const contents = Object.assign({}, ...[build.sources, build.imports].filter(Boolean).map(read));
  const output = compile(contents);
  for (const [contractName, path] of Object.entries(build.contracts)) {
    const target = process.argv[2] ? join(process.argv[2], basename(path)) : path;
    const made = artifact(contractName, contents, output);
    writeFileSync(target, JSON.stringify(made, null, 2) + "\n");
    if (build.imports) {
      // What a genesis needs, apart: reading it out of the artifact would take longer than starting a node.
      writeFileSync(target.replace(/json$/, "code"), Buffer.from(made.deployedBytecode.slice(2), "hex"));
    }
  }
}

// read returns the sources of a folder by name.
function read(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".sol")).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

function compile(contents) {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, { content }])),
    settings: {
      ...settings,
      outputSelection: {
        "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object", "evm.deployedBytecode.immutableReferences", "evm.methodIdentifiers", "storageLayout"] },
      },
    },
  };
  const output = JSON.parse(solc.compile(JSON.stringify(input)));
  // The old ABI coder is chosen on purpose: it masks dirty arguments as the real token's does.
  const messages = (output.errors ?? []).filter(({ message }) => !message.startsWith("ABI coder v1 is deprecated"));
  for (const message of messages) {
    console.error(message.formattedMessage);
  }
  if (messages.some(({ severity }) => severity === "error")) {
    process.exit(1);
  }
  return output;
}

function artifact(contractName, contents, output) {
  const [, contract] = Object.values(output.contracts)
    .flatMap(Object.entries)
    .find(([name]) => name === contractName);
  const immutables = Object.values(contract.evm.deployedBytecode.immutableReferences ?? {});
  return {
    contractName,
    compiler: solc.version(),
    settings,
    sourceSha256: Object.fromEntries(
      Object.entries(contents).map(([name, content]) => [name, createHash("sha256").update(content).digest("hex")]),
    ),
    abi: contract.abi,
    bytecode: "0x" + contract.evm.bytecode.object,
    deployedBytecode: "0x" + contract.evm.deployedBytecode.object,
    // Where the code has the one variable that is set when it is deployed.
    ...(immutables.length === 1 && { immutable: immutables[0].map(({ start }) => start) }),
    methodIdentifiers: contract.evm.methodIdentifiers,
    storageLayout: contract.storageLayout,
  };
}
