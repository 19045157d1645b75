package stream

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/flashblocks"
	"github.com/fakenode/fakenode/rpcserver/shape"
)

// Flashblocks go by other names elsewhere: MegaETH calls them mini-blocks, RISE shreds.

// Pace is the distances of blocks and of flashblocks, from which MegaETH's numbers and times of mini-blocks follow: as
// if each block had as many as fit into its time.
type Pace struct{ Block, Flashblock time.Duration }

// at returns the time of a mini-block in Unix microseconds, in a block with that timestamp in Unix seconds.
func (p Pace) at(timestamp uint64, index int) uint64 {
	before := p.Block - time.Duration(index)*p.Flashblock
	return timestamp*uint64(time.Second/time.Microsecond) - uint64(max(before, 0)/time.Microsecond)
}

// MiniBlocks returns each flashblock as MegaETH's miniBlocks does.
func MiniBlocks(p Pace) Items {
	return of(preconf.FlashblockAdded, "miniBlock", func(a *Announcement) []json.RawMessage {
		fb, gas := a.Flashblock, uint64(0)
		for _, receipt := range fb.Receipts {
			gas += receipt.GasUsed
		}
		o := shape.Begin(nil)
		o.Quantity("block_number", fb.Number)
		o.Quantity("block_timestamp", fb.View.Time())
		o.Quantity("index", uint64(fb.Index))
		o.Quantity("mini_block_number", a.Announced-1)
		o.Quantity("mini_block_timestamp", p.at(fb.View.Time(), fb.Index))
		o.Quantity("gas_used", gas)
		o.Array("transactions", len(fb.Transactions), func(dst []byte, i int) []byte {
			return shape.TransactionOf(fb.View.At(fb.First + i)).AppendJSON(dst)
		})
		o.Array("receipts", len(fb.Receipts), func(dst []byte, i int) []byte {
			return shape.ReceiptOf(fb.View.At(fb.First+i), a.members).AppendJSON(dst)
		})
		return []json.RawMessage{o.End()}
	})
}

// CountedHeads returns the header of each new head with MegaETH's members about its mini-blocks.
func CountedHeads(p Pace) Items {
	made := uint64(0) // mini-blocks of the block being built
	return func(a *Announcement) []json.RawMessage {
		switch a.Kind {
		case preconf.FlashblockAdded:
			made = uint64(a.Flashblock.Index) + 1
		case preconf.HeadAdded:
			if made == 0 { // the subscription is younger
				made = min(uint64(max(1, p.Block/max(p.Flashblock, 1))), a.Announced)
			}
			o := shape.Reopen(shape.HeaderOf(a.View).AppendJSON(nil))
			o.Quantity("miniBlockCount", made)
			o.Quantity("miniBlockOffset", a.Announced-made)
			made = 0
			items := []json.RawMessage{o.End()}
			a.news.Add(items)
			return items
		}
		return nil
	}
}

// accountChange is an account after a flashblock that changed it, with the slots that the flashblock changed.
type accountChange struct {
	address common.Address
	code    *evmstate.Code // nil unless it changed

	Nonce   uint64                      `json:"nonce"`
	Balance *hexutil.U256               `json:"balance"` // wei
	Storage map[common.Hash]common.Hash `json:"storage"`
}

// changesBy returns the accounts that the newest flashblock changed, by address; none without the states.
func changesBy(v *preconf.View) []accountChange {
	before, err := v.Earlier()
	if err != nil {
		return nil
	}
	now, err := v.State()
	if err != nil {
		return nil
	}
	var list []accountChange
	for was, is := range now.ChangesSince(before) {
		c := accountChange{address: is.Address, Nonce: is.Nonce, Balance: (*hexutil.U256)(new(uint256.Int)), Storage: map[common.Hash]common.Hash{}}
		if is.Exists {
			c.Balance = (*hexutil.U256)(is.Balance)
		}
		if is.Code != was.Code {
			c.code = is.Code
		}
		for _, slot := range is.Slots {
			if before.Storage(is.Address, slot.Key) != slot.Value {
				c.Storage[slot.Key] = slot.Value
			}
		}
		list = append(list, c)
	}
	slices.SortFunc(list, func(a, b accountChange) int { return bytes.Compare(a.address[:], b.address[:]) })
	return list
}

// StateChanges returns the accounts, of those watched if any, that a flashblock changed, as MegaETH does.
func StateChanges(watched []common.Address) Items {
	return func(a *Announcement) (items []json.RawMessage) {
		if a.Kind != preconf.FlashblockAdded {
			return nil
		}
		for _, c := range changesBy(a.Flashblock.View) {
			if len(watched) > 0 && !slices.Contains(watched, c.address) {
				continue
			}
			item, _ := json.Marshal(struct { // it always encodes
				Address common.Address `json:"address"`
				accountChange
			}{c.address, c})
			items = append(items, item)
		}
		a.news.Add(items)
		return items
	}
}

// shredAccount is an account that a shred changed.
type shredAccount struct {
	accountChange
	NewCode *hexutil.Bytes `json:"newCode"`
}

// Shreds returns each flashblock as RISE's shreds does, if asked with the accounts that it changed.
func Shreds(withState bool) Items {
	name := "shred"
	if withState {
		name = "shredWithState"
	}
	return of(preconf.FlashblockAdded, name, func(a *Announcement) []json.RawMessage {
		return []json.RawMessage{shred(a.Flashblock, withState)}
	})
}

func shred(fb *preconf.Flashblock, withState bool) json.RawMessage {
	o := shape.Begin(nil)
	o.Int("blockNumber", int(fb.Number))
	o.Int("shredIdx", fb.Index)
	o.Int("blockTimestamp", int(fb.View.Time()))
	o.Int("startingLogIndex", len(fb.View.Logs())-len(fb.Logs))
	o.Array("transactions", len(fb.Transactions), func(dst []byte, i int) []byte {
		tx := shape.Reopen(shape.TransactionOf(fb.View.At(fb.First + i)).AppendJSON(nil))
		signer := fb.View.Sender(fb.First + i)
		tx.Bytes("signer", signer[:])
		pair := shape.Begin(dst)
		pair.Add("transaction", json.RawMessage(tx.End()))
		pair.Add("receipt", flashblocks.ReceiptOf(fb.Receipts[i]))
		return pair.End()
	})
	if withState {
		accounts := make(map[common.Address]shredAccount)
		for _, c := range changesBy(fb.View) {
			account := shredAccount{accountChange: c}
			if c.code != nil {
				account.NewCode = (*hexutil.Bytes)(&c.code.Bytes)
			}
			accounts[c.address] = account
		}
		o.Add("stateChanges", accounts)
	}
	return o.End()
}
