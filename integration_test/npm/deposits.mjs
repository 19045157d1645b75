// Deposits as viem's documentation writes them, 10 in each block of the L1.
// node deposits.mjs URL WEBSOCKET TOKEN OWNER_KEY CHAIN
import { createPublicClient, createWalletClient, http, parseEther } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as chains from "viem/chains";
import { getL2TransactionHashes, publicActionsL2, walletActionsL1 } from "viem/op-stack";
import * as node from "./fakenode.mjs";

const targetChain = chains[process.argv[6]];
const [account, { address: to }] = [0, 1].map((addressIndex) => mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex }));
const l1 = createPublicClient({ chain: chains.mainnet, transport: http(`${node.url}/l1`) });
const l2 = createPublicClient({ chain: targetChain, transport: http(node.url) }).extend(publicActionsL2());
const wallet = createWalletClient({ account, chain: chains.mainnet, transport: http(`${node.url}/l1`) }).extend(walletActionsL1());

const before = await l2.getBalance({ address: to });
let deposits = 0;
for (let block = 0; block < 20; block++) {
  const hashes = [];
  for (let i = 0; i < 10; i++) {
    const value = parseEther("1") + BigInt(10 * block + i + 1);
    const request = await l2.buildDepositTransaction({ mint: value, to, value, account });
    hashes.push(await wallet.depositTransaction(request));
  }
  await l1.request({ method: "fakenode_seal" });
  await l2.request({ method: "fakenode_seal" });
  for (const hash of hashes) {
    const [deposit] = getL2TransactionHashes(await l1.getTransactionReceipt({ hash }));
    deposits += (await l2.getTransactionReceipt({ hash: deposit })).status === "success";
  }
}
console.log(JSON.stringify({ deposits, arrived: String((await l2.getBalance({ address: to })) - before) }));
