// Package escrow is an escrow that reserves a payment and captures it later: Solidity sources, compiled code, Go
// bindings and the messages that payers sign. Escrow and collectors answer like the deployed ones of
// base/commerce-payments, in both versions; the code is fakenode's own.
//
//	payment := escrow.Payment{Operator: shop, Payer: payer, Receiver: shop, Token: token, MaxAmount: amount, …}
//	authorization := payment.Authorization(31337, escrow.V1_1) // the payer signs its ReceiveMessage
//	data := payment.PackAuthorize(amount, escrow.V1_1.ERC3009Collector, signature)
package escrow

import (
	_ "embed"
	"math/big"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/tokencontract"
)

// Deployment holds the addresses of one version of the contracts on every chain.
type Deployment struct {
	Escrow               common.Address
	ERC3009Collector     common.Address // takes a ReceiveWithAuthorization
	Permit2Collector     common.Address // takes a signed Permit2 transfer
	PreApprovalCollector common.Address // takes the payer's own transaction; zero: this version has none
	RefundCollector      common.Address // takes the operator's tokens, for refunds
}

var (
	// V1_0 takes fees in basis points.
	V1_0 = Deployment{
		Escrow:               common.HexToAddress("0xBdEA0D1bcC5966192B070Fdf62aB4EF5b4420cff"),
		ERC3009Collector:     common.HexToAddress("0x0E3dF9510de65469C4518D7843919c0b8C7A7757"),
		Permit2Collector:     common.HexToAddress("0x992476B9Ee81d52a5BdA0622C333938D0Af0aB26"),
		PreApprovalCollector: common.HexToAddress("0x1b77ABd71FCD21fbe2398AE821Aa27D1E6B94bC6"),
		RefundCollector:      common.HexToAddress("0x934907bffd0901b6A21e398B9C53A4A38F02fa5d"),
	}
	// V1_1 takes fees as amounts. x402's `auth-capture` uses it by default.
	V1_1 = Deployment{
		Escrow:           common.HexToAddress("0xf96815976523E00e65Be8f34cA5e64b4f41EB19c"),
		ERC3009Collector: common.HexToAddress("0x8612dfdc421f80336cd14E8EF9cb1E765dB5ab88"),
		Permit2Collector: common.HexToAddress("0xD69831Aed5bfe262067ec4c751f4F830EcdD446e"),
		RefundCollector:  common.HexToAddress("0x7a03443724d14798c4AB4622F1DAAcA761Fea486"),
	}
)

//go:embed escrow_v1_0.code
var escrowV1_0Code []byte

// Predeploys returns the genesis accounts of both versions. They call Permit2 and Multicall3 at their usual addresses.
// Do not modify.
var Predeploys = sync.OnceValue(func() types.GenesisAlloc {
	alloc := types.GenesisAlloc{}
	place(alloc, V1_0, escrowV1_0Code)
	place(alloc, V1_1, escrowRuntime())
	return alloc
})

func place(alloc types.GenesisAlloc, d Deployment, escrow []byte) {
	// Deploying the escrow creates the token store that it clones.
	store := crypto.CreateAddress(d.Escrow, 1)
	alloc[d.Escrow] = types.Account{Code: contracts.Immutable(escrow, store), Balance: new(big.Int), Nonce: 2}
	alloc[store] = types.Account{Code: contracts.Immutable(tokenStoreRuntime(), d.Escrow), Balance: new(big.Int), Nonce: 1}
	collectors := map[common.Address][]byte{
		d.ERC3009Collector: erc3009CollectorRuntime(), d.Permit2Collector: permit2CollectorRuntime(), d.RefundCollector: refundCollectorRuntime(),
	}
	if d.PreApprovalCollector != (common.Address{}) {
		collectors[d.PreApprovalCollector] = preApprovalCollectorRuntime()
	}
	for address, code := range collectors {
		alloc[address] = types.Account{Code: contracts.Immutable(code, d.Escrow), Balance: new(big.Int), Nonce: 1}
	}
}

// The interfaces are parsed on first use, because parsing takes longer than starting a node.
var (
	binding            = sync.OnceValue(NewAuthCaptureEscrow)
	preApprovalBinding = sync.OnceValue(NewPreApprovalPaymentCollector)
)

// Payment holds everything that the parties agree on before money moves. Times are in Unix seconds; each is the first
// second at which the step can no longer be taken, and they must not decrease.
type Payment struct {
	Operator            common.Address // drives the payment: authorizes, captures, voids, refunds
	Payer               common.Address
	Receiver            common.Address // gets the captured amounts, less fees
	Token               common.Address
	MaxAmount           *uint256.Int   // token units, at most 2^120 - 1
	PreApprovalExpiry   uint64         // of authorizing or charging
	AuthorizationExpiry uint64         // of capturing; from then on the payer can reclaim
	RefundExpiry        uint64         // of refunding
	MinFeeBps           uint16         // of each capture, 1/10,000
	MaxFeeBps           uint16         // of each capture, 1/10,000
	FeeReceiver         common.Address // zero: the operator names one at each capture
	Salt                *uint256.Int   // distinguishes equal payments; nil is 0
}

