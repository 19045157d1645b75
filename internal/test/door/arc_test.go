package door_test

import (
	"context"
	"encoding/binary"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

// arc is a node of the preset, with a wallet of account 0 that is a contract.
type arc struct {
	*fakenode.Node
	t       *testing.T
	payer   fakenode.Account
	payee   common.Address
	wallet  common.Address
	binding *contracts.Wallet
}

func newArc(t *testing.T) *arc { return newArcOf(t, fakenode.Config{}) }

func newArcOf(t *testing.T, config fakenode.Config) *arc {
	config.Preset = fakenode.Arc
	node := fakenode.RunConfigT(t, config)
	a := &arc{Node: node, t: t, payer: node.Account(0), payee: common.Address{0xaa}, binding: contracts.NewWallet()}
	var err error
	a.wallet, err = node.Deploy(a.payer, contracts.DeployCode(contracts.WalletMetaData.Bin), a.payer.Address)
	require.NoError(t, err)
	a.land(fakenode.Tx{To: &a.wallet, Value: fixtures.Ether("10")})
	return a
}

// land puts a transaction of the payer into a block, whatever becomes of it.
func (a *arc) land(tx fakenode.Tx) *types.Receipt {
	a.t.Helper()
	tx.Gas = 1_000_000
	hash, err := a.Transact(a.payer, tx)
	require.NoError(a.t, err)
	a.Seal()
	receipt, err := a.Receipt(context.Background(), hash)
	require.NoError(a.t, err)
	return receipt
}

// call lands a call of the token.
func (a *arc) call(data []byte) *types.Receipt {
	a.t.Helper()
	return a.land(fakenode.Tx{To: &tokencontract.NativeAddress, Data: data})
}

// through lands a call that the payer's wallet makes.
func (a *arc) through(to common.Address, wei uint64, data []byte) *types.Receipt {
	a.t.Helper()
	return a.land(fakenode.Tx{To: &a.wallet, Data: a.binding.PackExecute(to, new(big.Int).SetUint64(wei), data)})
}

func (a *arc) balance(of common.Address) *uint256.Int {
	state, err := a.Moment().Latest().State()
	require.NoError(a.t, err)
	return state.Balance(of)
}

// movement is a Transfer log, or another log of an address.
type movement struct {
	of, from, to common.Address
	amount       uint64
}

func movements(r *types.Receipt) (all []movement) {
	for _, log := range r.Logs {
		m := movement{of: log.Address, amount: new(big.Int).SetBytes(log.Data).Uint64()}
		if log.Topics[0] == tokencontract.TransferTopic {
			m.from, m.to = common.BytesToAddress(log.Topics[1][:]), common.BytesToAddress(log.Topics[2][:])
		}
		all = append(all, m)
	}
	return all
}

// Ensure that USDC is one balance with two scales: the token shows the native one rounded down and moves it, each
// movement but fees has the coin's log first, and nothing is burned.
func TestArcHasOneBalance(t *testing.T) {
	t.Parallel()
	a, token, system := newArc(t), tokencontract.NativeAddress, params.SystemAddress
	const unit = 1_000_000_000_000
	before, recipient := a.balance(a.payer.Address), a.balance(fakenode.FeeRecipient)
	paid := a.call(tokencontract.PackTransfer(a.payee, fixtures.USD("0.000005")))
	require.Equal(t, []movement{
		{system, a.payer.Address, a.payee, 5 * unit}, {token, a.payer.Address, a.payee, 5},
	}, movements(paid))
	fee := new(uint256.Int).Mul(uint256.NewInt(paid.GasUsed), uint256.MustFromBig(paid.EffectiveGasPrice))
	require.Equal(t, new(uint256.Int).Add(recipient, fee), a.balance(fakenode.FeeRecipient), "fees to the recipient alone, without a log")
	before.Sub(before, fee)
	require.Equal(t, before.Sub(before, uint256.NewInt(5*unit)), a.balance(a.payer.Address))
	require.Equal(t, uint256.NewInt(5), a.Token().BalanceOf(a.payee))

	dust := a.land(fakenode.Tx{To: &a.payee, Value: uint256.NewInt(unit - 1)})
	require.Equal(t, []movement{{system, a.payer.Address, a.payee, unit - 1}}, movements(dust))
	require.Equal(t, uint256.NewInt(5), a.Token().BalanceOf(a.payee), "rounded down")
	require.Equal(t, []movement{{system, a.wallet, a.payee, 1}}, movements(a.through(a.payee, 1, nil)), "an inner movement")
	require.Equal(t, uint256.NewInt(6), a.Token().BalanceOf(a.payee))

	require.Equal(t, []movement{{token, a.payer.Address, a.payee, 0}}, movements(a.call(tokencontract.PackTransfer(a.payee, new(uint256.Int)))))
	require.Equal(t, []movement{{token, a.payer.Address, a.payer.Address, 5}}, movements(a.call(tokencontract.PackTransfer(a.payer.Address, uint256.NewInt(5)))))
	require.Empty(t, movements(a.land(fakenode.Tx{To: &a.payer.Address, Value: uint256.NewInt(1)})))

	supply, blocks := a.Token().TotalSupply(), a.BlockNumber()
	a.Token().Mint(a.payee, uint256.NewInt(7))
	sealed, err := a.Moment().ByNumber(blocks + 1)
	require.NoError(t, err)
	require.Equal(t, []movement{{system, common.Address{}, a.payee, 7 * unit}, {of: token, amount: 7}, {token, common.Address{}, a.payee, 7}}, movements(sealed.Receipts()[0]))
	require.Equal(t, supply.AddUint64(supply, 7), a.Token().TotalSupply())
	raw, err := a.Client().CallContract(t.Context(), ethereum.CallMsg{To: &evmstate.CoinAuthority, Data: crypto.Keccak256([]byte("totalSupply()"))[:4]}, nil)
	require.NoError(t, err)
	require.Equal(t, new(uint256.Int).Mul(supply, uint256.NewInt(unit)).Bytes32(), [32]byte(raw))
	require.Equal(t, supply, total(t, a).Div(total(t, a), uint256.NewInt(unit)), "what is minted is what accounts hold")

	owner := fakenode.TokenOwner
	_, err = a.Transact(owner, fakenode.Tx{To: &token, Data: tokencontract.NewToken().PackBurn(big.NewInt(3))})
	require.NoError(t, err)
	a.Seal()
	burned := movements(a.Moment().Latest().Receipts()[0])
	require.Equal(t, []movement{{system, owner.Address, common.Address{}, 3 * unit}, {of: token, amount: 3}, {token, owner.Address, common.Address{}, 3}}, burned)
	require.Equal(t, supply.SubUint64(supply, 3), a.Token().TotalSupply())
}

// total returns the balances of all accounts, in wei.
func total(t *testing.T, a *arc) *uint256.Int {
	state, err := a.Moment().Latest().State()
	require.NoError(t, err)
	sum := new(uint256.Int)
	for _, account := range state.Alloc() {
		sum.Add(sum, uint256.MustFromBig(account.Balance))
	}
	return sum
}

// Ensure that a blocked account neither sends nor receives: refused by the pool, dropped from it without a trace, and a
// revert with the reason within a transaction; and that value moves neither to the zero address nor to the token.
func TestArcBlocks(t *testing.T) {
	t.Parallel()
	a := newArc(t)
	blocked, waiting := a.Account(1), a.Account(2)
	a.Token().Blacklist(blocked.Address)
	data, err := tokencontract.ABI().Pack("blacklist", waiting.Address)
	require.NoError(t, err)
	_, err = a.Transact(fakenode.TokenOwner, fakenode.Tx{To: &tokencontract.NativeAddress, Data: data})
	require.NoError(t, err)
	hash, err := a.Transact(waiting, fakenode.Tx{To: &a.payee, Value: uint256.NewInt(1), Gas: 21_000})
	require.NoError(t, err)
	a.Seal()
	_, err = a.Receipt(context.Background(), hash)
	require.Error(t, err, "it was in the pool before its sender was blocked, and is gone")
	require.Zero(t, a.Moment().PoolSize())

	_, err = a.Transact(blocked, fakenode.Tx{To: &a.payee, Gas: 21_000})
	require.ErrorContains(t, err, "Blocked address")
	for _, to := range []common.Address{blocked.Address, tokencontract.NativeAddress} {
		_, err = a.Transact(a.payer, fakenode.Tx{To: &to, Value: uint256.NewInt(1), Gas: 100_000})
		require.ErrorContains(t, err, "Blocked address")
		require.Empty(t, a.land(fakenode.Tx{To: &to}).Logs, "without value it is a call as any other")
	}

	for reason, failed := range map[string]*types.Receipt{
		"Blocked address":          a.through(blocked.Address, 1, nil),
		"Zero address not allowed": a.land(fakenode.Tx{To: new(common.Address), Value: uint256.NewInt(1)}),
	} {
		require.Zero(t, failed.Status)
		require.Empty(t, failed.Logs)
		is, err := a.RevertReason(failed.TxHash)
		require.NoError(t, err)
		require.Equal(t, reason, is)
	}
	failed := a.call(tokencontract.PackTransfer(blocked.Address, uint256.NewInt(1)))
	reason, err := a.RevertReason(failed.TxHash)
	require.NoError(t, err)
	require.Equal(t, "Blocked address", reason)

	a.Token().UnBlacklist(blocked.Address)
	require.NotZero(t, a.call(tokencontract.PackTransfer(blocked.Address, uint256.NewInt(1))).Status)
}

// Ensure that a contract which destructs itself for who may not get its coin reverts, and that a blocked one creates no
// other with a value; both are done, and logged, where they may be.
func TestArcRevertsWhatMayNotMove(t *testing.T) {
	t.Parallel()
	for _, fork := range []string{"prague", "amsterdam"} { // from which on the EVM has logs of its own
		t.Run(fork, func(t *testing.T) {
			t.Parallel()
			testArcReverts(t, newArcOf(t, fakenode.Config{Hardfork: fork}))
		})
	}
}

func testArcReverts(t *testing.T, a *arc) {
	mortal, maker, heir := common.Address{1, 1}, common.Address{1, 2}, common.Address{1, 3}
	a.SetCode(mortal, common.FromHex("0x5f35ff"))                    // destructs itself for its argument
	a.SetCode(maker, common.FromHex("0x615f5f5f526002601e6001f000")) // creates a contract with a wei
	for _, account := range []common.Address{mortal, maker} {
		a.SetBalance(account, uint256.NewInt(5))
		a.Token().Blacklist(account)
	}
	a.Token().Blacklist(heir)
	destruct := func(to common.Address) *types.Receipt {
		return a.land(fakenode.Tx{To: &mortal, Data: common.LeftPadBytes(to[:], 32)})
	}
	for to, reason := range map[common.Address]string{a.payee: "Blocked address", {}: "Zero address not allowed"} {
		failed := destruct(to)
		is, err := a.RevertReason(failed.TxHash)
		require.NoError(t, err)
		require.Equal(t, reason, is)
		require.Less(t, failed.GasUsed, uint64(100_000), "the rest of the gas comes back")
	}
	a.Token().UnBlacklist(mortal)
	require.Zero(t, destruct(heir).Status)
	require.Zero(t, destruct(mortal).Status)
	require.Equal(t, []movement{{params.SystemAddress, mortal, a.payee, 5}}, movements(destruct(a.payee)))

	require.Empty(t, a.land(fakenode.Tx{To: &maker}).Logs)
	state, err := a.Moment().Latest().State()
	require.NoError(t, err)
	require.Zero(t, state.Nonce(crypto.CreateAddress(maker, 0)), "there is no contract")
	a.Token().UnBlacklist(maker)
	require.Equal(t, []movement{{params.SystemAddress, maker, crypto.CreateAddress(maker, 1), 1}}, movements(a.land(fakenode.Tx{To: &maker})))
	require.Equal(t, uint256.NewInt(4), a.balance(maker))
}

// Ensure that nobody but the token moves the coin or blocks accounts by the chain's contracts.
func TestArcObeysTheTokenAlone(t *testing.T) {
	t.Parallel()
	a := newArc(t)
	word := func(address common.Address) []byte { return common.LeftPadBytes(address[:], 32) }
	for signature, to := range map[string]common.Address{
		"mint(address,uint256)": evmstate.CoinAuthority, "burn(address,uint256)": evmstate.CoinAuthority,
		"blocklist(address)": evmstate.CoinControl, "unBlocklist(address)": evmstate.CoinControl,
	} {
		data := append(crypto.Keccak256([]byte(signature))[:4], word(a.payer.Address)...)
		data = append(data, word(common.Address{19: 1})...)
		require.Zero(t, a.land(fakenode.Tx{To: &to, Data: data}).Status, signature)
		require.Zero(t, a.through(to, 0, data).Status, signature)
	}
	require.False(t, a.Token().AuthorizationState(a.payer.Address, common.Hash{}))
}

// Ensure that the base fee follows the smoothed use of gas, and that each block names that of the next.
func TestArcBaseFee(t *testing.T) {
	t.Parallel()
	a := newArc(t)
	burner, err := a.Deploy(a.payer, common.FromHex("0x6001600c60003960016000f3fe")) // takes all gas that it gets
	require.NoError(t, err)
	var fees []uint64
	for range 30 {
		for i := range 2 {
			_, err := a.Transact(a.Account(i+3), fakenode.Tx{To: &burner, Gas: 14_900_000})
			require.NoError(t, err)
		}
		a.Seal()
		head := a.Moment().Latest().Header()
		parent, err := a.Moment().ByNumber(head.Number.Uint64() - 1)
		require.NoError(t, err)
		require.Equal(t, binary.BigEndian.Uint64(parent.Header().Extra), head.BaseFee.Uint64())
		require.Equal(t, head.ParentHash, *head.ParentBeaconRoot)
		require.Zero(t, head.MixDigest)
		fees = append(fees, head.BaseFee.Uint64())
	}
	require.Equal(t, uint64(20*params.GWei), fees[0])
	require.Greater(t, fees[29], fees[10])
	for i, fee := range fees[1:] {
		require.LessOrEqual(t, fee, fees[i]+fees[i]/50+1, "at most 2 % a block")
	}
}
