// A shop that ships what is final, and a search for accidents that fool it: node explore.mjs RUNS
import { explore } from "fakenode";

const transfer = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef"; // Transfer(address,address,uint256)
const word = (address) => "0x" + address.slice(2).toLowerCase().padStart(64, "0");

async function call(url, method, ...params) {
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
  const response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
  const { result, error } = await response.json();
  if (error) throw new Error(error.message);
  return result;
}

// paid reports whether a receipt has the payment: a transfer of the token, from the payer, to the merchant, of the value.
function paid({ status, logs }, { contract, payer, merchant, value }) {
  return status === "0x1" && logs.some(({ address, topics, data }) =>
    address === contract.toLowerCase() && topics[0] === transfer && topics[1] === word(payer) && topics[2] === word(merchant) && BigInt(data) === BigInt(value));
}

// shop looks at the chain when it is asked, and remembers nothing. What has no receipt now may have one later, a receipt
// may be of a block that is no more, and only what is final is shipped.
async function shop(question, url) {
  const receipt = await call(url, "eth_getTransactionReceipt", question.transaction);
  if (!receipt || !paid(receipt, question)) return "open";
  const block = await call(url, "eth_getBlockByNumber", receipt.blockNumber, false);
  const final = await call(url, "eth_getBlockByNumber", "finalized", false);
  if (block?.hash !== receipt.blockHash) return "open";
  return BigInt(final.number) >= BigInt(receipt.blockNumber) ? "shipped" : "open";
}

const { passed, report } = await explore(shop, { runs: Number(process.argv[2] ?? 100), seal: "manual", finalizedLag: 8 });
console.log(report);
process.exitCode = passed ? 0 : 1;
