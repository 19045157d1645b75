package eth

import (
	"cmp"
	"errors"
	"math/big"
	"slices"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/consensus/misc/eip4844"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// GasPrice serves eth_gasPrice: the base fee of the block at pending and the tip, in wei.
func GasPrice(r *api.Request) (any, error) {
	return (*hexutil.Big)(api.SuggestedPrice(r.Moment())), nil
}

// MaxPriorityFeePerGas serves eth_maxPriorityFeePerGas, in wei.
func MaxPriorityFeePerGas(r *api.Request) (any, error) {
	return (*hexutil.Big)(r.Moment().SuggestedTip()), nil
}

// BaseFee serves eth_baseFee: the base fee of the block at pending, in wei; null before London.
func BaseFee(r *api.Request) (any, error) {
	if fee := api.NextBaseFee(r.Moment()); fee != nil {
		return (*hexutil.Big)(fee), nil
	}
	return nil, nil
}

// BlobBaseFee serves eth_blobBaseFee: the newest sealed block's blob base fee, in wei; null before Cancun.
func BlobBaseFee(r *api.Request) (any, error) {
	m := r.Moment()
	head := m.Latest().Header()
	if head.ExcessBlobGas == nil {
		return nil, nil
	}
	return (*hexutil.Big)(eip4844.CalcBlobFee(m.Chain().Config(), head)), nil
}

// Limits of eth_feeHistory, the same as other clients'.
const (
	maxFeeHistory  = 1024
	maxPercentiles = 100
)

// feeHistoryResult is the answer to eth_feeHistory. The base fees (wei) end with that of the block after the newest.
type feeHistoryResult struct {
	OldestBlock       hexutil.Uint64   `json:"oldestBlock"`
	Reward            [][]*hexutil.Big `json:"reward,omitempty"`
	BaseFeePerGas     []*hexutil.Big   `json:"baseFeePerGas,omitempty"`
	GasUsedRatio      []float64        `json:"gasUsedRatio"` // geth: null for no blocks
	BaseFeePerBlobGas []*hexutil.Big   `json:"baseFeePerBlobGas,omitempty"`
	BlobGasUsedRatio  []float64        `json:"blobGasUsedRatio,omitempty"`
}

// FeeHistory serves eth_feeHistory: base fees and the used share of blocks, with the tips paid at the given percentiles
// of gas. A count of 0 asks for nothing: neither the block nor the percentiles are looked at.
func FeeHistory(r *api.Request, count api.Number, newest api.NumberTag, percentiles *[]float64) (any, error) {
	if count == 0 {
		none := feeHistoryResult{}
		if !r.Network.NullRatios {
			none.GasUsedRatio = []float64{}
		}
		return none, nil
	}
	percentiles = cmp.Or(percentiles, new([]float64))
	if err := checkPercentiles(*percentiles); err != nil {
		return nil, err
	}
	m := r.Moment()
	last, err := api.ViewAt(m, newest.BlockTag)
	if err != nil {
		return nil, err
	}
	blocks := min(uint64(count), maxFeeHistory, last.Number()+1-m.EarliestNumber())
	history := feeHistoryResult{OldestBlock: hexutil.Uint64(last.Number() + 1 - blocks)}
	first := uint64(history.OldestBlock)
	below, err := m.Chain().FeesBelow(first, last.Number(), *percentiles)
	if err != nil {
		return nil, err
	}
	if below != nil {
		history.begin(below)
		first = uint64(below.Oldest) + uint64(len(below.GasUsed))
	}
	for number := first; number <= last.Number(); number++ {
		v := last
		if number < last.Number() {
			if v, err = api.Numbered(m, number); err != nil {
				return nil, err
			}
		}
		history.add(m.Chain(), v, *percentiles)
	}
	return history, history.end(m, last.Number()+1)
}

func checkPercentiles(percentiles []float64) error {
	if len(percentiles) > maxPercentiles {
		return api.InvalidParams("invalid reward percentiles: have %d, the limit is %d", len(percentiles), maxPercentiles)
	}
	for i, p := range percentiles {
		if p < 0 || p > 100 {
			return api.InvalidParams("invalid reward percentile %v: want 0 to 100", p)
		}
		if i > 0 && p <= percentiles[i-1] {
			return api.InvalidParams("invalid reward percentile %v after %v: want ascending ones", p, percentiles[i-1])
		}
	}
	return nil
}

// begin adds the answer of a fork's remote chain for the blocks up to the fork block.
func (f *feeHistoryResult) begin(below *remote.FeeHistory) {
	f.OldestBlock, f.Reward, f.GasUsedRatio, f.BaseFeePerGas = below.Oldest, below.Rewards, below.GasUsed, below.BaseFees
	f.BlobGasUsedRatio, f.BaseFeePerBlobGas = below.BlobGasUsed, below.BlobBaseFees
	if missing := len(below.GasUsed) - len(below.BlobGasUsed); missing > 0 { // the node has no blob fees
		f.BlobGasUsedRatio = make([]float64, len(below.GasUsed))
		f.BaseFeePerBlobGas = make([]*hexutil.Big, len(below.GasUsed)+1)
		for i := range f.BaseFeePerBlobGas {
			f.BaseFeePerBlobGas[i] = new(hexutil.Big)
		}
	}
}

// add appends a block. The fees of the block after it are a guess until that block is added, or end.
func (f *feeHistoryResult) add(c *chain.Chain, v *preconf.View, percentiles []float64) {
	header := v.Header()
	if v.Pending() {
		header = v.HeaderSoFar()
	}
	baseFee, nextBaseFee := cmp.Or(header.BaseFee, new(big.Int)), new(big.Int)
	if c.Config().IsLondon(new(big.Int).Add(header.Number, big.NewInt(1))) {
		nextBaseFee = c.NextBaseFee(header)
	}
	f.BaseFeePerGas = append(dropLast(f.BaseFeePerGas), (*hexutil.Big)(baseFee), (*hexutil.Big)(nextBaseFee))
	f.GasUsedRatio = append(f.GasUsedRatio, float64(header.GasUsed)/float64(header.GasLimit))
	f.addBlobs(c, header)
	if len(percentiles) > 0 {
		f.Reward = append(f.Reward, rewards(v, header, percentiles))
	}
}

// addBlobs appends the blob fees of a block, zeros before Cancun. On an OP-stack chain the ratio is the DA footprint's.
func (f *feeHistoryResult) addBlobs(c *chain.Chain, header *types.Header) {
	config := c.Config()
	fee, nextFee, ratio := new(big.Int), new(big.Int), 0.0
	if header.ExcessBlobGas != nil {
		fee = eip4844.CalcBlobFee(config, header)
		excess := c.NextExcessBlobGas(header, header.Time)
		nextFee = eip4844.CalcBlobFee(config, &types.Header{Number: header.Number, Time: header.Time, ExcessBlobGas: &excess})
	}
	if header.BlobGasUsed != nil {
		if most := c.MaxBlobGas(header); most > 0 {
			ratio = float64(*header.BlobGasUsed) / float64(most)
		}
	}
	f.BaseFeePerBlobGas = append(dropLast(f.BaseFeePerBlobGas), (*hexutil.Big)(fee), (*hexutil.Big)(nextFee))
	f.BlobGasUsedRatio = append(f.BlobGasUsedRatio, ratio)
}

// end puts the fees of block next in place of the guess, where there is such a block or it is being built: commands and
// the rules of a fork decide them. A block at or below a fork block has them from the remote chain already.
func (f *feeHistoryResult) end(m *preconf.Moment, next uint64) error {
	if m.Chain().Ancestral(next) {
		return nil
	}
	header := m.NextHeader()
	if header.Number.Uint64() != next {
		v, err := api.Numbered(m, next)
		switch {
		case errors.As(err, new(*preconf.UnknownBlockError)):
			return nil
		case err != nil:
			return err
		}
		header = v.Header()
	}
	if header.BaseFee != nil {
		f.BaseFeePerGas = append(dropLast(f.BaseFeePerGas), (*hexutil.Big)(header.BaseFee))
	}
	if header.ExcessBlobGas != nil {
		f.BaseFeePerBlobGas = append(dropLast(f.BaseFeePerBlobGas), (*hexutil.Big)(eip4844.CalcBlobFee(m.Chain().Config(), header)))
	}
	return nil
}

func dropLast(fees []*hexutil.Big) []*hexutil.Big { return fees[:max(len(fees)-1, 0)] }

// rewards are the tips in wei at percentiles of the block's gas, ordered by tip; zeros for an empty block.
func rewards(v *preconf.View, header *types.Header, percentiles []float64) []*hexutil.Big {
	type paid struct {
		gas uint64
		tip *big.Int
	}
	tips := make([]paid, 0, v.Count())
	for i, tx := range v.Transactions() {
		signed := evmstate.Signed(tx)
		if signed == nil {
			continue // pays nothing
		}
		tips = append(tips, paid{v.Receipts()[i].GasUsed, signed.EffectiveGasTipValue(header.BaseFee)})
	}
	slices.SortStableFunc(tips, func(a, b paid) int { return a.tip.Cmp(b.tip) })
	row := make([]*hexutil.Big, len(percentiles))
	at, sum := -1, uint64(0)
	for i, p := range percentiles {
		row[i] = new(hexutil.Big)
		threshold := uint64(float64(header.GasUsed) * p / 100)
		for at < len(tips)-1 && (at < 0 || sum < threshold) {
			at++
			sum += tips[at].gas
		}
		if at >= 0 {
			row[i] = (*hexutil.Big)(tips[at].tip)
		}
	}
	return row
}
