package artifacts

import (
	"bytes"
	"encoding/hex"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
)

// template is deployed code as the compiler leaves it: with zeros where the constructor puts immutables, and in the
// places of addresses of libraries and of a library's own address.
type template struct {
	code []byte
	open []span // any bytes fit here
}

type span struct{ start, length int }

// newTemplate reads code in hex without 0x.
func newTemplate(text string) (t template, err error) {
	for { // placeholders of libraries have 40 characters, such as __$4a1c…$__
		at := strings.Index(text, "__")
		if at < 0 || at+2*common.AddressLength > len(text) {
			break
		}
		t.open = append(t.open, span{at / 2, common.AddressLength})
		text = text[:at] + strings.Repeat("0", 2*common.AddressLength) + text[at+2*common.AddressLength:]
	}
	if t.code, err = hex.DecodeString(text); err != nil {
		return t, err
	}
	for at := 0; at < len(t.code); at++ {
		op := vm.OpCode(t.code[at])
		if op < vm.PUSH1 || op > vm.PUSH32 {
			continue
		}
		length := int(op-vm.PUSH1) + 1
		immutable := op == vm.PUSH32 || op == vm.PUSH20 && at == 0 // a library begins with its own address
		if immutable && at+length < len(t.code) && common.BytesToHash(t.code[at+1:at+1+length]) == (common.Hash{}) {
			t.open = append(t.open, span{at + 1, length})
		}
		at += length
	}
	return t, nil
}

// matches reports whether code may have been made from the template.
func (t *template) matches(code []byte) bool {
	if len(code) != len(t.code) || len(code) == 0 {
		return false
	}
	code = bytes.Clone(code)
	for _, s := range t.open {
		clear(code[s.start : s.start+s.length])
	}
	return bytes.Equal(code, t.code)
}
