package door_test

import (
	"context"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/pool"
	"github.com/fakenode/fakenode/tokencontract"
)

// cheap is a transfer whose fee cap of 1 wei is below any base fee.
func cheap(t *testing.T, node *fakenode.Node) *types.Transaction {
	t.Helper()
	tx, err := types.SignNewTx(node.Account(0).Key, node.Moment().Signer(), &types.LegacyTx{
		GasPrice: big.NewInt(1), Gas: 21_000, To: new(node.Account(1).Address),
	})
	require.NoError(t, err)
	return tx
}

// Ensure Receipt returns immediately, with the present state, if nothing can move the clock.
func TestReceiptDoesNotWaitForNothing(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	tx := cheap(t, node)
	receipt := func(hash common.Hash) *fakenode.NoReceiptError {
		_, err := node.Receipt(context.Background(), hash)
		var none *fakenode.NoReceiptError
		require.ErrorAs(t, err, &none)
		return none
	}
	require.EqualError(t, receipt(tx.Hash()), "transaction "+tx.Hash().Hex()+" is unknown")

	require.NoError(t, node.Send(tx))
	none := receipt(tx.Hash())
	require.Equal(t, fakenode.Pooled, none.Place.Where)
	require.EqualError(t, none, "transaction "+tx.Hash().Hex()+" is in the pool: its fee cap of 1 wei is below the base fee of "+
		node.Moment().Pending().Header().BaseFee.String()+" wei; nothing moves until Preconfirm, Seal or Advance")
	var fee *pool.FeeCapError
	require.ErrorAs(t, none, &fee)

	node.Timeline().ClearPool()
	none = receipt(tx.Hash())
	require.ErrorContains(t, none, " is dropped: removed from the pool on command")
	require.ErrorIs(t, none, preconf.ErrDropped)
	require.ErrorIs(t, none, pool.ErrCleared)

	paid, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
	require.NoError(t, err)
	require.ErrorContains(t, receipt(paid), " is in the pool; nothing moves until Preconfirm, Seal or Advance")
	node.Seal()
	sealed, err := node.Receipt(t.Context(), paid)
	require.NoError(t, err)
	require.Equal(t, node.Moment().Latest().Hash(), sealed.BlockHash)
	_, err = node.Reorg(fakenode.ReorgOptions{Depth: 1, Transactions: fakenode.Drop})
	require.NoError(t, err)
	require.ErrorContains(t, receipt(paid), "a reorg removed the one it was in: lost by a reorg")
}

// Ensure Receipt waits while the clock runs, and gives up with its context.
func TestReceiptWaitsWhileTheClockRuns(t *testing.T) {
	t.Parallel()
	node := fakenode.RunConfigT(t, fakenode.Config{Mode: fakenode.Interval, RealClock: true, BlockTime: 20 * time.Millisecond, FlashblockTime: 5 * time.Millisecond})
	feed := node.Timeline().Subscribe()
	defer feed.Close()
	done := make(chan error)
	ctx, stop := context.WithCancel(t.Context())
	go func() { done <- node.Run(ctx) }()
	_, err := feed.Next(t.Context()) // the clock runs
	require.NoError(t, err)

	paid, err := node.Transact(node.Account(2), fakenode.Tx{To: new(node.Account(1).Address)})
	require.NoError(t, err)
	_, err = node.Receipt(t.Context(), paid)
	require.NoError(t, err)

	tx := cheap(t, node)
	require.NoError(t, node.Send(tx))
	short, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	_, err = node.Receipt(short, tx.Hash())
	require.ErrorIs(t, err, context.DeadlineExceeded)
	require.ErrorContains(t, err, "its fee cap of 1 wei is below the base fee")
	stop()
	require.NoError(t, <-done)
}

