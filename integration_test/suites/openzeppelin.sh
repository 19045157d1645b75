#!/bin/sh
# Runs the tests of OpenZeppelin's contracts: openzeppelin.sh CHECKOUT SOLJSON [TEST FILE…]
# CHECKOUT is a clone of OpenZeppelin/openzeppelin-contracts at v5.4.0 after `npm ci`, and SOLJSON the soljson.js of npm's
# solc@0.8.30. The hard fork is that of the project's own configuration.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
CHECKOUT=$(cd "$1" && pwd)
export CHECKOUT SOLJSON=0.8.30=$2 COMPILER=0.8.30
shift 2
cp "$here/hardhat.cjs" "$CHECKOUT/fakenode.config.cjs"
cd "$CHECKOUT"
NODE_OPTIONS=--max-old-space-size=8192 "$here/run.sh" '--preset hardhat --hardfork prague --code-size-limit 0' \
  npx hardhat --config fakenode.config.cjs --network localhost test "$@"
