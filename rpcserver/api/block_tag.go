package api

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// TagKind describes how a BlockTag names its block.
type TagKind uint8

// The kinds of BlockTag; the zero one is latest.
const (
	TagLatest    TagKind = iota
	TagPending           // latest with the pre-confirmed changes
	TagSafe              // the newest block taken to be safe from reorgs
	TagFinalized         // the newest block that no reorg removes
	TagEarliest          // genesis
	TagNumber            // a block number
	TagHash              // a block hash (EIP-1898)
)

var tagNames = [...]string{TagLatest: "latest", TagPending: "pending", TagSafe: "safe", TagFinalized: "finalized", TagEarliest: "earliest"}

// BlockTag is a block parameter (contract 4-block): a tag, a number in hex, a 32-byte hash, or an
// object {blockNumber} or {blockHash, requireCanonical} (EIP-1898). The zero value is latest.
type BlockTag struct {
	Kind TagKind
	// Number is the block number of a TagNumber.
	Number uint64
	// Hash is the block hash of a TagHash.
	Hash common.Hash
	// RequireCanonical rejects the hash of an orphan.
	RequireCanonical bool
}

// Tag implements Block.
func (t BlockTag) Tag() BlockTag { return t }

// OrLatest returns the tag of an optional parameter, latest if it is absent.
func (t *BlockTag) OrLatest() BlockTag {
	if t == nil {
		return BlockTag{}
	}
	return *t
}

// String returns the tag as written in a request.
func (t BlockTag) String() string {
	switch t.Kind {
	case TagNumber:
		return hexutil.EncodeUint64(t.Number)
	case TagHash:
		return t.Hash.Hex()
	}
	return tagNames[t.Kind]
}

func (t *BlockTag) UnmarshalJSON(raw []byte) error {
	*t = BlockTag{}
	switch raw[0] {
	case '{':
		return t.parseObject(raw)
	case '"':
		return t.parse(string(jsonrpc.Unquote(raw)))
	}
	return errors.New("not a string or an object")
}

func (t *BlockTag) parse(text string) error {
	if text == "unsafe" { // OP-stack nodes call the newest sealed block so
		return nil
	}
	for kind, name := range tagNames {
		if text == name {
			t.Kind = TagKind(kind)
			return nil
		}
	}
	if len(text) == len("0x")+2*common.HashLength {
		t.Kind = TagHash
		return t.Hash.UnmarshalText([]byte(text))
	}
	number, err := hexutil.DecodeUint64(text)
	if err != nil {
		return err
	}
	if number > math.MaxInt64 {
		return fmt.Errorf("block number %s is above 2^63-1", text)
	}
	t.Kind, t.Number = TagNumber, number
	return nil
}

type blockObject struct {
	BlockNumber      *NumberTag   `json:"blockNumber"`
	BlockHash        *common.Hash `json:"blockHash"`
	RequireCanonical bool         `json:"requireCanonical"`
}

func (BlockTag) Held() any { return blockObject{} }

func (t *BlockTag) parseObject(raw []byte) error {
	var object blockObject
	if err := json.Unmarshal(raw, &object); err != nil {
		return err
	}
	switch {
	case object.BlockNumber != nil && object.BlockHash != nil:
		return errors.New("both blockNumber and blockHash given")
	case object.BlockNumber != nil:
		*t = object.BlockNumber.BlockTag
	case object.BlockHash != nil:
		*t = BlockTag{Kind: TagHash, Hash: *object.BlockHash, RequireCanonical: object.RequireCanonical}
	default:
		return errors.New("neither blockNumber nor blockHash given")
	}
	return nil
}

func (BlockTag) Wanted() string {
	return `a block number in hex, "latest", "pending", "safe", "finalized", "earliest" or a block hash`
}

// Block is a parameter that names a block: NumberTag, or BlockHash.
type Block interface{ Tag() BlockTag }

// BlockHash is a parameter that names a block by its hash, also an orphan.
type BlockHash common.Hash

func (h *BlockHash) UnmarshalJSON(raw []byte) error { return (*common.Hash)(h).UnmarshalJSON(raw) }

func (BlockHash) Wanted() string { return Wanted[common.Hash]() }

// Tag implements Block.
func (h BlockHash) Tag() BlockTag { return BlockTag{Kind: TagHash, Hash: common.Hash(h)} }

// NumberTag is a BlockTag that cannot be a hash, as in eth_getBlockByNumber and in the bounds of a filter.
type NumberTag struct{ BlockTag }

// Held implements jsonrpc.Holder: it is no object.
func (NumberTag) Held() any { return nil }

func (n *NumberTag) UnmarshalJSON(raw []byte) error {
	if raw[0] != '"' {
		return errors.New("not a string")
	}
	if err := n.BlockTag.UnmarshalJSON(raw); err != nil {
		return err
	}
	if n.Kind == TagHash {
		return errors.New("a block hash is not accepted here")
	}
	return nil
}

func (NumberTag) Wanted() string {
	return `a block number in hex, "latest", "pending", "safe", "finalized" or "earliest"`
}
