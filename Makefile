.DEFAULT_GOAL := help
SHELL := /bin/bash
STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
# Runs the tests as `go test` does, and ends with one line that counts what passed, failed and was left out.
GOTESTSUM := go run gotest.tools/gotestsum@v1.13.0 --format pkgname --hide-summary skipped
GETH := dist/geth
FUZZTIME ?= 60s
# What the quick set is vetted by: go test's own checks unless VET says -vet=off, as where lint has run.
VET ?=
# The modules of go.work. integration_test/soak, opstack and mutate are others, so that no test downloads what they need.
MODULES := . examples integration_test nodetest
# The version that releases and packages are stamped with.
VERSION ?= v0.0.0-devel

##@ Every day

.PHONY: test
test: ## the quick set, as the README's test command runs it: Go alone, no network; its last line counts what was left out
	$(GOTESTSUM) -- $(VET) work
	@echo "skipped tests are of the laboratory, see internal/test/laboratory: make everything runs them"

.PHONY: race
race: ## the quick set under the race detector, without the packages of contracts, whose tests are one goroutine each, and what lab-3 has
	$(GOTESTSUM) -- -race -vet=off $$(go list work | grep -vE '/contracts|/examples|/integration_test')

.PHONY: lint
lint: vetted staticcheck ## formatting, vet, staticcheck, tidy

.PHONY: vetted
vetted:
	@unformatted=$$(gofmt -s -l $$(git ls-files '*.go')); if [ -n "$$unformatted" ]; then echo "gofmt -s would change:"; echo "$$unformatted"; exit 1; fi
	go vet work
	@set -e; for module in $(MODULES); do (cd $$module && go mod tidy -diff); done

.PHONY: staticcheck
staticcheck:
	$(STATICCHECK) $$(go list work)

.PHONY: golden
golden: ## rewrite the recorded transcripts; read the diff before you commit it
	go test ./rpcserver -update

# The laboratory has eight parts. Which one CI runs follows from the commit, so that all have their turn. staticcheck,
# which mostly keeps one processor busy, runs beside the quick set and is shown after it.
.PHONY: ci
ci: ## what CI runs: lint, the quick set with and without the race detector, and one part of the laboratory
	@mkdir -p dist; set -e; trap 'kill $$checked 2> /dev/null || true' EXIT; \
	for step in vetted "test VET=-vet=off" staticcheck race "lab PART=$$((0x$$(git rev-parse --short=6 HEAD) % 8 + 1))"; do \
		echo "== make $$step"; began=$$SECONDS; \
		case $$step in \
		test*) $(MAKE) --no-print-directory staticcheck > dist/staticcheck.log 2>&1 & checked=$$!; $(MAKE) --no-print-directory $$step ;; \
		staticcheck) wait $$checked || { cat dist/staticcheck.log; exit 1; } ;; \
		*) $(MAKE) --no-print-directory $$step ;; \
		esac; \
		echo "== make $$step took $$((SECONDS - began)) s"; done

##@ The laboratory

# Eight parts of about the same length, one for each landing, see ci. Tests wait for other programs more than they work,
# so eight of them run at a time.
LAB := $(GOTESTSUM) -- -vet=off -count=1 -parallel 8 -timeout 20m
PACKAGED := ^Test(NPMPackage|RecipesForNPM|PonderFollowsReorgs|TypeScriptIndexer|HardhatProject|Deployers|ConsoleAgainstHardhat|Provider|ArtifactsOfLibraries|FlashblocksSession)$$
# The node's program, linked once for all test processes, in a folder named for the platform as a release has it.
lab-%: export FAKENODE_BINARY := $(CURDIR)/dist/test/$(shell go env GOOS)-$(shell go env GOARCH)/fakenode

.PHONY: lab
lab: lab-$(PART) ## one part of the laboratory, PART=1 to 8: what needs other programs, the network or minutes

.PHONY: lab-1
lab-1: lab-binary ## npm: the package, recipes and projects
	FAKENODE_LAB=npm $(LAB) -run '$(PACKAGED)' ./integration_test

