// viem's smart accounts on fakenode's contracts: user operations without a bundler, and spend permissions. Each through
// a lost pre-confirmation and a reorg.
// node smart_accounts.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto";
import { concat, encodeFunctionData, toHex } from "viem";
import { toCoinbaseSmartAccount, toPackedUserOperation, toWebAuthnAccount } from "viem/account-abstraction";
import { funded, simple } from "./accounts.mjs";
import { artifact, chain, client, merchant, payer, play, refusal, relayer, seal, send, wallet } from "./course.mjs";
import * as node from "./fakenode.mjs";

const token = { address: node.token, abi: node.tokenABI };
const manager = { address: "0xf85210B21cC50302F477BA56686d2019dC9b67Ad", abi: artifact("spendpermission/manager").abi };
const price = 10_000n; // one cent, in token units
const payment = { to: node.token, data: encodeFunctionData({ ...token, functionName: "transfer", args: [merchant.address, price] }) };

// A passkey, as an authenticator would hold it.
const key = createPrivateKey({
  format: "jwk",
  key: {
    kty: "EC", crv: "P-256", d: "lOjPwV_BH5cP8-zJXu9r07RKNQ_0TdK5Ysz3z3C4Jk8",
    x: "8ZSX_2HDoGAdSCRFmxe_yFdZeIzKF4Ma7VUaaEz5KAc", y: "vxsJQ2P3ex94pYeFqHMPE1ow6bqOzSmOLxv_wppdfNU",
  },
});
const passkey = toWebAuthnAccount({ credential: credential(createPublicKey(key)), getFn, rpId: "shop.example" });

function credential(publicKey) {
  const { x, y } = publicKey.export({ format: "jwk" });
  return { id: "fakenode", publicKey: toHex(Buffer.concat([x, y].map((part) => Buffer.from(part, "base64url")))) };
}

async function getFn({ publicKey: { challenge } }) {
  const hash = (data) => createHash("sha256").update(data).digest();
  const text = JSON.stringify({ type: "webauthn.get", challenge: Buffer.from(challenge).toString("base64url"), origin: "https://shop.example", crossOrigin: false });
  const clientDataJSON = Buffer.from(text);
  const authenticatorData = Buffer.concat([hash("shop.example"), Buffer.from([0x05, 0, 0, 0, 0])]); // user present and verified
  const signature = sign("sha256", Buffer.concat([authenticatorData, hash(clientDataJSON)]), key);
  return { id: "fakenode", response: { authenticatorData, clientDataJSON, signature } };
}

const coinbase = async (owners, version = "1.1") => funded(await toCoinbaseSmartAccount({ client, owners, version }));

// operation is a signed operation of an account that pays the merchant.
async function operation(account) {
  const fields = {
    sender: account.address, nonce: await account.getNonce({ key: 0n }), callData: await account.encodeCalls([payment]), callGasLimit: 200_000n,
    verificationGasLimit: 1_000_000n, preVerificationGas: 50_000n, maxFeePerGas: 3_000_000_000n, maxPriorityFeePerGas: 1_000_000_000n, signature: "0x",
  };
  const { factory, factoryData } = await account.getFactoryArgs();
  const packed = account.entryPoint.version === "0.7";
  const creation = packed ? { factory, factoryData } : { initCode: factory ? concat([factory, factoryData]) : "0x", paymasterAndData: "0x" };
  const op = { ...fields, ...creation };
  const signed = { ...op, signature: await account.signUserOperation(op) };
  return packed ? toPackedUserOperation(signed) : signed;
}

async function byOperation(account) {
  const op = await operation(account);
  const { abi, address } = account.entryPoint;
  const told = await client.readContract({ abi, address, functionName: "getUserOpHash", args: [op] });
  const course = await play(() => refusal(() => send(relayer, { abi, address, functionName: "handleOps", args: [[op], relayer.address] })));
  const [event] = await client.getContractEvents({ abi, address, eventName: "UserOperationEvent", fromBlock: 0n });
  return { ...course, hashed: event.args.userOpHash === told && event.args.success };
}

// byPermission signs a permission for one charge a day, which the merchant's relayer stores and uses. The signature
// deploys the account.
async function byPermission(account) {
  const now = Number((await client.getBlock()).timestamp);
  const permission = {
    account: account.address, spender: merchant.address, token: node.token, allowance: price, period: 86_400, start: now, end: now + 10 * 86_400, salt: 0n, extraData: "0x",
  };
  const [{ components }] = manager.abi.find(({ name }) => name === "approve").inputs;
  const signature = await account.signTypedData({
    domain: { name: "Spend Permission Manager", version: "1", chainId: chain.id, verifyingContract: manager.address },
    types: { SpendPermission: components.map(({ name, type }) => ({ name, type })) }, primaryType: "SpendPermission", message: permission,
  });
  const course = await play(() => refusal(async () => {
    await send(relayer, { ...manager, functionName: "approveWithSignature", args: [permission, signature] });
    await send(merchant, { ...manager, functionName: "spend", args: [permission, price] });
  }));
  return { ...course, deployed: (await client.getCode(account)) !== undefined };
}

// verified returns viem's verdicts on the account's signature of a message, before and after it is deployed.
async function verified(account) {
  const signature = await account.signMessage({ message: "hello" });
  const check = (message) => client.verifyMessage({ address: account.address, message, signature });
  const before = [await check("hello"), await check("bye")];
  const { factory, factoryData } = await account.getFactoryArgs();
  await client.waitForTransactionReceipt({ hash: await wallet(relayer).sendTransaction({ to: factory, data: factoryData }) });
  await seal();
  return { before, after: [await check("hello"), await check("bye")] };
}

const withManager = (owner) => [owner, manager.address];
const paths = {
  "EntryPoint 0.6": async () => byOperation(await coinbase([payer])),
  "EntryPoint 0.6, version 1": async () => byOperation(await coinbase([payer], "1")),
  "EntryPoint 0.6, passkey": async () => byOperation(await coinbase([passkey])),
  "EntryPoint 0.7": async () => byOperation(await simple()),
  "spend permission": async () => byPermission(await coinbase(withManager(payer))),
  "spend permission, passkey": async () => byPermission(await coinbase(withManager(passkey))),
  "signature of a key": async () => verified(await coinbase([payer])),
  "signature of a passkey": async () => verified(await coinbase([passkey])),
};

const played = {};
for (const [name, path] of Object.entries(paths)) {
  played[name] = await node.apart(path).catch((error) => ({ failed: error.stack }));
}
node.report(played);
