package explain

import (
	"encoding/json"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// OtsBlockDetails serves ots_getBlockDetails.
func OtsBlockDetails(r *api.Request, tag plainTag) (any, error) { return otsDetails(r, tag.BlockTag) }

// OtsBlockDetailsByHash serves ots_getBlockDetailsByHash, of orphans too.
func OtsBlockDetailsByHash(r *api.Request, hash common.Hash) (any, error) {
	return otsDetails(r, api.HashTag(hash))
}

// otsBlock is a block without its bloom and with the number of its transactions.
type otsBlock map[string]json.RawMessage

// otsBlockOf returns the block without transactions; ots_getBlockTransactions adds a page of them.
func otsBlockOf(v *preconf.View, full bool) (otsBlock, error) {
	block, err := membersOf(shape.BlockOf(v, full))
	if err != nil {
		return nil, err
	}
	block["logsBloom"] = json.RawMessage("null")
	block["transactionCount"], err = json.Marshal(v.Count())
	return block, err
}

// membersOf returns the members of an answer that is an object.
func membersOf(object jsonrpc.Appender) (map[string]json.RawMessage, error) {
	var members map[string]json.RawMessage
	err := json.Unmarshal(object.AppendJSON(nil), &members)
	return members, err
}

// otsIssuance is the ether that a block brought into being, in wei. Only blocks from before the merge, which can be
// imported, would have any; it is not counted.
type otsIssuance struct {
	BlockReward hexutil.Big `json:"blockReward"`
	UncleReward hexutil.Big `json:"uncleReward"`
	Issuance    hexutil.Big `json:"issuance"`
}

// otsDetailsObject is the answer to ots_getBlockDetails.
type otsDetailsObject struct {
	Block     otsBlock     `json:"block"`
	Issuance  otsIssuance  `json:"issuance"`
	TotalFees *hexutil.Big `json:"totalFees"` // wei, with the burnt fees
}

func otsDetails(r *api.Request, tag api.BlockTag) (any, error) {
	v, err := r.Block(tag)
	if err != nil || v == nil {
		return nil, err
	}
	block, err := otsBlockOf(v, false)
	if err != nil {
		return nil, err
	}
	delete(block, "transactions")
	fees := new(big.Int)
	for _, receipt := range v.Receipts() {
		paid := new(big.Int).SetUint64(receipt.GasUsed)
		fees.Add(fees, paid.Mul(paid, receipt.EffectiveGasPrice))
	}
	return otsDetailsObject{Block: block, TotalFees: (*hexutil.Big)(fees)}, nil
}
