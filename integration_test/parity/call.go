package parity

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/fixtures"
)

// Call is a call of a course. A text in its parameters that begins with $ stands for a value that differs from node to
// node: "$result 7" is the result of the call with ID 7, "$block 3" the hash of block 3, "$raw {…}" a signed
// transaction as in rawTransaction. "$time 60" is a minute after the course began, the same for both.
type Call struct {
	ID     int    `json:"id"`
	Method string `json:"method"`
	Params []any  `json:"params"`
}

// String returns the call as a row of the table has it, such as evm_mine["0x1"].
func (c Call) String() string {
	params, err := json.Marshal(c.Params)
	if err != nil {
		panic(err) // the generator's values are plain
	}
	if c.Params == nil {
		params = []byte("[]")
	}
	return c.Method + string(params)
}

// texts joins calls as a row of the table has them. References are counted from the first call.
func texts(calls []Call) string {
	place := map[int]int{}
	for i, call := range calls {
		place[call.ID] = i + 1
	}
	said := make([]string, 0, len(calls))
	for _, call := range calls {
		call.Params, _ = rewritten(call.Params, func(text string) (any, error) {
			if id, ok := strings.CutPrefix(text, "$result "); ok {
				number, _ := strconv.Atoi(id)
				return fmt.Sprintf("$result %d", place[number]), nil
			}
			return text, nil
		}).([]any)
		said = append(said, call.String())
	}
	return strings.Join(said, " ; ")
}

// parseCalls reads what texts has written.
func parseCalls(text string) ([]Call, error) {
	var calls []Call
	for i, said := range strings.Split(text, " ; ") {
		said = strings.TrimSpace(said)
		begin := strings.IndexByte(said, '[')
		if begin < 1 {
			return nil, fmt.Errorf("call %q has no parameters in brackets", said)
		}
		call := Call{ID: i + 1, Method: said[:begin]}
		decoder := json.NewDecoder(strings.NewReader(said[begin:]))
		decoder.UseNumber() // as it is written
		if err := decoder.Decode(&call.Params); err != nil {
			return nil, fmt.Errorf("call %q: %w", said, err)
		}
		calls = append(calls, call)
	}
	return calls, nil
}

// rewritten returns a copy of a JSON value in which f stands for each text. A failure of f leaves the text.
func rewritten(value any, f func(string) (any, error)) any {
	switch value := value.(type) {
	case string:
		if new, err := f(value); err == nil {
			return new
		}
		return value
	case []any:
		list := make([]any, len(value))
		for i := range value {
			list[i] = rewritten(value[i], f)
		}
		return list
	case map[string]any:
		object := make(map[string]any, len(value))
		for name, member := range value {
			object[name] = rewritten(member, f)
		}
		return object
	}
	return value
}

// unknownHash stands for a reference to what a node does not have.
var unknownHash = common.HexToHash("0x1111111111111111111111111111111111111111111111111111111111111111")

// resolve returns the call's parameters for a node.
func (n *Node) resolve(ctx context.Context, c Call) []any {
	params, _ := rewritten(c.Params, func(text string) (any, error) {
		kind, argument, _ := strings.Cut(text, " ")
		switch kind {
		case "$result":
			id, err := strconv.Atoi(argument)
			if result, ok := n.results[id]; ok && err == nil && string(result) != "null" {
				var value any
				return value, jsonInto(result, &value)
			}
			return unknownHash.Hex(), nil
		case "$block":
			var block struct{ Hash common.Hash }
			if err := n.Call(ctx, &block, "eth_getBlockByNumber", argument, false); err != nil || block.Hash == (common.Hash{}) {
				return unknownHash.Hex(), nil
			}
			return block.Hash.Hex(), nil
		case "$raw":
			return n.raw(ctx, argument)
		case "$time":
			seconds, err := strconv.ParseInt(argument, 10, 64)
			return hexutil.Uint64(n.began + seconds), err
		}
		return text, nil
	}).([]any)
	return params
}

