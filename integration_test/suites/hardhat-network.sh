#!/bin/sh
# Runs the tests of Hardhat's network, without forks and stack traces: hardhat-network.sh CHECKOUT DIRECTORY [TEST FILE…]
# CHECKOUT is a clone of NomicFoundation/edr, of whose hardhat-tests a copy is made in DIRECTORY, where npm installs what
# they need. Each test has a node of its own with the development keys, over HTTP. FAKENODE names the binary. A
# recorded trace of mainnet, which only forks read, is left out where a clone lacks it.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$1" && pwd)
mkdir -p "$2"
cd "$2"
[ -d test ] || cp -R "$checkout/hardhat-tests/test" "$checkout/hardhat-tests/tsconfig.json" .
helpers=test/internal/hardhat-network/helpers
cp "$here/hardhat-network.provider.ts" $helpers/useProvider.ts
# The keys of the node's first accounts in place of the tests', and one provider in place of two.
node - $helpers/providers.ts << 'END'
const fs = require("fs");
const file = process.argv[2];
const keys = [
  "ac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80", "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d",
  "5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a", "7c852118294e51e653712a81e05800f419141751be58f605c371e15141b007a6",
];
const text = fs.readFileSync(file, "utf8");
fs.writeFileSync(file, text.replace(/"0x[0-9a-f]{64}"/g, () => `"0x${keys.shift()}"`).replace(/ {2}\{\n {4}name: "Hardhat Network",[^]*?\n {2}\},\n(?= {2}\{)/g, ""));
END
trace=test/fixture-debug-traces/mainnetPostLondonTxTrace.ts
[ -e $trace ] || echo 'export const trace: any = {};' > $trace
[ -d node_modules ] || npm install --ignore-scripts --legacy-peer-deps --no-audit --no-fund hardhat@2.29.1 mocha@11 chai@4.3.6 \
  chai-as-promised@7 chalk@2 ts-node@10 typescript@5.8 ethers@6 sinon@9 fs-extra@7 semver@6 undici@5 rimraf@3 ethereumjs-abi@0.6.8 \
  @metamask/eth-sig-util@4 @ethereumjs/util@9 @nomicfoundation/ethereumjs-block@5.0.4 @nomicfoundation/ethereumjs-common@4.0.4 \
  @nomicfoundation/ethereumjs-tx@5.0.4 @nomicfoundation/ethereumjs-util@9.0.4 @types/node@22 @types/ws@7 lodash ws
provider=test/internal/hardhat-network/provider
[ $# -gt 2 ] && shift 2 || set -- --recursive "$provider/**/*.ts" --exclude $provider/forked-provider.ts \
  --exclude $provider/forking-different-hardfork.ts --exclude $provider/http-headers.ts
npx mocha --exit --require ts-node/register/transpile-only --file test/setup.ts --timeout 25000 "$@"