.PHONY: lab-2
lab-2: lab-binary ## npm: clients, and contracts beside published ones
	FAKENODE_LAB=npm $(LAB) -skip '$(PACKAGED)' ./integration_test ./contracts/...

.PHONY: lab-3
lab-3: lab-binary ## anvil and Hardhat; whole flows and the examples under the race detector, with the databases that they need
	FAKENODE_LAB=peers $(LAB) ./integration_test ./cmd/fakenode ./evmstate/remote
	$(LAB) -race ./examples/... ./integration_test

.PHONY: lab-4
lab-4: lab-binary $(GETH) ## go-ethereum, the shell, Python
	FAKENODE_LAB=geth,shell,python $(LAB) ./integration_test ./cmd/fakenode ./examples/... ./evmstate/remote

.PHONY: lab-5
lab-5: lab-binary ## the browser, and long runs of whole flows
	FAKENODE_LAB=browser,long $(LAB) ./integration_test ./contracts/... ./scenario ./userop

.PHONY: lab-6
lab-6: ## long runs of the program, and of what all rooms use
	FAKENODE_LAB=long $(LAB) ./cmd/fakenode ./internal/...

.PHONY: lab-7
lab-7: ## long runs of the server
	FAKENODE_LAB=long $(LAB) ./rpcserver/... ./examples/...

.PHONY: lab-8
lab-8: ## long runs of the chain
	FAKENODE_LAB=long $(LAB) ./evmstate/... ./preconf/... ./rollup

.PHONY: lab-binary
lab-binary:
	go build -o $(FAKENODE_BINARY) ./cmd/fakenode

.PHONY: everything
everything: lint test lab-1 lab-2 lab-3 lab-4 lab-5 lab-6 lab-7 lab-8 ## lint, the quick set and the whole laboratory

##@ Now and then

.PHONY: bench
bench: ## every benchmark, with allocations, beside go-ethereum where it can do the same
	go test -run '^$$' -bench . -benchmem work

# Other nodes to measure: name=command, with {port} in the command. They seal each transaction at once.
PEERS ?= 'anvil=anvil --port {port} --silent --prune-history 10'

.PHONY: bench-peers
bench-peers: ## fakenode beside other nodes on this machine, see PEERS
	go build -o dist/fakenode ./cmd/fakenode
	go run ./integration_test/benchpeers 'fakenode=dist/fakenode --port {port} --seal instant --quiet' $(PEERS)

.PHONY: suite-memory
suite-memory: ## what the node has resident after a long test suite's worth of calls
	go build -o dist/fakenode ./cmd/fakenode
	go run ./integration_test/suitememory dist/fakenode --preset anvil

# FAKENODE_CONFORMANCE names the directory. Without -v `go test` would not show how many ran.
.PHONY: conformance
conformance: ## the official state, block and RPC tests, and how many of them ran
	@set -o pipefail; FAKENODE_LAB=long go test -count=1 -v -run '^(TestStateTests|TestBlockTests|TestExecutionAPIs.*)$$' ./evmstate/chain ./integration_test | \
		grep -vE '^ *(=== |--- PASS)'

.PHONY: fuzz
fuzz: ## every fuzz target for FUZZTIME each
	@set -e; for pkg in $$(go list work); do for target in $$(go test -list '^Fuzz' $$pkg | grep '^Fuzz' || true); do \
		echo "$$pkg $$target"; go test $$pkg -run '^$$' -fuzz "^$$target$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x; done; done

# How often the node is killed under load and started again, on this disk and on a slow one, and how many power cuts are
# emulated.
CRASHES ?= 200
POWER_CUTS ?= 2000

.PHONY: crashes
crashes: ## kill the node under load and start it again, and cut its power, see CRASHES: nothing sealed is lost, no damaged file is taken for a whole one
	FAKENODE_LAB=long FAKENODE_POWER_CUTS=$(POWER_CUTS) go test -count=1 -timeout 30m -run '^TestPowerCuts$$' -v ./preconf/store
	FAKENODE_LAB=long FAKENODE_CRASHES=$(CRASHES) go test -count=1 -timeout 30m -run '^TestKilledOnSlowDisk$$' -v ./preconf/store
	FAKENODE_LAB=long FAKENODE_CRASHES=$(CRASHES) go test -count=1 -timeout 30m -run '^TestKilledUnderLoad$$' -v ./cmd/fakenode