// jsonInto decodes numbers as they are written.
func jsonInto(text json.RawMessage, value *any) error {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	if err := decoder.Decode(value); err != nil {
		return err
	}
	if object, ok := (*value).(map[string]any); ok && object["transactionHash"] != nil { // a receipt that a send returned
		*value = object["transactionHash"]
	}
	return nil
}

// rawTransaction describes a transaction to sign. Its nonce is Ahead of the sender's next.
type rawTransaction struct {
	Type     byte            `json:"type"`
	From     int             `json:"from"` // development account
	To       *common.Address `json:"to,omitempty"`
	Ahead    int64           `json:"ahead,omitempty"`
	Gas      uint64          `json:"gas"`
	Fee      uint64          `json:"fee"`
	Tip      uint64          `json:"tip,omitempty"`
	Value    uint64          `json:"value,omitempty"`
	Data     hexutil.Bytes   `json:"data,omitempty"`
	ChainID  int64           `json:"chainId"` // 0: from before EIP-155
	Delegate *common.Address `json:"delegate,omitempty"`
}

// text returns the reference to the signed transaction.
func (r rawTransaction) text() string {
	text, err := json.Marshal(r)
	if err != nil {
		panic(err) // all members are plain
	}
	return "$raw " + string(text)
}

// raw returns a signed transaction that is described by a text.
func (n *Node) raw(ctx context.Context, text string) (any, error) {
	var r rawTransaction
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		return nil, err
	}
	account := fixtures.Dev(r.From)
	var next hexutil.Uint64
	if err := n.Call(ctx, &next, "eth_getTransactionCount", account.Address, "pending"); err != nil {
		return nil, err
	}
	nonce, chain := uint64(int64(next)+r.Ahead), uint256.NewInt(uint64(r.ChainID))
	list := types.AccessList{{Address: fixtures.Dev(1).Address, StorageKeys: []common.Hash{{31: 1}}}}
	fee, tip, value := new(big.Int).SetUint64(r.Fee), new(big.Int).SetUint64(r.Tip), new(big.Int).SetUint64(r.Value)
	var inner types.TxData
	switch r.Type {
	case types.LegacyTxType:
		inner = &types.LegacyTx{Nonce: nonce, GasPrice: fee, Gas: r.Gas, To: r.To, Value: value, Data: r.Data}
	case types.AccessListTxType:
		inner = &types.AccessListTx{ChainID: chain.ToBig(), Nonce: nonce, GasPrice: fee, Gas: r.Gas, To: r.To, Value: value, Data: r.Data, AccessList: list}
	case types.SetCodeTxType:
		to := common.Address{}
		if r.To != nil {
			to = *r.To
		}
		own := nonce
		if r.Delegate == nil {
			r.Delegate = new(common.Address)
		} else {
			own++
		}
		authorization, err := types.SignSetCode(account.Key, types.SetCodeAuthorization{ChainID: *chain, Address: *r.Delegate, Nonce: own})
		if err != nil {
			return nil, err
		}
		inner = &types.SetCodeTx{ChainID: chain, Nonce: nonce, GasTipCap: uint256.MustFromBig(tip), GasFeeCap: uint256.MustFromBig(fee), Gas: r.Gas, To: to,
			Value: uint256.MustFromBig(value), Data: r.Data, AuthList: []types.SetCodeAuthorization{authorization}}
	default:
		inner = &types.DynamicFeeTx{ChainID: chain.ToBig(), Nonce: nonce, GasTipCap: tip, GasFeeCap: fee, Gas: r.Gas, To: r.To, Value: value, Data: r.Data, AccessList: list}
	}
	var signer types.Signer = types.HomesteadSigner{}
	if r.ChainID != 0 {
		signer = types.NewPragueSigner(chain.ToBig())
	}
	signed, err := types.SignNewTx(account.Key, signer, inner)
	if err != nil {
		return nil, err
	}
	encoded, err := signed.MarshalBinary()
	return hexutil.Encode(encoded), err
}
