// Package paywall sells HTTP answers by x402: Route asks for a payment, serves a request that brings one, and has it
// settled by a Facilitator, which checks and submits what payers signed. It speaks `exact` over EIP-3009 and `upto`
// over Permit2.
package paywall
