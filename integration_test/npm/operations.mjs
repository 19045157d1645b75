// User operations that pay the merchant a cent, sent by viem's bundler client to the node's own URL.
import { encodeFunctionData, http } from "viem";
import { createBundlerClient } from "viem/account-abstraction";
import { chain, client, merchant } from "./course.mjs";
import * as node from "./fakenode.mjs";

export const token = { address: node.token, abi: node.tokenABI };
export const payment = { to: node.token, data: encodeFunctionData({ ...token, functionName: "transfer", args: [merchant.address, 10_000n] }) };
export const transport = http(node.url);
export const bundlerWith = (more = {}) => createBundlerClient({ client, chain, transport, pollingInterval: 20, ...more });
export const bundler = bundlerWith();

// signed is the authorization of an account that does not delegate yet, as viem's users sign it.
export async function signed(account) {
  if (!account.authorization || await account.isDeployed()) return {};
  const { account: owner, address } = account.authorization;
  const nonce = await client.getTransactionCount({ address: owner.address, blockTag: "pending" });
  return { authorization: await owner.signAuthorization({ address, chainId: chain.id, nonce }) };
}

export const sent = async (account, more = {}, from = bundler) => from.sendUserOperation({ account, calls: [payment], ...await signed(account), ...more });
// receipt is that of an operation, or null.
export const receipt = (hash) => node.rpc("eth_getUserOperationReceipt", hash);
export const success = async (hash) => (await receipt(hash))?.success ?? null;
export const known = (hash) => node.rpc("eth_getUserOperationByHash", hash);
