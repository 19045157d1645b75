package dialect_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/txpool"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/simulate"
	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/filter"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/dialect"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// said is the code and the text of an error.
type said struct {
	code int
	text string
}

// wire returns the error that a client of a node sees.
func wire(t *testing.T, node dialect.Node, err error) said {
	t.Helper()
	is := node.Imitation().ToWire(&persona.Geth.Wire, err)
	require.NotNil(t, is, "%v", err)
	return said{is.Code, is.Message}
}

// Ensure each error has anvil's code and its words, and that one which anvil has no name for is as in geth.
func TestErrorsOfAnvil(t *testing.T) {
	t.Parallel()
	number, hash := uint64(9), common.Hash{1}
	const poor = "Insufficient funds for gas * price + value"
	for err, want := range map[error]said{
		api.Refused(core.ErrInsufficientFunds):            {-32003, poor},
		api.Refused(core.ErrInsufficientFundsForTransfer): {-32003, poor},
		api.Refused(core.ErrIntrinsicGas):                 {-32000, "intrinsic gas too low"},
		api.Refused(txpool.ErrGasLimit):                   {-32000, "intrinsic gas too high -- tx.gas_limit > env.block.gas_limit"},
		api.Refused(core.ErrEmptyAuthList):                {-32003, "empty authorization list"},
		api.Refused(core.ErrFeeCapTooLow):                 {-32003, "max fee per gas less than block base fee"},
		api.Refused(core.ErrTipAboveFeeCap):               {-32003, "max priority fee per gas higher than max fee per gas"},
		api.Refused(core.ErrNonceTooLow):                  {-32003, "nonce too low"},
		api.Refused(txpool.ErrAlreadyKnown):               {-32003, "transaction already imported"},
		api.Refused(txpool.ErrReplaceUnderpriced):         {-32003, "replacement transaction underpriced"},
		api.Refused(types.ErrInvalidChainId):              {-32003, "invalid chain id for signer"},
		api.Refused(txpool.ErrInvalidSender):              {-32003, "invalid sender"},
		api.Refused(simulate.ErrChainID):                  {-32003, "invalid chain id for signer"},
		api.Refused(simulate.ErrGasAllowance):             {-32003, simulate.ErrGasAllowance.Error()},

		api.Failed(vm.ErrOutOfGas):                 {-32603, "EVM error OutOfGas"},
		api.Failed(vm.ErrGasUintOverflow):          {-32603, "EVM error InvalidOperandOOG"},
		api.Failed(vm.ErrInvalidJump):              {-32603, "EVM error InvalidJump"},
		api.Failed(vm.ErrWriteProtection):          {-32603, "EVM error StateChangeDuringStaticCall"},
		api.Failed(vm.ErrReturnDataOutOfBounds):    {-32603, "EVM error OutOfOffset"},
		api.Failed(vm.ErrContractAddressCollision): {-32603, "EVM error CreateCollision"},
		api.Failed(vm.ErrMaxCodeSizeExceeded):      {-32603, "EVM error CreateContractSizeLimit"},
		api.Failed(vm.ErrMaxInitCodeSizeExceeded):  {-32603, "EVM error CreateInitCodeSizeLimit"},
		api.Failed(vm.ErrInvalidCode):              {-32603, "EVM error CreateContractStartingWithEF"},
		api.Failed(vm.ErrCodeStoreOutOfGas):        {-32603, "EVM error OutOfGas"},
		api.Failed(vm.ErrDepth):                    {-32603, "EVM error CallTooDeep"},
		api.Failed(&vm.ErrStackUnderflow{}):        {-32603, "EVM error StackUnderflow"},
		api.Failed(&vm.ErrStackOverflow{}):         {-32603, "EVM error StackOverflow"},
		api.Refused(errors.New("something else")):  {-32000, "something else"},

		&preconf.UnknownBlockError{Number: &number, Head: 7}: {-32602, "BlockOutOfRangeError: block height is 7 but requested was 9"},
		&preconf.UnknownBlockError{Hash: &hash, Head: 7}:     {-32001, "Resource not found"},
		api.Refused(&api.UnknownAccountError{}):              {-32602, "No Signer available"},
		api.Undecodable("not %s", "RLP"):                     {-32602, "Failed to decode transaction: not RLP"},
		api.InvalidParams("nonce too low"):                   {-32602, "nonce too low"},

		&evmstate.RevertError{}:                                          {3, "execution reverted"},
		&evmstate.RevertError{Data: []byte{1, 2, 0xff}}:                  {3, "execution reverted: custom error bytes 0x0102ff"},
		&evmstate.RevertError{Data: []byte("out")}:                       {3, "execution reverted: out"},
		&evmstate.RevertError{Data: []byte{1, 2, 0xff, 4}}:               {3, "execution reverted: custom error 0x0102ff04"},
		&evmstate.RevertError{Data: []byte{1, 2, 0xff, 4, 'n', 'o'}}:     {3, "execution reverted: custom error 0x0102ff04: no"},
		&evmstate.RevertError{Data: []byte{1, 2, 3, 4, 0xff, 0xfe}}:      {3, "execution reverted: custom error 0x01020304: fffe"},
		&evmstate.RevertError{Data: []byte{1, 2, 3, 4}, Declared: "A()"}: {3, "execution reverted: A()"},
		// A panic without its whole code is an error like any other.
		&evmstate.RevertError{Data: append(common.FromHex("0x4e487b71"), make([]byte, 31)...)}: {3, "execution reverted: NH{q" + string(make([]byte, 31))},
	} {
		require.Equal(t, want, wire(t, dialect.Anvil, err), "%v", err)
	}
	require.Nil(t, dialect.Anvil.Imitation().ToWire(&persona.Geth.Wire, errors.New("a bug of the node")))
}

