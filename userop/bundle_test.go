package userop

import (
	"encoding/json"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/preconf"
)

// Ensure a bundle pays the operation's tip, up to twice the price that is proposed, and to replace another both fees a
// tenth higher, rounded up, or its own where these are higher.
func TestFeesOfBundles(t *testing.T) {
	t.Parallel()
	for fee, want := range map[int64]int64{0: 1, 1: 2, 9: 10, 10: 11, 11: 13, 20: 22, 100: 110, 101: 112} {
		require.EqualValues(t, want, raised(big.NewInt(fee)).Int64(), fee)
	}
	for tip, want := range map[string]int64{"0x0": 0, "0x9": 9, "0xa": 10, "0xb": 10, "0xffffffff": 10} {
		var o Operation
		require.NoError(t, json.Unmarshal([]byte(`{"maxPriorityFeePerGas":"`+tip+`"}`), &o))
		b := Bundle{op: &o, bundler: &Bundler{Price: func(*preconf.Moment) *big.Int { return big.NewInt(5) }}}
		f := b.fees(nil)
		require.Equal(t, []int64{want, 10}, []int64{f.tip.Int64(), f.feeCap.Int64()}, tip)
	}
	old := types.NewTx(&types.DynamicFeeTx{GasTipCap: big.NewInt(100), GasFeeCap: big.NewInt(200)})
	for own, want := range map[[2]int64][2]int64{{1, 2}: {110, 220}, {111, 2}: {111, 220}, {110, 221}: {110, 221}, {109, 219}: {110, 220}, {500, 600}: {500, 600}} {
		f := fees{big.NewInt(own[0]), big.NewInt(own[1])}.above(old)
		require.Equal(t, want, [2]int64{f.tip.Int64(), f.feeCap.Int64()}, own)
	}
}

// Ensure the gas of a bundle holds the limits of its operation, of which a call gets 63 of 64 parts, in 0.6 those of
// the verification more than once; and limits beyond all bounds come to one beyond all bounds.
func TestGasOfBundles(t *testing.T) {
	t.Parallel()
	const members = `"sender":"0x00000000000000000000000000000000000000aa","nonce":"0x0","callData":"0x","preVerificationGas":"0x1"`
	gas := func(v EntryPoint, more string) uint64 {
		t.Helper()
		var o Operation
		require.NoError(t, json.Unmarshal([]byte("{"+members+more+"}"), &o))
		return gasOf(v, &o) - callDataGas(v.handleOpsCalls([20]byte{}, &o))
	}
	for _, v := range entryPoints {
		base := gas(v, "")
		call, verification := gas(v, `,"callGasLimit":"0x3f00"`)-base, gas(v, `,"verificationGasLimit":"0x3f00"`)-base
		require.EqualValues(t, 0x4000, call, v.Name)
		if !v.legacy {
			require.EqualValues(t, 0x4000, verification, v.Name)
			const by = `,"paymaster":"0x00000000000000000000000000000000000000bb"`
			base = gas(v, by)
			require.EqualValues(t, 0x4000, gas(v, by+`,"paymasterVerificationGasLimit":"0x3f00"`)-base, v.Name)
			require.EqualValues(t, 0x4000, gas(v, by+`,"paymasterPostOpGasLimit":"0x3f00"`)-base, v.Name)
		} else {
			require.EqualValues(t, 2*0x4000, verification)
			const by = `,"paymasterAndData":"0x00000000000000000000000000000000000000bb"`
			require.EqualValues(t, 3*0x4000, gas(v, by+`,"verificationGasLimit":"0x3f00"`)-gas(v, by))
		}
		var o Operation
		require.NoError(t, json.Unmarshal([]byte("{"+members+`,"callGasLimit":"0xffffffffffffffffffffffffffffffff"}`), &o))
		require.EqualValues(t, uint64(1<<63), gasOf(v, &o), v.Name)
	}
	require.EqualValues(t, 3*7+2*11, gasOfBytes([]byte{0, 1, 0, 2, 0}, 7, 11))
	require.EqualValues(t, 3*10+2*40, callDataGas([]byte{0, 1, 0, 2, 0}))
	require.EqualValues(t, 21_000+3*4+2*16, intrinsicGas([]byte{0, 1, 0, 2, 0}))
	require.EqualValues(t, 800+100+stepSlack, withSlack(800))
}

// Ensure a paymaster's data is split from the signature behind it only where it ends as such data does.
func TestSignatureIsSplit(t *testing.T) {
	t.Parallel()
	behind := func(data ...byte) []byte { return append(data, paymasterMagic...) }
	for _, c := range []struct{ data, rest, signature []byte }{
		{nil, nil, nil},
		{[]byte{1, 2, 3}, []byte{1, 2, 3}, nil},
		{behind(), behind(), nil},
		{behind(0), behind(0), nil},
		{behind(0, 0), []byte{}, []byte{}},
		{behind(7, 0, 0), []byte{7}, []byte{}},
		{behind(7, 8, 0, 1), []byte{7}, []byte{8}},
		{behind(7, 8, 0, 2), []byte{}, []byte{7, 8}},
		{behind(7, 8, 0, 3), behind(7, 8, 0, 3), nil},
		{behind(7, 8, 1, 2), behind(7, 8, 1, 2), nil},
		{append(behind(7, 8, 0, 1), 9), append(behind(7, 8, 0, 1), 9), nil},
	} {
		rest, signature := splitSignature(c.data)
		require.Equal(t, c.rest, rest, "%x", c.data)
		require.Equal(t, c.signature, signature, "%x", c.data)
	}
}
