#!/bin/sh
# Runs the tests of Circle's stablecoin: circle.sh CHECKOUT SOLJSON [TEST FILE…]
# CHECKOUT is a clone of circlefin/stablecoin-evm after `rm -r test/scripts`, which needs Foundry, and after `npm install
# --ignore-scripts --legacy-peer-deps`; package.json's linters may be left out. SOLJSON is the soljson.js of npm's solc@0.6.12.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
CHECKOUT=$(cd "$1" && pwd)
# The plugin for Foundry runs `forge`.
export CHECKOUT SOLJSON=0.6.12=$2 CONFIG=hardhat.config.ts WITHOUT=@nomicfoundation/hardhat-foundry TS_NODE_TRANSPILE_ONLY=1
shift 2
cp "$here/hardhat.cjs" "$CHECKOUT/fakenode.config.ts"
cd "$CHECKOUT"
NODE_OPTIONS=--max-old-space-size=8192 "$here/run.sh" '--preset hardhat --hardfork shanghai --code-size-limit 0' \
  npx hardhat --config fakenode.config.ts --network localhost test "$@"