// Ensure each error has Hardhat's words, and data as its server sends them.
func TestErrorsOfHardhat(t *testing.T) {
	t.Parallel()
	number, hash := uint64(9), common.Hash{31: 1}
	const vmError, noReason = "Error: VM Exception while processing transaction: ", "Error: Transaction reverted without a reason string"
	for err, want := range map[error]said{
		api.Failed(vm.ErrOutOfGas):                                            {-32000, "Transaction ran out of gas"},
		api.Failed(vm.ErrCodeStoreOutOfGas):                                   {-32000, "Transaction ran out of gas"},
		api.Failed(vm.ErrGasUintOverflow):                                     {-32000, "Transaction ran out of gas"},
		api.Failed(&vm.ErrInvalidOpCode{}):                                    {-32603, vmError + "invalid opcode"},
		api.Failed(vm.ErrInvalidJump):                                         {-32603, noReason},
		api.Failed(&evmstate.RevertError{}):                                   {-32603, noReason},
		api.Failed(fmt.Errorf("%w: size 24577", vm.ErrMaxCodeSizeExceeded)):   {-32603, "Error: Transaction reverted: trying to deploy a contract whose code is too large"},
		api.Failed(&evmstate.RevertError{Data: common.FromHex("0x08c379a0")}): {-32603, vmError + "Expected return data to contain a valid string"},
		api.Failed(&evmstate.RevertError{Data: append(common.FromHex("0x4e487b71"), make([]byte, 31)...)}): {-32603, vmError + "reverted with an unrecognized custom error (return data: 0x4e487b71" + fmt.Sprintf("%062x", 0) + ")"},
		api.Failed(&evmstate.RevertError{Data: []byte{1, 2, 3, 4}, Declared: "Empty()"}):                   {-32603, vmError + "reverted with custom error 'Empty()'"},
		api.Failed(&evmstate.RevertError{Data: []byte{1}}):                                                 {-32603, vmError + "reverted with an unrecognized custom error (return data: 0x01)"},
		&preconf.UnknownBlockError{Number: &number, Head: 7}:                                               {-32000, "Received invalid block tag 9. Latest block number is 7"},
		&preconf.UnknownBlockError{Hash: &hash, Head: 7}:                                                   {-32000, "Received invalid block tag " + hash.Hex() + ". Latest block number is 7"},
		api.Undecodable("not %s", "RLP"):                                                                   {-32602, "not RLP"},
		api.Refused(fmt.Errorf("%w: have 20999, want 21000", core.ErrIntrinsicGas)):                        {-32000, "Transaction requires at least 21000 gas but got 20999"},
		api.Refused(core.ErrIntrinsicGas):                                                                  {-32000, "intrinsic gas too low"},
		api.Refused(errors.New("have 20999, want 21000")):                                                  {-32000, "have 20999, want 21000"},
	} {
		is := dialect.Hardhat.Imitation().ToWire(&persona.Geth.Wire, err)
		require.NotNil(t, is)
		require.Equal(t, want, said{is.Code, is.Message}, "%v", err)
		require.NotNil(t, is.Data, "%v", err)
	}
	own := &jsonrpc.Error{Code: 7, Message: "no", Data: hexutil.Bytes{1}}
	require.Equal(t, own, dialect.Hardhat.Imitation().ToWire(&persona.Geth.Wire, own), "an error with data keeps it")
	require.Nil(t, dialect.Hardhat.Imitation().ToWire(&persona.Geth.Wire, errors.New("a bug of the node")))
}

