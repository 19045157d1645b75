package userop

import (
	"encoding/json"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"
)

// Ensure an operation comes out of the call of handleOps as it went in, for every EntryPoint.
func TestOperationsOfBundle(t *testing.T) {
	t.Parallel()
	const shared = `"sender":"0x00000000000000000000000000000000000000aa","nonce":"0x5","callData":"0x0102","callGasLimit":"0x10",
		"verificationGasLimit":"0x20","preVerificationGas":"0x30","maxFeePerGas":"0x40","maxPriorityFeePerGas":"0x50","signature":"0x0a0b"`
	const legacy = shared + `,"initCode":"0x00000000000000000000000000000000000000bb01","paymasterAndData":"0x00000000000000000000000000000000000000cc02"`
	const packed = shared + `,"factory":"0x00000000000000000000000000000000000000bb","factoryData":"0x01","paymaster":"0x00000000000000000000000000000000000000cc",
		"paymasterVerificationGasLimit":"0x60","paymasterPostOpGasLimit":"0x70","paymasterData":"0x02"`
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
