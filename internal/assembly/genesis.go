package assembly

import (
	"cmp"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/contracts/channels"
	"github.com/fakenode/fakenode/contracts/checkout"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/contracts/escrow"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/contracts/simpleaccount"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/contracts/spendpermission"
	"github.com/fakenode/fakenode/contracts/x402"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/paytoken"
	"github.com/fakenode/fakenode/tokencontract"
)

var (
	tokensPerAccount = fixtures.USD("1000000")
	// bridgedTokens is the token units that each bridge of a pair has, as if as many had been bridged from either chain.
	bridgedTokens = fixtures.USD("1000000000")
	ownerBalance  = fixtures.Ether("10000")
	// minterAllowance is the amount that the token's owner may still mint: more than any test will.
	minterAllowance = new(uint256.Int).Rsh(tokencontract.MaxBalance, 1)
)

// Recipe holds everything that a preset's genesis depends on, its time and accounts of the user's own apart.
type Recipe struct {
	// ChainID of the network. Zero for the main network: that of the fork.
	ChainID, GenesisNumber uint64
	// Hardfork names the hard fork. Empty: that of the OP stack's rules, or the newest; on a fork, that of its block.
	Hardfork string
	GasLimit uint64
	BaseFee  uint256.Int // in wei
	// Mnemonic derives the accounts, each with Balance, in wei.
	Mnemonic   string
	Balance    uint256.Int
	Token      tokencontract.Variant
	Contracts  Contracts
	X402Assets bool // adds the tokens of the chain that x402 pays with

	accounts int
	native   common.Address // the token that is the native coin, too; zero: there is none
	token    paytoken.Deployment
	rollup   optimism.Rules // zero: Ethereum's rules
	locked   common.Address // holds bridgedTokens, for a bridge; zero: nobody does
}

// recipe returns the recipe of a network other than the main one, or of that one without its number.
func (s *Spec) recipe(chainID uint64, token paytoken.Deployment) Recipe {
	r := s.Recipe
	r.ChainID, r.GenesisNumber, r.accounts = chainID, 0, len(s.Accounts)
	r.native, r.token = s.Chain.NativeToken, token.Or(s.Chain.NativeToken)
	r.X402Assets = r.X402Assets && r.Contracts != NoContracts
	if rules := s.Chain.Optimism; rules != nil {
		r.Hardfork, r.rollup = cmp.Or(r.Hardfork, rules.Upgrade.Hardfork), *rules
	}
	return r
}

// kitchen holds the genesis last made from each recipe, so that nodes started in the same second share it and its
// State.
var kitchen = struct {
	sync.Mutex
	made map[Recipe]*chain.Genesis
}{made: make(map[Recipe]*chain.Genesis)}

// maxRecipes bounds the kitchen; beyond it everything is forgotten and made anew.
const maxRecipes = 64

// genesis returns the genesis of a recipe at a time, with accounts of the user's own, of which the later ones win. The
// result is shared if there are none: do not modify.
func (r Recipe) genesis(accounts []fixtures.Account, at time.Time, own ...types.GenesisAlloc) (*chain.Genesis, error) {
	timestamp := uint64(at.Unix())
	shared := !slices.ContainsFunc(own, func(alloc types.GenesisAlloc) bool { return alloc != nil })
	if shared {
		kitchen.Lock()
		defer kitchen.Unlock()
		if g := kitchen.made[r]; g != nil && g.Timestamp == timestamp {
			return g, nil
		}
	}
	g, err := r.make(accounts, timestamp)
	if err != nil {
		return nil, err
	}
	for _, alloc := range own {
		maps.Copy(g.Alloc, alloc)
	}
	if shared {
		if len(kitchen.made) >= maxRecipes {
			clear(kitchen.made)
		}
		kitchen.made[r] = g
	}
	return g, nil
}

func (r Recipe) make(accounts []fixtures.Account, timestamp uint64) (*chain.Genesis, error) {
	config, err := chain.ForkConfig(r.Hardfork, r.ChainID)
	if err != nil {
		return nil, err
	}
	alloc := chain.SystemContracts(config)
	holdings := make(map[common.Address]*uint256.Int, len(accounts))
	for _, account := range accounts {
		alloc[account.Address] = types.Account{Balance: r.Balance.ToBig()}
		holdings[account.Address] = tokensPerAccount
	}
	maps.Copy(alloc, r.Contracts.alloc(holdings))
	if r.locked != (common.Address{}) {
		holdings[r.locked] = bridgedTokens
	}
	alloc[paytoken.Owner.Address] = types.Account{Balance: ownerBalance.ToBig()}
	token := tokencontract.Genesis{Params: tokencontract.Params{Name: r.token.Name}, Address: r.token.Address, Balances: holdings}
	if r.native == r.token.Address {
		token.Balances = addCoin(alloc, r.native)
	}
	if err := r.addToken(alloc, token); err != nil {
		return nil, err
	}
	if r.X402Assets {
		if err := r.addX402(alloc, accounts); err != nil {
			return nil, err
		}
	}
	g := &chain.Genesis{Config: config, Number: r.GenesisNumber, Timestamp: timestamp, GasLimit: r.GasLimit, Difficulty: new(big.Int), Alloc: alloc}
	if r.rollup != (optimism.Rules{}) {
		predeploys.Place(g, &r.rollup)
	}
	if config.TerminalTotalDifficulty.Sign() > 0 {
		g.Difficulty.Set(params.GenesisDifficulty) // before the merge: proof of work
	}
	if config.LondonBlock != nil {
		g.BaseFee = r.BaseFee.ToBig()
	}
	return g, nil
}

