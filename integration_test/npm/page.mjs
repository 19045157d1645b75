// Uses the node's page in a real browser as a person would, and reports what there was to see.
import { Browser, click, inspect, press, shows, tab, text, view, views } from "./browser.mjs";
import { options, rpc, seal, token, url } from "./fakenode.mjs";

const [executablePath, screenshots] = options;
const browser = await Browser.launch(executablePath);
const report = {};
const firstRow = "#transactions-list .row:first-child .badge";

// follow makes a payment by button and follows it from the pool to an orphan.
async function follow(page) {
  await tab(page, "transactions");
  await press(page, "pay");
  const seen = [await shows(page, firstRow, "pool")];
  await press(page, "preconfirm");
  seen.push(await shows(page, firstRow, "flashblock"));
  await press(page, "seal");
  seen.push(await shows(page, firstRow, "block 1"));
  await page.select("#hands form[data-hand=reorg] select", "drop");
  await press(page, "reorg");
  seen.push(await shows(page, firstRow, "orphaned"));
  const call = await text(page, "#call-text");
  await click(page, "[data-copy=curl]");
  const curl = await shows(page, "#snippet", "curl");
  await tab(page, "logs");
  const log = await shows(page, "#logs-list .row", "removed");
  await tab(page, "chain");
  await shows(page, "#blocks", "orphaned");
  await tab(page, "transactions");
  await click(page, "#transactions-list .row:first-child button");
  await shows(page, "#details-title", "Transaction");
  const trail = await page.$$eval(".trail .badge", (badges) => badges.map((badge) => badge.textContent));
  await page.keyboard.press("Escape");
  const back = await page.evaluate(() => document.activeElement.dataset.kind);
  return { seen, call, curl, log, trail, back };
}

// play plays a scenario step by step.
async function play(page) {
  await page.select("#scenario-name", "CaptureReorgedOut");
  await click(page, "#scenario button");
  await shows(page, "#conclusion", "correct client");
  const first = await text(page, "#step-count");
  while (!(await page.$eval("#scenario-next", (button) => button.disabled))) await click(page, "#scenario-next");
  return {
    first, last: await text(page, "#step-count"), conclusion: await text(page, "#conclusion"),
    steps: await page.$$eval("#steps li", (steps) => steps.map((step) => step.textContent)),
  };
}

// tell tells a scenario move by move, and returns the chain that the page shows in its second.
async function tell(page) {
  const moved = (step) => shows(page, "#step-count", `Move ${step}`);
  await page.select("#scenario-name", "LostPreconfirmation");
  await click(page, "#scenario-start");
  await moved(1);
  await click(page, "#scenario-next");
  await moved(2);
  const pending = (await rpc("eth_getBlockByNumber", "pending", false)).transactions.length;
  await click(page, "#scenario-end");
  await shows(page, "#conclusion", "never sealed");
  return { pending, moves: await page.$$eval("#steps li", (steps) => steps.map((step) => step.textContent.replace(/\d+/g, "N"))) };
}

// fail follows a payment of more than there is through every list, and returns how each shows it.
async function fail(page) {
  const [from, to] = await rpc("eth_accounts");
  const head = Number(await rpc("eth_blockNumber"));
  const hash = await rpc("eth_sendTransaction", { from, to: token, data: `0xa9059cbb${to.slice(2).padStart(64, "0")}${"0".repeat(48)}${"1".repeat(16)}`, gas: "0x186a0" });
  await rpc("fakenode_preconfirm");
  await tab(page, "transactions");
  const preconfirmed = await shows(page, firstRow, "failed, flashblock");
  await tab(page, "chain");
  const building = await shows(page, "#building", "1 failed");
  await seal(1);
  const row = await shows(page, "#blocks .row:first-child", "1 failed");
  await tab(page, "transactions");
  const sealed = await shows(page, firstRow, "failed, block");
  await click(page, "#transactions-list .row:first-child button");
  const reason = await shows(page, "#details .error", "Failed");
  await click(page, `#details [data-kind=block]`);
  await shows(page, "#details-title", `Block ${head + 1}`);
  const block = await shows(page, "#details table", "failed");
  await click(page, "#details td [data-kind=account]");
  await shows(page, "#details-title", "Account");
  const account = await shows(page, "#details table", "failed");
  await page.keyboard.press("Escape");
  return { hash, preconfirmed, building: building.includes("1 failed"), row: row.includes("1 transaction 1 failed"), sealed, reason, block: block.includes("failed"), account: account.includes("failed") };
}

