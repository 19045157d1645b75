package dialect

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// quantities are the members of transaction objects that anvil also takes as plain numbers, in decimal digits, and in
// hex with leading zeros.
var quantities = []string{
	"value", "gas", "gasPrice", "nonce", "maxFeePerGas", "maxPriorityFeePerGas", "maxFeePerBlobGas", "type", "chainId",
	"r", "s", "yParity", // of an authorization
}

// takesObject are the methods whose first parameter is, or holds, transaction objects.
var takesObject = []string{
	"eth_call", "eth_createAccessList", "eth_estimateGas", "eth_fillTransaction", "eth_sendTransaction",
	"eth_sendTransactionSync", "eth_sendUnsignedTransaction", "eth_signTransaction", "eth_simulateV1",
}

// canonical returns parameters with the quantities of transaction objects in the first one as eth_ methods want them.
func canonical(params [][]byte) [][]byte {
	if len(params) == 0 {
		return params
	}
	var object any
	decoder := json.NewDecoder(bytes.NewReader(params[0]))
	decoder.UseNumber()
	if decoder.Decode(&object) != nil {
		return params
	}
	canonicalMembers(object)
	rewritten, err := json.Marshal(object)
	if err != nil {
		return params
	}
	return append([][]byte{rewritten}, params[1:]...)
}

// canonicalMembers rewrites the quantities in an object and in those below it.
func canonicalMembers(value any) {
	switch value := value.(type) {
	case []any:
		for _, item := range value {
			canonicalMembers(item)
		}
	case map[string]any:
		for name, member := range value {
			if !slices.Contains(quantities, name) {
				canonicalMembers(member)
				continue
			}
			if text := fmt.Sprint(member); text == "0x" {
				value[name] = "0x0"
			} else if number, ok := api.Integer(text); ok && member != nil && number.Sign() >= 0 {
				value[name] = fmt.Sprintf("%#x", number)
			}
		}
	}
}
