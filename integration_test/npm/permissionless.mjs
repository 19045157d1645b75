// permissionless' simple accounts and client with its defaults on the node's own URL: accounts that the published
// factories deploy and keys that delegate, through a lost pre-confirmation and reorgs.
// node permissionless.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { createSmartAccountClient } from "permissionless";
import { to7702SimpleSmartAccount, toSimpleSmartAccount } from "permissionless/accounts";
import { keccak256, toHex } from "viem";
import { entryPoint06Address, entryPoint07Address, entryPoint08Address, entryPoint09Address } from "viem/account-abstraction";
import { privateKeyToAccount } from "viem/accounts";
import { funded } from "./accounts.mjs";
import { chain, client, merchant, payer, read } from "./course.mjs";
import * as node from "./fakenode.mjs";
import { payment, signed, success, transport } from "./operations.mjs";

const at = (address, version, more = {}) => () => toSimpleSmartAccount({ client, owner: payer, entryPoint: { address, version }, ...more });
const accounts = {
  "EntryPoint 0.6": at(entryPoint06Address, "0.6"),
  "EntryPoint 0.7": () => toSimpleSmartAccount({ client, owner: payer }),
  "EntryPoint 0.8": at(entryPoint08Address, "0.8"),
  // permissionless does not know 0.9, whose accounts are as those of 0.8.
  "EntryPoint 0.9": at(entryPoint09Address, "0.8", { factoryAddress: "0xf4A7018FdBF22804526eC4b77DcE4f9b0D27a395" }),
  "EIP-7702": () => to7702SimpleSmartAccount({ client, owner: privateKeyToAccount(keccak256(toHex("delegates for permissionless"))) }),
};

// preconfirming is a transport that pre-confirms every operation as soon as it is sent: a client that waits for its
// receipt gets one.
const preconfirming = (options) => {
  const inner = transport(options);
  return {
    ...inner,
    async request(call) {
      const result = await inner.request(call);
      if (call.method === "eth_sendUserOperation") await node.preconfirm();
      return result;
    },
  };
};

async function flow(open) {
  let account = await funded(await open());
  const smart = (more = {}) => createSmartAccountClient({ account, client, chain, bundlerTransport: preconfirming, pollingInterval: 20, ...more });
  const send = async (more) => smart(more).sendTransaction({ calls: [payment, payment], ...await signed(account) }); // a transaction's hash
  const paid = async () => Number(await read("balanceOf", merchant.address)) - start;
  const start = Number(await read("balanceOf", merchant.address));
  const course = { batch: (await client.getTransactionReceipt({ hash: await send() })).status };
  await node.rpc("fakenode_flashblockFault", { kind: "drop", count: 1, transactions: "gone" });
  await node.seal();
  course.lost = await paid();
  const hash = await smart().sendUserOperation({ calls: [payment], ...await signed(account) });
  await node.seal();
  course.sealed = [await paid(), await success(hash)];
  await node.reorg({ depth: 1, transactions: "drop" });
  course.removed = [await paid(), await success(hash)];
  account = await open(); // which remembers nothing
  const again = await smart().sendUserOperation({ calls: [payment], ...await signed(account) });
  await node.seal();
  await node.reorg({ depth: 1 });
  await node.seal();
  course.again = [await paid(), await success(again)];
  course.deployed = await account.isDeployed();
  await send({ paymaster: true });
  await node.seal();
  course.sponsored = await paid();
  return course;
}

const played = {};
for (const [name, open] of Object.entries(accounts)) {
  played[name] = await node.apart(() => flow(open)).catch((error) => ({ failed: error.stack }));
}
node.report(played);