// Ensure the limits of MegaETH's gateway have its codes, and other errors those of the profile.
func TestErrorsOfMegaETH(t *testing.T) {
	t.Parallel()
	number, hash := uint64(9), common.Hash{31: 1}
	plain := func(err error) string { return api.ToWire(&persona.Geth.Wire, err).Message }
	unknown, span := &preconf.UnknownBlockError{Number: &number, Head: 7}, &filter.RangeError{From: 3, To: 2, Head: 7}
	slow := api.Refused(&simulate.TimeoutError{})
	for err, want := range map[error]said{
		unknown: {-32019, "block is out of range: " + plain(unknown)},
		span:    {-32019, "block is out of range: " + plain(span)},
		slow:    {-32022, "over compute unit limit, retry in 1 seconds: " + plain(slow)},
		&preconf.UnknownBlockError{Hash: &hash, Head: 7}: {-32000, "header for hash not found"},
		api.TooLarge("%d bytes", 7):                      {-32020, "backend response too large: 7 bytes"},
		api.Refused(core.ErrNonceTooLow):                 {-32000, "nonce too low"},
	} {
		require.Equal(t, want, wire(t, dialect.MegaETH, err), "%v", err)
	}
	require.Nil(t, dialect.MegaETH.Imitation().ToWire(&persona.Geth.Wire, errors.New("a bug of the node")))
}

// Ensure a panic is explained as each development node explains it, whatever the code.
func TestPanicsInTheWordsOfDevelopmentNodes(t *testing.T) {
	t.Parallel()
	const reverted = "Error: VM Exception while processing transaction: reverted with "
	for code, meaning := range map[byte][2]string{
		0x01: {"Assertion error", "assertion failed"},
		0x11: {"Arithmetic operation overflowed outside of an unchecked block", "arithmetic underflow or overflow"},
		0x12: {"Division or modulo division by zero", "division or modulo by zero"},
		0x21: {"Tried to convert a value into an enum, but the value was too big or negative", "failed to convert value into enum type"},
		0x22: {"Incorrectly encoded storage byte array", "storage byte array incorrectly encoded"},
		0x31: {".pop() was called on an empty array", "called `.pop()` on an empty array"},
		0x32: {"Array accessed at an out-of-bounds or negative index", "array out-of-bounds access"},
		0x41: {"Too much memory was allocated, or an array was created that is too large", "memory allocation error"},
		0x51: {"Called a zero-initialized variable of internal function type", "called an invalid internal function"},
	} {
		hardhat, anvil := panicked(t, common.Hash{31: code})
		require.Equal(t, fmt.Sprintf("%spanic code %#x (%s)", reverted, code, meaning[0]), hardhat)
		require.Equal(t, fmt.Sprintf("execution reverted: panic: %s (0x%02x)", meaning[1], code), anvil)
	}
	hardhat, anvil := panicked(t, common.Hash{1, 31: 0x11})
	require.Equal(t, fmt.Sprintf("%sunknown panic code 0x1%062x", reverted, 0x11), hardhat)
	require.Equal(t, fmt.Sprintf("execution reverted: panic: unknown code: 0x1%062x", 0x11), anvil)
	hardhat, anvil = panicked(t, common.Hash{})
	require.Equal(t, reverted+"unknown panic code 0x0", hardhat)
	require.Equal(t, "execution reverted: panic: generic/unspecified error (0x00)", anvil)
}

