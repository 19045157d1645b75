package profile

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/params"

	"github.com/fakenode/fakenode/evmstate/trace"
)

// The events of tokens.
var (
	transferTopic = crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))                          // ERC-20 and ERC-721
	singleTopic   = crypto.Keccak256Hash([]byte("TransferSingle(address,address,address,uint256,uint256)"))    // ERC-1155
	batchTopic    = crypto.Keccak256Hash([]byte("TransferBatch(address,address,address,uint256[],uint256[])")) // ERC-1155
)

// move adds the movements of a branch and of those below it, without failed branches.
func (w *writer) move(p *Profile, b *trace.Branch) {
	if b.Err != nil {
		return
	}
	moves := b.Op != vm.DELEGATECALL.String() && b.Op != vm.CALLCODE.String()
	if moves && b.Value.Sign() > 0 && b.From != b.To {
		p.Movements = append(p.Movements, Movement{From: b.From, To: b.To, Amount: (*hexutil.Big)(b.Value)})
	}
	for _, step := range b.Steps {
		if step.Branch != nil {
			w.move(p, step.Branch)
		} else {
			p.Movements = append(p.Movements, w.moved(step.Log)...)
		}
	}
}

// moved returns the movements that a token logged.
func (w *writer) moved(log *types.Log) []Movement {
	// From amsterdam on ether that moves has logs of its own (EIP-7708).
	if len(log.Topics) == 0 || log.Address == params.SystemAddress {
		return nil
	}
	of := func(from, to common.Hash, amount, id *big.Int) Movement {
		return Movement{
			Token: &log.Address, Contract: w.name(log.Address), From: common.BytesToAddress(from[:]), To: common.BytesToAddress(to[:]),
			Amount: (*hexutil.Big)(amount), ID: (*hexutil.Big)(id),
		}
	}
	switch topics := log.Topics; {
	case topics[0] == transferTopic && len(topics) == 3 && len(log.Data) == 32:
		return []Movement{of(topics[1], topics[2], word(log.Data, 0), nil)}
	case topics[0] == transferTopic && len(topics) == 4:
		return []Movement{of(topics[1], topics[2], big.NewInt(1), topics[3].Big())}
	case topics[0] == singleTopic && len(topics) == 4 && len(log.Data) == 64:
		return []Movement{of(topics[2], topics[3], word(log.Data, 1), word(log.Data, 0))}
	case topics[0] == batchTopic && len(topics) == 4:
		ids, amounts := words(log.Data, 0), words(log.Data, 1)
		if len(ids) != len(amounts) {
			return nil
		}
		var movements []Movement
		for i := range ids {
			movements = append(movements, of(topics[2], topics[3], amounts[i], ids[i]))
		}
		return movements
	}
	return nil
}

// word returns word i of data.
func word(data []byte, i int) *big.Int { return new(big.Int).SetBytes(data[32*i : 32*i+32]) }

// words returns argument i of data as a list of numbers, nil if the data do not encode one.
func words(data []byte, i int) (list []*big.Int) {
	if len(data) < 32*(i+1) || !word(data, i).IsUint64() {
		return nil
	}
	at := word(data, i).Uint64()
	if at > uint64(len(data)) || uint64(len(data))-at < 32 {
		return nil
	}
	rest := data[at:]
	n := word(rest, 0)
	if !n.IsUint64() || n.Uint64() > uint64(len(rest)/32-1) {
		return nil
	}
	for j := range int(n.Uint64()) {
		list = append(list, word(rest, j+1))
	}
	return list
}