# Of how many seeds random calls are made of a node that is stopped and started again, and which is the first.
RESTARTS ?= 50
RESTART_SEED ?= 1

.PHONY: restarts
restarts: ## random calls of two nodes, one of which is stopped and started again now and then: both answer alike, see RESTARTS
	FAKENODE_LAB=long FAKENODE_RESTARTS=$(RESTARTS) FAKENODE_RESTART_SEED=$(RESTART_SEED) go test -count=1 -timeout 0 -run '^TestRestarts$$' -v ./cmd/fakenode

# Of how many seeds random courses of a node are played, which is the first, and of how many steps each is.
COURSES ?= 20
COURSE_SEED ?= 1
COURSE_STEPS ?= 400

.PHONY: courses
courses: ## random courses of a node with every fault: answers at pending agree, the past stays; logs a hash of all answers, the same in each run
	FAKENODE_LAB=long FAKENODE_COURSES=$(COURSES) FAKENODE_COURSE_SEED=$(COURSE_SEED) FAKENODE_COURSE_STEPS=$(COURSE_STEPS) \
		go test -count=1 -timeout 0 -run '^(TestPendingAgreesWithItself|TestPastStays)$$' -v ./cmd/fakenode

# How many schedules of accidents the right back ends pass.
SCHEDULES ?= 10000

.PHONY: schedules
schedules: ## schedules of accidents against a shop, an indexer, a back end that captures, and the merchant, see SCHEDULES
	FAKENODE_SCHEDULES=$(SCHEDULES) go test -count=1 -timeout 0 -run '^TestExplore(PassesGoodShop)?$$' -v ./scenario ./examples/merchant/checkout

# How many random calls are made of the node and of each it is named after, and the seed that decides which.
PARITY_CALLS ?= 100000
PARITY_SEED ?= 1

.PHONY: parity
parity: ## random calls of a preset's node and of the one it is named after: answers differ only as docs/maintainers/parity.md lists
	FAKENODE_LAB=peers,geth PARITY_ROWS=true PARITY_CALLS=$(PARITY_CALLS) PARITY_SEED=$(PARITY_SEED) go test -count=1 -timeout 0 -run '^TestParity' -v ./integration_test

# Both need Linux. The pictures show heap, goroutines and descriptors.
.PHONY: soak
soak: ## a virtual week of mixed load: nothing grows but by its blocks; draws dist/soak.png
	go build -o dist/fakenode ./cmd/fakenode
	cd integration_test/soak && export GOWORK=off && go vet . && go mod tidy -diff && \
		go run . -node $(CURDIR)/dist/fakenode -out $(CURDIR)/dist/soak.png

.PHONY: opstack
opstack: ## the node beside the OP stack's own Go code: deposits it derives from 5,000 logs, super roots of 1,000 times, and proofs of withdrawals it makes
	go build -o dist/fakenode ./cmd/fakenode
	cd integration_test/opstack && export GOWORK=off && go vet . && go mod tidy -diff && go test -count=1 . -node $(CURDIR)/dist/fakenode

.PHONY: attack
attack: ## clients that try to exhaust memory and time, then every fuzz target: nothing grows; draws dist/attack.png
	go build -o dist/fakenode ./cmd/fakenode
	cd integration_test/soak && GOWORK=off go run . -node $(CURDIR)/dist/fakenode -out $(CURDIR)/dist/attack.png -attack 10
	$(MAKE) fuzz FUZZTIME=10s

# The packages to change, those whose tests run as well, how long to try, the seed that decides which places are changed,
# the number of the first change, how many to try, and a regular expression for their places, such as chain/fork.go:57$$.
# A mutant may ask for any amount of memory.
MUTATE ?= ./evmstate ./evmstate/chain ./preconf ./rpcserver ./rpcserver/api ./rpcserver/shape ./rpcserver/stream ./rpcserver/command ./rpcserver/explain
MUTATE_ALSO ?= ./internal/test/door,./evmstate/remote,./evmstate/optimism,./internal/keeping,./rollup,./rpcserver,./rpcserver/eth,./rpcserver/command,./rpcserver/flashblocks,./rpcserver/dialect,./rpcserver/bridge,./internal/test/probe
MUTATE_TIME ?= 30m
MUTATE_SEED ?= 1
MUTATE_FROM ?= 0
MUTATE_MOST ?= 300
MUTATE_AT ?=