// Ensure Transact fills in nonce, fees and gas, and rejects with the reason a call that would revert.
func TestTransact(t *testing.T) {
	t.Parallel()
	for _, fork := range []string{"istanbul", "osaka"} {
		node := fakenode.RunConfigT(t, fakenode.Config{Hardfork: fork})
		from, to, token := node.Account(0), node.Account(1).Address, node.Token().Address()
		data := func(amount string) []byte {
			packed, err := tokencontract.ABI().Pack("transfer", to, fixtures.USD(amount).ToBig())
			require.NoError(t, err)
			return packed
		}
		var hashes []common.Hash
		for range 3 {
			hash, err := node.Transact(from, fakenode.Tx{To: &token, Data: data("1")})
			require.NoError(t, err)
			hashes = append(hashes, hash)
		}
		_, err := node.Transact(from, fakenode.Tx{To: &to, Value: fixtures.Ether("1.5")})
		require.NoError(t, err)
		node.Seal()
		node.CheckBalance(t, to, fixtures.USD("1000003"))
		balance, err := node.Client().BalanceAt(t.Context(), to, nil)
		require.NoError(t, err)
		require.Equal(t, fixtures.Ether("10001.5").ToBig(), balance)
		for _, hash := range hashes {
			reason, err := node.RevertReason(hash)
			require.NoError(t, err)
			require.Empty(t, reason)
		}

		_, err = node.Transact(from, fakenode.Tx{To: &token, Data: data("2000000")})
		require.ErrorContains(t, err, "transaction of "+from.Address.Hex()+": execution reverted: ERC20: transfer amount exceeds balance")
		require.Zero(t, node.Moment().PoolSize())
		_, err = node.Transact(fakenode.Account{Address: to}, fakenode.Tx{To: &token})
		require.ErrorContains(t, err, "has no key")

		failing, err := node.Transact(from, fakenode.Tx{To: &token, Data: data("2000000"), Gas: 100_000})
		require.NoError(t, err)
		_, err = node.RevertReason(failing)
		require.ErrorContains(t, err, "is in the pool")
		node.Preconfirm()
		for range 2 { // pre-confirmed, then sealed
			reason, err := node.RevertReason(failing)
			require.NoError(t, err)
			require.Equal(t, "ERC20: transfer amount exceeds balance", reason)
			node.Seal()
		}
	}
}

// Ensure a failed transaction's reason is text where it is no revert, and where a revert has no data or unknown ones.
func TestRevertReason(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	for code, want := range map[string]string{"60006000fd": "execution reverted", "63c0ffee006000526004601cfd": "0xc0ffee00", "fe": "invalid opcode: INVALID"} {
		hash, err := node.Transact(node.Account(0), fakenode.Tx{Data: common.FromHex(code), Gas: 100_000})
		require.NoError(t, err)
		node.Seal()
		reason, err := node.RevertReason(hash)
		require.NoError(t, err)
		require.Equal(t, want, reason)
	}
}

// Ensure many senders of one account at once each get a nonce of their own.
func TestTransactConcurrently(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	sent := make(chan error)
	for range 8 {
		go func() {
			_, err := node.Transact(node.Account(0), fakenode.Tx{To: new(node.Account(1).Address)})
			sent <- err
		}()
	}
	for range 8 {
		require.NoError(t, <-sent)
	}
	node.Seal()
	require.Len(t, node.Moment().Latest().Transactions(), 8)
}

// Ensure Deploy encodes arguments by their types, and that a constructor that fails is an error with its reason.
func TestDeploy(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	// The init code returns the bytes after it: the arguments become the contract's code.
	code := common.FromHex("600c380380600c6000396000f3")
	code[1], code[6] = byte(len(code)), byte(len(code))
	to := node.Account(3).Address
	address, err := node.Deploy(node.Account(0), code, to, fixtures.USD("1"), uint64(7), true, "hello", []byte{1, 2}, common.Hash{9}, big.NewInt(3), 4)
	require.NoError(t, err)
	deployed, err := node.Client().CodeAt(t.Context(), address, nil)
	require.NoError(t, err)
	require.Equal(t, strings.Join([]string{
		"000000000000000000000000" + common.Bytes2Hex(to[:]),
		word(1_000_000), word(7), word(1), word(9 * 32), word(11 * 32), "09" + strings.Repeat("0", 62), word(3), word(4),
		word(5), "68656c6c6f" + strings.Repeat("0", 54), word(2), "0102" + strings.Repeat("0", 60),
	}, ""), common.Bytes2Hex(deployed))

	_, err = node.Deploy(node.Account(0), code, []string{"a"})
	require.EqualError(t, err, "deploy: argument 0: a []string has no one meaning in the ABI: encode it and append it to the code")
	head := node.BlockNumber()
	_, err = node.Deploy(node.Account(0), common.FromHex("60006000fd"))
	require.ErrorContains(t, err, "deploy: execution reverted")
	require.Equal(t, head, node.BlockNumber())
}

func word(n int64) string { return common.Bytes2Hex(common.BigToHash(big.NewInt(n)).Bytes()) }

