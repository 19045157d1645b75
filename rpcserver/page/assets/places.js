// The pages of this node: each network of each world has its own, at the path of its endpoint.

import { byId, fill, h } from './dom.js';

const mostWorlds = 20; // that the header links to

/** place is what the path of this page names: the world's own path, '' for the one at /, and the network there. */
export const place = (() => {
  const [, world = '', network = 'main'] = /^(\/w\/[^/]+|\/\d+)?(?:\/(l1|testnet))?\/?$/.exec(location.pathname) ?? [];
  return { world, network };
})();

/** pathOf returns the path of a network's page, of this world unless another is given. */
export const pathOf = (network, world = place.world) => `${world}${network === 'main' ? '' : `/${network}`}` || '/';

/** there makes a link to the details of something on the page of another network of this world; here it opens them. */
export function there(network, kind, id, text) {
  if (network === place.network) return h('button', { type: 'button', class: 'link', 'data-kind': kind, 'data-id': id, title: id }, text);
  return h('a', { class: 'link', href: `${pathOf(network)}#chain/${kind}/${id}`, title: `${id}, on the ${network === 'l1' ? 'L1' : 'L2'}` }, text);
}

const names = { main: 'main', l1: 'L1', testnet: 'test network' };

/** Places shows the links to the other pages of the node. */
export class Places {
  constructor(store) {
    this.store = store;
    this.bridged = false;
  }

  async refresh() {
    const worlds = await this.store.ask('fakenode_worlds') ?? [];
    const networks = ['main', ...this.bridged ? ['l1'] : [], 'testnet'];
    const shown = JSON.stringify([networks, worlds.map((world) => world.name)]);
    if (shown === this.shown) return; // a link keeps its focus
    this.shown = shown;
    const item = (path, current, text) => h('li', {}, h('a', { href: path, 'aria-current': current ? 'page' : null }, text));
    fill(byId('places'), networks.map((network) => item(pathOf(network), network === place.network, names[network])),
      place.world ? item('/', false, 'the world at /') : null,
      worlds.slice(-mostWorlds).map(({ name }) => item(`/w/${name}`, `/w/${name}` === place.world, `world ${name}`)),
      worlds.length > mostWorlds ? h('li', { class: 'note' }, `and ${worlds.length - mostWorlds} older ones`) : null);
  }
}