// panicked returns the texts of both development nodes about a panic with a code.
func panicked(t *testing.T, code common.Hash) (hardhat, anvil string) {
	t.Helper()
	err := api.Failed(&evmstate.RevertError{Data: append(common.FromHex("0x4e487b71"), code[:]...)})
	return wire(t, dialect.Hardhat, err).text, wire(t, dialect.Anvil, err).text
}

// Ensure under Hardhat's words a creation says why, when its code is too large or begins with 0xef, whatever asks.
func TestHardhatNamesCodeThatIsTooLarge(t *testing.T) {
	t.Parallel()
	n := newDevNode(t, instantHardhat)
	for _, code := range []string{"0x6160016000f3", "0x60ef60005360016000f3"} {
		for _, method := range []string{"eth_call", "eth_estimateGas", "eth_sendTransaction"} {
			_, message, _ := n.failure(method, n.object(map[string]any{"gas": "0x7a1200", "data": code}))
			require.Equal(t, "Error: Transaction reverted: trying to deploy a contract whose code is too large", message, "%s %s", method, code)
		}
	}
}

// Ensure commands take what the development nodes take: no digits for no balance, code without 0x but under Hardhat,
// and a gas limit of 1.
func TestOddValuesOfDevelopmentNodes(t *testing.T) {
	t.Parallel()
	for _, preset := range []fakenode.Preset{fakenode.Dev, fakenode.Anvil, fakenode.Hardhat} {
		n := newDevNode(t, fakenode.Config{Preset: preset})
		account := n.Account(1).Address
		answer[any](n, "hardhat_setBalance", account, "0x")
		require.Equal(t, "0x0", answer[string](n, "eth_getBalance", account, "latest"), preset)
		if preset == fakenode.Hardhat {
			n.failure("hardhat_setCode", account, "6001")
		} else {
			answer[any](n, "hardhat_setCode", account, "6001")
			require.Equal(t, "0x6001", answer[string](n, "eth_getCode", account, "latest"), preset)
		}
		answer[any](n, "evm_setBlockGasLimit", 1)
		n.Seal()
		require.Equal(t, "0x1", answer[map[string]any](n, "eth_getBlockByNumber", "latest", false)["gasLimit"], preset)
	}
}

// Ensure an instance is that of a run, a reset and a world: OpenZeppelin's plugins take what they know of a chain for
// gone when it changes.
func TestInstanceIsOfARun(t *testing.T) {
	t.Parallel()
	seen := make(map[any]bool)
	fresh := func(n *devNode, method string) {
		id := answer[map[string]any](n, method)["instanceId"]
		require.False(t, seen[id], "%v", id)
		seen[id] = true
		answer[any](n, "evm_mine")
		require.Equal(t, id, answer[map[string]any](n, method)["instanceId"], "stays with a block")
	}
	for range 2 { // runs that are equal
		n := newDevNode(t, fakenode.Config{Preset: fakenode.Anvil, StartTime: time.Unix(1_700_000_000, 0)})
		fresh(n, "anvil_metadata")
		answer[any](n, "anvil_reset")
		fresh(n, "hardhat_metadata")
		answer[any](n, "hardhat_reset")
		fresh(n, "anvil_metadata")
		other, err := n.NewWorld(fakenode.WorldOptions{})
		require.NoError(t, err)
		require.NotEqual(t, n.Timeline().Instance(), other.Timeline().Instance(), "of a world")
	}
}