// addresses goes back and forth between details, and opens what an address names on pages of its own.
async function addresses(page, hash) {
  const title = (expected) => shows(page, "#details-title", expected);
  await tab(page, "transactions");
  await click(page, `#transactions-list [data-id="${hash}"]`);
  await title("Transaction");
  const link = page.url();
  await click(page, "#details [data-kind=block]");
  const trail = [await title("Block")];
  await page.goBack();
  trail.push(await title("Transaction"));
  await page.goBack();
  await page.waitForFunction(() => document.getElementById("details").hidden);
  trail.push(new URL(page.url()).hash);
  await page.goForward();
  trail.push(await title("Transaction"));
  await page.keyboard.press("Escape");
  await page.evaluate((hash) => { location.hash = hash; }, new URL(link).hash);
  trail.push(await title("Transaction"));
  await page.keyboard.press("Escape");
  await tab(page, "logs");
  await click(page, "#logs-list .row:has(.badge.removed) button");
  await title("Log");
  const log = page.url();
  await page.keyboard.press("Escape");
  const other = await browser.open(link);
  const sent = await shows(other, "#details", hash);
  const otherLog = await browser.open(log);
  const removed = await shows(otherLog, "#details", "removed");
  await other.close();
  await otherLog.close();
  return { trail, sent: sent.includes("Failed"), removed: removed.includes("25 USDC") };
}

// look opens the details of a contract that logs, a delegation, and an account that delegates, and returns what they say.
async function look(page) {
  const accounts = await rpc("eth_accounts");
  const relay = "0x00000000000000000000000000000000000a11ed"; // passes its call data on to the console
  await rpc("anvil_setCode", relay, `0x365f5f375f5f365f73${"000000000000000000636f6e736f6c652e6c6f67"}5afa00`);
  const said = `0x41304fac${word(32)}${word(5)}${hex(Buffer.from("hello")).slice(2).padEnd(64, "0")}`;
  const logged = await rpc("eth_sendTransaction", { from: accounts[0], to: relay, data: said, gas: "0x186a0" });
  const paid = await rpc("eth_sendTransaction", { from: accounts[0], to: token, data: `0xa9059cbb${accounts[1].slice(2).padStart(64, "0")}${word(1_000_000)}`, gas: "0x186a0" });
  await seal(1);
  const before = Number(await rpc("eth_blockNumber"));
  await rpc("fakenode_scenario", "DelegationFrontRun");
  await rpc("fakenode_scenario", "BundleRevertedByNeighbour");
  await rpc("fakenode_delegate", accounts[9], token);
  const sent = []; // by the scenarios
  for (let n = before + 1; n <= Number(await rpc("eth_blockNumber")); n++) sent.push(...(await rpc("eth_getBlockByNumber", `0x${n.toString(16)}`, true)).transactions);
  await tab(page, "transactions");
  const named = [await shows(page, "#transactions-list", "handleOps(")];
  await tab(page, "logs");
  named.push(await shows(page, "#logs-list", "UserOperationEvent("));
  const details = async (kind, id, ...expected) => {
    await page.evaluate((hash) => { location.hash = hash; }, `#chain/${kind}/${id}`);
    let shown;
    for (const text of expected) shown = await shows(page, "#details", text);
    await page.keyboard.press("Escape");
    return shown;
  };
  return {
    named: named.length,
    logged: await details("tx", logged, "console.log hello"),
    paid: await details("tx", paid, "transfer(to: ", "With calls below"),
    delegated: await details("tx", sent.find(({ type }) => type === "0x4").hash, "Delegations"),
    operation: await details("tx", sent.at(-1).hash, "User operations"),
    account: await details("account", accounts[9], "Delegates to"),
  };
}