.PHONY: mutate
mutate: ## change one place of the code at a time and print the changes that no test notices, see MUTATE
	cd integration_test/mutate && export GOWORK=off && go vet . && go mod tidy -diff && go test . && go build -o $(CURDIR)/dist/mutate.bin .
	ulimit -v 16000000 && GOMAXPROCS=1 nice -n 19 dist/mutate.bin \
		-seed $(MUTATE_SEED) -from $(MUTATE_FROM) -most $(MUTATE_MOST) -at '$(MUTATE_AT)' -time $(MUTATE_TIME) \
		-also '$(MUTATE_ALSO)' $(MUTATE)

.PHONY: verify-geth
verify-geth: $(GETH) ## let go-ethereum import 500 random blocks that we made, and 200 that cross into amsterdam
	rm -rf dist/verify && mkdir -p dist/verify
	FAKENODE_LAB=long FAKENODE_EXPORT_DIR=$(CURDIR)/dist/verify go test -count=1 -run TestRandomChain ./evmstate/chain
	$(GETH) init --datadir dist/verify/data dist/verify/genesis.json
	$(GETH) import --datadir dist/verify/data dist/verify/chain.rlp
	$(GETH) init --datadir dist/verify/amsterdam dist/verify/amsterdam-genesis.json
	$(GETH) import --datadir dist/verify/amsterdam dist/verify/amsterdam-chain.rlp

# go-ethereum's own module has what its command needs; ours does not. Its profile would have everything compiled again.
$(GETH):
	GOBIN=$(CURDIR)/dist go install -pgo=off github.com/ethereum/go-ethereum/cmd/geth@v1.17.10

.PHONY: page
page: ## the page and the Playwright recipe in a real browser, with the pictures of docs/page.md; needs chromium and npm
	FAKENODE_LAB=browser FAKENODE_PAGE=required FAKENODE_PICTURES=$(CURDIR)/docs go test -count=1 -v -run "^(TestPage|TestRecipePlaywright)" ./integration_test

.PHONY: first-hour
first-hour: ## the README's commands, word for word, in a fresh clone of this commit with caches of its own, and what each takes; needs port 8545
	go run ./integration_test/firsthour

.PHONY: contracts
contracts: ## compile the Solidity sources with the pinned compiler and write their Go bindings
	rm -rf tokencontract/solidity/node_modules
	cd tokencontract/solidity && npm ci --no-audit --no-fund && npm run build
	go test ./contracts -run TestBindings -update

.PHONY: facts
facts: ## what the presets of live chains say about them, with sources, the oldest first; which packages of the tests npm has newer
	@grep ' | 20..-..-.. | ' docs/maintainers/facts.md | sort -t'|' -k6,6
	go test ./internal/tool/facts
	@for folder in npm $$(git ls-files 'integration_test/*/package-lock.json' | xargs dirname); do echo "$$folder"; (cd $$folder && npm outdated --all=false) || true; done

##@ Releases

.PHONY: facts-confirmed
facts-confirmed: ## fail if a fact about a live chain is older than 30 days and not marked
	@awk -F' [|] ' -v oldest=$$(date -d '30 days ago' +%F || date -v-30d +%F) '$$6 ~ /^–/ && $$5 < oldest {print; late = 1} END {exit late}' docs/maintainers/facts.md

# The platforms of a release, in Go's names.
PLATFORMS := darwin-amd64 darwin-arm64 linux-amd64 linux-arm64 windows-amd64

