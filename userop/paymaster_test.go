package userop_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/userop"
)

// Ensure the signature of each policy of the paymaster service is for the time range that its name promises, counted
// from the clock or the block that the operation comes into.
func TestTimesOfPaymasterSignatures(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{StartTime: time.Unix(1_800_000_000, 0)})
	m := node.Moment()
	next := m.NextHeader().Time
	require.Greater(t, next, uint64(node.Now().Unix()))
	v, err := userop.EntryPointAt(m, entrypoint.V07Address)
	require.NoError(t, err)
	var o userop.Operation
	require.NoError(t, json.Unmarshal([]byte(`{"sender":"`+common.Address{1}.Hex()+`","nonce":"0x0","callData":"0x","callGasLimit":"0x1",
		"verificationGasLimit":"0x1","preVerificationGas":"0x1","maxFeePerGas":"0x10","maxPriorityFeePerGas":"0x1"}`), &o))
	type times struct{ until, after uint64 }
	for _, c := range []struct {
		policy userop.Paymaster
		want   times
	}{
		{userop.Paymaster{}, times{}},
		{userop.Paymaster{Signature: userop.ValidSignature, ValidFor: time.Minute}, times{until: 1_800_000_060}},
		{userop.Paymaster{Signature: userop.WrongSignature}, times{}},
		{userop.Paymaster{Signature: userop.ExpiredSignature}, times{until: next - 1}},
		{userop.Paymaster{Signature: userop.EarlySignature}, times{after: next + 3600}},
	} {
		payment, err := c.policy.Sponsor(m, &o, v, nil)
		require.NoError(t, err)
		word := func(i int) uint64 { return new(uint256.Int).SetBytes(payment.PaymasterData[32*i : 32*i+32]).Uint64() }
		require.Equal(t, c.want, times{word(0), word(1)}, c.policy.Signature)
	}
}

// Ensure the service pays for an operation that costs at most what its policy allows, and with what it has paid at most
// its budget, to the wei.
func TestPaymasterPaysUpToItsLimits(t *testing.T) {
	t.Parallel()
	sender := common.Address{0xa1}
	l := newLab(t, sender)
	fees := object{
		"maxFeePerGas": "0x77359400", "maxPriorityFeePerGas": "0x1", "paymasterVerificationGasLimit": "0xea60", "paymasterPostOpGasLimit": "0x1",
	}
	sponsor := func() (object, error) {
		t.Helper()
		fields := operation(sender, fees)
		var payment object
		err := l.client.Call(&payment, "pm_getPaymasterData", fields, entrypoint.V08Address, "0x7a69", nil)
		maps.Copy(fields, payment)
		return fields, err
	}
	const gas = 0x10000 + 0x80000 + 0x10000 + 0xea60 + 1
	cost := uint256.NewInt(gas * 2_000_000_000)
	less := new(uint256.Int).SubUint64(cost, 1)
	refused := func(text string) {
		t.Helper()
		_, err := sponsor()
		require.EqualError(t, err, "the paymaster does not sponsor the operation: "+text+" (fakenode_paymaster)")
	}
	require.NoError(t, l.SetPaymaster(userop.Paymaster{MaxCost: less}))
	refused("it may cost " + cost.Dec() + " wei, and maxCost is " + less.Dec())
	require.NoError(t, l.SetPaymaster(userop.Paymaster{Budget: less}))
	refused("it may cost " + cost.Dec() + " wei, and 0 of the budget of " + less.Dec() + " are spent")
	require.NoError(t, l.SetPaymaster(userop.Paymaster{MaxCost: cost, Budget: cost}))
	fields, err := sponsor()
	require.NoError(t, err)

	var hash common.Hash
	l.do(&hash, "eth_sendUserOperation", fields, entrypoint.V08Address)
	l.Preconfirm()
	var receipt struct {
		Paymaster     common.Address
		ActualGasCost hexutil.Big
	}
	l.do(&receipt, "eth_getUserOperationReceipt", hash)
	require.Equal(t, entrypoint.PaymasterAddress, receipt.Paymaster)
	spent := uint256.MustFromBig(receipt.ActualGasCost.ToInt())
	fees["nonce"] = "0x1"
	refused("it may cost " + cost.Dec() + " wei, and " + spent.Dec() + " of the budget of " + cost.Dec() + " are spent")
	require.NoError(t, l.SetPaymaster(userop.Paymaster{Budget: new(uint256.Int).Add(cost, spent)}))
	_, err = sponsor()
	require.NoError(t, err)
	for text, policy := range map[string]userop.Paymaster{
		"valid for 1.000000001s is no whole number of seconds":                                                    {ValidFor: time.Second + 1},
		"valid for -1s is not between 0 and 876600h0m0s":                                                          {ValidFor: -time.Second},
		"valid for 876600h0m1s is not between 0 and 876600h0m0s":                                                  {ValidFor: 876_600*time.Hour + time.Second},
		"valid for 1s and signature \"wrong\" do not go together":                                                 {ValidFor: time.Second, Signature: userop.WrongSignature},
		`signature "none" is unknown: want one of [valid wrong expired early]`:                                    {Signature: "none"},
		"exchange rate " + new(uint256.Int).Lsh(uint256.NewInt(1), 128).Dec() + " is over the limit of 2^128 - 1": {ExchangeRate: new(uint256.Int).Lsh(uint256.NewInt(1), 128)},
	} {
		require.EqualError(t, l.SetPaymaster(policy), text)
	}
	require.Equal(t, userop.Paymaster{Budget: new(uint256.Int).Add(cost, spent)}, userop.PaymasterOf(l.Moment()))
}

// priced returns an operation that costs 10 wei a gas, with members besides.
func priced(t *testing.T, members string) *userop.Operation {
	t.Helper()
	o := new(userop.Operation)
	require.NoError(t, json.Unmarshal([]byte(`{"sender":"`+first.Hex()+`","nonce":"0x0","callData":"0x","callGasLimit":"0x1",
		"verificationGasLimit":"0x20","preVerificationGas":"0x300","maxFeePerGas":"0xa","maxPriorityFeePerGas":"0x1"`+members+`}`), o))
	return o
}

// Ensure the service's payments have the form of each EntryPoint and one length before and after signing; the stub has
// the limits that the operation leaves out, with more gas where the account pays with a token, at its rate; and the
// most that an operation can cost is the sum of its limits at its fee, in 0.6 with three times that of the
// verification.
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
				unlimited := *o
				unlimited.CallGasLimit = nil
				_, err := policy.Sponsor(m, &unlimited, v, nil)
				require.ErrorContains(t, err, "callGasLimit is missing")
				dear := userop.Paymaster{MaxCost: uint256.NewInt(cost - 1)}
				_, err = dear.Sponsor(m, o, v, nil)
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
