// What the interfaces that clients carry have and fakenode's contracts do not.
// node interfaces.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { x402ExactPermit2ProxyABI, x402UptoPermit2ProxyABI } from "@x402/evm";
import { toFunctionSignature } from "viem";
import { entryPoint06Abi, entryPoint07Abi, toCoinbaseSmartAccount } from "viem/account-abstraction";
import { artifact, client, payer } from "./course.mjs";
import * as node from "./fakenode.mjs";

const { abi, factory } = await toCoinbaseSmartAccount({ client, owners: [payer], version: "1.1" });
const published = {
  "x402/exact": x402ExactPermit2ProxyABI, "x402/upto": x402UptoPermit2ProxyABI, "entrypoint/v06": entryPoint06Abi, "entrypoint/v07": entryPoint07Abi,
  "smartwallet/smart_wallet": abi, "smartwallet/factory": factory.abi,
};
const inputs = ({ name, inputs }) => toFunctionSignature({ type: "function", name, inputs });
const names = (abi) => abi.filter(({ name }) => name).map((item) => `${item.type} ${inputs(item)}`);

const missing = {};
for (const [name, theirs] of Object.entries(published)) {
  const ours = new Set(names(artifact(name).abi));
  missing[name] = names(theirs).filter((item) => !ours.has(item)).map((item) => item.replace(/\(.*/, "")).sort();
}
node.report(missing);
