#!/bin/sh
# Runs web3.js' integration tests, with Hardhat as their backend: web3js.sh CHECKOUT [http|ws] [PACKAGE…]
# The tests know port 8545 alone. Tests of other providers are left out: they start nodes of their own, or
# ask some on the internet.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
mode=${2:-http}
[ $# -gt 2 ] && shift 2 || set -- web3-eth web3-eth-contract web3-eth-ens web3-eth-accounts web3-net web3-providers-http web3
if [ ! -d node_modules/esbuild ]; then
  # One package of a package comes from GitHub, and lerna and cypress are not needed.
  sed -i '/^"ethereumjs-abi@git/,/^$/d' yarn.lock
  sed -i '0,/{/s//{ "resolutions": { "ethereumjs-abi": "0.6.8" },/' package.json
  npx -y yarn@1.22.22 add -W --dev --ignore-scripts --ignore-engines esbuild@0.28.2 web3-hardhat-plugin@1.0.0
  node node_modules/esbuild/install.js
  for package in packages/*; do
    (cd "$package" && ../../node_modules/.bin/esbuild $(find src -name '*.ts') --format=cjs --platform=node --target=es2020 \
      --outdir=lib/commonjs --log-level=error '--tsconfig-raw={"compilerOptions":{"useDefineForClassFields":false}}')
  done
  sed -i "s#tsconfig: './test/tsconfig.json',#& isolatedModules: true, diagnostics: false,#" packages/*/test/config/jest.config.js
  cp templates/.secrets.json.tmpl .secrets.json
fi
export WEB3_SYSTEM_TEST_ENV=true WEB3_SYSTEM_TEST_BACKEND=hardhat WEB3_SYSTEM_TEST_ENGINE=node
export WEB3_SYSTEM_TEST_PROVIDER="$mode://127.0.0.1:8545"
PORT=8545 PACKAGES="$*" "$here/run.sh" '--preset hardhat --chain-id 1337' sh -c 'failed=0
for package in $PACKAGES; do
  (cd packages/$package && npx jest --config=./test/integration/jest.config.js --runInBand --forceExit --silent \
    --testPathIgnorePatterns "external-providers|web3RPCProviders|node_modules") || failed=1
done
exit $failed'
