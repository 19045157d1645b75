// Compiles all contracts of this checkout with the pinned solc and writes what it makes beside each package.
// node build.mjs          writes into this checkout
// node build.mjs DIR      writes the same files below DIR
//
// NAME.abi                the interface, one entry a line
// NAME.bin                the code that deploys it, in hex; binding.go embeds both
// NAME.code               the deployed code, in bytes, of what only a genesis has
// compiled.json           the sources' hashes, and what each contract of the folder is made of
import { createHash } from "node:crypto";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import solc from "solc";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "../..");
const genesis = join(root, "contracts");
const fixtures = join(root, "fixtures/contracts");
const internal = join(root, "internal/contracts");

// One entry per build: its sources see only one another, so a change to a helper leaves the token's bytes alone.
const builds = [
  {
    sources: here,
    folder: join(here, ".."),
    contracts: { Token: "token", DocumentedFlowToken: "documented_flow" },
    placed: { NativeToken: "native" },
    variants: true, // of one interface, at the slots of the real token
  },
  { sources: genesis, folder: genesis, contracts: { Multicall3: "multicall3" } },
  {
    sources: fixtures,
    folder: fixtures,
    contracts: {
      Wallet: "wallet",
      Reverter: "reverter",
      Emitter: "emitter",
      Counter: "counter",
      BatchTransfer: "batch_transfer",
      TIP20: "tip20",
    },
  },
  purpose("b20", { Stablecoin: "stablecoin", PolicyRegistry: "policy_registry" }),
  purpose("permit2", { Permit2: "permit2" }),
  purpose("channels", {
    x402BatchSettlement: "settlement",
    ERC3009DepositCollector: "erc3009_collector",
    Permit2DepositCollector: "permit2_collector",
  }),
  purpose("checkout", { Checkout: "checkout" }),
  purpose("escrow", {
    AuthCaptureEscrow: "escrow",
    TokenStore: "token_store",
    ERC3009PaymentCollector: "erc3009_collector",
    Permit2PaymentCollector: "permit2_collector",
    PreApprovalPaymentCollector: "pre_approval_collector",
    OperatorRefundCollector: "refund_collector",
  }, { AuthCaptureEscrowV1_0: "escrow_v1_0" }),
  purpose("entrypoint", {
    EntryPointV06: "v06",
    EntryPointV07: "v07",
    EntryPointV08: "v08",
    EntryPointV09: "v09",
    SenderCreator: "sender_creator",
    EntryPointV08SenderCreator: "v08_sender_creator",
    EntryPointV09SenderCreator: "v09_sender_creator",
    SimpleAccount: "account",
  }, { Paymaster: "paymaster" }, ["EntryPointV08", "EntryPointV09"]),
  purpose("smartwallet", { SmartWallet: "smart_wallet", SmartWalletFactory: "factory" }),
  purpose("simple7702", { Simple7702Account: "account" }),
  purpose("simpleaccount", {}, {
    SimpleAccountV06: "v06",
    SimpleAccountV07: "v07",
    SimpleAccountV08: "v08",
    SimpleAccountV09: "v09",
    SimpleAccountFactory: "factory",
    SimpleAccountFactoryV08: "factory_v08",
    SimpleAccountFactoryV09: "factory_v09",
  }),
  purpose("spendpermission", { SpendPermissionManager: "manager", PublicERC6492Validator: "validator" }),
  purpose("predeploys", {}, {
    WETH9: "weth9",
    GasPriceOracle: "gas_price_oracle",
    FeeVault: "fee_vault",
    L1Block: "l1_block",
    L1BlockNumber: "l1_block_number",
    BaseTime: "base_time",
    Proxy: "proxy",
    L2ToL1MessagePasser: "message_passer",
    Create2Deployer: "create2_deployer",
    L2CrossDomainMessenger: "messenger",
    L2StandardBridge: "standard_bridge",
    CreateX: "createx",
  }, [], internal),
  purpose("l1", {}, {
    OptimismPortal2: "portal",
    DisputeGameFactory: "factory",
    AnchorStateRegistry: "registry",
    SystemConfig: "system_config",
    L1CrossDomainMessenger: "messenger",
    L1StandardBridge: "standard_bridge",
    OptimismMintableERC20Factory: "mintable_factory",
  }, [], internal),
  {
    sources: join(genesis, "entrypoint/testdata/actor"),
    folder: join(genesis, "entrypoint/testdata/actor"),
    imports: join(genesis, "interfaces"),
    contracts: { Actor: "actor" },
  },
  purpose("x402", { x402ExactPermit2Proxy: "exact", x402UptoPermit2Proxy: "upto" }),
];

