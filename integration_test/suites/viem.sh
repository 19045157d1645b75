#!/bin/sh
# Runs the tests of viem that talk to a node: viem.sh CHECKOUT DIRECTORY [TEST FILE…]
# CHECKOUT is a clone of wevm/viem, of which a copy is made in DIRECTORY; npm installs there what the tests need, Node 22
# among it. The tests start the node themselves, by prool and with viem's flags, but without a fork of mainnet: those
# that read mainnet's state fail on any node. FAKENODE names the binary; with ANVIL set, that program runs in its place.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$2"
cd "$2"
directory=$PWD
if [ ! -d node_modules ]; then
  cp -R "$1/src" "$1/test" "$1/contracts" "$1/tsconfig.base.json" .
  cp "$here/viem.package.json" package.json
  cp "$here/viem.contracts.mjs" contracts.mjs
  cp "$here/viem.config.ts" suite.config.ts
  echo 'import { anvilMainnet } from "./test/src/anvil.js"; export default () => anvilMainnet.start();' > suite.global.ts
  sed -i.original -e '/^ *forkUrl,$/{N;/forkBlockNumber:$/{N;s/.*/binary: process.env.ANVIL,/;}}' test/src/anvil.ts
  npm install --legacy-peer-deps --no-audit --no-fund
  node contracts.mjs
fi
if [ -z "${ANVIL:-}" ]; then
  ANVIL=$directory/fakenode-as-anvil
  printf '#!/bin/sh\nexec %s --preset anvil "$@"\n' "${FAKENODE:-fakenode}" > "$ANVIL"
  chmod +x "$ANVIL"
fi
[ $# -gt 2 ] && shift 2 || set -- $(grep -rlE 'test/src/(anvil|utils)|~test/(anvil|utils)' src --include='*.test.ts' |
  grep -vE 'src/(tempo|account-abstraction|celo|linea|op-stack|zksync)/')
PATH=$directory/node_modules/.bin:$PATH FILES="$*" ANVIL=$ANVIL node node_modules/vitest/vitest.mjs run -c suite.config.ts
