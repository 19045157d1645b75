#!/bin/sh
# Runs x402's end-to-end matrix on the test network of --preset base: x402.sh E2E [FLAG OF test.ts…]
# E2E is the folder e2e of a clone of coinbase/x402. Its package.json has a version in place of each `workspace:*` of the
# clients, servers and facilitators that run, theirs is {"type": "module"}, and `npm install --ignore-scripts` was run in
# E2E; in node_modules, packages for other chains (avm, aptos, stellar) may be stubs. Without FLAGs TypeScript alone runs.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$1"
shift
[ $# -gt 0 ] || set -- --facilitators=typescript --servers=express --clients=axios,fetch

# What the matrix asks of pnpm and npx: programs that end when they are told to.
bin=$(mktemp -d)
trap 'rm -r "$bin"' EXIT
cat > "$bin/pnpm" << 'EOF'
#!/bin/sh
case $1 in
clean:ports) ;;
*) exec node --import tsx index.ts ;;
esac
EOF
cat > "$bin/npx" << 'EOF'
#!/bin/sh
shift
exec node --import tsx "$@"
EOF
chmod +x "$bin/pnpm" "$bin/npx"

# Accounts 1, 2 and 3 of the node, and an account on Solana that nobody asks.
port=${PORT:-8545}
solana=$(node --input-type=module -e '
import { base58 } from "@scure/base";
import { generateKeyPairSync } from "node:crypto";
const { d, x } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
const bytes = Buffer.concat([Buffer.from(d, "base64url"), Buffer.from(x, "base64url")]);
console.log(base58.encode(bytes), base58.encode(bytes.subarray(32)));')
export CLIENT_EVM_PRIVATE_KEY=0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d \
  FACILITATOR_EVM_PRIVATE_KEY=0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a \
  SERVER_EVM_ADDRESS=0x90F79bf6EB2c4f870365E785982E1f101E93b906 \
  CLIENT_SVM_PRIVATE_KEY="${solana% *}" FACILITATOR_SVM_PRIVATE_KEY="${solana% *}" SERVER_SVM_ADDRESS="${solana#* }" \
  EVM_RPC_URL="http://127.0.0.1:$port/testnet" BASE_SEPOLIA_RPC_URL="http://127.0.0.1:$port/testnet"
PATH=$bin:$PWD/node_modules/.bin:$PATH "$here/run.sh" '--preset base' node --import tsx test.ts --testnet --families=evm "$@"
