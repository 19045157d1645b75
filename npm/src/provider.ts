import type { Hex } from "./control.js";

/** What the wallet of a test's page is told: plain data, as it goes into the page as JSON. */
export interface ProviderOptions {
  /** The HTTP URL of the node, a world or a network: the chain that the wallet begins with. */
  url: string;
  /** The URLs of chains that the page may switch to. */
  otherUrls?: string[];
  /** The account that the user shows to the page: the node's first one by default. */
  account?: Hex;
  /** Whether the user has let the page see the account before. False by default. */
  connected?: boolean;
  /** How the wallet announces itself (EIP-6963). Two wallets in a page need two uuids. */
  info?: Partial<ProviderInfo>;
}

/** Who a wallet is, by EIP-6963. */
export interface ProviderInfo {
  uuid: string;
  name: string;
  /** A data: URL. */
  icon: string;
  /** The wallet's domain in reverse. */
  rdns: string;
}

/** What the user does in the wallet, for a test to call. */
export interface WalletUser {
  /** Shows another account to the page. */
  selectAccount(account: Hex): void;
  /** Declines the next thing that the page asks consent for. 4001 by default; several calls decline several things. */
  rejectNext(code?: number, message?: string): void;
  /** Chooses another of the wallet's chains. Rejects with 4902 where it has none with the id. */
  switchChain(chainId: number | Hex): Promise<void>;
  /** Takes back that the page may see the account. */
  disconnect(): void;
}

/** An EIP-1193 provider. */
export interface FakenodeProvider {
  request(request: { method: string; params?: unknown }): Promise<any>;
  /** The events are connect, disconnect, chainChanged and accountsChanged. */
  on(event: string, listener: Listener): FakenodeProvider;
  removeListener(event: string, listener: Listener): FakenodeProvider;
  user: WalletUser;
}

type Listener = (value: any) => void;

/** What the provider uses of a browser's window. */
interface Page {
  ethereum?: FakenodeProvider;
  location: { origin: string };
  localStorage: { getItem(key: string): string | null; setItem(key: string, value: string): void };
  addEventListener(event: string, listener: () => void): void;
  dispatchEvent(event: Event): void;
}

/**
 * Returns a wallet with the accounts of a node. In a page it is also window.ethereum, announces itself, and remembers
 * from one page of an origin to the next what its user has decided. The function uses nothing outside of itself, so that
 * Playwright's addInitScript(fakenodeProvider, options) and Puppeteer's evaluateOnNewDocument put it into a page.
 */
