// A payment, played through what a chain can do to it, by clients that take no notice.
import { createPublicClient, createWalletClient, defineChain, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

let flashblocks = 0; // of the block being built

// Every transaction is pre-confirmed as soon as it is sent: a client that waits for its receipt gets one.
const transport = (options) => {
  const inner = http(node.url)(options);
  return {
    ...inner,
    async request(call) {
      const result = await inner.request(call);
      if (call.method === "eth_sendRawTransaction") {
        await node.preconfirm();
        flashblocks++;
      }
      return result;
    },
  };
};

const id = Number(await node.rpc("eth_chainId"));
export const chain = defineChain({
  id, name: "fakenode", nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 }, rpcUrls: { default: { http: [node.url] } },
});
export const client = createPublicClient({ chain, transport, pollingInterval: 20, cacheTime: 0 });
export const wallet = (account) => createWalletClient({ account, chain, transport, pollingInterval: 20, cacheTime: 0 });
export const account = (index) => mnemonicToAccount(node.mnemonic, { addressIndex: index });
export const payer = account(node.payer), merchant = account(node.merchant), relayer = account(3);

const token = { address: node.token, abi: node.tokenABI };
export const read = (functionName, ...args) => client.readContract({ ...token, functionName, args });
export const tokenData = { name: await read("name"), version: await read("version") };

// artifact reads the interface and code of one of fakenode's payment contracts.
export const artifact = (name) => node.contract(`contracts/${name}`);

// send sends a contract call and waits for its receipt.
export async function send(from, call) {
  const hash = await wallet(from).writeContract({ ...call, value: call.value ?? 0n });
  const { status } = await client.waitForTransactionReceipt({ hash });
  if (status !== "success") throw new Error(`${call.functionName} reverted`);
}

// refusal returns "" if f succeeds, else the name of the error or the reason it was refused with.
export async function refusal(f) {
  try {
    await f();
    return "";
  } catch (error) {
    const reverted = error.walk?.((cause) => cause.name === "ContractFunctionRevertedError");
    if (!reverted) return error.message;
    const { errorName, args = [] } = reverted.data ?? {};
    return errorName === "FailedOp" ? args[1] : (reverted.reason ?? errorName);
  }
}

// refused returns the name of an error, viem's where it has one, and the node's words.
export async function refused(f) {
  try {
    await f();
    return null;
  } catch (error) {
    const cause = error.walk?.((inner) => inner.code !== undefined) ?? error;
    return { name: (error === cause ? error : error.cause).name, code: cause.code, text: cause.details ?? cause.message };
  }
}

// seal makes a block of everything sent.
export const seal = async () => {
  flashblocks = 0;
  await node.seal();
};

// play settles a payment, loses its pre-confirmation, settles it again, removes its block by a reorg, settles it once
// more, and tries to settle it a second time. It returns what the merchant has got at each point, and how the last
// attempt was refused. settle returns a reason for refusing, or "".
export async function play(settle) {
  flashblocks = 0;
  const start = await read("balanceOf", merchant.address);
  const got = async (blockTag) => Number((await client.readContract({ ...token, functionName: "balanceOf", args: [merchant.address], blockTag })) - start);
  const course = {};
  const look = async (point) => { course[point] = [await got("pending"), await got("latest")]; };
  const settled = async () => {
    const reason = await settle();
    if (reason) throw new Error(`not settled: ${reason}`);
  };
  await settled();
  await look("preconfirmed");
  await node.rpc("fakenode_flashblockFault", { kind: "drop", count: flashblocks, transactions: "gone" });
  await seal();
  await look("lost");
  await settled();
  await seal();
  await look("sealed");
  await node.reorg({ depth: 1, transactions: "drop" });
  await look("removed");
  await settled();
  await seal();
  await look("settled");
  course.again = await settle();
  await look("end");
  return course;
}