// Ensure accounts transfer and approve in one line, sealed when it returns.
func TestTokenTransferAndApprove(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	token, from, to := node.Token(), node.Account(0), node.Account(1)
	token.Transfer(from, to.Address, fixtures.USD("12.50"))
	node.CheckBalance(t, to.Address, fixtures.USD("1000012.50"))
	token.Approve(from, to.Address, fixtures.USD("7"))
	data, err := tokencontract.ABI().Pack("transferFrom", from.Address, to.Address, fixtures.USD("7").ToBig())
	require.NoError(t, err)
	_, err = node.Transact(to, fakenode.Tx{To: new(token.Address()), Data: data})
	require.NoError(t, err)
	node.Seal()
	node.CheckBalance(t, to.Address, fixtures.USD("1000019.50"))
}

// Ensure a test can wait for a call of the code under test, and that a wait which cannot end is an error.
func TestWaitForCall(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := ethclient.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go func() {
		for ctx.Err() == nil {
			_, _ = client.SuggestGasPrice(ctx)
			_, _ = client.BlockNumber(ctx)
		}
	}()
	calls, err := node.WaitForCall(t.Context(), "eth_blockNumber", 3)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(calls), 3)
	require.Equal(t, "eth_blockNumber", calls[0].Method)

	_, err = node.WaitForCall(t.Context(), "", 10_001)
	require.ErrorContains(t, err, "10001 calls are more than the journal keeps: 10000")
	gone, leave := context.WithCancel(t.Context())
	leave()
	_, err = node.WaitForCall(gone, "eth_getProof", 1)
	require.ErrorIs(t, err, context.Canceled)
	silent := fakenode.RunConfigT(t, fakenode.Config{Limits: fakenode.Limits{JournalSize: -1}})
	_, err = silent.WaitForCall(t.Context(), "eth_call", 1)
	require.ErrorContains(t, err, "more than the journal keeps: 0")
}

// Ensure clients read the values that a test writes into an account.
func TestStateByHand(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, account := node.Client(), common.HexToAddress("0xc0ffee")
	node.SetBalance(account, uint256.NewInt(7))
	node.SetNonce(account, 5)
	node.SetCode(account, []byte{0x60, 0x01})
	node.SetStorage(account, common.HexToHash("0x2"), common.HexToHash("0x3"))

	balance, err := client.BalanceAt(t.Context(), account, nil)
	require.NoError(t, err)
	require.Equal(t, big.NewInt(7), balance)
	nonce, err := client.PendingNonceAt(t.Context(), account)
	require.NoError(t, err)
	require.EqualValues(t, 5, nonce)
	code, err := client.CodeAt(t.Context(), account, nil)
	require.NoError(t, err)
	require.Equal(t, []byte{0x60, 0x01}, code)
	value, err := client.StorageAt(t.Context(), account, common.HexToHash("0x2"), nil)
	require.NoError(t, err)
	require.Equal(t, common.HexToHash("0x3").Bytes(), value)
}

// Ensure calls are counted from a mark on.
func TestCallsSinceAMark(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, err := rpc.Dial(node.URL())
	require.NoError(t, err)
	defer client.Close()
	require.NoError(t, client.Call(nil, "eth_chainId"))
	mark := node.MarkCalls()
	require.Empty(t, mark.Calls(""))
	require.NoError(t, client.Call(nil, "eth_chainId"))
	require.NoError(t, client.Call(nil, "eth_blockNumber"))
	calls, err := mark.WaitForCall(t.Context(), "eth_chainId", 1)
	require.NoError(t, err)
	require.Len(t, calls, 1, "not the one before the mark")
	require.Len(t, mark.Calls(""), 2)
	require.Len(t, node.Calls("eth_chainId"), 2)
}

// Ensure an account that a test delegates runs the code of the implementation, until it delegates to none.
func TestDelegateByHand(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	client, account := node.Client(), node.Account(3).Address
	implementation := common.HexToAddress("0xc0de")
	node.SetCode(implementation, program.New().Push(7).Push(0).Op(vm.MSTORE).Return(0, 32).Bytes())
	for nonce, c := range []struct {
		target common.Address
		code   []byte
		answer []byte
	}{
		{implementation, types.AddressToDelegation(implementation), common.LeftPadBytes([]byte{7}, 32)},
		{common.Address{}, []byte{}, []byte{}},
	} {
		node.Delegate(account, c.target)
		code, err := client.CodeAt(t.Context(), account, nil)
		require.NoError(t, err)
		require.Equal(t, c.code, code)
		answer, err := client.CallContract(t.Context(), ethereum.CallMsg{To: &account}, nil)
		require.NoError(t, err)
		require.Equal(t, append([]byte{}, c.answer...), append([]byte{}, answer...))
		next, err := client.PendingNonceAt(t.Context(), account)
		require.NoError(t, err)
		require.EqualValues(t, nonce+1, next)
	}
	require.Error(t, node.Importable(), "the state was edited")
}
