#!/bin/sh
# Runs a command beside a node: run.sh 'FLAGS OF THE NODE' COMMAND… The command gets the node's URL as NODE_URL. FAKENODE
# names the binary, PORT its port.
set -eu
flags=$1
shift
port=${PORT:-8545}
${FAKENODE:-fakenode} --port "$port" --quiet $flags &
node=$!
trap 'kill $node' EXIT
until ${FAKENODE:-fakenode} health "http://127.0.0.1:$port" 2> /dev/null; do sleep 0.1; done
NODE_URL=http://127.0.0.1:$port "$@"
