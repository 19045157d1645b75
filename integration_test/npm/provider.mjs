// The package's wallet, used by what dapps are made of: viem, ethers and wagmi, which finds it by its announcement. The
// window is one of Node.js's own making: page and listeners are all that the wallet uses of it.
// node provider.mjs URL WEBSOCKET TOKEN OWNER_KEY PROVIDER, the module of the package
import { BrowserProvider, verifyMessage } from "ethers";
import { createPublicClient, createWalletClient, custom, defineChain } from "viem";
import { chain, merchant, payer, refused } from "./course.mjs";
import * as node from "./fakenode.mjs";

const { fakenodeProvider } = await import(node.options[0]);
const testnet = defineChain({ ...chain, id: chain.id + 1, name: "test network", rpcUrls: { default: { http: [`${node.url}/testnet`] } } });
const abroad = defineChain({ ...chain, id: 1, rpcUrls: { default: { http: ["https://chain.example"] } } });

// noted returns a list to which a provider's events are added.
function noted(provider) {
  const events = [];
  for (const name of ["connect", "disconnect", "accountsChanged", "chainChanged"]) {
    provider.on(name, (value) => events.push([name, value.chainId ?? value.code ?? value]));
  }
  return events;
}

// mined sends by f, and makes a block when the client has looked in vain.
async function mined(f) {
  const sent = await f();
  await node.seal();
  return sent;
}

async function viem() {
  const provider = fakenodeProvider({ url: node.url });
  const events = noted(provider);
  const wallet = createWalletClient({ chain, transport: custom(provider) });
  const pay = (account) => wallet.sendTransaction({ account, to: merchant.address, value: 1n });
  const saw = { before: await wallet.getAddresses(), permissions: await wallet.getPermissions(), refused: {} };
  saw.refused.early = await refused(() => pay(payer.address));
  provider.user.rejectNext();
  saw.refused.connecting = await refused(() => wallet.requestAddresses());
  saw.connected = await wallet.requestAddresses();
  saw.again = await wallet.requestAddresses();
  saw.granted = (await wallet.requestPermissions({ eth_accounts: {} }))[0].caveats[0].value;
  saw.refused.permission = await refused(() => wallet.requestPermissions({ snaps: {} }));

  const hash = await mined(() => pay(payer.address));
  saw.paid = (await createPublicClient({ chain, transport: custom(provider) }).getTransactionReceipt({ hash })).status;
  saw.refused.other = await refused(() => pay(merchant.address));
  saw.capabilities = (await wallet.getCapabilities({ account: payer.address, chainId: chain.id })).atomic.status;
  const { id } = await mined(() => wallet.sendCalls({ account: payer.address, calls: [{ to: merchant.address, value: 1n }] }));
  saw.batch = (await wallet.getCallsStatus({ id })).statusCode;
  provider.user.rejectNext();
  await wallet.getChainId(); // asks nobody
  saw.refused.paying = await refused(() => pay(payer.address));
  provider.user.rejectNext(5750, "not delegated");
  saw.refused.batch = await refused(() => wallet.sendCalls({ account: payer.address, calls: [{ to: merchant.address }], forceAtomic: true }));
  saw.watched = await wallet.watchAsset({ type: "ERC20", options: { address: node.token, symbol: "USDC", decimals: 6 } });
  saw.refused.method = await refused(() => wallet.request({ method: "eth_decrypt", params: [] }));

  // MetaMask signs for the chain that it is on alone.
  const note = (chainId) => wallet.signTypedData({
    account: payer.address, domain: { name: "test", chainId }, types: { Note: [{ name: "text", type: "string" }] }, primaryType: "Note", message: { text: "hello" },
  });
  saw.refused.typed = await refused(() => note(testnet.id));
  saw.asked = (await node.rpc("fakenode_calls", { method: "eth_signTypedData_v4" })).length; // the wallet refused, not the node
  saw.typed = (await note(chain.id)).length;

  saw.refused.chain = await refused(() => wallet.switchChain({ id: testnet.id }));
  saw.refused.abroad = await refused(() => wallet.addChain({ chain: abroad }));
  provider.user.rejectNext();
  saw.refused.adding = await refused(() => wallet.addChain({ chain: testnet }));
  await wallet.addChain({ chain: testnet });
  saw.added = await wallet.getChainId();
  saw.refused.typedThere = await refused(() => note(chain.id));
  saw.typedThere = (await note(testnet.id)).length;
  await wallet.switchChain({ id: chain.id });
  await provider.user.switchChain(testnet.id);
  await provider.user.switchChain(`0x${chain.id.toString(16)}`);
  saw.back = await wallet.getChainId();

  provider.user.selectAccount(merchant.address);
  saw.refused.hidden = await refused(() => pay(payer.address));
  await pay(merchant.address);
  saw.refused.number = await refused(() => provider.request({ method: "eth_call", params: [{ value: 1n }] }));
  saw.refused.inherited = await refused(() => provider.request({ method: "constructor" }));
  await node.rpc("fakenode_setFault", { method: "eth_gasPrice", dropConnection: true });
  saw.refused.gone = await refused(() => provider.request({ method: "eth_gasPrice" }));
  await node.rpc("fakenode_setFault", { method: "eth_gasPrice", httpStatus: 503 });
  saw.refused.busy = await refused(() => provider.request({ method: "eth_gasPrice" }));
  await wallet.getChainId();
  await provider.request({ method: "wallet_revokePermissions", params: [{ eth_accounts: {} }] });
  saw.after = await wallet.getAddresses();
  const deaf = () => events.push(["deaf"]);
  provider.on("accountsChanged", deaf).removeListener("accountsChanged", deaf);
  await provider.request({ method: "eth_requestAccounts" });
  saw.coinbase = await provider.request({ method: "eth_coinbase" });
  provider.user.disconnect();
  return { ...saw, events };
}

