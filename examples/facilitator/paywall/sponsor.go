package paywall

import (
	"encoding/json"
	"errors"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/tokencontract"
)

// The extensions by which a payer who has no ether allows Permit2.
const (
	PermitSponsoring   = "eip2612GasSponsoring"       // a permit, which goes into the settling transaction
	ApprovalSponsoring = "erc20ApprovalGasSponsoring" // a signed transaction, which the facilitator sends before
)

// expirySlack is how long a signature must still be good for, in seconds.
const expirySlack = 6

// Allowance is the payment's permission for Permit2 to take its tokens: a permit, an approval, or nothing.
type Allowance struct {
	Permit    *tokencontract.Permit
	Signature tokencontract.Signature // of Permit
	Approval  *types.Transaction
}

// sponsoring is the info of both extensions, as clients send it.
type sponsoring struct {
	From, Asset, Spender common.Address
	Amount, Deadline     *uint256.Int
	Signature            hexutil.Bytes
	SignedTransaction    hexutil.Bytes
}

// Allowance reads the extensions of a payment by Permit2. Its errors are x402's reasons.
func (p Payment) Allowance(payer, asset common.Address) (Allowance, error) {
	if raw, ok := p.Extensions[PermitSponsoring]; ok {
		return readPermit(raw.Info, payer, asset)
	}
	if raw, ok := p.Extensions[ApprovalSponsoring]; ok {
		return readApproval(raw.Info, payer, asset)
	}
	return Allowance{}, nil
}

func readPermit(info json.RawMessage, payer, asset common.Address) (Allowance, error) {
	var s sponsoring
	signature, err := tokencontract.Signature{}, json.Unmarshal(info, &s)
	if err == nil {
		signature, err = tokencontract.ParseSignature(s.Signature)
	}
	switch {
	case err != nil || s.Amount == nil || s.Deadline == nil:
		return Allowance{}, errors.New("invalid_eip2612_extension_format")
	case s.From != payer:
		return Allowance{}, errors.New("eip2612_from_mismatch")
	case s.Asset != asset:
		return Allowance{}, errors.New("eip2612_asset_mismatch")
	case s.Spender != permit2.Address:
		return Allowance{}, errors.New("eip2612_spender_not_permit2")
	case s.Deadline.LtUint64(uint64(time.Now().Unix()) + expirySlack):
		return Allowance{}, errors.New("eip2612_deadline_expired")
	}
	return Allowance{Permit: &tokencontract.Permit{Owner: s.From, Spender: s.Spender, Value: s.Amount, Deadline: s.Deadline}, Signature: signature}, nil
}

func readApproval(info json.RawMessage, payer, asset common.Address) (Allowance, error) {
	var s sponsoring
	if err := json.Unmarshal(info, &s); err != nil || s.Amount == nil {
		return Allowance{}, errors.New("invalid_erc20_approval_extension_format")
	}
	switch {
	case s.From != payer:
		return Allowance{}, errors.New("erc20_approval_from_mismatch")
	case s.Asset != asset:
		return Allowance{}, errors.New("erc20_approval_asset_mismatch")
	case s.Spender != permit2.Address:
		return Allowance{}, errors.New("erc20_approval_spender_not_permit2")
	}
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(s.SignedTransaction); err != nil {
		return Allowance{}, errors.New("erc20_approval_tx_parse_failed")
	}
	data := tx.Data()
	signer, err := types.Sender(types.LatestSignerForChainID(tx.ChainId()), tx)
	switch {
	case tx.To() == nil || *tx.To() != asset:
		return Allowance{}, errors.New("erc20_approval_tx_wrong_target")
	case len(data) < 4 || hexutil.Encode(data[:4]) != "0x095ea7b3":
		return Allowance{}, errors.New("erc20_approval_tx_wrong_selector")
	case len(data) < 4+64:
		return Allowance{}, errors.New("erc20_approval_tx_invalid_calldata")
	case common.BytesToAddress(data[4:36]) != permit2.Address:
		return Allowance{}, errors.New("erc20_approval_tx_wrong_spender")
	case err != nil:
		return Allowance{}, errors.New("erc20_approval_tx_invalid_signature")
	case signer != payer:
		return Allowance{}, errors.New("erc20_approval_tx_signer_mismatch")
	}
	return Allowance{Approval: tx}, nil
}
