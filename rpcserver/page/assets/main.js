// Puts the page together: the connection, the store it fills, and the views of it.

import { Accounts, Authorizations, Pool, paymentToken } from './accounts.js';
import { Logs, Transactions } from './activity.js';
import { Bridge } from './bridge.js';
import { Chain } from './chain.js';
import { Channels } from './channels.js';
import { Details } from './details.js';
import { name, named } from './address.js';
import { byId } from './dom.js';
import { number } from './format.js';
import { Hands } from './hands.js';
import { readHistory } from './history.js';
import { NodeView, showStatus } from './node.js';
import { Places } from './places.js';
import { Connection } from './rpc.js';
import { Player } from './scenario.js';
import { Search } from './search.js';
import { Store } from './store.js';
import { Tokens } from './tokens.js';

const statusPause = 100; // ms between two looks at the head
const refreshPause = 400; // ms between two looks at what no subscription tells

const path = location.pathname;
const connection = new Connection(`${location.origin.replace(/^http/, 'ws')}${path}?observer`, { onOpen: start, onClose: lost });
const store = new Store(connection);
const tokens = new Tokens(store);
const details = new Details(store, tokens);
const live = [new Chain(store), new Transactions(store, tokens), new Logs(store, tokens)];
const polled = {
  pool: new Pool(store, tokens), accounts: new Accounts(store, tokens), authorizations: new Authorizations(store, tokens),
  channels: new Channels(store, tokens), bridge: new Bridge(store), node: new NodeView(store),
};
const places = new Places(store);
const hands = new Hands(connection);
new Player(store, tokens, hands);
new Search(store, details);
let chainID = '';

async function start() {
  document.body.classList.add('connecting'); // nothing is shown before it is known
  store.reset();
  tokens.reset();
  polled.authorizations.reset();
  try {
    chainID = number(await connection.request('eth_chainId'));
    places.bridged = store.bridged = await polled.bridge.find();
    reveal(tabs.find((tab) => tab.dataset.view === shownTab())); // one more tab may be there now
    await subscribe();
    await readHistory(store);
    await setUpHands();
    document.body.classList.remove('connecting');
    byId('connection').textContent = 'live'; // nothing moves under a hand any more
    byId('connection').className = 'badge sealed';
    details.follow();
  } catch (failure) {
    byId('connection').textContent = failure.message;
  }
  refresh();
}

function lost(reason) {
  byId('connection').textContent = reason ? `connection lost: ${reason}` : 'connection lost, trying again';
  byId('connection').className = 'badge removed';
}

/** subscribe opens all streams; one that this node does not have is left out. */
async function subscribe() {
  const streams = [['head', 'newHeads'], ['log', 'logs', {}], ['pooled', 'newPendingTransactions', true], ['flashblock', 'newFlashblocks'], ['pendingLog', 'pendingLogs', {}]];
  await Promise.all(streams.map(([kind, ...options]) => connection.subscribe((value) => store.push(kind, value), ...options).catch(() => {})));
}

/** setUpHands shows the controls if the node has them. */
async function setUpHands() {
  const modules = await connection.request('rpc_modules');
  const allowed = 'fakenode' in modules;
  if (allowed) hands.setUp(await store.ask('eth_accounts') ?? [], await paymentToken(store));
  for (const id of ['hands', 'hands-open', 'bridge-hands']) byId(id).hidden = !allowed;
  document.body.classList.toggle('watching', !allowed);
}

store.listen((changed) => {
  for (const view of live) view.update(changed);
  if (changed.has('blocks') || changed.has('pending')) {
    statusTimer ??= setTimeout(() => { statusTimer = null; showStatus(store, chainID); }, statusPause);
    refreshSoon();
  } else if (changed.has('transactions')) {
    refreshSoon();
  }
});

let timer = null;
let statusTimer = null; // the title of a page is costly to set
let refreshing = false;

function refreshSoon() { timer ??= setTimeout(() => { timer = null; refresh(); }, refreshPause); }

/** refresh looks at what no subscription tells: safe and finalized, and the open view if it is one that asks. */
async function refresh() {
  if (document.hidden || !store.ready) return;
  if (refreshing) {
    refreshSoon(); // what changed since may not be in the answers
    return;
  }
  refreshing = true;
  try {
    const [safe, finalized, info] = await Promise.all([...['safe', 'finalized'].map((tag) => store.ask('eth_getBlockByNumber', tag, false)), store.ask('fakenode_info')]);
    store.clock = info?.clock;
    showStatus(store, chainID);
    if (safe && finalized && (number(safe.number) !== store.safe || number(finalized.number) !== store.finalized)) {
      store.safe = number(safe.number);
      store.finalized = number(finalized.number);
      for (const view of live) view.update(new Set(['blocks']));
      showStatus(store, chainID);
    }
    await Promise.all([polled[shownTab()]?.refresh(), places.refresh()]);
  } finally {
    refreshing = false;
  }
}

// Tabs, as the ARIA practices describe them.
const tabs = [...document.querySelectorAll('[role=tab]')];
const shownTab = () => tabs.find((tab) => tab.ariaSelected === 'true').dataset.view;

const reveal = (tab) => tab.scrollIntoView({ block: 'nearest', inline: 'nearest' });

function show(tab, focus) {
  for (const other of tabs) {
    other.ariaSelected = String(other === tab);
    other.tabIndex = other === tab ? 0 : -1;
    byId(other.getAttribute('aria-controls')).hidden = other !== tab;
  }
  if (focus) tab.focus();
  reveal(tab);
  const { kind, id } = named();
  name(tab.dataset.view, kind, id);
  for (const view of live) view.update(new Set(['blocks', 'pending', 'transactions', 'logs']));
  refresh();
}

for (const tab of tabs) {
  tab.addEventListener('click', () => show(tab));
  tab.addEventListener('keydown', (event) => {
    const there = tabs.filter((other) => !other.hidden);
    const at = there.indexOf(tab);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: there.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    show(there.at(to % there.length), true);
  });
}

/** showNamed shows the view that the address names. */
function showNamed() { show(tabs.find((tab) => tab.dataset.view === named().view) ?? tabs[0]); }

showNamed();
window.addEventListener('popstate', () => { // also when an address was typed
  if (named().view !== shownTab()) showNamed();
  details.follow();
});

document.addEventListener('click', (event) => {
  const button = event.target.closest('button[data-kind]');
  if (button) details.open(button.dataset.kind, button.dataset.id, button);
});
document.addEventListener('visibilitychange', () => { if (!document.hidden) refresh(); });
