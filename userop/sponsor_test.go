package userop_test

import (
	"encoding/json"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
	"github.com/fakenode/fakenode/userop"
)

// priced returns an operation that costs 10 wei a gas, with members besides.
func priced(t *testing.T, members string) *userop.Operation {
	t.Helper()
	o := new(userop.Operation)
	require.NoError(t, json.Unmarshal([]byte(`{"sender":"`+first.Hex()+`","nonce":"0x0","callData":"0x","callGasLimit":"0x1",
		"verificationGasLimit":"0x20","preVerificationGas":"0x300","maxFeePerGas":"0xa","maxPriorityFeePerGas":"0x1"`+members+`}`), o))
	return o
}

// Ensure the service's payments have the form of each EntryPoint and one length before and after signing; the stub has
// the limits that the operation leaves out, with more gas where the account pays with a token, at its rate; and the most
// that an operation can cost is the sum of its limits at its fee, in 0.6 with three times that of the verification.
func TestFormsOfSponsorships(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m, token := node.Moment(), node.Token().Address()
	limit := func(n int64) *hexutil.Big { return (*hexutil.Big)(big.NewInt(n)) }
	rate := uint256.NewInt(7)
	policy := userop.Paymaster{ExchangeRate: rate}
	for version, address := range entryPoints {
		v, err := userop.EntryPointAt(m, address)
		require.NoError(t, err)
		require.Equal(t, version, v.Name)
		for _, by := range []*common.Address{nil, &token} {
			o, size, post := priced(t, ""), 2*32+65, int64(1)
			if by != nil {
				size, post = size+2*32, 200_000
			}
			if by == nil {
				cost := uint64(10 * (1 + 0x20 + 0x300 + 60_000 + 1)) // the sum of the limits at the operation's fee
				if version == "0.6" {
					cost = 10 * (1 + 3*0x20 + 0x300) // the paymaster has a part in the verification
				}
				dear := userop.Paymaster{MaxCost: uint256.NewInt(cost - 1)}
				_, err := dear.Sponsor(m, o, v, nil)
				require.ErrorContains(t, err, fmt.Sprintf("it may cost %d wei, and maxCost is %d", cost, cost-1))
			}
			stub := policy.Stub(o, v, by)
			payment, err := policy.Sponsor(m, o, v, by)
			require.NoError(t, err)
			word := func(p userop.Payment, i int) *uint256.Int {
				data := p.PaymasterData
				if version == "0.6" {
					require.Equal(t, entrypoint.PaymasterAddress[:], []byte(p.PaymasterAndData[:20]))
					data = p.PaymasterAndData[20:]
				}
				require.Len(t, data, size)
				return new(uint256.Int).SetBytes(data[32*i : 32*i+32])
			}
			require.EqualValues(t, 1<<48-1, word(stub, 0).Uint64())
			require.EqualValues(t, 1, word(stub, 1).Uint64())
			require.Zero(t, word(payment, 0).Uint64())
			require.Zero(t, word(payment, 1).Uint64())
			for i, p := range []userop.Payment{stub, payment} {
				if by != nil {
					require.Equal(t, token[:], word(p, 2).PaddedBytes(20))
					require.Equal(t, rate, word(p, 3))
				}
				if version == "0.6" {
					require.Equal(t, userop.Payment{PaymasterAndData: p.PaymasterAndData}, p)
					continue
				}
				want := userop.Payment{Paymaster: &entrypoint.PaymasterAddress, PaymasterData: p.PaymasterData}
				if i == 0 {
					want.PaymasterVerificationGasLimit, want.PaymasterPostOpGasLimit = limit(60_000), limit(post)
				}
				require.Equal(t, want, p)
			}
			if version == "0.6" {
				continue
			}
			o = priced(t, `,"paymasterVerificationGasLimit":"0x5","paymasterPostOpGasLimit":"0x6"`)
			payment, err = policy.Sponsor(m, o, v, by)
			require.NoError(t, err)
			require.Nil(t, payment.PaymasterVerificationGasLimit)
			require.Nil(t, payment.PaymasterPostOpGasLimit)
		}
	}
}

