package command

import (
	"cmp"
	"math"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/contracts/entrypoint"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/userop"
)

// paymasterParams is a Paymaster, and its deposit, as fakenode_paymaster takes them.
type paymasterParams struct {
	api.ControlObject `wanted:"{deny?, maxCost?, budget?, validFor?, signature?, exchangeRate?, deposit?}"`

	Deny      []common.Address          `json:"deny"`
	MaxCost   *amount                   `json:"maxCost"`
	Budget    *amount                   `json:"budget"`
	ValidFor  api.Number                `json:"validFor"`
	Signature userop.PaymasterSignature `json:"signature"`
	Deposit   *amount                   `json:"deposit"`
	// ExchangeRate is in token units per ether.
	ExchangeRate *amount `json:"exchangeRate"`
}

// paymasterObject is the answer to fakenode_paymaster, in wei and seconds. An absent member means no limit.
type paymasterObject struct {
	Address   common.Address            `json:"address"`
	Signer    common.Address            `json:"signer"`
	Deny      []common.Address          `json:"deny"`
	MaxCost   *hexutil.U256             `json:"maxCost,omitempty"`
	Budget    *hexutil.U256             `json:"budget,omitempty"`
	ValidFor  uint64                    `json:"validFor,omitempty"`
	Signature userop.PaymasterSignature `json:"signature"`
	// ExchangeRate is in token units per ether.
	ExchangeRate *hexutil.U256   `json:"exchangeRate"`
	Deposits     []depositObject `json:"deposits"`
}

// depositObject is the paymaster's deposit at an EntryPoint, after the pre-confirmed transactions.
type depositObject struct {
	EntryPoint common.Address `json:"entryPoint"`
	Deposit    *hexutil.U256  `json:"deposit"`
}

// Paymaster serves fakenode_paymaster: it sets the rules of the paymaster service, and the paymaster's deposit. It
// answers the present settings, also without a parameter.
func Paymaster(r *api.Request, p *paymasterParams) (any, error) {
	deposits, err := userop.Deposits(r.Moment())
	if err != nil {
		return nil, r.BadInput(err)
	}
	if p != nil {
		err := r.Network.Timeline.Atomically(func(t *preconf.Timeline) error {
			err := userop.SetPaymaster(t, userop.Paymaster{
				Deny: p.Deny, ValidFor: time.Duration(min(p.ValidFor, math.MaxInt64/api.Number(time.Second))) * time.Second,
				Signature: p.Signature, MaxCost: p.MaxCost.word(), Budget: p.Budget.word(), ExchangeRate: p.ExchangeRate.word(),
			})
			if err != nil || p.Deposit == nil {
				return err
			}
			return userop.SetPaymasterDeposit(t, &p.Deposit.Int)
		})
		if err != nil {
			return nil, r.BadInput(err)
		}
		if deposits, err = userop.Deposits(r.Moment()); err != nil {
			return nil, r.BadInput(err)
		}
	}
	now := userop.PaymasterOf(r.Moment())
	object := paymasterObject{
		Address: entrypoint.PaymasterAddress, Signer: entrypoint.PaymasterSigner, Deny: append([]common.Address{}, now.Deny...),
		MaxCost: (*hexutil.U256)(now.MaxCost), Budget: (*hexutil.U256)(now.Budget), ValidFor: uint64(now.ValidFor / time.Second),
		Signature: cmp.Or(now.Signature, userop.ValidSignature), ExchangeRate: (*hexutil.U256)(now.Rate()),
	}
	for _, d := range deposits {
		object.Deposits = append(object.Deposits, depositObject{d.EntryPoint, (*hexutil.U256)(d.Wei)})
	}
	return object, nil
}
