// Opens a node's page in a real browser, for scripts that use it as a person would.
import { mkdtempSync, rmSync } from "node:fs";
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

// shows waits until an element's text holds what is expected, and returns the text.
export async function shows(page, selector, expected) {
  await page.waitForFunction((selector, expected) => document.querySelector(selector)?.textContent.includes(expected), {}, selector, expected);
  return page.$eval(selector, (element) => element.textContent);
}

export const text = (page, selector) => page.$eval(selector, (element) => element.textContent);
// click waits until a person could click an element, and clicks it.
export const click = (page, selector) => page.locator(selector).click();
export const press = (page, hand) => click(page, `form[data-hand=${hand}] button`);
export const tab = (page, name) => click(page, `#tab-${name}`);
export const views = ["chain", "transactions", "logs", "pool", "accounts", "authorizations", "channels", "node"];
