package rpcserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// tagKind describes how a blockTag names its block.
type tagKind uint8

// The kinds of blockTag; the zero one is latest.
const (
	tagLatest    tagKind = iota
	tagPending           // what is pre-confirmed on top of latest
	tagSafe              // the newest block taken to be safe from reorgs
	tagFinalized         // the newest block that no reorg removes
	tagEarliest          // genesis
	tagNumber            // a block number
	tagHash              // a block hash (EIP-1898)
)

var tagNames = [...]string{tagLatest: "latest", tagPending: "pending", tagSafe: "safe", tagFinalized: "finalized", tagEarliest: "earliest"}

// blockTag is a block parameter (contract 4-block): a tag, a number in hex, a 32-byte hash, or an
// object {blockNumber} or {blockHash, requireCanonical} (EIP-1898). The zero value is latest.
type blockTag struct {
	Kind tagKind
	// Number is the block number of a tagNumber.
	Number uint64
	// Hash is the block hash of a tagHash.
	Hash common.Hash
	// RequireCanonical rejects the hash of an orphan.
	RequireCanonical bool
}

// orLatest returns the tag, latest if there is none: an absent optional parameter.
func (t *blockTag) orLatest() blockTag {
	if t == nil {
		return blockTag{}
	}
	return *t
}

// String returns the tag as it is written in a request.
func (t blockTag) String() string {
	switch t.Kind {
	case tagNumber:
		return hexutil.EncodeUint64(t.Number)
	case tagHash:
		return t.Hash.Hex()
	}
	return tagNames[t.Kind]
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *blockTag) UnmarshalJSON(raw []byte) error {
	*t = blockTag{}
	switch raw[0] {
	case '{':
		return t.parseObject(raw)
	case '"':
		return t.parse(string(jsonrpc.Unquote(raw)))
	}
	return errors.New("not a string or an object")
}

func (t *blockTag) parse(text string) error {
	for kind, name := range tagNames {
		if text == name {
			t.Kind = tagKind(kind)
			return nil
		}
	}
	if len(text) == len("0x")+2*common.HashLength {
		t.Kind = tagHash
		return t.Hash.UnmarshalText([]byte(text))
	}
	number, err := hexutil.DecodeUint64(text)
	if err != nil {
		return err
	}
	if number > math.MaxInt64 {
		return fmt.Errorf("block number %s is above 2^63-1", text)
	}
	t.Kind, t.Number = tagNumber, number
	return nil
}

// parseObject reads the object form of EIP-1898.
func (t *blockTag) parseObject(raw []byte) error {
	var object struct {
		BlockNumber      *numberTag   `json:"blockNumber"`
		BlockHash        *common.Hash `json:"blockHash"`
		RequireCanonical bool         `json:"requireCanonical"`
	}
	if err := json.Unmarshal(raw, &object); err != nil {
		return err
	}
	switch {
	case object.BlockNumber != nil && object.BlockHash != nil:
		return errors.New("both blockNumber and blockHash given")
	case object.BlockNumber != nil:
		*t = object.BlockNumber.blockTag
	case object.BlockHash != nil:
		*t = blockTag{Kind: tagHash, Hash: *object.BlockHash, RequireCanonical: object.RequireCanonical}
	default:
		return errors.New("neither blockNumber nor blockHash given")
	}
	return nil
}

func (blockTag) Wanted() string {
	return `a block number in hex, "latest", "pending", "safe", "finalized", "earliest" or a block hash`
}

// numberTag is a blockTag that cannot be a hash: of eth_getBlockByNumber and its kin, and of the bounds
// of a filter.
type numberTag struct{ blockTag }

// UnmarshalJSON implements json.Unmarshaler.
func (n *numberTag) UnmarshalJSON(raw []byte) error {
	if raw[0] != '"' {
		return errors.New("not a string")
	}
	if err := n.blockTag.UnmarshalJSON(raw); err != nil {
		return err
	}
	if n.Kind == tagHash {
		return errors.New("a block hash is not accepted here")
	}
	return nil
}

func (numberTag) Wanted() string {
	return `a block number in hex, "latest", "pending", "safe", "finalized" or "earliest"`
}
