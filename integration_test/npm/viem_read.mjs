// viem's reads that ask more of a node than eth_call: simulated blocks, Multicall3, calls without a deployment,
// overrides, and wallets that are contracts.
// node viem_read.mjs URL WEBSOCKET TOKEN OWNER_KEY
import {
  concat, createPublicClient, createWalletClient, decodeFunctionResult, defineChain, encodeDeployData, encodeFunctionData, getContractAddress,
  http, parseEther, toHex,
} from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const transport = http(node.url);
const id = await createPublicClient({ transport }).getChainId();
const chain = defineChain({
  id, name: "fakenode", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } },
  contracts: { multicall3: { address: "0xcA11bde05977b3631167028862bE2a173976CA11" } },
});
const client = createPublicClient({ chain, transport, cacheTime: 0 });
const account = (index) => mnemonicToAccount(node.mnemonic, { addressIndex: index });
const payer = account(node.payer), merchant = account(node.merchant), stranger = account(node.stranger);
const contract = { address: node.token, abi: node.tokenABI };
const call = (from, functionName, args) => ({ account: from.address, to: node.token, abi: node.tokenABI, functionName, args });
const balanceOf = (of, more) => client.readContract({ ...contract, functionName: "balanceOf", args: [of.address], ...more });
const outcome = ({ status, result, error, logs }) => ({ status, result, reason: error?.cause?.reason ?? error?.shortMessage, logs: logs?.length });

const sender = createWalletClient({ account: payer, chain, transport });

// A wallet that is a contract (ERC-1271) and takes the payer's signatures.
const { abi, bytecode } = node.contract("fixtures/contracts/wallet");
const deployment = await sender.deployContract({ abi, bytecode, args: [payer.address] });
await node.seal();
const { contractAddress: contractWallet } = await client.getTransactionReceipt({ hash: deployment });

// A transfer that is only pre-confirmed: what reads pending must see it.
await sender.writeContract({ ...contract, functionName: "transfer", args: [stranger.address, 5n], gas: 200_000n });
await node.preconfirm();

const head = await client.getBlockNumber();
const pauper = "0x00000000000000000000000000000000000000b1";
const blocks = await client.simulateBlocks({
  blockTag: "pending", traceTransfers: true,
  blocks: [
    {
      blockOverrides: { baseFeePerGas: 7n },
      stateOverrides: [{ address: pauper, balance: parseEther("3") }],
      calls: [
        { account: pauper, to: merchant.address, value: parseEther("1") },
        call(payer, "approve", [merchant.address, 100n]),
        call(stranger, "transfer", [merchant.address, 1_000_000_000_000_000n]),
      ],
    },
    { calls: [call(merchant, "transferFrom", [payer.address, merchant.address, 60n]), call(merchant, "allowance", [payer.address, merchant.address])] },
  ],
});
const simulatedAtLatest = await client.simulateBlocks({ blocks: [{ calls: [call(stranger, "balanceOf", [stranger.address])] }] });
const { results, assetChanges } = await client.simulateCalls({
  account: payer.address, traceAssetChanges: true, blockTag: "latest",
  calls: [{ to: node.token, abi: node.tokenABI, functionName: "transfer", args: [merchant.address, 9n] }],
});

const multicall = await client.multicall({
  blockTag: "pending",
  contracts: [
    { ...contract, functionName: "name" },
    { ...contract, functionName: "balanceOf", args: [stranger.address] },
    { ...contract, functionName: "transfer", args: [stranger.address, 1n] }, // Multicall3 itself holds nothing
  ],
});
const batching = createPublicClient({ chain, transport: http(node.url, { batch: true }), batch: { multicall: true } });
const batched = await Promise.all(["name", "symbol", "version"].map((functionName) => batching.readContract({ ...contract, functionName })));

// Deployless: the code is in the call. 602a60005260206000f3 returns 42.
const answer = [{ type: "function", name: "answer", inputs: [], outputs: [{ type: "uint256" }], stateMutability: "view" }];
const deployless = await client.readContract({ abi: answer, code: "0x69602a60005260206000f3600052600a6016f3", functionName: "answer" });
const { data: overridden } = await client.call({
  to: pauper, data: encodeFunctionData({ abi: answer, functionName: "answer" }),
  stateOverride: [{ address: pauper, code: "0x602a60005260206000f3" }], blockOverrides: { time: 4_000_000_000n },
});

const domain = { name: "Orders", version: "1", chainId: id };
const typed = { domain, types: { Order: [{ name: "id", type: "uint256" }] }, primaryType: "Order", message: { id: 7n } };
const signature = await payer.signTypedData(typed);
// A wallet that is not deployed yet, with what would deploy it (ERC-6492).
const factory = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const creation = encodeDeployData({ abi, bytecode, args: [payer.address] });
const salt = toHex(1, { size: 32 });
const undeployed = { address: getContractAddress({ opcode: "CREATE2", from: factory, salt, bytecode: creation }), factory, factoryData: concat([salt, creation]) };
const verify = (address, message = typed) => client.verifyTypedData({ ...message, address, signature });

const { baseFeePerGas } = await client.getBlock();
const fees = await client.estimateFeesPerGas();
const { accessList } = await client.createAccessList({ account: payer.address, to: node.token, data: encodeFunctionData({ abi: node.tokenABI, functionName: "balanceOf", args: [payer.address] }) });
const proof = await client.getProof({ address: node.token, storageKeys: [] });
const history = await client.getFeeHistory({ blockCount: 1, rewardPercentiles: [50] });

node.report({
  simulated: blocks.map(({ number, baseFeePerGas, stateRoot, calls }) => ({ number: Number(number - head), baseFee: baseFeePerGas, stateRoot, calls: calls.map(outcome) })),
  simulatedAtLatest: simulatedAtLatest[0].calls[0].result,
  assetChanges: assetChanges.map(({ token, value }) => ({ token: token.address, symbol: token.symbol, change: value.diff })),
  simulatedCalls: results.map(outcome),
  unchanged: { latest: await balanceOf(merchant), pending: await balanceOf(merchant, { blockTag: "pending" }) },
  multicall: multicall.map(({ status, result, error }) => ({ status, result, reason: error?.cause?.reason })),
  batched,
  deployless,
  overridden: decodeFunctionResult({ abi: answer, functionName: "answer", data: overridden }),
  verified: {
    account: await verify(payer.address), wallet: await verify(contractWallet),
    stranger: await verify(stranger.address), undeployed: await client.verifyTypedData({ ...typed, ...undeployed, signature }),
    changed: await verify(contractWallet, { ...typed, message: { id: 8n } }),
  },
  fees: { covers: fees.maxFeePerGas > baseFeePerGas },
  accessList: accessList.map(({ address }) => address),
  proof: { codeHash: proof.codeHash, nodes: proof.accountProof.length > 0 },
  history: history.baseFeePerGas.length,
});