async function ethers() {
  const wallet = fakenodeProvider({ url: node.url, account: merchant.address });
  const provider = new BrowserProvider(wallet, undefined, { cacheTimeout: -1, pollingInterval: 20 });
  wallet.user.rejectNext();
  const declined = await provider.getSigner().catch((error) => error.code);
  const signer = await provider.getSigner();
  const sent = await mined(() => signer.sendTransaction({ to: payer.address, value: 1n }));
  wallet.user.rejectNext();
  const unsigned = await signer.signMessage("hello").catch((error) => error.code);
  const typed = await signer.signTypedData({ name: "test" }, { Note: [{ name: "text", type: "string" }] }, { text: "hello" });
  return {
    declined, unsigned, signer: signer.address, status: (await sent.wait()).status, typed: typed.length,
    signed: verifyMessage("hello", await signer.signMessage("hello")), chain: Number((await provider.getNetwork()).chainId),
  };
}

async function wagmi() {
  const kept = new Map();
  const localStorage = { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => kept.set(key, value), removeItem: (key) => kept.delete(key) };
  globalThis.window = Object.assign(new EventTarget(), { location: { origin: "http://localhost:3000" }, localStorage });
  const { connect, createConfig, createStorage, disconnect, getConnection, reconnect, sendTransaction, switchChain, watchConnection } = await import("@wagmi/core");
  const describe = () => {
    const { address, chainId, status } = getConnection(config);
    return [status, address, chainId];
  };
  const load = () => createConfig({
    chains: [chain, testnet], multiInjectedProviderDiscovery: true, storage: createStorage({ storage: localStorage }),
    transports: { [chain.id]: custom({ request: ({ method, params }) => node.rpc(method, ...(params ?? [])) }), [testnet.id]: custom(window.ethereum) },
  });
  const options = { url: node.url, otherUrls: [`${node.url}/testnet`], info: { name: "Test wallet" } };
  const { user } = fakenodeProvider(options);
  const other = fakenodeProvider({ ...options, info: { uuid: "00000000-0000-4000-8000-000000000001", rdns: "example.other" } });
  let config = load();
  const saw = { found: config.connectors.map(({ id, name }) => `${id} ${name}`), last: window.ethereum === other };
  const [connector] = config.connectors;
  user.rejectNext();
  saw.declined = await connect(config, { connector }).catch((error) => error.name);
  await connect(config, { connector });
  saw.connected = describe();
  await mined(() => sendTransaction(config, { to: merchant.address, value: 1n }));
  user.rejectNext();
  saw.unpaid = await sendTransaction(config, { to: merchant.address, value: 1n }).catch((error) => error.cause?.name);
  user.selectAccount(merchant.address);
  saw.selected = describe();
  await switchChain(config, { chainId: testnet.id });
  saw.switched = describe();

  window = Object.assign(new EventTarget(), { location: window.location, localStorage }); // another page of the dapp
  const next = fakenodeProvider(options);
  config = load();
  await reconnect(config);
  saw.reloaded = describe();
  const gone = new Promise((resolve) => watchConnection(config, { onChange: ({ status }) => status === "disconnected" && resolve(status) }));
  next.user.disconnect();
  saw.disconnected = await gone;
  await connect(config, { connector: config.connectors[0] });
  await disconnect(config);
  saw.left = [describe()[0], await next.request({ method: "eth_accounts" })];
  return saw;
}

// impersonated uses the page as an account that the node has no key of.
async function impersonated() {
  const [whale, value] = ["0x00000000000000000000000000000000000A11cE", 1_000_000_000_000_000_000n];
  await node.rpc("anvil_setBalance", whale, `0x${value.toString(16)}`);
  await node.rpc("anvil_impersonateAccount", whale);
  const wallet = createWalletClient({ account: whale, chain, transport: custom(fakenodeProvider({ url: node.url, account: whale, connected: true })) });
  await mined(() => wallet.sendTransaction({ to: merchant.address, value: 1n }));
  return { nonce: Number(await node.rpc("eth_getTransactionCount", whale)), signing: await refused(() => wallet.signMessage({ message: "hello" })) };
}

const bare = fakenodeProvider({ url: "http://127.0.0.1:1", connected: true });
node.report({
  viem: await node.apart(viem), ethers: await node.apart(ethers), impersonated: await node.apart(impersonated), wagmi: await node.apart(wagmi),
  nobody: await refused(() => bare.request({ method: "eth_accounts" })),
});
