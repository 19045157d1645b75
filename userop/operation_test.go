package userop

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// Ensure an operation comes out of the call of handleOps as it went in, for every EntryPoint.
func TestOperationsOfBundle(t *testing.T) {
	t.Parallel()
	const shared = `"sender":"0x00000000000000000000000000000000000000aa","nonce":"0x5","callData":"0x0102","signature":"0x0a0b","preVerificationGas":"0x30",
		"callGasLimit":"0xe1000000000000000000000000000010","verificationGasLimit":"0xe2000000000000000000000000000020",
		"maxFeePerGas":"0xe3000000000000000000000000000040","maxPriorityFeePerGas":"0xe4000000000000000000000000000050"`
	const legacy = shared + `,"initCode":"0x00000000000000000000000000000000000000bb01","paymasterAndData":"0x00000000000000000000000000000000000000cc02"`
	const packed = shared + `,"factory":"0x00000000000000000000000000000000000000bb","factoryData":"0x01","paymaster":"0x00000000000000000000000000000000000000cc",
		"paymasterVerificationGasLimit":"0xe5000000000000000000000000000060","paymasterPostOpGasLimit":"0xe6000000000000000000000000000070","paymasterData":"0x02"`
	for name, members := range map[string]string{
		"0.6": legacy,
		"0.7": packed,
		"0.8": packed,
		"0.9": packed + `,"paymasterSignature":"0x0c0d"`,
	} {
		for _, v := range entryPoints {
			if v.Name != name {
				continue
			}
			var o Operation
			require.NoError(t, json.Unmarshal([]byte("{"+members+"}"), &o))
			require.Nil(t, o.check(v), name)
			found := v.operations(v.handleOpsCalls(common.Address{1}, &o, &o))
			require.Len(t, found, 2, name)
			for _, again := range found {
				text, err := json.Marshal(again)
				require.NoError(t, err)
				require.JSONEq(t, "{"+members+"}", string(text), name)
			}
		}
	}
}

// Ensure an operation that lacks a member, or has one that does not fit its EntryPoint, is refused with the member's
// name, up to the limit of each.
func TestMembersOfOperations(t *testing.T) {
	t.Parallel()
	const sender, paymaster = `"sender":"0x00000000000000000000000000000000000000aa"`, `"paymaster":"0x00000000000000000000000000000000000000cc"`
	const whole = sender + `,"nonce":"0x0","callData":"0x"`
	long := strings.Repeat("00", 1<<16)
	for _, c := range []struct {
		version, members, text string // of the error; empty: it is taken
	}{
		{"0.7", whole, ""},
		{"0.7", `"nonce":"0x0","callData":"0x"`, "sender is missing"},
		{"0.7", sender + `,"callData":"0x"`, "nonce is missing"},
		{"0.7", sender + `,"nonce":"0x0"`, "callData is missing"},
		{"0.7", whole + `,"callGasLimit":"0xffffffffffffffffffffffffffffffff"`, ""},
		{"0.7", whole + `,"paymasterPostOpGasLimit":"0x100000000000000000000000000000000"`, "paymasterPostOpGasLimit is 340282366920938463463374607431768211456, and the limit is 2^128 - 1"},
		{"0.6", whole + `,` + paymaster, "factory and paymaster go into initCode and paymasterAndData"},
		{"0.6", whole + `,"paymasterSignature":"0x01"`, "factory and paymaster go into initCode and paymasterAndData"},
		{"0.6", whole + `,"initCode":"0x` + long[:40] + `"`, ""},
		{"0.6", whole + `,"initCode":"0x` + long[:38] + `"`, "initCode has 19 bytes, and begins with the 20 of a factory"},
		{"0.6", whole + `,"paymasterAndData":"0x` + long[:40] + `"`, ""},
		{"0.6", whole + `,"paymasterAndData":"0x` + long[:38] + `"`, "paymasterAndData has 19 bytes, and begins with the 20 of a paymaster"},
		{"0.6", whole + `,"initCode":"0x00"`, "initCode has 1 bytes, and begins with the 20 of a factory"},
		{"0.6", whole + `,"paymasterAndData":"0x00"`, "paymasterAndData has 1 bytes, and begins with the 20 of a paymaster"},
		{"0.6", whole + `,"initCode":"0x","paymasterAndData":"0x"`, ""},
		{"0.7", whole + `,"initCode":"0x00"`, "initCode and paymasterAndData go into factory, paymaster and their fields"},
		{"0.9", whole + `,"paymasterAndData":"0x` + long[:40] + `"`, "initCode and paymasterAndData go into factory, paymaster and their fields"},
		{"0.7", whole + `,"factory":"0x7702"`, "factory 0x7702 is known from 0.8 on: leave it out beside eip7702Auth"},
		{"0.8", whole + `,"factory":"0x7702","factoryData":"0x01"`, ""},
		{"0.8", whole + `,"factoryData":"0x01"`, "factoryData without factory"},
		{"0.8", whole + `,` + paymaster + `,"paymasterSignature":"0x01"`, "paymasterSignature is known from 0.9 on"},
		{"0.9", whole + `,` + paymaster + `,"paymasterSignature":"0x01"`, ""},
		{"0.9", whole + `,"paymasterSignature":"0x01"`, "paymasterData without paymaster"},
		{"0.9", whole + `,` + paymaster + `,"paymasterSignature":"0x` + long[2:] + `"`, ""},
		{"0.9", whole + `,` + paymaster + `,"paymasterSignature":"0x` + long + `"`, "paymasterSignature has 65536 bytes, and the limit is 65535"},
		{"0.9", whole + `,` + paymaster + `,"paymasterData":"0x0122e325a297439656"`, "paymasterData ends with 0x22e325a297439656: give what stands before it as paymasterSignature"},
		{"0.8", whole + `,` + paymaster + `,"paymasterData":"0x0122e325a297439656"`, ""},
		{"0.9", whole + `,` + paymaster + `,"paymasterData":"0x22e325a29743965601"`, ""},
	} {
		v := entryPoints[slices.IndexFunc(entryPoints, func(v EntryPoint) bool { return v.Name == c.version })]
		var o Operation
		require.NoError(t, json.Unmarshal([]byte("{"+c.members+"}"), &o))
		err := o.check(v)
		if c.text == "" {
			require.Nil(t, err, "%s: %.200s", c.version, c.members)
			continue
		}
		require.NotNil(t, err, "%s: %.200s", c.version, c.members)
		require.Regexp(t, `^user operation(| of EntryPoint `+c.version+`): `+regexp.QuoteMeta(c.text)+`$`, err.Error())
	}
}
