// viem's account for a key that delegates by its first operation (EIP-7702): what the bundler answers about such an
// operation, and which authorizations it refuses.
// node bundler_delegation.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { entryPoint07Address } from "viem/account-abstraction";
import { funded, versions } from "./accounts.mjs";
import { chain, client, merchant, refused } from "./course.mjs";
import * as node from "./fakenode.mjs";
import { bundler, known, sent, success } from "./operations.mjs";

async function flow(account) {
  const { account: owner, address } = account.authorization;
  const authorization = (more = {}, by = owner) => by.signAuthorization({ address, chainId: chain.id, nonce: 0, ...more });
  const code = (blockTag) => client.getCode({ address: owner.address, blockTag });
  const course = {
    estimate: Object.keys(await bundler.estimateUserOperationGas({ account, calls: [] })).length, // viem's stub of an authorization
    refused: {
      unsigned: await refused(() => sent(account, { authorization: undefined })),
      stranger: await refused(async () => sent(account, { authorization: await authorization({}, merchant) })),
      nonce: await refused(async () => sent(account, { authorization: await authorization({ nonce: 1 }) })),
      chain: await refused(async () => sent(account, { authorization: await authorization({ chainId: 1 }) })),
      none: await refused(async () => {
        const operation = await bundler.prepareUserOperation({ account, calls: [], authorization: await authorization() });
        const { authorization: _, ...rest } = operation;
        return bundler.sendUserOperation({ ...rest, account: undefined, entryPointAddress: account.entryPoint.address, signature: await account.signUserOperation(operation) });
      }),
      old: await refused(() => bundler.request({
        method: "eth_sendUserOperation",
        params: [{ sender: owner.address, nonce: "0x0", callData: "0x", signature: "0x", factory: "0x7702" }, entryPoint07Address],
      })),
    },
  };
  const nonce = await account.getNonce();
  const hashes = [await sent(account, { nonce }), await sent(account, { nonce: nonce + 1n })]; // both with the same authorization
  const { userOperation } = await known(hashes[1]);
  course.waiting = [userOperation.factory, userOperation.eip7702Auth.address === address.toLowerCase(), await code("pending") ?? null];
  await node.preconfirm();
  course.both = await Promise.all(hashes.map(success));
  const delegation = `0xef0100${address.slice(2).toLowerCase()}`;
  course.delegated = await code("pending") === delegation;
  const { transactionHash } = await known(hashes[0]);
  course.type = (await client.getTransaction({ hash: transactionHash })).type;
  const found = (await known(hashes[0])).userOperation;
  course.found = [found.factory, found.eip7702Auth.address === address.toLowerCase()];
  await node.seal();
  await node.reorg({ depth: 1, transactions: "drop" });
  course.removed = await code("pending") ?? null;
  const hash = await sent(account, { authorization: await authorization({ chainId: 0 }) }); // for all chains
  await node.seal();
  course.again = [await success(hash), await code("latest") === delegation];
  const plain = await sent(account);
  await node.seal();
  course.plain = [await success(plain), (await known(plain)).userOperation.factory ?? null];
  return course;
}

const accounts = {};
for (const [name, open] of Object.entries(versions)) {
  const account = await open();
  if (account.authorization) accounts[name] = await node.apart(async () => flow(await funded(account))).catch((error) => ({ failed: error.stack }));
}
node.report({ accounts });
