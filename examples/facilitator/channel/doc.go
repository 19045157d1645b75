// Package channel is x402's `batch-settlement`: one deposit, a signed voucher for each request, claims in batches. A
// Scheme is the facilitator's side, which checks and submits; a Till is the seller's, which keeps in a database what
// each channel owes, and a Keeper sees to it that the chain comes to agree: it claims, settles, outruns withdrawals,
// and deposits again what a reorg took away.
package channel
