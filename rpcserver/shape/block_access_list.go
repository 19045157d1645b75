package shape

import (
	"github.com/ethereum/go-ethereum/core/types/bal"
	"github.com/holiman/uint256"
)

// BlockAccessList is the answer to eth_getBlockAccessList (EIP-7928).
type BlockAccessList struct{ List *bal.BlockAccessList }

func (l BlockAccessList) AppendJSON(dst []byte) []byte {
	accounts := *l.List
	return AppendArray(dst, len(accounts), func(dst []byte, i int) []byte { return appendAccess(dst, &accounts[i]) })
}

// appendAccess appends the accesses of one account.
func appendAccess(dst []byte, account *bal.AccountAccess) []byte {
	o := Begin(dst)
	o.Bytes("address", account.Address[:])
	o.Array("storageChanges", len(account.StorageChanges), func(dst []byte, i int) []byte {
		slot := account.StorageChanges[i]
		o := Begin(dst)
		o.word("key", slot.Slot)
		o.Array("changes", len(slot.SlotChanges), func(dst []byte, i int) []byte {
			o := beginChange(dst, slot.SlotChanges[i].BlockAccessIndex)
			o.word("value", slot.SlotChanges[i].PostValue)
			return o.End()
		})
		return o.End()
	})
	o.Array("storageReads", len(account.StorageReads), func(dst []byte, i int) []byte {
		return appendWord(dst, account.StorageReads[i])
	})
	o.Array("balanceChanges", len(account.BalanceChanges), func(dst []byte, i int) []byte {
		o := beginChange(dst, account.BalanceChanges[i].BlockAccessIndex)
		o.Key("value")
		o.Dst = AppendU256(o.Dst, account.BalanceChanges[i].PostBalance)
		return o.End()
	})
	o.Array("nonceChanges", len(account.NonceChanges), func(dst []byte, i int) []byte {
		o := beginChange(dst, account.NonceChanges[i].BlockAccessIndex)
		o.Quantity("value", account.NonceChanges[i].PostNonce)
		return o.End()
	})
	o.Array("codeChanges", len(account.CodeChanges), func(dst []byte, i int) []byte {
		o := beginChange(dst, account.CodeChanges[i].BlockAccessIndex)
		o.Bytes("code", account.CodeChanges[i].NewCode)
		return o.End()
	})
	return o.End()
}

// beginChange opens a change made at an index: 0 before the transactions, n at the n-th, one more at the block's end.
func beginChange(dst []byte, index uint32) Object {
	o := Begin(dst)
	o.Quantity("index", uint64(index))
	return o
}

// word writes a number as 32 bytes.
func (o *Object) word(name string, v *uint256.Int) {
	o.Key(name)
	o.Dst = appendWord(o.Dst, v)
}

func appendWord(dst []byte, v *uint256.Int) []byte {
	word := v.Bytes32()
	return AppendHex(dst, word[:])
}