// addCoin adds the contracts of a native coin that a token shows, which it returns the balances of in token units.
func addCoin(alloc types.GenesisAlloc, token common.Address) map[common.Address]*uint256.Int {
	const weiPerUnit = 1e12
	held, supply := make(map[common.Address]*uint256.Int), new(uint256.Int)
	for address, account := range alloc {
		if account.Balance != nil {
			balance := uint256.MustFromBig(account.Balance)
			supply.Add(supply, balance)
			held[address] = balance.Div(balance, uint256.NewInt(weiPerUnit))
		}
	}
	contract := types.Account{Code: []byte{0xef}, Balance: new(big.Int), Nonce: 1}
	alloc[chain.Accounting] = contract
	contract.Storage = map[common.Hash]common.Hash{evmstate.SupplySlot: supply.Bytes32()}
	alloc[evmstate.CoinAuthority] = contract
	contract.Storage = map[common.Hash]common.Hash{evmstate.BlockedSlot(token): {31: 1}}
	alloc[evmstate.CoinControl] = contract
	return held
}

// addX402 adds x402's assets of the chain, unless they are there. Each account has 1,000,000 of each.
func (r Recipe) addX402(alloc types.GenesisAlloc, accounts []fixtures.Account) error {
	for _, asset := range paytoken.X402Assets(r.ChainID) {
		if _, there := alloc[asset.Address]; there {
			continue
		}
		each := new(uint256.Int).Exp(uint256.NewInt(10), uint256.NewInt(uint64(asset.Decimals-tokencontract.Decimals)))
		each.Mul(each, tokensPerAccount)
		holdings := make(map[common.Address]*uint256.Int, len(accounts))
		for _, account := range accounts {
			holdings[account.Address] = each
		}
		err := r.addToken(alloc, tokencontract.Genesis{
			Params:  tokencontract.Params{Name: asset.Name, Symbol: asset.Symbol},
			Address: asset.Address, Version: asset.Version, Decimals: asset.Decimals, Balances: holdings,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// addToken adds a token of the variant, which paytoken.Owner owns and mints.
func (r Recipe) addToken(alloc types.GenesisAlloc, g tokencontract.Genesis) (err error) {
	g.Owner, g.Variant, g.ChainID = paytoken.Owner.Address, r.Token, r.ChainID
	g.Minters = map[common.Address]*uint256.Int{paytoken.Owner.Address: minterAllowance}
	alloc[g.Address], err = tokencontract.Alloc(g)
	return err
}

// NewGenesis returns a genesis of exactly these accounts and the system contracts that blocks call, with osaka's rules.
func NewGenesis(chainID uint64, alloc types.GenesisAlloc) *chain.Genesis {
	config, err := chain.ForkConfig("osaka", chainID)
	if err != nil {
		panic("fakenode: " + err.Error()) // the name is a constant
	}
	all := chain.SystemContracts(config)
	maps.Copy(all, alloc)
	return &chain.Genesis{Config: config, GasLimit: DefaultGasLimit, BaseFee: big.NewInt(DefaultBaseFee), Difficulty: new(big.Int), Alloc: all}
}

// Contracts says which contracts a genesis holds besides the token and the system contracts.
type Contracts string

// The sets of contracts. The empty one is PaymentContracts: a node with them starts as fast as one without.
const (
	NoContracts       Contracts = "none"
	StandardContracts Contracts = "standard" // Multicall3 and the CREATE2 deployer, which clients expect on any chain
	PaymentContracts  Contracts = "payments" // those, and every payment path (docs/payments.md)
)

// alloc returns the genesis accounts of the set. holdings are the balances in the stablecoin that the set may have.
func (c Contracts) alloc(holdings map[common.Address]*uint256.Int) types.GenesisAlloc {
	if c == NoContracts {
		return nil
	}
	alloc := contracts.Predeploys()
	if c == PaymentContracts {
		maps.Copy(alloc, Payments())
		stablecoin := alloc[b20.Address]
		stablecoin.Storage = b20.Storage(holdings)
		alloc[b20.Address] = stablecoin
	}
	return alloc
}

// Check returns an error if there is no such set.
func (c Contracts) Check() error {
	switch c {
	case NoContracts, StandardContracts, PaymentContracts:
		return nil
	}
	return fmt.Errorf("contracts %q are neither %q, %q nor %q", string(c), NoContracts, StandardContracts, PaymentContracts)
}

// Payments returns the genesis accounts of every payment path besides the token's own (docs/payments.md), each at its
// usual address; nobody holds the B20 stablecoin. They call Multicall3 at its own. The accounts are shared: do not
// modify.
var Payments = sync.OnceValue(func() types.GenesisAlloc {
	alloc := types.GenesisAlloc{
		permit2.Address:   {Code: permit2.RuntimeCode(), Balance: new(big.Int), Nonce: 1},
		x402.ExactAddress: {Code: x402.ExactRuntimeCode(), Balance: new(big.Int), Nonce: 1},
		x402.UptoAddress:  {Code: x402.UptoRuntimeCode(), Balance: new(big.Int), Nonce: 1},
		checkout.Address:  {Code: checkout.RuntimeCode(), Balance: new(big.Int), Nonce: 1},
	}
	for _, predeploys := range []func() types.GenesisAlloc{
		b20.Predeploys, channels.Predeploys, escrow.Predeploys, smartwallet.Predeploys, spendpermission.Predeploys,
		entrypoint.Predeploys, simple7702.Predeploys, simpleaccount.Predeploys,
	} {
		maps.Copy(alloc, predeploys())
	}
	return alloc
})