// Hash returns the payment's name on an escrow.
func (p Payment) Hash(chainID uint64, escrow common.Address) common.Hash {
	typehash := crypto.Keccak256Hash([]byte("PaymentInfo(address operator,address payer,address receiver,address token,uint120 maxAmount,uint48 preApprovalExpiry,uint48 authorizationExpiry,uint48 refundExpiry,uint16 minFeeBps,uint16 maxFeeBps,address feeReceiver,uint256 salt)"))
	terms := p.PackVoid()[4:] // the call has no other argument
	id := common.BigToHash(new(big.Int).SetUint64(chainID))
	return crypto.Keccak256Hash(id[:], common.LeftPadBytes(escrow[:], 32), crypto.Keccak256(typehash[:], terms))
}

// Nonce returns the nonce of the payer's signature: the payment's hash without its payer, so that a payment can be
// requested before it is known who pays.
func (p Payment) Nonce(chainID uint64, escrow common.Address) common.Hash {
	p.Payer = common.Address{}
	return p.Hash(chainID, escrow)
}

// Authorization returns the authorization that the payer signs, as a ReceiveMessage, to pay through the ERC-3009
// collector.
func (p Payment) Authorization(chainID uint64, d Deployment) tokencontract.Authorization {
	return tokencontract.Authorization{
		From: p.Payer, To: d.ERC3009Collector, Value: p.MaxAmount, ValidBefore: p.PreApprovalExpiry, Nonce: p.Nonce(chainID, d.Escrow),
	}
}

// Permit returns the permit that the payer signs to pay through the Permit2 collector.
func (p Payment) Permit(chainID uint64, d Deployment) permit2.TransferPermit {
	nonce := p.Nonce(chainID, d.Escrow)
	return permit2.TransferPermit{
		Token: p.Token, Amount: p.MaxAmount, Spender: d.Permit2Collector, Nonce: new(uint256.Int).SetBytes(nonce[:]), Deadline: p.PreApprovalExpiry,
	}
}

// PackAuthorize returns the call data of authorize, which reserves token units; the same in both versions.
func (p Payment) PackAuthorize(amount *uint256.Int, collector common.Address, collectorData []byte) []byte {
	return binding().PackAuthorize(p.info(), amount.ToBig(), collector, collectorData)
}

// PackCapture returns the call data of version 1.1's capture; amount and fee in token units.
func (p Payment) PackCapture(amount, fee *uint256.Int, feeReceiver common.Address) []byte {
	return binding().PackCapture(p.info(), amount.ToBig(), contracts.BigInt(fee), feeReceiver)
}

// PackCaptureV1_0 returns the call data of version 1.0's capture; amount in token units, fee in basis points.
func (p Payment) PackCaptureV1_0(amount *uint256.Int, feeBps uint16, feeReceiver common.Address) []byte {
	const signature = "capture((address,address,address,address,uint120,uint48,uint48,uint48,uint16,uint16,address,uint256),uint256,uint16,address)"
	arguments := p.PackCapture(amount, uint256.NewInt(uint64(feeBps)), feeReceiver)[4:] // which are encoded alike
	return append(crypto.Keccak256([]byte(signature))[:4], arguments...)
}

// PackCharge returns the call data of version 1.1's charge, which reserves and captures at once.
func (p Payment) PackCharge(amount *uint256.Int, collector common.Address, collectorData []byte, fee *uint256.Int, feeReceiver common.Address) []byte {
	return binding().PackCharge(p.info(), amount.ToBig(), collector, collectorData, contracts.BigInt(fee), feeReceiver)
}

// PackPreApprove returns the call data of the pre-approval collector's preApprove. The payer sends it.
func (p Payment) PackPreApprove() []byte { return preApprovalBinding().PackPreApprove(p.info()) }

// PackVoid returns the call data of void; the same in both versions.
func (p Payment) PackVoid() []byte { return binding().PackVoid(p.info()) }

// PackReclaim returns the call data of reclaim; the same in both versions.
func (p Payment) PackReclaim() []byte { return binding().PackReclaim(p.info()) }

// PackRefund returns the call data of refund, in token units; the same in both versions.
func (p Payment) PackRefund(amount *uint256.Int, collector common.Address, collectorData []byte) []byte {
	return binding().PackRefund(p.info(), amount.ToBig(), collector, collectorData)
}

func (p Payment) info() PaymentInfo {
	number := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
	return PaymentInfo{
		Operator: p.Operator, Payer: p.Payer, Receiver: p.Receiver, Token: p.Token, MaxAmount: contracts.BigInt(p.MaxAmount),
		PreApprovalExpiry: number(p.PreApprovalExpiry), AuthorizationExpiry: number(p.AuthorizationExpiry), RefundExpiry: number(p.RefundExpiry),
		MinFeeBps: p.MinFeeBps, MaxFeeBps: p.MaxFeeBps, FeeReceiver: p.FeeReceiver, Salt: contracts.BigInt(p.Salt),
	}
}
