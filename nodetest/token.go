package nodetest

import (
	"encoding/hex"
	"fmt"
	"math/big"
	"strings"
)

// Token is the payment token of a network, as of its newest sealed block. Amounts are in units of 6 decimals. Its
// methods fail the test where the network has no token.
type Token struct{ network *Network }

// Token returns the payment token.
func (n *Network) Token() *Token { return &Token{n} }

// Address returns the token's address, "" where the genesis has none.
func (t *Token) Address() string { return t.network.token }

// BalanceOf returns the balance of an account, in token units.
func (t *Token) BalanceOf(account any) *big.Int {
	t.network.t.Helper()
	return t.ask("70a08231", t.word(account)) // balanceOf(address)
}

// TotalSupply returns the sum of all balances, in token units.
func (t *Token) TotalSupply() *big.Int {
	t.network.t.Helper()
	return t.ask("18160ddd") // totalSupply()
}

// AuthorizationState reports whether a payer's nonce, 32 bytes, is used or canceled (EIP-3009).
func (t *Token) AuthorizationState(payer, nonce any) bool {
	t.network.t.Helper()
	return t.ask("e94a0102", t.word(payer), t.word(nonce)).Sign() != 0 // authorizationState(address,bytes32)
}

// Mint gives an account that many more token units.
func (t *Token) Mint(to any, units *big.Int) {
	t.network.t.Helper()
	if _, err := t.network.MintToken(to, units); err != nil {
		t.network.t.Fatalf("nodetest: %v", err)
	}
}

// word returns an address or 32 bytes as a word of call data.
func (t *Token) word(value any) string {
	t.network.t.Helper()
	text, err := hexText(value)
	if err == nil {
		text = strings.TrimPrefix(text, "0x")
		if _, err = hex.DecodeString(text); err == nil && len(text) != 40 && len(text) != 64 {
			err = fmt.Errorf("0x%s has %d bytes, want the 20 of an address or 32", text, len(text)/2)
		}
	}
	if err != nil {
		t.network.t.Fatalf("nodetest: %v", err)
	}
	return strings.Repeat("0", 64-len(text)) + text
}

// ask calls a function of the token and returns the word that it answers.
func (t *Token) ask(selector string, words ...string) *big.Int {
	t.network.t.Helper()
	var answer string
	data := "0x" + selector + strings.Join(words, "")
	t.network.must(&answer, "eth_call", map[string]any{"to": t.Address(), "data": data}, "latest")
	number, ok := new(big.Int).SetString(strings.TrimPrefix(answer, "0x"), 16)
	if !ok {
		t.network.t.Fatalf("nodetest: there is no payment token at %q: it answers %q", t.Address(), answer)
	}
	return number
}
