// Package checkout is a merchant's back end for deferred payments: a payer signs off-chain, the merchant stores the
// signature with an order and captures later. The payer signs an exact transfer (EIP-3009; contract 2.7-type, 3.1-state
// and 4.2-store), a ceiling for captures in parts, or an amount for every period.
//
// Three rules keep the money right whatever crashes, and whatever the chain takes back:
//
//   - A transaction is recorded, nonce and signed bytes, before it is sent. If it is unsent, lost or removed, the same
//     bytes are sent again, which can settle once at most.
//   - What happened is read from the chain, never remembered from a call: an order is captured while the newest sealed
//     block's chain holds both the AuthorizationUsed and the Transfer to the merchant, and not otherwise.
//   - Events only say that it is time to look again. A lost, repeated or late event costs time, never money.
//
// It knows a chain by its RPC endpoint alone.
package checkout
