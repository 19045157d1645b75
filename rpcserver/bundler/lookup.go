package bundler

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Topics of the events of EntryPoints, which are the same in all versions.
var (
	operationEvent = crypto.Keccak256Hash([]byte("UserOperationEvent(bytes32,address,address,uint256,bool,uint256,uint256)"))
	reasonEvent    = crypto.Keccak256Hash([]byte("UserOperationRevertReason(bytes32,address,uint256,bytes)"))
	beginEvent     = crypto.Keccak256Hash([]byte("BeforeExecution()"))
)

// included is an operation in a block, pre-confirmed or sealed.
type included struct {
	entryPoint common.Address
	operation  *Operation
	event      *types.Log
	bundle     preconf.Found
}

// lookUp returns the operation with that hash from the newest block that holds it, or nil. On a fork it does not look
// below the fork block.
func lookUp(m *preconf.Moment, hash common.Hash) (*included, error) {
	filter := chain.LogFilter{Addresses: addresses(), Topics: [][]common.Hash{{operationEvent}, {hash}}}
	event, err := newest(m, filter)
	if event == nil {
		return nil, err
	}
	found, err := m.Find(event.TxHash)
	if err != nil || !found.Executed() {
		return nil, err
	}
	in := &included{entryPoint: event.Address, event: event, bundle: found}
	v, _ := at(event.Address)
	nonce := new(big.Int).SetBytes(event.Data[:32])
	for _, o := range v.operations(found.Transaction.Data()) {
		if *o.Sender == common.BytesToAddress(event.Topics[2][:]) && number(o.Nonce).Cmp(nonce) == 0 {
			in.operation = o
			if signed, ok := found.Transaction.(*types.Transaction); ok {
				o.Authorization = authorizationOf(signed, *o.Sender)
			}
		}
	}
	return in, nil
}

// newest returns the newest log, or nil. It looks at the newest blocks first, and then at twice as many each time.
func newest(m *preconf.Moment, filter chain.LogFilter) (newest *types.Log, err error) {
	base, first := m.Chain().Base(), m.Latest().Number()+1
	for to, blocks := (preconf.Bound{Tag: preconf.Pending}), uint64(64); newest == nil && first > base; blocks *= 2 {
		first -= min(blocks, first-base)
		logs, err := m.Logs(filter, preconf.At(first), to)
		if err != nil {
			return nil, err
		}
		for l := range logs {
			newest = l
		}
		to = preconf.At(first - 1)
	}
	return newest, nil
}

// waiting is an operation in the pool.
type waiting struct {
	version version
	*Operation
	bundle *types.Transaction
}

// pooled returns the operations in the pool, in the order of arrival.
func pooled(m *preconf.Moment) (list []waiting) {
	for _, tx := range m.Pool() {
		ops := operationsOf(tx.Transaction)
		if len(ops) == 2 && number(ops[0].Nonce).Cmp(number(ops[1].Nonce)) == 0 { // of the fault RevertBundle
			ops = ops[:1]
		}
		for _, o := range ops {
			v, _ := at(*tx.Transaction.To())
			list = append(list, waiting{v, o, tx.Transaction})
		}
	}
	return list
}

// operationObject is the answer to eth_getUserOperationByHash. Of an operation in the pool the block is null.
type operationObject struct {
	UserOperation   *Operation      `json:"userOperation"`
	EntryPoint      common.Address  `json:"entryPoint"`
	BlockNumber     *hexutil.Uint64 `json:"blockNumber"`
	BlockHash       *common.Hash    `json:"blockHash"`
	TransactionHash common.Hash     `json:"transactionHash"`
}

// GetUserOperationByHash serves eth_getUserOperationByHash: null for one that nobody knows, or whose bundle calls
// handleOps from a contract.
func GetUserOperationByHash(r *api.Request, hash common.Hash) (any, error) {
	if err := on(r); err != nil {
		return nil, err
	}
	m := r.Moment()
	in, err := lookUp(m, hash)
	if err != nil {
		return nil, err
	}
	if in != nil && in.operation != nil {
		return in.object(), nil
	}
	fault := struckOf(m, hash)
	if fault.lies(m) {
		return fault.Operation, nil
	}
	o := waitingAs(m, hash)
	if o == nil {
		return nil, nil
	}
	object := operationObject{UserOperation: o.Operation, EntryPoint: o.version.address, TransactionHash: o.bundle.Hash()}
	if fault != nil && fault.Bundle == object.TransactionHash && fault.Replaced != (common.Hash{}) {
		object.TransactionHash = fault.Replaced
	}
	return object, nil
}

// object returns the operation as eth_getUserOperationByHash answers it.
func (in *included) object() operationObject {
	number := hexutil.Uint64(in.event.BlockNumber)
	return operationObject{in.operation, in.entryPoint, &number, &in.event.BlockHash, in.event.TxHash}
}

// waitingAs returns the operation with that hash in the pool, or nil.
func waitingAs(m *preconf.Moment, hash common.Hash) *waiting {
	for _, o := range pooled(m) {
		known, err := hashOf(m, o.version, o.Operation)
		if err == nil && known == hash {
			return &o
		}
	}
	return nil
}
