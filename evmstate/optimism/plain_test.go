package optimism_test

import (
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// quietChain returns a chain of an upgrade with the contracts of package predeploys and what edit does to them.
func quietChain(t *testing.T, u *optimism.Upgrade, edit func(types.GenesisAlloc)) *chain.Chain {
	t.Helper()
	rules := u.DefaultRules()
	config, err := chain.ForkConfig(u.Hardfork, 8453)
	require.NoError(t, err)
	g := &chain.Genesis{
		Config: config, Timestamp: 1_700_000_000, GasLimit: 40_000_000, ExtraData: rules.ExtraData(), BaseFee: big.NewInt(1e9),
		Difficulty: new(big.Int), Coinbase: optimism.SequencerFeeVault, Alloc: chain.SystemContracts(config),
	}
	for address, account := range predeploys.Alloc(rules, g.Timestamp) {
		g.Alloc[address] = account
	}
	if edit != nil {
		edit(g.Alloc)
	}
	c, err := chain.New(g, chain.Options{Optimism: rules, Lenient: true})
	require.NoError(t, err)
	return drafted(t, c, chain.Env{Coinbase: optimism.SequencerFeeVault})
}

func drafted(t *testing.T, c *chain.Chain, env chain.Env) *chain.Chain {
	t.Helper()
	d, err := c.NewDraft(env)
	require.NoError(t, err)
	c, _, err = d.Seal()
	require.NoError(t, err)
	return c
}

// The deposits of the system leave, cost and answer without the EVM what they do in it, whatever L1 says.
func TestQuietBlocksAreThoseOfTheEVM(t *testing.T) {
	t.Parallel()
	for _, u := range []*optimism.Upgrade{optimism.Jovian, optimism.Karst, optimism.Denim} {
		t.Run(u.Name, func(t *testing.T) {
			t.Parallel()
			drawn := rand.New(rand.NewPCG(1, 2))
			number := func() uint64 { return []uint64{0, 0, 1, 255, 1 << 31, drawn.Uint64()}[drawn.IntN(6)] }
			word := func() *uint256.Int { return new(uint256.Int).Lsh(uint256.NewInt(number()), uint(drawn.IntN(190))) }
			c := quietChain(t, u, nil)
			idle, l1 := c, c.L1(c.Head())
			for last := laboratory.Budget[uint64](t, 150, 400); idle.Head().Number() < last; {
				const each = 16
				times := make([]uint64, each)
				for i, at := range times {
					if at = idle.Head().Time() + uint64(i+1); u.BlockTime > 0 {
						at = uint64(idle.Time(idle.Head()).Add(u.BlockTime * time.Duration(i+1)).Unix())
					}
					times[i] = at
				}
				run := idle.Idle(times)
				require.NotNil(t, run)
				for range 1 + drawn.IntN(each) {
					env := chain.Env{Coinbase: optimism.SequencerFeeVault}
					if drawn.IntN(3) == 0 {
						switch drawn.IntN(10) {
						case 0:
							l1.Number, l1.Time = number(), number()
						case 1:
							l1.Hash, l1.BatcherHash = common.Hash(word().Bytes32()), common.Hash(word().Bytes32())
						case 2:
							l1.BaseFeeScalar, l1.BlobBaseFeeScalar = uint32(number()), uint32(number())
						case 3:
							l1.OperatorFeeConstant, l1.OperatorFeeScalar = number(), uint32(number())
						case 4:
							l1.DAFootprintGasScalar, l1.L1BaseFee = uint16(number()), *word()
						case 5:
							l1.BlobBaseFee = *word()
						case 6:
							env.GasLimit = 31_000_000 + uint64(drawn.IntN(3))
						case 7:
							env.Coinbase = common.Address{byte(drawn.IntN(3))}
						default:
							l1 = l1.Later(1)
						}
						at := l1
						env.L1 = &at
					}
					c = drafted(t, c, env)
					next, b, err := run.Seal(env)
					require.NoError(t, err)
					require.NotNil(t, b)
					want := c.Head()
					require.Equal(t, want.Header(), b.Header())
					require.Equal(t, want.Hash(), b.Hash())
					require.Equal(t, want.Count(), b.Count())
					for i, receipt := range want.Receipts() {
						require.Equal(t, want.Transaction(i).Hash(), b.Transaction(i).Hash())
						require.Equal(t, receipt.GasUsed, b.Receipts()[i].GasUsed)
					}
					require.Equal(t, c.L1(want), next.L1(b))
					require.Equal(t, c.Time(want), next.Time(b))
					require.Equal(t, want.Size(), b.Size())
					state, err := next.StateAt(b)
					require.NoError(t, err)
					require.Equal(t, b.Header().Root, state.Root())
				}
				idle = run.End()
				want, err := c.StateAt(c.Head())
				require.NoError(t, err)
				left, err := idle.StateAt(idle.Head())
				require.NoError(t, err)
				require.Equal(t, want.Alloc(), left.Alloc())
			}
		})
	}
}

// Blocks are not made without the EVM where it is not known what the deposits do.
func TestQuietBlocksNeedTheKnownContracts(t *testing.T) {
	t.Parallel()
	with := func(address common.Address, change func(*types.Account)) func(types.GenesisAlloc) {
		return func(alloc types.GenesisAlloc) {
			account := alloc[address]
			change(&account)
			alloc[address] = account
		}
	}
	noCode := func(a *types.Account) { a.Code = nil }
	stored := func(key common.Hash) func(*types.Account) {
		return func(a *types.Account) {
			storage := map[common.Hash]common.Hash{key: {1}}
			for k, v := range a.Storage {
				if k != key {
					storage[k] = v
				}
			}
			a.Storage = storage
		}
	}
	for name, edit := range map[string]func(types.GenesisAlloc){
		"known":                    nil,
		"no L1Block":               with(optimism.L1BlockAddress, noCode),
		"a sender with code":       with(optimism.Depositor, func(a *types.Account) { a.Code, a.Balance = []byte{0}, new(big.Int) }),
		"more in a slot of L1":     with(optimism.L1BlockAddress, stored(common.Hash{})),
		"no proxy":                 with(optimism.BaseTimeAddress, noCode),
		"no BaseTime":              with(predeploys.BaseTimeCodeAddress, noCode),
		"more beside milliseconds": with(optimism.BaseTimeAddress, stored(common.Hash{})),
		"another implementation":   with(optimism.BaseTimeAddress, stored(common.HexToHash("0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc"))),
	} {
		c := quietChain(t, optimism.Denim, edit)
		require.Equal(t, edit == nil, c.Idle([]uint64{c.Head().Time()}) != nil, name)
	}
	c := quietChain(t, optimism.Denim, with(common.Address{7}, func(a *types.Account) { a.Balance = new(big.Int) }))
	for name, env := range map[string]chain.Env{
		"deposits":         {Deposits: []*optimism.Deposit{{To: &common.Address{}, Value: new(big.Int), Gas: 21_000}}},
		"an empty account": {Coinbase: common.Address{7}},
		"too little gas":   {GasLimit: 1_000_000},
		"not begun":        {Unbegun: true},
		"another time":     {Time: 1_700_000_001},
		"a beacon root":    {BeaconRoot: &common.Hash{1}},
	} {
		made, _, err := c.Idle([]uint64{c.Head().Time()}).Seal(env)
		require.NoError(t, err, name)
		require.Nil(t, made, name)
	}
}