// Contracts of one purpose, such as a payment path: a folder of their own, which sees the published interfaces as well.
// Those of placed are only placed in a genesis; those of cancun use opcodes that chains have from cancun on.
function purpose(name, contracts, placed = {}, cancun = [], below = genesis) {
  const folder = join(below, name);
  return { sources: folder, folder, imports: join(genesis, "interfaces"), contracts, placed, cancun };
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
  const made = build.cancun?.length ? compileBoth(contents, build) : compile(contents);
  const folder = process.argv[2] ? join(process.argv[2], relative(root, build.folder)) : build.folder;
  mkdirSync(folder, { recursive: true });
  const write = (name, content) => writeFileSync(join(folder, name), content);
  const contracts = {};
  for (const [name, file] of Object.entries({ ...build.contracts, ...build.placed })) {
    const { abi, evm, storageLayout } = made[name];
    const runtime = evm.deployedBytecode.object;
    const immutables = Object.values(evm.deployedBytecode.immutableReferences ?? {});
    const lines = "[\n" + abi.map((entry) => JSON.stringify(entry)).join(",\n") + "\n]\n";
    if (!build.variants || !Object.keys(contracts).length) {
      write(`${file}.abi`, lines);
    } else if (lines !== readFileSync(join(folder, `${Object.values(contracts)[0].file}.abi`), "utf8")) {
      throw new Error(`${name} has another interface than the contracts before it`);
    }
    contracts[name] = { file };
    if (name in build.contracts) {
      write(`${file}.bin`, "0x" + evm.bytecode.object);
      // Where the deployed code is in that, in bytes: from and to.
      const from = evm.bytecode.object.indexOf(runtime) / 2;
      contracts[name].runtime = [from, from + runtime.length / 2];
    } else {
      write(`${file}.code`, Buffer.from(runtime, "hex"));
    }
    if (immutables.length === 1) {
      // Where the deployed code has the one variable that is set when it is deployed.
      contracts[name].immutable = immutables[0].map(({ start }) => start);
    }
    if (build.variants) {
      contracts[name].storage = storageLayout.storage.map(({ label, slot, offset }) => `${slot}+${offset} ${label}`);
    }
  }
  const sources = Object.fromEntries(
    Object.entries(contents).map(([name, content]) => [name, createHash("sha256").update(content).digest("hex")]),
  );
  const compiled = JSON.stringify({ compiler: solc.version(), sources, contracts }, null, 2);
  write("compiled.json", compiled.replace(/\[[\d,\s]+\]/g, (numbers) => numbers.replace(/\s+/g, "").replaceAll(",", ", ")) + "\n");
}

// read returns the sources of a folder by name.
function read(folder) {
  const files = readdirSync(folder).filter((name) => name.endsWith(".sol")).sort();
  return Object.fromEntries(files.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
}

// compileBoth compiles the contracts that need cancun for it, and all others without the files of those.
function compileBoth(contents, { contracts, cancun }) {
  const files = cancun.map((name) => `${contracts[name]}.sol`);
  const others = Object.fromEntries(Object.entries(contents).filter(([name]) => !files.includes(name)));
  const made = compile(contents, "cancun");
  return { ...compile(others), ...Object.fromEntries(cancun.map((name) => [name, made[name]])) };
}

// compile returns the contracts by name.
function compile(contents, evmVersion = settings.evmVersion) {
  const input = {
    language: "Solidity",
    sources: Object.fromEntries(Object.entries(contents).map(([name, content]) => [name, { content }])),
    settings: {
      ...settings,
      evmVersion,
      outputSelection: {
        "*": { "*": ["abi", "evm.bytecode.object", "evm.deployedBytecode.object", "evm.deployedBytecode.immutableReferences", "storageLayout"] },
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
  return Object.assign({}, ...Object.values(output.contracts));
}
