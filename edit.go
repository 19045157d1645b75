package fakenode

import (
	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/userop"
)

// The methods of this file change the state of the newest block by hand, and with it that of the pending block. A
// network whose state was edited is not Importable. They fail the test, or panic outside one, where a fork's other
// chain does not answer.

// SetBalance gives an account this balance, in wei.
func (n *Network) SetBalance(account common.Address, wei *uint256.Int) {
	n.node.t.Helper()
	n.edit(account, func(s *evmstate.State) *evmstate.State { return s.WithBalance(account, wei) })
}

// SetCode sets the code of an account; with empty code the account has none.
func (n *Network) SetCode(account common.Address, code []byte) {
	n.node.t.Helper()
	n.edit(account, func(s *evmstate.State) *evmstate.State { return s.WithCode(account, code) })
}

// SetNonce gives an account this nonce. After a lower one than it had, transactions of earlier blocks can be sent
// again.
func (n *Network) SetNonce(account common.Address, nonce uint64) {
	n.node.t.Helper()
	n.edit(account, func(s *evmstate.State) *evmstate.State { return s.WithNonce(account, nonce) })
}

// SetStorage writes a slot of an account's storage.
func (n *Network) SetStorage(account common.Address, slot, value common.Hash) {
	n.node.t.Helper()
	n.edit(account, func(s *evmstate.State) *evmstate.State { return s.WithStorage(account, slot, value) })
}

// Delegate lets an account run the code of an implementation (EIP-7702), or none any more for the zero address, as an
// authorization does that the account signed: its nonce is one higher then, and a transaction that waits or is
// pre-confirmed with the nonce before is dropped. It fails the test as well for an account with code of its own, and
// before the hard fork prague.
func (n *Network) Delegate(account, implementation common.Address) {
	n.node.t.Helper()
	n.load(account)
	n.check(n.Timeline().Delegate(account, implementation))
}

// edit changes an account of the newest block.
func (n *Network) edit(account common.Address, change func(*evmstate.State) *evmstate.State) {
	n.node.t.Helper()
	n.load(account)
	n.check(n.Timeline().EditState(change))
}

// load makes an account of the newest block known, on a fork by asking the other chain.
func (n *Network) load(account common.Address) {
	n.node.t.Helper()
	state, err := n.Moment().Latest().State()
	if err == nil {
		err = state.Load(account)
	}
	n.check(err)
}

// Impersonate lets clients send transactions from an account without its key, by eth_sendTransaction.
func (n *Network) Impersonate(account common.Address) {
	n.node.t.Helper()
	n.check(n.Timeline().Set(preconf.Impersonate(account, true)))
}

// StopImpersonating ends Impersonate.
func (n *Network) StopImpersonating(account common.Address) {
	_ = n.Timeline().Set(preconf.Impersonate(account, false)) // it cannot fail
}

// ImpersonateAll does what Impersonate does for every account, or ends that.
func (n *Network) ImpersonateAll(on bool) {
	_ = n.Timeline().Set(preconf.ImpersonateAll(on)) // it cannot fail
}

// DropTransaction removes a transaction from the pool, as a node does that has no room for it, and reports whether it
// was there.
func (n *Network) DropTransaction(hash common.Hash) bool { return n.Timeline().DropTransaction(hash) }

// Hold keeps transactions in the pool, for a time or until Release, so that their signatures can expire there. The
// error names the invalid field of h.
func (n *Network) Hold(h Hold) error { return n.Timeline().Hold(h) }

// Release ends all holds and returns how many transactions of the pool they held. The next flashblock or block takes
// these; in Instant mode they are sealed.
func (n *Network) Release() int {
	n.node.t.Helper()
	released, err := n.Timeline().Release()
	n.check(err)
	return released
}

// SetWeather lets the base fee, the blob base fee, the gas limit or the fees of L1 take a course over the next blocks.
// The error names the invalid field of w.
func (n *Network) SetWeather(w Weather) error { return n.Timeline().Set(preconf.Weather(w)) }

// SetPaymaster decides which operations the paymaster service (ERC-7677) sponsors from now on; the zero Paymaster
// sponsors all. The error names the invalid field of p.
func (n *Network) SetPaymaster(p Paymaster) error { return userop.SetPaymaster(n.Timeline(), p) }

// SetPaymasterDeposit makes the deposit of the service's paymaster at every EntryPoint that much wei, below 2^112. It
// has 1,000 ether in a genesis with the payment contracts; elsewhere there is none, which is an error.
func (n *Network) SetPaymasterDeposit(wei *uint256.Int) error {
	return userop.SetPaymasterDeposit(n.Timeline(), wei)
}
