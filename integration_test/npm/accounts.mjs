// Smart accounts that have a dollar and an ether.
import { encodeFunctionData, parseEther } from "viem";
import { entryPoint07Abi, entryPoint07Address, getUserOperationHash, toSmartAccount } from "viem/account-abstraction";
import { artifact, chain, client, payer, relayer, seal, send, wallet } from "./course.mjs";
import * as node from "./fakenode.mjs";

// funded gives an account a dollar and an ether.
export async function funded(account) {
  await send(payer, { address: node.token, abi: node.tokenABI, functionName: "transfer", args: [account.address, 1_000_000n] });
  await client.waitForTransactionReceipt({ hash: await wallet(payer).sendTransaction({ to: account.address, value: parseEther("1") }) });
  await seal();
  return account;
}

// The account that the fixtures have for EntryPoint v0.7, as viem's users describe their own.
export async function simple() {
  const { abi, bytecode } = artifact("entrypoint/account");
  const hash = await wallet(relayer).deployContract({ abi, bytecode, args: [payer.address] });
  const { contractAddress: address } = await client.waitForTransactionReceipt({ hash });
  return funded(await toSmartAccount({
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
  }));
}
