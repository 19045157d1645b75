#!/bin/sh
# Runs the tests of hardhat-network-helpers 1.1.2: network-helpers.sh CHECKOUT DIRECTORY
# CHECKOUT is a clone of NomicFoundation/hardhat at hardhat@2.29.0; nothing is installed there. The tests are copied to
# DIRECTORY, where npm installs what they need, and go to localhost in place of the network in the process, which is new
# for each test: hardhat_reset stands for that.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$1" && pwd)
package=$checkout/packages/hardhat-network-helpers
mkdir -p "$2"
cd "$2"
cp -R "$package/src" "$package/test" "$checkout/config/typescript/tsconfig.json" .
sed -i.original 's/networkName = "hardhat"/networkName = "localhost"/' test/test-utils.ts
cat > reset.cjs << 'END'
exports.mochaHooks = {
  async beforeEach() {
    const call = { jsonrpc: "2.0", id: 1, method: "hardhat_reset", params: [] };
    await fetch(process.env.NODE_URL, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(call) });
  },
};
END
[ -d node_modules ] || npm install --ignore-scripts hardhat@2.29.0 mocha@10 chai@4 chai-as-promised@7 ts-node@10 \
  typescript@5 ethers-v5@npm:ethers@5 ethereumjs-util@7 @types/node@20
run() {
  flags=$1
  shift
  PORT=8545 TS_NODE_TRANSPILE_ONLY=1 "$here/run.sh" "--preset hardhat $flags" \
    npx mocha --require ts-node/register/files --require ./reset.cjs --file test/setup.ts \
    --ignore 'test/fixture-projects/**/*' --recursive 'test/**/*.ts' --timeout 60000 --exit "$@"
}
# Four tests want a network that allows equal timestamps, the others one that does not.
run '' --grep 'blocks with same timestamp' --invert
run --equal-timestamps --grep 'blocks with same timestamp'