export function fakenodeProvider(options: ProviderOptions): FakenodeProvider {
  const page = (globalThis as { window?: Page }).window;
  const state = { url: options.url, urls: [options.url, ...(options.otherUrls ?? [])], account: options.account, connected: options.connected ?? false };
  const key = `fakenode wallet ${options.url} ${options.info?.uuid ?? ""}`;
  try {
    Object.assign(state, JSON.parse(page!.localStorage.getItem(key)!));
  } catch {
    // Not in a page, or in one without storage.
  }
  function keep(change: Partial<typeof state>): void {
    Object.assign(state, change);
    try {
      page!.localStorage.setItem(key, JSON.stringify(state));
    } catch {
      // As above.
    }
  }

  const listeners: Record<string, Listener[]> = {};
  const emit = (event: string, value: unknown) => (listeners[event] ?? []).forEach((listener) => listener(value));
  const failure = (code: number, message: string, data?: unknown) => Object.assign(new Error(message), { name: "ProviderRpcError", code, data });

  let online = false;
  async function call(url: string, method: string, params?: unknown): Promise<any> {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
    let response: Response, text: string;
    try {
      response = await fetch(url, { method: "POST", headers: { "Content-Type": "application/json" }, body });
      text = await response.text();
    } catch {
      const gone = failure(4900, `${url} did not answer ${method}: no node is there, or it (--allow-origin) or the browser does not let this page call it`);
      if (online && url === state.url) {
        online = false;
        emit("disconnect", gone);
      }
      throw gone;
    }
    if (!online && url === state.url) {
      online = true;
      await call(url, "eth_chainId").then((chainId) => emit("connect", { chainId }), () => {});
    }
    if (!response.ok) throw failure(-32603, `${method}: HTTP ${response.status}: ${text.trim()}`);
    const { result, error } = JSON.parse(text);
    if (error) throw failure(error.code === -32601 ? 4200 : error.code, error.message, error.data);
    return result;
  }

  const refusals: Error[] = [];
  /** Asks the user for consent. */
  function ask(): void {
    const refusal = refusals.shift();
    if (refusal) throw refusal;
  }

  async function account(): Promise<Hex> {
    if (state.account === undefined) keep({ account: (await call(state.url, "eth_accounts"))[0] });
    if (state.account === undefined) throw failure(4100, "the node has no accounts: start it with --accounts 1 or more");
    return state.account;
  }
  const accounts = async () => (state.connected ? [await account()] : []);
  const permissions = async () => (await accounts()).map((account) => ({
    invoker: page?.location.origin, parentCapability: "eth_accounts", caveats: [{ type: "restrictReturnedAccounts", value: [account] }],
  }));
  async function connect(method: string, params: unknown): Promise<void> {
    ask();
    await call(state.url, method, params);
    const shown = [await account()];
    const before = state.connected;
    keep({ connected: true });
    if (!before) emit("accountsChanged", shown);
  }
  function disconnect(): void {
    if (!state.connected) return;
    keep({ connected: false });
    emit("accountsChanged", []);
  }

  /** Returns the first of some URLs that has the chain. */
  async function find(chainId: number | string, urls: string[]): Promise<string | undefined> {
    for (const url of urls) if (Number(await call(url, "eth_chainId").catch(() => -1)) === Number(chainId)) return url;
    return undefined;
  }
  const known = () => [state.url, ...state.urls];
  async function choose(chainId: number | string, url: string | undefined, consent: () => void): Promise<void> {
    if (url === undefined) throw failure(4902, `the wallet has no chain ${chainId}: add it, or give its URL to the wallet (otherUrls)`);
    if (url === state.url) return;
    consent();
    keep({ url, urls: [...new Set([...state.urls, url])] });
    emit("chainChanged", `0x${Number(chainId).toString(16)}`);
  }

  /** Methods that are for an account, and whether the user is asked. */
  const forAccount: Record<string, boolean> = {
    eth_sendTransaction: true, eth_sendTransactionSync: true, eth_signTransaction: true, eth_sign: true, personal_sign: true,
    eth_signTypedData: true, eth_signTypedData_v4: true, wallet_sendCalls: true, wallet_getCapabilities: false,
  };
  async function act(method: string, [first, ...more]: any[]): Promise<unknown> {
    const [shown] = await accounts();
    if (first instanceof Object) first = { ...first, from: first.from ?? shown };
    const wanted = method === "personal_sign" ? more[0] : (first?.from ?? first);
    if (shown === undefined || String(wanted).toLowerCase() !== shown.toLowerCase()) {
      throw failure(4100, `the page may not use account ${wanted}: ${shown ? `the user shows it ${shown}` : "call eth_requestAccounts first"}`);
    }
    if (method.startsWith("eth_signTypedData")) await checkChain(more[0]);
    if (forAccount[method]) ask();
    return call(state.url, method, [first, ...more]);
  }
  /** Refuses typed data of another chain in MetaMask's words, also where the node signs it (--preset anvil, hardhat). */
  async function checkChain(data: any): Promise<void> {
    let chainId: any;
    try {
      ({ chainId } = (typeof data === "string" ? JSON.parse(data) : data).domain);
    } catch {
      return; // The node says what is wrong.
    }
    const active = Number(await call(state.url, "eth_chainId"));
    if (chainId === undefined || chainId === null || Number(chainId) === active) return;
    throw failure(-32603, `Provided chainId "${Number(chainId)}" must match the active chainId "${active}"`);
  }

  const own: Record<string, (params: any[]) => unknown> = {
    eth_accounts: accounts,
    eth_coinbase: async () => (await accounts())[0] ?? null,
    eth_requestAccounts: async () => {
      if (!state.connected) await connect("eth_requestAccounts", []);
      return accounts();
    },
    wallet_getPermissions: permissions,
    wallet_requestPermissions: async (params) => {
      await connect("wallet_requestPermissions", params);
      return permissions();
    },
    wallet_revokePermissions: async (params) => {
      await call(state.url, "wallet_revokePermissions", params);
      disconnect();
      return null;
    },
    wallet_switchEthereumChain: async ([{ chainId } = {} as any]) => {
      await choose(chainId, await find(chainId, known()), ask);
      return null;
    },
    wallet_addEthereumChain: async ([{ chainId, rpcUrls = [] } = {} as any]) => {
      // A test's wallet calls no other machine.
      const { hostname } = new URL(options.url);
      const near = rpcUrls.filter((url: string) => URL.canParse(url) && new URL(url).hostname === hostname);
      const url = await find(chainId, [...known(), ...near]);
      if (url === undefined) throw failure(-32602, `none of the rpcUrls is chain ${chainId} on ${hostname}`);
      await choose(chainId, url, ask);
      return null;
    },
  };

  const provider: FakenodeProvider = {
    async request({ method, params = [] }) {
      if (Object.hasOwn(own, method) && Array.isArray(params)) return own[method]!(params);
      if (Object.hasOwn(forAccount, method) && Array.isArray(params)) return act(method, params);
      if (method === "wallet_watchAsset") ask();
      return call(state.url, method, params);
    },
    on(event, listener) {
      (listeners[event] ??= []).push(listener);
      return provider;
    },
    removeListener(event, listener) {
      listeners[event] = (listeners[event] ?? []).filter((other) => other !== listener);
      return provider;
    },
    user: {
      selectAccount(account) {
        keep({ account });
        if (state.connected) emit("accountsChanged", [account]);
      },
      rejectNext: (code = 4001, message = "User rejected the request.") => void refusals.push(failure(code, message)),
      switchChain: async (chainId) => choose(chainId, await find(chainId, known()), () => {}),
      disconnect,
    },
  };
  if (page) {
    page.ethereum = provider;
    const icon = "data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><path d='M0 0h1v1z'/></svg>";
    const info = { uuid: "f4ce0de0-1193-4963-8000-000000006963", name: "fakenode", icon, rdns: "io.github.fakenode", ...options.info };
    const announce = () => page.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze({ info, provider }) }));
    page.addEventListener("eip6963:requestProvider", announce);
    announce();
  }
  return provider;
}
