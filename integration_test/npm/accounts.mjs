// Smart accounts.
import { encodeFunctionData, keccak256, parseEther, toHex } from "viem";
import {
  entryPoint07Abi, entryPoint07Address, getUserOperationHash, toCoinbaseSmartAccount, toSimple7702SmartAccount, toSmartAccount,
} from "viem/account-abstraction";
import { privateKeyToAccount } from "viem/accounts";
import { artifact, chain, client, payer, relayer, seal, send, wallet } from "./course.mjs";
import * as node from "./fakenode.mjs";

// payable gives an account a dollar.
export async function payable(account) {
  await send(payer, { address: node.token, abi: node.tokenABI, functionName: "transfer", args: [account.address, 1_000_000n] });
  await seal();
  return account;
}

// funded gives an account a dollar and an ether.
export async function funded(account) {
  await payable(account);
  await client.waitForTransactionReceipt({ hash: await wallet(payer).sendTransaction({ to: account.address, value: parseEther("1") }) });
  await seal();
  return account;
}

// coinbase is viem's own account for EntryPoint v0.6.
export const coinbase = () => toCoinbaseSmartAccount({ client, owners: [payer], version: "1.1" });

// The account that the fixtures have for EntryPoint v0.7, as viem's users describe their own.
export const simple = async () => funded(await unfunded());

// delegating is viem's account for a key that delegates to the published code by its first operation (EIP-7702).
const delegating = (entryPoint) => toSimple7702SmartAccount({ client, entryPoint, owner: privateKeyToAccount(keccak256(toHex(`delegates for ${entryPoint}`))) });

// Accounts without ether, by the EntryPoint that they are for.
export const versions = {
  "EntryPoint 0.6": coinbase,
  "EntryPoint 0.7": unfunded,
  "EntryPoint 0.8": () => delegating("0.8"),
  "EntryPoint 0.9": () => delegating("0.9"),
};

// unfunded is the account of the fixtures.
async function unfunded() {
  const { abi, bytecode } = artifact("entrypoint/account");
  const hash = await wallet(relayer).deployContract({ abi, bytecode, args: [payer.address] });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
  return toSmartAccount({
    client, entryPoint: { abi: entryPoint07Abi, address: entryPoint07Address, version: "0.7" },
    getAddress: async () => address,
    getFactoryArgs: async () => ({}),
    encodeCalls: async ([{ to, value = 0n, data = "0x" }]) => encodeFunctionData({ abi, functionName: "execute", args: [to, value, data] }),
    getStubSignature: async () => `0x${"11".repeat(65)}`,
    signMessage: async ({ message }) => payer.signMessage({ message }),
    signTypedData: async (data) => payer.signTypedData(data),
    signUserOperation: async ({ chainId = chain.id, ...userOperation }) => payer.signMessage({
      message: { raw: getUserOperationHash({ chainId, entryPointAddress: entryPoint07Address, entryPointVersion: "0.7", userOperation: { ...userOperation, sender: address } }) },
    }),
  });
}
