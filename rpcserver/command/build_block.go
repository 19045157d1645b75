package command

import (
	"cmp"
	"math/big"

	"github.com/ethereum/go-ethereum/beacon/engine"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// buildGasTarget is the gas limit that testing_buildBlockV1 steers to, other clients' default.
const buildGasTarget = 60_000_000

// BuildBlock serves testing_buildBlockV1: the block that the given attributes yield on the head. The chain does not
// change. Without a list of transactions the block takes those that wait for the next block.
func BuildBlock(r *api.Request, parent common.Hash, attributes engine.PayloadAttributes, raw *[]hexutil.Bytes, extra *hexutil.Bytes) (any, error) {
	m := r.Moment()
	if m.Chain().Optimism != nil {
		return nil, api.Errorf(api.CodeServer, "%s does not serve --rules op: the envelope of the engine API holds no deposits", r.Method)
	}
	head := m.Latest().Block()
	if head.Hash() != parent {
		return nil, api.Errorf(api.CodeServer, "parent hash %s is not that of the head, %s", parent, head.Hash())
	}
	if attributes.Timestamp <= head.Time() {
		return nil, api.Errorf(api.CodeServer, "timestamp %d is not after %d, that of the parent", attributes.Timestamp, head.Time())
	}
	config, number := m.Chain().Config(), new(big.Int).SetUint64(head.Number()+1)
	if attributes.Withdrawals != nil && !config.IsShanghai(number, attributes.Timestamp) {
		return nil, api.Errorf(api.CodeServer, "unexpected withdrawals before shanghai")
	}
	if attributes.SlotNumber == nil && config.IsAmsterdam(number, attributes.Timestamp) {
		return nil, api.Errorf(api.CodeServer, "the attributes have no slotNumber, which blocks have from amsterdam on")
	}
	env := chain.Env{
		Time:        attributes.Timestamp,
		Coinbase:    attributes.SuggestedFeeRecipient,
		GasLimit:    core.CalcGasLimit(head.Header().GasLimit, *cmp.Or(attributes.TargetGasLimit, new(uint64(buildGasTarget)))),
		PrevRandao:  attributes.Random,
		BeaconRoot:  attributes.BeaconRoot,
		Withdrawals: attributes.Withdrawals,
		SlotNumber:  attributes.SlotNumber,
	}
	if extra != nil {
		env.ExtraData = *extra
	}
	draft, err := m.Chain().NewDraft(env)
	if err != nil {
		return nil, api.Refused(err)
	}
	if raw == nil {
		return envelope(addWaiting(draft, m))
	}
	var sidecars []*types.BlobTxSidecar
	for i, encoded := range *raw {
		next, sidecar, err := addRaw(r, draft, encoded)
		if err != nil {
			return nil, api.Errorf(api.CodeServer, "transaction %d: %s", i, err)
		}
		draft = next
		if sidecar != nil {
			sidecars = append(sidecars, sidecar)
		}
	}
	return envelope(draft, sidecars)
}

// addRaw adds a signed transaction and returns its blobs, nil for none.
func addRaw(r *api.Request, draft *chain.Draft, raw []byte) (*chain.Draft, *types.BlobTxSidecar, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return nil, nil, err
	}
	from, err := types.Sender(r.Signer(), tx)
	if err != nil {
		return nil, nil, err
	}
	next, _, err := draft.Add(tx, from)
	return next, tx.BlobTxSidecar(), err
}

// addWaiting adds the pre-confirmed and the pooled transactions, as far as they fit, and returns their blobs.
func addWaiting(draft *chain.Draft, m *preconf.Moment) (*chain.Draft, []*types.BlobTxSidecar) {
	for _, v := range m.PendingBlocks() {
		for i, tx := range v.Transactions() {
			if next, _, err := draft.Add(evmstate.Signed(tx), v.Sender(i)); err == nil {
				draft = next
			}
		}
	}
	var sidecars []*types.BlobTxSidecar
	for _, pooled := range m.Pool() {
		next, _, err := draft.Add(pooled.Tx, pooled.From)
		if err != nil {
			continue
		}
		draft = next
		if sidecar := pooled.Tx.BlobTxSidecar(); sidecar != nil {
			sidecars = append(sidecars, sidecar)
		}
	}
	return draft, sidecars
}

// envelope seals the draft and wraps the block as the engine API does.
func envelope(draft *chain.Draft, sidecars []*types.BlobTxSidecar) (any, error) {
	_, block, err := draft.Seal()
	if err != nil {
		return nil, api.Refused(err)
	}
	tips := new(big.Int)
	for i, tx := range block.Transactions() {
		tip := evmstate.Signed(tx).EffectiveGasTipValue(block.Header().BaseFee)
		tips.Add(tips, tip.Mul(tip, new(big.Int).SetUint64(block.Receipts()[i].GasUsed)))
	}
	return engine.BlockToExecutableData(block.Body(), tips, sidecars, block.Requests()), nil
}
