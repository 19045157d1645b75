// Takes the pictures of docs/page.md: of the page on a desk and on a phone, after a few payments that went well and ill.
import { join } from "node:path";
import { Browser, click, shows, tab } from "./browser.mjs";
import { advance, options, preconfirm, report, rpc, seal, token, url } from "./fakenode.mjs";

const [executablePath, folder] = options;
const browser = await Browser.launch(executablePath);
const accounts = await rpc("eth_accounts");

// pay sends a payment in token units.
const pay = (from, to, amount) => rpc("eth_sendTransaction", {
  from: accounts[from], to: token, gas: "0x186a0",
  data: `0xa9059cbb${accounts[to].slice(2).padStart(64, "0")}${amount.toString(16).padStart(64, "0")}`,
});

// take takes a picture of nothing under the mouse and without a focus.
async function take(page, name) {
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(0, 0);
  await page.screenshot({ path: join(folder, name) });
}

try {
  await pay(0, 1, 25_000_000);
  await advance(600);
  await pay(2, 1, 5_500_000);
  await advance(1400);
  await pay(3, 1, 4_000_000_000_000); // more than it has
  await seal(1);
  await pay(4, 1, 19_990_000);
  await seal(1);
  await rpc("fakenode_reorg", { depth: 1, transactions: "drop" });
  await pay(5, 1, 7_250_000);
  await seal(1);

  const desk = await browser.open(url);
  await desk.setViewport({ width: 1400, height: 900 });
  await desk.select("#scenario-name", "CaptureThenReorg");
  await click(desk, "#scenario button");
  await shows(desk, "#conclusion", "correct client");
  await click(desk, "#scenario-end");
  await shows(desk, "#step-count", "All");
  await pay(0, 2, 12_000_000);
  await preconfirm();
  await pay(6, 1, 1_000_000);
  await shows(desk, "#building", "1 flashblock");
  await shows(desk, "#status strong", "7");
  await take(desk, "page-1400.png");

  const phone = await browser.open(url);
  await phone.setViewport({ width: 390, height: 844 });
  await tab(phone, "transactions");
  await shows(phone, "#transactions-list .row.orphan", "USDC");
  await take(phone, "page-390.png");
} finally {
  await browser.close();
}
report(browser.errors);