// Ensure the service sponsors nobody whom it denies, no account that pays with what is no token, and no operation of a
// chain that lacks its paymaster.
func TestWhomTheServiceSponsors(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	m, token, nothing := node.Moment(), node.Token().Address(), common.Address{0x77}
	o := priced(t, "")
	require.NoError(t, userop.Paymaster{Deny: []common.Address{second}}.Sponsors(m, o, nil))
	require.NoError(t, userop.Paymaster{}.Sponsors(m, o, &token))
	require.EqualError(t, userop.Paymaster{Deny: []common.Address{second, first}}.Sponsors(m, o, nil),
		"the paymaster does not sponsor the operation: sender "+first.Hex()+" is denied (fakenode_paymaster)")
	require.EqualError(t, userop.Paymaster{}.Sponsors(m, o, &nothing), "context: there is no token at "+nothing.Hex())

	node.SetCode(entrypoint.V07Address, nil)
	present, err := userop.Supported(node.Moment())
	require.NoError(t, err)
	require.Equal(t, []common.Address{entrypoint.V09Address, entrypoint.V08Address, entrypoint.V06Address}, present)
	deposits, err := userop.Deposits(node.Moment())
	require.NoError(t, err)
	for i, d := range deposits {
		require.Equal(t, present[i], d.EntryPoint)
	}
	require.Len(t, deposits, 3)
	for _, address := range []common.Address{entrypoint.V07Address, nothing} {
		_, err = userop.EntryPointAt(node.Moment(), address)
		require.EqualError(t, err, fmt.Sprintf("EntryPoint %s is not supported, want one of %s", address, present))
	}
	node.SetCode(entrypoint.PaymasterAddress, nil)
	require.ErrorIs(t, userop.Paymaster{}.Sponsors(node.Moment(), o, nil), userop.ErrNoPaymaster)
	require.ErrorIs(t, node.SetPaymasterDeposit(uint256.NewInt(1)), userop.ErrNoPaymaster)

	bare := fakenode.RunConfigT(t, fakenode.Config{Contracts: fakenode.NoContracts})
	present, err = userop.Supported(bare.Moment())
	require.NoError(t, err)
	require.Equal(t, []common.Address{}, present, "a list, though an empty one")
	_, err = userop.Deposits(bare.Moment())
	require.ErrorIs(t, err, userop.ErrNoPaymaster)
}

// Ensure transactions in the pool that are no bundles, such as a deployment and a transfer, are none of the bundler's:
// they are no operations, stay when these are cleared, and an operation behind them is accepted.
func TestPoolBesideOperations(t *testing.T) {
	t.Parallel()
	l := newLab(t, first, second)
	_, err := l.Transact(l.Account(1), fakenode.Tx{Data: common.FromHex("0x5f5ff3"), Gas: 100_000})
	require.NoError(t, err)
	_, err = l.Transact(l.Account(2), fakenode.Tx{To: &second, Gas: 50_000})
	require.NoError(t, err)
	hashes := []common.Hash{l.send(first, nil), l.send(first, object{"nonce": "0x1"}), l.send(second, nil)}
	pool := userop.Pool(l.Moment())
	require.Len(t, pool, 3)
	for i, o := range pool {
		require.Equal(t, entrypoint.V08Address, o.EntryPoint.Address)
		require.Equal(t, o.Bundle.Hash(), userop.WaitingAs(l.Moment(), hashes[i]).Bundle.Hash())
	}
	require.Nil(t, userop.WaitingAs(l.Moment(), common.Hash{1}))
	require.Equal(t, 5, l.Moment().PoolSize())
	l.do(nil, "debug_bundler_clearState")
	require.Empty(t, userop.Pool(l.Moment()))
	require.Equal(t, 2, l.Moment().PoolSize())
}
