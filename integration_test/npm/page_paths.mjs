// Looks at the pages of a node without control methods, and of a world, and reports what there was to see.
import { Browser, click, press, shows, tab, text, views } from "./browser.mjs";
import { options, report, url } from "./fakenode.mjs";

const [executablePath, closed] = options; // closed is the URL of a node without control methods
const browser = await Browser.launch(executablePath);

// rest calls a method of a network.
async function rest(address, method, ...params) {
  const response = await fetch(address, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  return (await response.json()).result;
}

// watch follows a payment on the page of a node that it cannot command.
async function watch() {
  const page = await browser.open(closed);
  const [from, to] = await rest(closed, "eth_accounts");
  await tab(page, "transactions");
  const hash = await rest(closed, "eth_sendTransaction", { from, to, value: "0x1" });
  const waiting = await shows(page, "#transactions-list .row:first-child .badge", "pool");
  await tab(page, "pool");
  const reason = await shows(page, "#pool-table", "for a flashblock");
  await tab(page, "transactions");
  await click(page, "#transactions-list .row:first-child button");
  await shows(page, "#details-title", "Transaction");
  const shown = {};
  for (const view of views) {
    await page.keyboard.press("Escape");
    await tab(page, view);
    await page.waitForFunction((view) => document.getElementById(view).textContent.trim() !== "", {}, view);
    shown[view] = await page.$eval(`#${view}`, (section) => !section.hidden);
  }
  return {
    waiting, reason: reason.includes(hash.slice(0, 6)), shown,
    hands: await page.$eval("#hands", (hands) => hands.checkVisibility()),
    buttons: await page.$$eval("form[data-hand] button", (buttons) => buttons.filter((button) => button.checkVisibility()).length),
  };
}

// world commands a world by the buttons of its own page.
async function world() {
  const { url: address, testnetUrl } = await rest(url, "fakenode_newWorld", { name: "seen" });
  const page = await browser.open(address);
  await press(page, "seal");
  await shows(page, "#blocks", "1");
  const call = await text(page, "#call-text");
  await click(page, "[data-copy=curl]");
  const curl = await shows(page, "#snippet", "curl");
  const testnet = await browser.open(testnetUrl);
  await press(testnet, "seal");
  await shows(testnet, "#call-answer", "0x");
  await press(testnet, "seal");
  await testnet.waitForFunction(() => document.querySelector("#status strong")?.textContent === "2");
  await rest(address, "fakenode_seal", 1); // its tab is behind the test network's, and draws nothing
  await page.waitForFunction(() => document.title.startsWith("Block 2"), { polling: 100 });
  const hidden = await page.evaluate(() => document.hidden);
  const heights = [];
  for (const at of [url, address, testnetUrl]) heights.push(await rest(at, "eth_blockNumber"));
  const main = await browser.open(url);
  await shows(main, "#places", "world seen");
  await click(main, "#places a[href='/w/seen']");
  await shows(main, "#places [aria-current]", "main");
  await shows(main, "#places", "the world at /");
  return { call, curl, hidden, heights, chain: await text(testnet, "#status"), path: new URL(main.url()).pathname };
}

const result = {};
try {
  result.watch = await watch();
  result.world = await world();
  result.errors = browser.errors;
  result.foreign = browser.foreign;
} finally {
  await browser.close();
}
report(result);
