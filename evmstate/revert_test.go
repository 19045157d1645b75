package evmstate_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate"
)

func TestRevertError(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		data         []byte
		reason, text string
	}{
		"no data": {text: "execution reverted"},
		"reason": {
			data: common.FromHex("0x08c379a0" +
				"0000000000000000000000000000000000000000000000000000000000000020" +
				"0000000000000000000000000000000000000000000000000000000000000004" +
				"6e6f706500000000000000000000000000000000000000000000000000000000"),
			reason: "nope", text: "execution reverted: nope",
		},
		"panic": {
			data:   common.FromHex("0x4e487b710000000000000000000000000000000000000000000000000000000000000011"),
			reason: "arithmetic underflow or overflow", text: "execution reverted: arithmetic underflow or overflow",
		},
		"error of its own": {data: common.FromHex("0x12345678"), text: "execution reverted"},
		"broken reason":    {data: common.FromHex("0x08c379a0ff"), text: "execution reverted"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			err := &evmstate.RevertError{Data: test.data}
			require.Equal(t, test.reason, err.Reason())
			require.EqualError(t, err, test.text)
		})
	}
}
