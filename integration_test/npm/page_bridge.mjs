// Looks at the pages of an L2 and of its L1 while a deposit and a withdrawal are under way, and reports what there was
// to see.
import { encodeFunctionData, parseAbi, parseEther } from "viem";
import { Browser, click, inspect, shows, tab, view } from "./browser.mjs";
import { options, report, seal, url } from "./fakenode.mjs";

const [executablePath, portal] = options;
const browser = await Browser.launch(executablePath);
const passer = "0x4200000000000000000000000000000000000016";
const calls = parseAbi(["function depositTransaction(address,uint256,uint64,bool,bytes)", "function initiateWithdrawal(address,uint256,bytes)"]);

// ask calls a method of a chain.
async function ask(path, method, ...params) {
  const response = await fetch(url + path, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return (await response.json()).result;
}

const result = {};
try {
  const [from, to] = await ask("", "eth_accounts");
  const value = `0x${parseEther("1").toString(16)}`;
  const page = await browser.open(url);
  await tab(page, "bridge");
  result.none = await shows(page, "#deposits-table", "No deposit");
  await ask("/l1", "eth_sendTransaction", { from, to: portal, value, gas: "0x100000",
    data: encodeFunctionData({ abi: calls, functionName: "depositTransaction", args: [to, BigInt(value), 100_000n, false, "0x"] }) });
  await ask("/l1", "fakenode_seal");
  result.deposit = await shows(page, "#deposits-table", "on its way");
  await ask("/l1", "fakenode_seal");
  await seal(1);
  result.derived = await shows(page, "#deposits-table", "on the L2");
  await ask("", "eth_sendTransaction", { from, to: passer, value, gas: "0x100000",
    data: encodeFunctionData({ abi: calls, functionName: "initiateWithdrawal", args: [to, 100_000n, "0x"] }) });
  await seal(1);
  const withdrawn = Number(await ask("", "eth_blockNumber"));
  result.withdrawal = await shows(page, "#withdrawals-table", "waits to be proven");
  await ask("", "fakenode_propose", {});
  await ask("/l1", "fakenode_seal");
  result.proposed = await shows(page, "#withdrawals-table", "ready to prove");
  await ask("", "fakenode_reorg", { depth: Number(await ask("", "eth_blockNumber")) - withdrawn + 1, transactions: "drop", force: true });
  result.reorged = await shows(page, "#withdrawals-table", "Nothing has been withdrawn");
  result.games = await shows(page, "#games-table", "wrong");
  // From a block of the L2 to the block of the L1 that it refers to.
  await tab(page, "chain");
  result.origin = await shows(page, "#blocks .row a", "L1 ");
  await click(page, "#blocks .row a");
  await shows(page, "#connection", "live");
  await shows(page, "#details-title", `Block ${result.origin.replace("L1 ", "")}`);
  result.path = new URL(page.url()).pathname;
  await page.keyboard.press("Escape");
  result.chain = await shows(page, "#status", "chain");
  await tab(page, "bridge");
  result.same = await shows(page, "#games-table", "wrong");
  await page.goto(`${url}/testnet`);
  await shows(page, "#connection", "live");
  result.testnet = await page.$eval("#tab-bridge", (button) => button.hidden);
  await tab(page, "chain");
  await page.goto(url);
  await shows(page, "#connection", "live");
  await tab(page, "bridge");
  await click(page, "#bridge-hands summary");
  const button = async (hand, expected) => {
    await click(page, `#bridge-hands form[data-hand=${hand}] button`);
    return shows(page, "#bridge-answer", expected);
  };
  result.commands = [await button("propose", "transactionHash"), await button("pausePortal", "fakenode_pausePortal"), await button("seal", "fakenode_seal")];
  result.paused = await shows(page, "#bridge-facts", "paused");
  result.commands.push(await button("blacklistGame", "0x"), await button("resolveGame", "0x"), await button("reorg", "removed"));
  result.check = await inspect(browser, url, [view("bridge"), ["commands", (page) => click(page, "#bridge-hands summary")]]);
  result.errors = browser.errors;
  result.foreign = browser.foreign;
} finally {
  await browser.close();
}
report(result);