// find looks for a block, an account and what there is not.
async function find(page) {
  const found = [];
  for (const [what, title] of [["1", "Block 1"], [token, "Account"]]) {
    await page.$eval("#search input", (input, what) => { input.value = what; }, what);
    await click(page, "#search button");
    found.push(await shows(page, "#details-title", title));
    await page.keyboard.press("Escape");
  }
  await page.$eval("#search input", (input) => { input.value = "1000000"; });
  await click(page, "#search button");
  found.push(await shows(page, "#search-answer", "Nothing"));
  return found;
}

// unknown looks for an address that nobody has used.
async function unknown(page) {
  await page.$eval("#search input", (input) => { input.value = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed"; });
  await click(page, "#search button");
  const found = await shows(page, "#details", "does not know");
  await page.keyboard.press("Escape");
  return found;
}

// fold seals empty blocks, and returns what the row says that stands for them, and how many are left of them with the filter.
async function fold(page) {
  await tab(page, "chain");
  await seal(9);
  const folded = await shows(page, "#blocks .row.fold button", "empty blocks");
  await click(page, "#filled");
  await page.waitForFunction(() => !document.querySelector("#blocks .row.fold"));
  const filtered = await page.$$eval("#blocks .row", (rows) => rows.filter((row) => row.textContent.includes("0 transactions") && !row.querySelector(".badge")).length);
  await click(page, "#filled");
  await click(page, "#blocks .row.fold button");
  return { folded, filtered };
}

// reload opens the page anew and returns what it knows of a reorg that it has not seen.
async function reload() {
  const page = await browser.open(url);
  await shows(page, "#blocks", "orphaned");
  await tab(page, "transactions");
  const transaction = await shows(page, "#transactions-list .row.orphan .badge", "orphaned from 1");
  await tab(page, "logs");
  const log = await shows(page, "#logs-list .row.orphan", "removed");
  await page.close();
  return { transaction, log };
}

// drawer commands the node on a phone.
async function drawer() {
  const page = await browser.open(url);
  await page.setViewport({ width: 390, height: 844 });
  const closed = await page.$eval("#hands", (hands) => hands.checkVisibility());
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await click(page, "#hands-open");
  await press(page, "seal");
  const answer = await shows(page, "#call-answer", "0x");
  await page.keyboard.press("Escape");
  const after = await page.$eval("#hands", (hands) => hands.checkVisibility());
  await page.close();
  return { closed, height, answer: answer.includes("0x"), after };
}

// check looks at every view, at the details of a transaction, and at the controls.
function check() {
  return inspect(browser, url, [...views.map(view), ["details", async (page) => {
    await tab(page, "transactions");
    await click(page, "#transactions-list .row:has(.badge.sealed) button");
    await shows(page, "#details .trace", "gas");
    await page.$$eval("#details details", (all) => all.forEach((details) => { details.open = true; }));
  }], ["controls", async (page, device) => {
    await page.keyboard.press("Escape");
    if (device !== "desk") await click(page, "#hands-open");
    await page.$$eval("#groups details", (all) => all.forEach((details) => { details.open = true; }));
  }]], screenshots);
}

const hostile = "<img src=x onerror=\"window.pwned=1\"><script>window.pwned=1</script>\u202e\u0007\u0000";
const hex = (bytes) => `0x${Buffer.from(bytes).toString("hex")}`;
const word = (n) => n.toString(16).padStart(64, "0");
const abiString = (bytes) => word(32) + word(bytes.length) + Buffer.from(bytes).toString("hex").padEnd(Math.ceil(bytes.length / 32) * 64, "0");
const push = (n) => `62${n.toString(16).padStart(6, "0")}`;

// speaker is code that answers decimals() with 6 and all else with data, by return (f3) or revert (fd), followed by
// zeros up to size bytes.
function speaker(data, ending, size = data.length / 2) {
  const decimals = "5f3560e01c63313ce567146100"; // if the selector is decimals(), jump
  const say = (at) => `${push(data.length / 2)}${push(at)}5f39${push(size)}5f${ending}`;
  const start = decimals.length / 2 + 2;
  const after = start + say(0).length / 2;
  const tail = "5b60065f5260205ff3";
  return `0x${decimals}${after.toString(16).padStart(2, "0")}57${say(after + tail.length / 2)}${tail}${data}`;
}

// attack lets contracts say what a page must not believe.
async function attack(page) {
  const [account] = await rpc("eth_accounts");
  const named = "0x00000000000000000000000000000000000bad01";
  const angry = "0x00000000000000000000000000000000000bad02";
  const loud = "0x00000000000000000000000000000000000bad03";
  await rpc("anvil_setCode", named, speaker(abiString(Buffer.from(hostile)), "f3"));
  const long = 1 << 20; // bytes of the reason
  await rpc("anvil_setCode", angry, speaker(`08c379a0${word(32)}${word(long)}${hex(Buffer.from(hostile)).slice(2)}`, "fd", 4 + 64 + long));
  // A Transfer of 1 whose topics are the first word of the call data, then a log with 1 MB of data.
  await rpc("anvil_setCode", loud, "0x60015f525f355f355f3560205fa3621000005fa000");
  await rpc("evm_setBlockGasLimit", "0x1dcd6500");
  const send = (to, data, gas) => rpc("eth_sendTransaction", { from: account, to, data, gas });
  const transfer = `0xa9059cbb${word(1)}${word(2)}`;
  const hashes = [await send(named, transfer, "0x186a0"), await send(angry, transfer, "0x1000000"), await send(loud, "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef", "0xfffff0")];
  await seal(1);
  const outcome = { status: [], shown: "", error: "" };
  for (const hash of hashes) outcome.status.push((await rpc("eth_getTransactionReceipt", hash)).status);
  await tab(page, "transactions");
  const row = (hash) => `#transactions-list button[data-id="${hash}"]`;
  await page.waitForFunction((selector) => document.querySelector(selector)?.closest(".row").textContent.includes("<img"), {}, row(hashes[0]));
  outcome.shown = await page.$eval(row(hashes[0]), (button) => button.closest(".row").textContent);
  await click(page, row(hashes[1]));
  outcome.error = await shows(page, "#details .error", "Failed");
  await page.keyboard.press("Escape");
  await tab(page, "logs");
  await click(page, "#logs-list .row:first-child button");
  await shows(page, "#details-title", "Log");
  await page.keyboard.press("Escape");
  outcome.pwned = await page.evaluate(() => String(window.pwned));
  outcome.markup = await page.evaluate(() => document.querySelectorAll("body img, body script, body iframe").length);
  outcome.longest = await page.evaluate(() => Math.max(...[...document.querySelectorAll("body *")].map((e) => (e.children.length ? 0 : e.textContent.length))));
  return outcome;
}

// burden makes 10,000 blocks and 50,000 logs under the page's eyes, and scrolls through them.
async function burden(page) {
  const emitter = "0x00000000000000000000000000000000000c0de1";
  const logs = 500; // of one transaction
  await rpc("anvil_setCode", emitter, `0x61${logs.toString(16).padStart(4, "0")}5b5f5fa0600190038060035700`);
  const [account] = await rpc("eth_accounts");
  await tab(page, "logs");
  const session = await page.createCDPSession();
  await session.send("Performance.setTimeDomain", { timeDomain: "threadTicks" }); // work, however busy the machine is
  await session.send("Performance.enable");
  const work = async () => (await session.send("Performance.getMetrics")).metrics
    .filter(({ name }) => ["ScriptDuration", "LayoutDuration", "RecalcStyleDuration"].includes(name)).reduce((sum, { value }) => sum + value * 1000, 0);
  const before = await work();
  await page.evaluate(() => {
    window.frames_ = [];
    let last = performance.now();
    const frame = (now) => { window.frames_.push(now - last); last = now; window.timing = requestAnimationFrame(frame); };
    window.timing = requestAnimationFrame(frame);
  });
  for (let i = 0; i < 100; i++) {
    await rpc("eth_sendTransaction", { from: account, to: emitter, gas: "0x200000" });
    if (i % 10 === 9) await seal(1);
  }
  await tab(page, "chain");
  await rpc("anvil_mine", "0x2710");
  const height = Number(await rpc("eth_blockNumber"));
  await shows(page, "#status strong", height.toLocaleString("en"));
  const grown = await work() - before; // all frames of the growth together: how many there are depends on the machine
  const growing = await page.evaluate(() => window.frames_.splice(0).length);
  const settled = await work();
  let drawn = 0; // elements that the busiest step of scrolling makes
  for (const [view, list] of [["chain", "#blocks"], ["logs", "#logs-list"]]) {
    await tab(page, view);
    drawn = Math.max(drawn, await page.$eval(list, async (list) => {
      let most = 0;
      let made = 0; // since the last step
      const observer = new MutationObserver((records) => {
        for (const node of records.flatMap((record) => [...record.addedNodes])) made += 1 + (node.querySelectorAll?.("*").length ?? 0);
      });
      observer.observe(list, { childList: true, subtree: true });
      for (let i = 0; i < 60; i++) {
        list.scrollTop = list.scrollHeight * (i / 60);
        await new Promise(requestAnimationFrame);
        most = Math.max(most, made);
        made = 0;
      }
      return most;
    }));
  }
  const frames = await page.evaluate(() => { cancelAnimationFrame(window.timing); return window.frames_.sort((a, b) => a - b); });
  const worked = await work() - settled;
  const at = (share) => Math.round(frames[Math.floor((frames.length - 1) * share)]);
  return {
    blocks: height, logs: await page.$eval("#logs-list .row", (row) => Number(row.getAttribute("aria-setsize"))),
    elements: await page.evaluate(() => document.querySelectorAll("*").length),
    growing, grown, drawn, frames: frames.length, work: worked / frames.length, median: at(0.5), p95: at(0.95), worst: at(1),
  };
}

// clock sets the node's clock two hours ahead, however long this script has taken, and returns what the page says of it.
async function clock(page) {
  await rpc("evm_increaseTime", 7200);
  await seal(1);
  await shows(page, "#status", "ahead of the wall");
  return page.$eval("#status", (status) => [...status.children].map(({ textContent }) => textContent).find((text) => text.startsWith("clock")));
}

try {
  const page = await browser.open(url);
  report.title = await page.title();
  report.lang = await page.$eval("html", (html) => html.lang);
  report.follow = await follow(page);
  report.reload = await reload();
  report.failed = await fail(page);
  report.addresses = await addresses(page, report.failed.hash);
  report.looked = await look(page);
  report.found = await find(page);
  report.unknown = await unknown(page);
  Object.assign(report, await fold(page));
  report.clock = await clock(page);
  await tab(page, "node");
  await shows(page, "#subscribers-table", "No client subscribes.");
  report.subscribers = await page.$$eval("#subscribers-table tr", (rows) => rows.length);
  await tab(page, "chain");
  report.drawer = await drawer();
  report.play = await play(page);
  report.told = await tell(page);
  await press(page, "pay");
  await shows(page, "#call-answer", "0x");
  await seal(1);
  await rpc("fakenode_scenario", "VoucherAfterRefund"); // a channel
  await rpc("fakenode_setFault", { method: "eth_getProof", latencyMs: 1 });
  for (const amount of [1, 10n ** 18n]) { // the second one fails
    const [from, to] = await rpc("eth_accounts");
    await rpc("eth_sendTransaction", { from, to: token, data: `0xa9059cbb${to.slice(2).padStart(64, "0")}${word(amount)}`, gas: "0x186a0" });
  }
  await rpc("fakenode_preconfirm");
  await rpc("eth_sendTransaction", { from: (await rpc("eth_accounts"))[2], to: token, nonce: "0x99", gas: "0x186a0" }); // waits in the pool
  report.check = await check();
  report.attack = await attack(page);
  report.burden = await burden(page);
  report.errors = browser.errors;
  report.foreign = browser.foreign;
} finally {
  await browser.close();
}
console.log(JSON.stringify(report));
