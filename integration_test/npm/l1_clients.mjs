// viem's clients of a chain and its L1 with viem's own chain definitions, and nothing but URLs changed.
import { createPublicClient, createWalletClient, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as chains from "viem/chains";
import { publicActionsL1, publicActionsL2, walletActionsL1, walletActionsL2 } from "viem/op-stack";
import * as node from "./fakenode.mjs";

export const targetChain = chains[process.argv[6]];
export const [alice, bob] = [0, 1].map((addressIndex) => mnemonicToAccount("test test test test test test test test test test test junk", { addressIndex }));
const options = (chain, url) => ({ chain, transport: http(url), pollingInterval: 20, cacheTime: 0 });
const onL1Network = options(chains.mainnet, `${node.url}/l1`);
const onL2Network = options(targetChain, node.url);
export const l1 = createPublicClient(onL1Network).extend(publicActionsL1());
export const l2 = createPublicClient(onL2Network).extend(publicActionsL2());
export const onL1 = createWalletClient({ account: alice, ...onL1Network }).extend(walletActionsL1());
export const onL2 = createWalletClient({ account: alice, ...onL2Network }).extend(walletActionsL2());
