package integration_test

import (
	"errors"
	"fmt"
	"math/big"
	"time"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// payer and payee are random; they overlap, so that an account may pay itself.
func (d *differential) payer() fakenode.Account { return d.node.Account(d.random.IntN(3)) }
func (d *differential) payee() fakenode.Account { return d.node.Account(2 + d.random.IntN(3)) }

func (d *differential) chance(oneIn int) bool { return d.random.IntN(oneIn) == 0 }

// value is small, nothing, a lot, or more than anybody has.
func (d *differential) value() uint64 {
	million := fixtures.USD("1000000").Uint64()
	return []uint64{0, 1, 25_000_000, million / 2, million, 100 * million}[d.random.IntN(6)]
}

// step does one random thing.
func (d *differential) step() {
	switch n := d.random.IntN(100); {
	case n < 20:
		d.sign()
	case n < 45:
		d.settle()
	case n < 52:
		d.cancel()
	case n < 60:
		from, to, value := d.payer(), d.payee().Address, d.value()
		d.send(action{"transfer", from, tokencontract.PackTransfer(to, uint256.NewInt(value)), transferring(from.Address, to, value)})
	case n < 63:
		to, value := d.payer().Address, d.value()+1
		d.send(action{"mint", fakenode.TokenOwner, tokencontract.PackMint(to, uint256.NewInt(value)), minting(to, value)})
	case n < 69:
		d.switchPause()
	case n < 76:
		d.switchBlacklist()
	case n < 82:
		d.node.Preconfirm()
	case n < 88:
		d.node.Seal()
	case n < 94:
		d.node.Advance([]time.Duration{200 * time.Millisecond, time.Second, 3 * time.Second, 11 * time.Second}[d.random.IntN(4)])
	default:
		d.reorg()
	}
}

// sign makes an authorization, most of them good now. Some are signed by the wrong key or changed afterwards.
func (d *differential) sign() {
	payer := d.payer()
	a := authorized{
		Authorization: tokencontract.Authorization{
			From: payer.Address, To: d.payee().Address, Value: uint256.NewInt(d.value()),
			ValidAfter:  d.pendingTime - 30 + uint64(d.random.IntN(34)),
			ValidBefore: d.pendingTime + 2 + uint64(d.random.IntN(40)),
			Nonce:       tokencontract.NonceFromSeed(fmt.Sprint(d.random.Uint64())),
		},
		receive: !d.chance(3), genuine: true,
	}
	if d.chance(8) { // the nonce of an earlier one
		if earlier := d.choose(); earlier != nil {
			a.From, a.Nonce = earlier.From, earlier.Nonce
		}
	}
	a.genuine = a.From == payer.Address
	message := a.TransferMessage()
	if a.receive {
		message = a.ReceiveMessage()
	}
	a.signature = payer.Sign(d.domain, message)
	if d.chance(10) {
		a.Value, a.genuine = new(uint256.Int).AddUint64(a.Value, 1), false
	}
	d.signed = append(d.signed, a)
}

// choose prefers what was signed lately.
func (d *differential) choose() *authorized {
	if len(d.signed) == 0 {
		return nil
	}
	newest := min(len(d.signed), 6)
	return &d.signed[len(d.signed)-1-d.random.IntN(newest)]
}

func (d *differential) settle() {
	a := d.choose()
	if a == nil {
		return
	}
	receive := a.receive != d.chance(10)
	caller := d.node.Account(5)
	if receive && !d.chance(8) {
		for _, account := range d.node.Accounts() {
			if account.Address == a.To {
				caller = account
			}
		}
	}
	var data []byte
	switch form := d.random.IntN(2); {
	case receive && form == 0:
		data = a.PackReceive(a.signature)
	case receive:
		data = a.PackReceiveBytes(a.signature.Bytes())
	case form == 0:
		data = a.PackTransfer(a.signature)
	default:
		data = a.PackTransferBytes(a.signature.Bytes())
	}
	d.send(action{"settle", caller, data, a.settle(receive, caller.Address)})
}

func (d *differential) cancel() {
	a := d.choose()
	if a == nil {
		return
	}
	signer := d.node.Account(5)
	for _, account := range d.node.Accounts()[:3] {
		if account.Address == a.From && !d.chance(4) {
			signer = account
		}
	}
	cancellation := tokencontract.Cancellation{Authorizer: a.From, Nonce: a.Nonce}
	data := cancellation.Pack(signer.Sign(d.domain, cancellation.Message()))
	d.send(action{"cancel", d.payee(), data, cancelling(a.key(), signer.Address == a.From)})
}

func (d *differential) switchPause() {
	data := binding.PackPause()
	if d.pending.paused {
		data = binding.PackUnpause()
	}
	d.send(action{"pause", fakenode.TokenOwner, data, pausing(!d.pending.paused)})
}

// switchBlacklist takes an account off the blacklist half of the time, if there is one on it.
func (d *differential) switchBlacklist() {
	account := d.node.Account(d.random.IntN(5)).Address
	if d.chance(2) {
		for _, candidate := range d.node.Accounts()[:5] {
			if d.pending.blacklisted[candidate.Address] {
				account = candidate.Address
			}
		}
	}
	data := binding.PackBlacklist(account)
	if d.pending.blacklisted[account] {
		data = binding.PackUnBlacklist(account)
	}
	d.send(action{"blacklist", fakenode.TokenOwner, data, blacklisting(account, !d.pending.blacklisted[account])})
}

// send simulates an action on pre-confirmed state, compares with the model, and puts it into the pool.
func (d *differential) send(a action) {
	d.t.Helper()
	want := a.apply(d.pending.clone(), d.pendingTime)
	require.Equal(d.t, want.reason, d.simulate(a), "%s", a.name)

	var nonce hexutil.Uint64
	d.do(&nonce, "eth_getTransactionCount", a.from.Address, "pending")
	tx, err := types.SignNewTx(a.from.Key, types.LatestSignerForChainID(new(big.Int).SetUint64(d.domain.ChainID)), &types.LegacyTx{
		Nonce: uint64(nonce), GasPrice: big.NewInt(1e11), Gas: 300_000, To: &d.token, Data: a.data,
	})
	require.NoError(d.t, err)
	raw, err := tx.MarshalBinary()
	require.NoError(d.t, err)
	d.do(nil, "eth_sendRawTransaction", hexutil.Bytes(raw))
	d.sent[tx.Hash()] = a
}

// simulate returns the revert reason of an eth_call at pending, or "".
func (d *differential) simulate(a action) string {
	var output hexutil.Bytes
	err := d.client.CallContext(d.t.Context(), &output, "eth_call",
		map[string]any{"from": a.from.Address, "to": d.token, "data": hexutil.Bytes(a.data)}, "pending")
	if err == nil {
		return ""
	}
	var failure rpc.DataError
	require.True(d.t, errors.As(err, &failure), "%s", err)
	reason, err := abi.UnpackRevert(hexutil.MustDecode(failure.ErrorData().(string)))
	require.NoError(d.t, err)
	return reason
}

// reorg replaces up to three blocks; their transactions are mined again, in another order, or lost.
func (d *differential) reorg() {
	depth := min(len(d.blocks)-1, 1+d.random.IntN(3))
	if depth == 0 {
		return
	}
	fate := []string{"requeue", "reverse", "drop"}[d.random.IntN(3)]
	var removed []common.Hash
	for n := len(d.blocks) - depth; n < len(d.blocks); n++ {
		removed = append(removed, d.block(hexutil.Uint64(n).String()).Transactions...)
	}
	d.do(nil, "fakenode_reorg", map[string]any{"depth": depth, "transactions": fate})
	for _, hash := range removed {
		d.seen.add("removed by a reorg")
		var transaction *struct{ Hash common.Hash }
		d.do(&transaction, "eth_getTransactionByHash", hash)
		require.Equal(d.t, fate == "drop", transaction == nil, "%s, %s", hash, fate)
	}
}
