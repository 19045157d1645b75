// The address of the page names what is shown: the view, and the details open over it, as in #chain/block/0x….

/** named returns what the address names: {view, kind, id}, the last two undefined where no details are open. */
export function named() {
  const [view, kind, id] = location.hash.slice(1).split('/');
  return { view, kind, id };
}

/** name puts a view and details into the address; the way back leads to the one before. */
export function name(view, kind, id) {
  const hash = `#${[view, kind, id].filter(Boolean).join('/')}`;
  if (hash === location.hash) return;
  if (location.hash === '') window.history.replaceState(null, '', hash); // the page was opened without a view
  else window.history.pushState(null, '', hash);
}
