// mppx's client pays as on Tempo, in push mode: an account that the node signs for sends transferWithMemo on a TIP-20 token,
// and mppx's server reads the receipt.
// node mppx_push.mjs URL WEBSOCKET TOKEN OWNER_KEY
import { Mppx, tempo as paying } from "mppx/client";
import { tempo as charging } from "mppx/server";
import { createWalletClient, getContract, http, publicActions } from "viem";
import { chain, merchant, payer } from "./course.mjs";
import * as node from "./fakenode.mjs";
import { open } from "./mppx_shop.mjs";

const client = createWalletClient({ account: payer.address, chain, transport: http(node.url), pollingInterval: 20 }).extend(publicActions);
const { abi, bytecode } = node.contract("fixtures/contracts/tip20");
const { contractAddress: address } = await client.waitForTransactionReceipt({ hash: await client.deployContract({ abi, bytecode }) });
const token = getContract({ address, abi, client });
await token.write.mint([payer.address, 1_000_000n]);

const getClient = () => client;
const shop = await open(charging.charge({ currency: address, recipient: merchant.address, decimals: 6, getClient }));
const buyer = Mppx.create({ methods: [paying.charge({ account: payer.address, getClient })], polyfill: false });

const unpaid = (await fetch(shop)).status;
const before = await client.getBlockNumber();
const bought = await buyer.fetch(shop);
const logs = await client.getContractEvents({ address, abi, eventName: "TransferWithMemo", fromBlock: before });
node.report({
  unpaid, status: bought.status, body: await bought.text(), receipt: bought.headers.has("payment-receipt"),
  paid: await token.read.balanceOf([merchant.address]), left: await token.read.balanceOf([payer.address]),
  memos: logs.map(({ args }) => args.memo.slice(0, 12)),
});
