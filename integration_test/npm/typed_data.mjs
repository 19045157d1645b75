// Signs typed data, as a merchant's back end hands it out, with each library: with the payer's key, and by the node as wallet.
// node typed_data.mjs URL WEBSOCKET TOKEN OWNER_KEY TYPED_DATA
import { HDNodeWallet, JsonRpcProvider, Mnemonic } from "ethers";
import { createWalletClient, http } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import * as node from "./fakenode.mjs";

const typedData = JSON.parse(node.options[0]);

const provider = new JsonRpcProvider(node.url);
const wallet = HDNodeWallet.fromMnemonic(Mnemonic.fromPhrase(node.mnemonic), `m/44'/60'/0'/0/${node.payer}`);
const { EIP712Domain, ...types } = typedData.types; // ethers makes the domain's type itself
const ethers = [typedData.domain, types, typedData.message];

const account = mnemonicToAccount(node.mnemonic, { addressIndex: node.payer });
const client = createWalletClient({ account: account.address, transport: http(node.url) });

node.report({
  ethers: await wallet.signTypedData(...ethers),
  "ethers, by the node": await (await provider.getSigner(wallet.address)).signTypedData(...ethers),
  viem: await account.signTypedData(typedData),
  "viem, by the node": await client.signTypedData(typedData),
});
