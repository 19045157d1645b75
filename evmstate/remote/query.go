package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/remote/provider"
)

// LogQuery selects logs of the blocks From to To, both included, as eth_getLogs does.
type LogQuery struct {
	From, To  uint64
	Addresses []common.Address
	Topics    [][]common.Hash
}

// params returns the query as parameters of eth_getLogs. Equal queries are equal text.
func (q LogQuery) params() map[string]any {
	filter := map[string]any{"fromBlock": hexutil.EncodeUint64(q.From), "toBlock": hexutil.EncodeUint64(q.To)}
	if len(q.Addresses) > 0 {
		filter["address"] = slices.Compact(slices.SortedFunc(slices.Values(q.Addresses), common.Address.Cmp))
	}
	if len(q.Topics) > 0 {
		topics := make([]any, len(q.Topics)) // null: any
		for i, accepted := range q.Topics {
			if len(accepted) > 0 {
				topics[i] = slices.Compact(slices.SortedFunc(slices.Values(accepted), common.Hash.Cmp))
			}
		}
		filter["topics"] = topics
	}
	return filter
}

// Logs returns the logs that q selects, none of them above the fork block.
func (f *Fork) Logs(q LogQuery) ([]*types.Log, error) {
	words := func() string { return fmt.Sprintf("logs of blocks %d to %d", q.From, q.To) }
	params := q.params()
	logs, err := ask[[]*types.Log](f.cache, "logs "+compact(params), "logs", words, func() (any, error) {
		values, err := f.fetchPinned(provider.NewCall("eth_getLogs", params))
		if err != nil {
			return nil, err
		}
		logs := []*types.Log{}
		if err := json.Unmarshal(values[0], &logs); err != nil || slices.Contains(logs, nil) {
			return nil, f.nonsense(cmp.Or(err, errors.New("a log that is null")))
		}
		return values[0], nil
	})
	if err != nil {
		return nil, err
	}
	for _, log := range logs {
		if log.BlockTimestamp != 0 {
			continue
		}
		h, err := f.HeaderByNumber(log.BlockNumber) // an older node
		if err != nil {
			return nil, err
		}
		log.BlockTimestamp = h.Time
	}
	return logs, nil
}

// FeeHistory holds the answer to eth_feeHistory for blocks not above the fork block, in wei and shares of the gas
// limit. BaseFees and BlobBaseFees have one more entry, for the block after the last.
type FeeHistory struct {
	Oldest       hexutil.Uint64   `json:"oldestBlock"`
	BaseFees     []*hexutil.Big   `json:"baseFeePerGas"`
	GasUsed      []float64        `json:"gasUsedRatio"`
	Rewards      [][]*hexutil.Big `json:"reward,omitempty"`
	BlobBaseFees []*hexutil.Big   `json:"baseFeePerBlobGas,omitempty"`
	BlobGasUsed  []float64        `json:"blobGasUsedRatio,omitempty"`
}

// FeeHistory returns the fees of so many blocks, up to and with the newest.
func (f *Fork) FeeHistory(blocks, newest uint64, percentiles []float64) (*FeeHistory, error) {
	words := func() string { return fmt.Sprintf("fee history of %d blocks up to block %d", blocks, newest) }
	params := []any{hexutil.EncodeUint64(blocks), hexutil.EncodeUint64(newest), append([]float64{}, percentiles...)}
	return ask[*FeeHistory](f.cache, "feeHistory "+compact(params), "fee history", words, func() (any, error) {
		history := new(FeeHistory)
		values, err := f.fetchPinned(provider.NewCall("eth_feeHistory", params...))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(values[0], history); err != nil {
			return nil, f.nonsense(err)
		}
		if n := len(history.GasUsed); n != len(history.BaseFees)-1 || len(percentiles) > 0 && n != len(history.Rewards) {
			return nil, fmt.Errorf("%s answered a fee history of uneven length", f.URL())
		}
		return history, nil
	})
}

// Proof returns the proof of an account and slots after a block not above the fork block.
func (f *Fork) Proof(number uint64, address common.Address, slots []common.Hash) (*evmstate.AccountProof, error) {
	words := func() string {
		return fmt.Sprintf("proof of account %s at block %d", hexutil.Encode(address[:]), number)
	}
	params := []any{address, append([]common.Hash{}, slots...), hexutil.EncodeUint64(number)}
	value, err := f.cache.get("proof "+compact(params), words, func() (any, error) {
		values, err := f.fetchPinned(provider.NewCall("eth_getProof", params...))
		if err != nil {
			return nil, err
		}
		return values[0], nil
	})
	if err != nil {
		return nil, err
	}
	var answer proofAnswer
	if err := json.Unmarshal(value, &answer); err != nil || answer.Balance == nil || len(answer.StorageProof) != len(slots) {
		return nil, &Error{words(), f.nonsense(errors.New("a proof that is none"))}
	}
	return answer.proof(address, slots), nil
}

// Precompiles returns the names of the precompiled contracts after the fork block by eth_config (EIP-7910), none where
// the node does not know it.
func (f *Fork) Precompiles() ([]string, error) {
	return ask[[]string](f.cache, "precompiles", "names", func() string { return "configuration of the chain" }, func() (any, error) {
		names := []string{}
		results, err := f.node().Call(context.Background(), provider.NewCall("eth_config"))
		if err != nil || results[0].Error != nil {
			return names, err
		}
		var config struct {
			Current struct{ Precompiles map[string]any }
		}
		if json.Unmarshal(results[0].Value, &config) == nil {
			names = slices.AppendSeq(names, maps.Keys(config.Current.Precompiles))
			slices.Sort(names)
		}
		return names, nil
	})
}

func compact(params any) string {
	encoded, err := json.Marshal(params)
	if err != nil {
		panic(err) // strings, numbers, hashes and addresses
	}
	return string(encoded)
}
