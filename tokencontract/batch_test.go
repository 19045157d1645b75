package tokencontract_test

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

const (
	noTransfer    = "FiatTokenUtil: no transfer provided"
	badParams     = "FiatTokenUtil: length of params is invalid"
	badSignatures = "FiatTokenUtil: length of signatures is invalid"
	batchFailed   = "FiatTokenUtil: call failed"
)

// batch is the utility that settles many authorizations, with two good authorizations for it.
type batch struct {
	*world
	contract common.Address
	first    tokencontract.Authorization
	second   tokencontract.Authorization
}

func newBatch(w *world, token common.Address) batch {
	code := contracts.DeployCode(contracts.BatchTransferMetaData.Bin, contracts.NewBatchTransfer().PackConstructor(token)...)
	b := batch{w, w.deploy(code), w.terms(signers[0]), w.terms(signers[0])}
	b.second.Nonce = tokencontract.NonceFromSeed("second order")
	return b
}

// settle sends authorizations signed by the payer.
func (b batch) settle(atomic bool, authorizations ...tokencontract.Authorization) ending {
	var params, signatures []byte
	for _, a := range authorizations {
		params = append(params, bytes.Join([][]byte{a.From[:], a.To[:], word(a.Value), word64(a.ValidAfter), word64(a.ValidBefore), a.Nonce[:]}, nil)...)
		signature := b.payer.Sign(b.domain, a.TransferMessage())
		signatures = append(append(signatures, signature.V()), signature[:64]...)
	}
	return b.send(params, signatures, atomic)
}

func (b batch) send(params, signatures []byte, atomic bool) ending {
	return b.chain.Send(b.relayer, &b.contract, contracts.NewBatchTransfer().PackTransferWithMultipleAuthorizations(params, signatures, atomic))
}

func batchCases() []tableCase {
	batchCase := func(name string, run func(b batch)) tableCase {
		return newCase("transferWithMultipleAuthorizations/"+name, func(w *world) { run(newBatch(w, w.token)) })
	}
	return []tableCase{
		batchCase("none", func(b batch) {
			b.revertsAs(b.settle(true), noTransfer)
		}),
		batchCase("params of a wrong length", func(b batch) {
			b.revertsAs(b.send(make([]byte, 167), make([]byte, 65), true), badParams)
			b.revertsAs(b.send(make([]byte, 169), make([]byte, 65), true), badParams)
		}),
		batchCase("signatures of a wrong length", func(b batch) {
			b.revertsAs(b.send(make([]byte, 168), make([]byte, 64), true), badSignatures)
			b.revertsAs(b.send(make([]byte, 168), make([]byte, 130), true), badSignatures)
		}),
		batchCase("paused", func(b batch) {
			b.pause()
			b.revertsAs(b.settle(true, b.first), paused)
		}),
		batchCase("one", func(b batch) {
			outcome := b.settle(true, b.first)
			require.True(b.t, outcome.Succeeded)
			b.logsAre(outcome, "AuthorizationUsed", "Transfer")
			b.balanceIs(b.merchant.Address, ten)
		}),
		batchCase("two", func(b batch) {
			outcome := b.settle(true, b.first, b.second)
			require.True(b.t, outcome.Succeeded)
			b.logsAre(outcome, "AuthorizationUsed", "Transfer", "AuthorizationUsed", "Transfer")
			require.Equal(b.t, b.first.Nonce, outcome.Logs[0].Topics[2])
			require.Equal(b.t, b.second.Nonce, outcome.Logs[2].Topics[2])
			b.balanceIs(b.merchant.Address, fixtures.USD("20"))
		}),
		batchCase("one of two fails", func(b batch) {
			b.second.ValidBefore = b.chain.Now()
			outcome := b.settle(false, b.first, b.second)
			require.True(b.t, outcome.Succeeded)
			require.Len(b.t, outcome.Logs, 3)
			failed, err := contracts.NewBatchTransfer().UnpackTransferFailedEvent(outcome.Logs[2])
			require.NoError(b.t, err)
			require.Equal(b.t, b.second.From, failed.Authorizer)
			require.Equal(b.t, b.second.Nonce, common.Hash(failed.Nonce))
			b.usedIs(true, b.first.From, b.first.Nonce)
			b.usedIs(false, b.second.From, b.second.Nonce)
			b.balanceIs(b.merchant.Address, ten)
		}),
		batchCase("one of two fails, atomic", func(b batch) {
			b.second.ValidBefore = b.chain.Now()
			b.revertsAs(b.settle(true, b.first, b.second), expired)
			b.untouched(signers[0], b.first)
		}),
		newCase("transferWithMultipleAuthorizations/fails without a reason", func(w *world) {
			silent := w.deploy(program.New().ReturnViaCodeCopy(program.New().Push(0).Push(0).Op(vm.REVERT).Bytes()).Bytes())
			b := newBatch(w, silent)
			b.revertsAs(b.settle(true, b.first), batchFailed)
			require.True(w.t, b.settle(false, b.first).Succeeded)
		}),
	}
}

func word(n *tokenUnits) []byte {
	bytes := n.Bytes32()
	return bytes[:]
}

func word64(n uint64) []byte {
	return common.BigToHash(new(big.Int).SetUint64(n)).Bytes()
}
