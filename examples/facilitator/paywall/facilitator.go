package paywall

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
)

// poll is how long a Facilitator waits between two looks at a transaction.
const poll = 200 * time.Millisecond

// Facilitator checks payments on a chain and settles them, at its own cost. Safe for concurrent use.
type Facilitator struct {
	client  *ethclient.Client
	key     *ecdsa.PrivateKey
	chainID *big.Int
	schemes map[string]Scheme           // by name
	wait    func(context.Context) error // before a transaction is looked at again

	settling sync.Mutex // one at a time: each takes the account's next nonce
}

// NewFacilitator returns the facilitator of a chain. The key's account pays for gas.
func NewFacilitator(ctx context.Context, client *ethclient.Client, key *ecdsa.PrivateKey) (*Facilitator, error) {
	id, err := client.ChainID(ctx)
	if err != nil {
		return nil, fmt.Errorf("read chain id: %w", err)
	}
	f := &Facilitator{client: client, key: key, chainID: id, wait: func(ctx context.Context) error {
		select {
		case <-time.After(poll):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}}
	f.schemes = map[string]Scheme{Exact: direct{f}, Upto: upto{direct{f}}}
	return f, nil
}

// Address returns the account that settles.
func (f *Facilitator) Address() common.Address { return crypto.PubkeyToAddress(f.key.PublicKey) }

// Network returns the chain's name in x402.
func (f *Facilitator) Network() string { return "eip155:" + f.chainID.String() }

// Verify returns the payer, or an error if the payment could not be settled now for its whole amount. Nothing is
// reserved: the payer can spend the money elsewhere until it is settled.
func (f *Facilitator) Verify(ctx context.Context, p Payment, r Requirements) (payer common.Address, err error) {
	s, err := f.try(ctx, p, r, r.Amount)
	return s.payer, err
}

// try runs a settlement without sending it. The contracts make the remaining checks.
func (f *Facilitator) try(ctx context.Context, p Payment, r Requirements, total *uint256.Int) (settlement, error) {
	if r.Network != f.Network() {
		return settlement{}, fmt.Errorf("network %.40q is not %s", r.Network, f.Network())
	}
	s, err := p.settlement(r, total)
	if err != nil {
		return settlement{}, err
	}
	if s.approval != nil { // until it is sent, the contracts would revert
		return s, nil
	}
	if _, err := f.client.PendingCallContract(ctx, ethereum.CallMsg{From: f.Address(), To: &s.to, Data: s.data}); err != nil {
		return settlement{}, reason(err)
	}
	return s, nil
}

// Settle moves a total in token units: of Exact it is the amount, of Upto at most that. It returns once the transaction
// is in a sealed block.
func (f *Facilitator) Settle(ctx context.Context, p Payment, r Requirements, total *uint256.Int) (payer common.Address, transaction common.Hash, err error) {
	s, err := f.try(ctx, p, r, total)
	if err != nil {
		return common.Address{}, common.Hash{}, err
	}
	if err := f.Approve(ctx, s.approval); err != nil {
		return s.payer, common.Hash{}, err
	}
	transaction, err = f.Submit(ctx, s.to, s.data)
	return s.payer, transaction, err
}

// Approve sends a payer's approval of Permit2, and before it what the payer lacks for its gas; nil is none.
func (f *Facilitator) Approve(ctx context.Context, approval *types.Transaction) error {
	if approval == nil {
		return nil
	}
	payer, err := types.Sender(types.LatestSignerForChainID(f.chainID), approval)
	if err != nil {
		return fmt.Errorf("approval: %w", err)
	}
	has, err := f.client.BalanceAt(ctx, payer, nil)
	if err != nil {
		return fmt.Errorf("read balance: %w", err)
	}
	if lacks := new(big.Int).Sub(approval.Cost(), has); lacks.Sign() > 0 {
		if _, err := f.submit(ctx, settlement{to: payer}, lacks); err != nil {
			return fmt.Errorf("pay for the approval: %w", err)
		}
	}
	return f.Sealed(ctx, approval)
}

// Submit sends a call in a transaction of the facilitator's and returns once that is in a sealed block. A
// pre-confirmation is not enough: it can be lost, and the same bytes are then sent again, which can take effect once at
// most. A transaction that reverts is an error.
func (f *Facilitator) Submit(ctx context.Context, to common.Address, data []byte) (common.Hash, error) {
	return f.submit(ctx, settlement{to: to, data: data}, new(big.Int))
}

func (f *Facilitator) submit(ctx context.Context, s settlement, wei *big.Int) (common.Hash, error) {
	f.settling.Lock()
	defer f.settling.Unlock()
	tx, err := f.sign(ctx, s, wei)
	if err != nil {
		return common.Hash{}, err
	}
	return tx.Hash(), f.Sealed(ctx, tx)
}

// Sealed sends a signed transaction, of whomever, until it is in a sealed block. One that reverts is an error.
func (f *Facilitator) Sealed(ctx context.Context, tx *types.Transaction) error {
	for {
		receipt, err := f.client.TransactionReceipt(ctx, tx.Hash())
		switch {
		case errors.Is(err, ethereum.NotFound): // new, waiting, or lost: the node rejects what it has already
			if err := f.client.SendTransaction(ctx, tx); err != nil && !f.has(ctx, tx) {
				return fmt.Errorf("send: %w", err)
			}
		case err != nil:
			return fmt.Errorf("read receipt: %w", err)
		case !f.inChain(ctx, receipt): // pre-confirmed
		case receipt.Status != types.ReceiptStatusSuccessful:
			return errors.New("the settlement reverted")
		default:
			return nil
		}
		if err := f.wait(ctx); err != nil {
			return err
		}
	}
}

// inChain reports whether the block of a receipt is in the chain. While it is being built, some nodes give it no hash,
// and those of OP Mainnet one that changes with every flashblock.
func (f *Facilitator) inChain(ctx context.Context, receipt *types.Receipt) bool {
	header, err := f.client.HeaderByNumber(ctx, receipt.BlockNumber)
	return err == nil && header.Hash() == receipt.BlockHash
}

// ChainID returns the chain's id.
func (f *Facilitator) ChainID() uint64 { return f.chainID.Uint64() }

// Read makes a call on the newest sealed block, as the facilitator's account. The error of a call that reverts holds
// the contract's words, or the selector of its error.
func (f *Facilitator) Read(ctx context.Context, to common.Address, data []byte) ([]byte, error) {
	answer, err := f.client.CallContract(ctx, ethereum.CallMsg{From: f.Address(), To: &to, Data: data}, nil)
	if err != nil {
		return nil, reason(err)
	}
	return answer, nil
}

// Code returns an account's code at the newest sealed block.
func (f *Facilitator) Code(ctx context.Context, account common.Address) ([]byte, error) {
	return f.client.CodeAt(ctx, account, nil)
}

func (f *Facilitator) has(ctx context.Context, tx *types.Transaction) bool {
	_, _, err := f.client.TransactionByHash(ctx, tx.Hash())
	return err == nil
}

func (f *Facilitator) sign(ctx context.Context, s settlement, wei *big.Int) (*types.Transaction, error) {
	nonce, err := f.client.PendingNonceAt(ctx, f.Address())
	if err != nil {
		return nil, fmt.Errorf("read nonce: %w", err)
	}
	price, err := f.client.SuggestGasPrice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read gas price: %w", err)
	}
	gas, err := f.client.EstimateGas(ctx, ethereum.CallMsg{From: f.Address(), To: &s.to, Data: s.data, Value: wei})
	if err != nil {
		return nil, reason(err)
	}
	return types.SignNewTx(f.key, types.LatestSignerForChainID(f.chainID), &types.LegacyTx{
		Nonce: nonce, GasPrice: price.Mul(price, big.NewInt(2)), Gas: gas + gas/5, To: &s.to, Data: s.data, Value: wei,
	})
}

// reason returns a call's error with the words or the selector that the contract reverted with.
func reason(err error) error {
	var detailed rpc.DataError
	if !errors.As(err, &detailed) {
		return err
	}
	data, _ := detailed.ErrorData().(string)
	if words, err := abi.UnpackRevert(common.FromHex(data)); err == nil {
		return errors.New(words)
	}
	return fmt.Errorf("%w: %.10s", err, data)
}
