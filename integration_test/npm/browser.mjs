// Opens a node's page in a real browser, for scripts that use it as a person would.
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import puppeteer from "puppeteer-core";

const patience = 600_000; // ms, for what a busy machine may take

export class Browser {
  errors = []; // of scripts
  foreign = []; // requests to other places
  #browser;
  #profile;

  static async launch(executablePath) {
    const b = new Browser();
    b.#profile = mkdtempSync(join(tmpdir(), "fakenode-page-"));
    b.#browser = await puppeteer.launch({
      executablePath, headless: true, userDataDir: b.#profile, timeout: patience, protocolTimeout: patience,
      args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
    });
    return b;
  }

  newPage() { return this.#browser.newPage(); }

  // open opens an address and waits until the page is live.
  async open(address) {
    const page = await this.newPage();
    page.on("console", (message) => { if (message.type() === "error") this.errors.push(message.text()); });
    page.on("pageerror", (error) => this.errors.push(error.message));
    page.on("request", (request) => { if (!request.url().startsWith(new URL(address).origin)) this.foreign.push(request.url()); });
    await page.setViewport({ width: 1280, height: 800 });
    page.setDefaultTimeout(patience);
    await page.goto(address);
    await shows(page, "#connection", "live");
    return page;
  }

  async close() {
    await this.#browser.close();
    rmSync(this.#profile, { recursive: true, force: true });
  }
}

// shows waits until an element's text holds what is expected, and returns the text. It does not wait for frames, which
// a busy machine may not draw. If the text never comes, the error has what the page shows.
export async function shows(page, selector, expected) {
  const has = (selector, expected) => document.querySelector(selector)?.textContent.includes(expected);
  try {
    await page.waitForFunction(has, { polling: 100 }, selector, expected);
  } catch (cause) {
    throw new Error(`${selector} does not show "${expected}":\n${await text(page, "body")}`, { cause });
  }
  return text(page, selector);
}

export const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
// click waits until a person could click an element, and clicks it.
export const click = (page, selector) => page.locator(selector).click();
export const press = (page, hand) => click(page, `#hands form[data-hand=${hand}] button`);
export const tab = (page, name) => click(page, `#tab-${name}`);
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
const sizes = [["desk", 1400, 900], ["tablet", 820, 1180], ["phone", 390, 844]];
const thorough = Boolean(process.env.FAKENODE_PAGE); // make page

// violations checks what is shown with axe-core. It runs beside the page, whose own policy would not let it in.
async function violations(page, name) {
  await page.addScriptTag({ path: axe }).catch(() => {});
  const found = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  return found.violations.map((violation) => `${name}: ${violation.id} ${violation.nodes.map((node) => node.target).join(" ")}`);
}

// inspect looks at what steps show, at three sizes, in the light and in the dark: for what axe-core finds, and for what
// scrolls sideways. steps are pairs of a name and a function that shows something. Without FAKENODE_PAGE axe-core sees
// the desk in the light and the phone in the dark alone. pictures names a directory for a picture of each.
export async function inspect(browser, address, steps, pictures) {
  const page = await browser.newPage();
  page.setDefaultTimeout(patience);
  await page.setBypassCSP(true);
  const found = { violations: [], wide: [], checks: 0 };
  for (const [device, width, height] of sizes) {
    for (const theme of ["light", "dark"]) {
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      await page.goto("about:blank");
      await page.goto(address);
      await shows(page, "#connection", "live");
      for (const [name, step] of steps) {
        await step(page, device);
        if (thorough || device === (theme === "light" ? "desk" : "phone")) {
          found.violations.push(...await violations(page, `${device} ${theme} ${name}`));
          found.checks++;
        }
        if (await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)) found.wide.push(`${device} ${name}`);
        if (pictures) await page.screenshot({ path: join(pictures, `${device}-${theme}-${name}.png`) });
      }
    }
  }
  await page.close();
  return found;
}

// view returns the step that shows a view.
export const view = (name) => [name, async (page) => {
  await tab(page, name);
  await page.waitForFunction((name) => document.getElementById(name).textContent.trim() !== "", {}, name);
}];

export const views = ["chain", "transactions", "logs", "pool", "accounts", "authorizations", "channels", "node"];
