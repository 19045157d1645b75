package dialect_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
)

// panicMeanings are the codes of Panic(uint256) with their meanings in the words of Hardhat and of anvil.
var panicMeanings = map[int][2]string{
	0x01: {"Assertion error", "assertion failed"},
	0x11: {"Arithmetic operation overflowed outside of an unchecked block", "arithmetic underflow or overflow"},
	0x12: {"Division or modulo division by zero", "division or modulo by zero"},
	0x21: {"Tried to convert a value into an enum, but the value was too big or negative", "failed to convert value into enum type"},
	0x22: {"Incorrectly encoded storage byte array", "storage byte array incorrectly encoded"},
	0x31: {".pop() was called on an empty array", "called `.pop()` on an empty array"},
	0x32: {"Array accessed at an out-of-bounds or negative index", "array out-of-bounds access"},
	0x41: {"Too much memory was allocated, or an array was created that is too large", "memory allocation error"},
	0x51: {"Called a zero-initialized variable of internal function type", "called an invalid internal function"},
}

// Ensure a call that panics is explained as the development node explains it, whatever the code.
func TestPanicsInTheWordsOfDevelopmentNodes(t *testing.T) {
	t.Parallel()
	hardhat, anvil := newDevNode(t, fakenode.Config{Preset: fakenode.Hardhat}), newDevNode(t, fakenode.Config{Preset: fakenode.Anvil})
	said := func(n *devNode, word string) string {
		_, message, _ := n.failure("eth_call", n.object(map[string]any{"to": n.deploy(echoRevert), "data": "0x4e487b71" + word}))
		return message
	}
	const reverted = "Error: VM Exception while processing transaction: reverted with "
	for code, meaning := range panicMeanings {
		word := fmt.Sprintf("%064x", code)
		require.Equal(t, fmt.Sprintf("%spanic code %#x (%s)", reverted, code, meaning[0]), said(hardhat, word))
		require.Equal(t, fmt.Sprintf("execution reverted: panic: %s (0x%02x)", meaning[1], code), said(anvil, word))
		require.Equal(t, fmt.Sprintf("%sunknown panic code 0x1%062x", reverted, code), said(hardhat, "01"+word[2:]))
		require.Equal(t, fmt.Sprintf("execution reverted: panic: unknown code: 0x1%062x", code), said(anvil, "01"+word[2:]))
	}
	zero := strings.Repeat("0", 64)
	require.Equal(t, reverted+"unknown panic code 0x0", said(hardhat, zero))
	require.Equal(t, "execution reverted: panic: generic/unspecified error (0x00)", said(anvil, zero))
}