# build compiles the program for the platforms $(1) into the folder $(2): static, without go.work, as by go install, and
# with no path, no time and no state of the checkout, which differ from one machine to the next.
build = @[[ "$(VERSION)" =~ ^v[0-9]+[.][0-9]+[.][0-9]+(-[0-9A-Za-z.-]+)?$$ ]] || { echo "VERSION=$(VERSION): want one such as v1.2.3"; exit 1; }; \
	for platform in $(1); do echo "$(2)/$$platform"; GOWORK=off CGO_ENABLED=0 GOFLAGS= GOAMD64=v1 GOARM64=v8.0 \
		GOOS=$${platform%-*} GOARCH=$${platform\#*-} go build -trimpath -buildvcs=false \
		-ldflags "-s -w -buildid= -X github.com/fakenode/fakenode.version=$(VERSION)" -o $(2)/$$platform/ ./cmd/fakenode || exit 1; done

# pack packs the binaries of the folder $(1) into the folder $(2), an archive a platform, and adds their checksums. Bytes
# depend on the files alone: times are the earliest that zip can hold. It needs GNU tar, and zip.
pack = @set -e; mkdir -p $(2); for platform in $(PLATFORMS); do archive=$(CURDIR)/$(2)/fakenode-$(VERSION:v%=%)-$$platform; \
	stage=$$(mktemp -d); install -m 755 $(1)/$$platform/* $$stage; install -m 644 LICENSE README.md $$stage; \
	cd $$stage; TZ=UTC touch -d '1980-01-01 00:00' *; \
	case $$platform in windows-*) TZ=UTC zip -q -X -9 $$archive.zip *;; \
	*) tar --sort=name --owner=0 --group=0 --numeric-owner --format=ustar -cf - * | gzip -9n > $$archive.tar.gz;; esac; \
	cd $(CURDIR); rm -r $$stage; done; cd $(2); sha256sum fakenode-* > SHA256SUMS

.PHONY: release
release: facts-confirmed ## binaries for five platforms, archives and checksums in dist/release, stamped with VERSION
	rm -rf dist/bin dist/release
	$(call build,$(PLATFORMS),dist/bin)
	$(call pack,dist/bin,dist/release)

# The second build has no cache, so that everything is compiled again.
.PHONY: verify-release
verify-release: release ## build the release again without a cache and compare every byte
	rm -rf dist/again
	$(MAKE) dist/again GOCACHE=$(CURDIR)/dist/again/cache
	rm -rf dist/again/cache
	diff -r dist/bin dist/again/bin
	diff -r dist/release dist/again/release
	cd dist/release && sha256sum --check SHA256SUMS

dist/again:
	$(call build,$(PLATFORMS),$@/bin)
	$(call pack,$@/bin,$@/release)

# The platform that the packages are made for, as Go names it: this machine's. A release has all: PLATFORM=all.
HOST := $(shell go env GOHOSTOS)-$(shell go env GOHOSTARCH)
PLATFORM ?= $(HOST)
# Packages are named as Node.js names platforms.
override PLATFORM := $(subst win32,windows,$(subst x64,amd64,$(PLATFORM)))

# The binary of this machine that no release has is built as `go run` builds it, of what that has compiled.
.PHONY: binaries
binaries:
ifeq ($(PLATFORM) $(VERSION),$(HOST) v0.0.0-devel)
	go build -ldflags "-s -w -X github.com/fakenode/fakenode.version=$(VERSION)" -o dist/bin/$(HOST)/ ./cmd/fakenode
else
	$(if $(filter $(PLATFORM),$(PLATFORMS) all),,$(error PLATFORM=$(PLATFORM): want all, or one of $(PLATFORMS)))
	$(call build,$(PLATFORM:all=$(PLATFORMS)),dist/bin)
endif

# The tests leave a link to packages of the user's cache, which npm would empty.
.PHONY: npm
npm: binaries ## the npm packages in dist/npm, stamped with VERSION, for this platform or PLATFORM
	rm -rf npm/node_modules
	cd npm && npm ci --silent && node build.mjs ../dist/bin ../dist/npm $(VERSION:v%=%) $(PLATFORM:all=)

.PHONY: python
python: binaries ## the Python wheel in dist/python, stamped with VERSION, for this platform or PLATFORM; needs Python 3.11 and no network
	rm -rf dist/python
	python3 python/build.py dist/bin dist/python $(VERSION) $(PLATFORM:all=)

.PHONY: help
help: ## this list
	@awk 'BEGIN {FS = ":.*##"} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z-]+:.*##/ {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)
