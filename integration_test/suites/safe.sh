#!/bin/sh
# Runs the tests of Safe's contracts: safe.sh CHECKOUT SOLJSON [TEST FILE…]
# CHECKOUT is a clone of safe-global/safe-smart-account after `npm ci`, and SOLJSON the soljson.js of npm's solc@0.7.6.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
CHECKOUT=$(cd "$1" && pwd)
export CHECKOUT SOLJSON=0.7.6=$2 CONFIG=hardhat.config.ts TS_NODE_TRANSPILE_ONLY=1
shift 2
cp "$here/hardhat.cjs" "$CHECKOUT/fakenode.config.ts" # Hardhat runs tests in TypeScript for such a configuration alone
cd "$CHECKOUT"
"$here/run.sh" '--preset hardhat --gas-limit 100000000 --code-size-limit 0' \
  npx hardhat --config fakenode.config.ts --network localhost test "$@"
