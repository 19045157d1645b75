package channel

import (
	"encoding/json"
	"math"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/channels"
)

// Name is the scheme's name in x402.
const Name = "batch-settlement"

// The kinds of payload. A client sends the first three; a seller sends the rest, and a refund with more in it.
const (
	kindDeposit = "deposit"
	kindVoucher = "voucher"
	kindRefund  = "refund"
	kindClaim   = "claim"
	kindSettle  = "settle"
)

// payload is the payload of a payment of this scheme, of any kind.
type payload struct {
	Kind    string   `json:"type"`
	Config  *terms   `json:"channelConfig,omitempty"`
	Voucher *voucher `json:"voucher,omitempty"`
	Deposit *deposit `json:"deposit,omitempty"`

	// The token units of a refund. A client leaves it out to ask for all.
	Amount *uint256.Int `json:"amount,omitempty"`
	// Of a seller's refund and claim. Without a signature the facilitator signs, if it is the receiver's authorizer.
	RefundNonce     *uint256.Int  `json:"refundNonce,omitempty"`
	Claims          []claim       `json:"claims,omitempty"`
	ClaimSignature  hexutil.Bytes `json:"claimAuthorizerSignature,omitempty"`
	RefundSignature hexutil.Bytes `json:"refundAuthorizerSignature,omitempty"`
	// Of a settlement.
	Receiver *common.Address `json:"receiver,omitempty"`
	Token    *common.Address `json:"token,omitempty"`
}

// terms are channels.Channel on the wire.
type terms struct {
	Payer              common.Address `json:"payer"`
	PayerAuthorizer    common.Address `json:"payerAuthorizer"`
	Receiver           common.Address `json:"receiver"`
	ReceiverAuthorizer common.Address `json:"receiverAuthorizer"`
	Token              common.Address `json:"token"`
	WithdrawDelay      uint64         `json:"withdrawDelay"`
	Salt               common.Hash    `json:"salt"`
}

type voucher struct {
	ChannelID common.Hash   `json:"channelId"`
	Ceiling   *uint256.Int  `json:"maxClaimableAmount"`
	Signature hexutil.Bytes `json:"signature"`
}

type claim struct {
	Voucher struct {
		Channel terms        `json:"channel"`
		Ceiling *uint256.Int `json:"maxClaimableAmount"`
	} `json:"voucher"`
	Signature hexutil.Bytes `json:"signature"`
	Total     *uint256.Int  `json:"totalClaimed"`
}

type deposit struct {
	Amount        *uint256.Int `json:"amount"`
	Authorization struct {
		ERC3009 *authorization `json:"erc3009Authorization,omitempty"`
		Permit2 *permitted     `json:"permit2Authorization,omitempty"`
	} `json:"authorization"`
}

type authorization struct {
	ValidAfter  *uint256.Int  `json:"validAfter"`
	ValidBefore *uint256.Int  `json:"validBefore"`
	Salt        common.Hash   `json:"salt"`
	Signature   hexutil.Bytes `json:"signature"`
}

type permitted struct {
	From      common.Address `json:"from"`
	Permitted struct {
		Token  common.Address `json:"token"`
		Amount *uint256.Int   `json:"amount"`
	} `json:"permitted"`
	Spender  common.Address `json:"spender"`
	Nonce    *uint256.Int   `json:"nonce"`
	Deadline *uint256.Int   `json:"deadline"`
	Witness  struct {
		ChannelID common.Hash `json:"channelId"`
	} `json:"witness"`
	Signature hexutil.Bytes `json:"signature"`
}

// parse reads a payload. One that lacks what its kind needs has errPayloadType.
func parse(raw json.RawMessage) (p payload, err error) {
	if json.Unmarshal(raw, &p) != nil {
		return p, errPayloadType
	}
	whole := true
	switch p.Kind {
	case kindDeposit:
		whole = p.Config != nil && p.Voucher.whole() && p.Deposit != nil && p.Deposit.whole()
	case kindVoucher, kindRefund:
		whole = p.Config != nil && p.Voucher.whole()
	case kindClaim:
		whole = len(p.Claims) > 0
	case kindSettle:
		whole = p.Receiver != nil && p.Token != nil
	default:
		whole = false
	}
	for _, c := range p.Claims {
		whole = whole && c.Voucher.Ceiling != nil && c.Total != nil
	}
	if !whole {
		return p, errPayloadType
	}
	return p, nil
}

func (v *voucher) whole() bool { return v != nil && v.Ceiling != nil }

func (d deposit) whole() bool {
	a, p := d.Authorization.ERC3009, d.Authorization.Permit2
	return d.Amount != nil && (a == nil || seconds(a.ValidAfter) && seconds(a.ValidBefore)) &&
		(p == nil || p.Permitted.Amount != nil && p.Nonce != nil && seconds(p.Deadline))
}

// seconds reports whether n is set and fits a time in Unix seconds.
func seconds(n *uint256.Int) bool { return n != nil && n.IsUint64() }

func (t terms) channel() channels.Channel { return channels.Channel(t) }

// claim returns a claim of a total by the voucher.
func (p payload) claim(total *uint256.Int) claim {
	c := claim{Signature: p.Voucher.Signature, Total: total}
	c.Voucher.Channel, c.Voucher.Ceiling = *p.Config, p.Voucher.Ceiling
	return c
}

func (c claim) row() channels.Claim {
	return channels.Claim{Channel: c.Voucher.Channel.channel(), Ceiling: c.Voucher.Ceiling, Signature: c.Signature, Total: c.Total}
}

func rows(claims []claim) []channels.Claim {
	rows := make([]channels.Claim, len(claims))
	for i, c := range claims {
		rows[i] = c.row()
	}
	return rows
}

// expires returns when the payer's signature is worthless, in Unix seconds; one beyond what a database holds is cut.
func (d deposit) expires() uint64 {
	end := uint64(math.MaxInt64)
	if a := d.Authorization.ERC3009; a != nil {
		end = min(end, a.ValidBefore.Uint64())
	}
	if p := d.Authorization.Permit2; p != nil {
		end = min(end, p.Deadline.Uint64())
	}
	return end
}

func (p payload) encode() (json.RawMessage, error) { return json.Marshal(p) }
