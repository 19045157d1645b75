package paywall

import (
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"math/big"
	"strings"
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

	"github.com/fakenode/fakenode/examples/internal/behind"
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
	confirm time.Duration               // until a transaction is called pending
	pending Pending

	settling sync.Mutex         // one at a time: each takes the account's next nonce
	waits    *types.Transaction // of a caller who has left; under settling

	mu     sync.Mutex
	head   *types.Header // see newest
	doubts int           // answers in a row that named another block than head, and none above it
}

// Confirm is how long a Facilitator waits for a transaction's block. A Route waits twice, and answers in less than a
// minute.
const Confirm = 25 * time.Second

// NewFacilitator returns the facilitator of a chain. The key's account pays for gas. It waits for blocks as long as
// Confirm, and what is pending is forgotten with the process: see Remember.
func NewFacilitator(ctx context.Context, client *ethclient.Client, key *ecdsa.PrivateKey) (*Facilitator, error) {
	id, err := client.ChainID(ctx)
	if err != nil {
		return nil, fmt.Errorf("read chain id: %w", err)
	}
	f := &Facilitator{client: client, key: key, chainID: id, confirm: Confirm, pending: &memory{all: map[common.Hash]remembered{}}, wait: func(ctx context.Context) error {
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

// Remember lets transactions that are pending be kept elsewhere, and be called pending after another time. Call it
// before the facilitator serves.
func (f *Facilitator) Remember(in Pending, confirm time.Duration) { f.pending, f.confirm = in, confirm }

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

// try runs a settlement without sending it, unless it is under way. The contracts make the remaining checks.
func (f *Facilitator) try(ctx context.Context, p Payment, r Requirements, total *uint256.Int) (settlement, error) {
	if r.Network != f.Network() {
		return settlement{}, fmt.Errorf("network %.40q is not %s", r.Network, f.Network())
	}
	s, err := p.settlement(r, total)
	if err != nil {
		return settlement{}, err
	}
	underWay, err := f.underWay(ctx, s)
	if s.approval != nil && underWay {
		s.approval = nil // it was sent before
	}
	if err != nil || underWay || s.approval != nil { // until an approval is sent, the contracts would revert
		return s, err
	}
	_, err = behind.Again(maxTries, func() ([]byte, error) {
		return f.client.PendingCallContract(ctx, ethereum.CallMsg{From: f.Address(), To: &s.to, Data: s.data})
	})
	if err != nil {
		return settlement{}, reason(err)
	}
	return s, nil
}

// Settle moves a total in token units: of Exact it is the amount, of Upto at most that. It returns once the transaction
// is in a sealed block. After ErrPending the same call waits for the same transaction.
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
	head, err := f.newest(ctx)
	if err != nil {
		return err
	}
	has, err := behind.Again(maxTries, func() (*big.Int, error) { return f.client.BalanceAtHash(ctx, payer, head.Hash()) })
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
// most. A transaction that reverts is an error. After ErrPending the same call waits for the same transaction.
func (f *Facilitator) Submit(ctx context.Context, to common.Address, data []byte) (common.Hash, error) {
	return f.submit(ctx, settlement{to: to, data: data}, new(big.Int))
}

func (f *Facilitator) submit(ctx context.Context, s settlement, wei *big.Int) (common.Hash, error) {
	f.settling.Lock()
	defer f.settling.Unlock()
	ctx, cancel := context.WithTimeout(ctx, f.confirm)
	defer cancel()
	tx, err := f.pending.Pending(ctx, s.key(), time.Now())
	if err != nil {
		return common.Hash{}, err
	}
	if tx == nil {
		if err := f.clear(ctx); err != nil {
			return common.Hash{}, err
		}
	}
	for {
		if tx == nil {
			if tx, err = f.sign(ctx, s, wei); err != nil {
				return common.Hash{}, err
			}
			if err = f.pending.SetPending(ctx, s.key(), tx, time.Now().Add(pendingTime)); err != nil { // before it is sent
				return common.Hash{}, err
			}
		}
		err = f.Sealed(ctx, tx)
		if errors.Is(err, ErrPending) {
			f.waits = tx
			return tx.Hash(), err
		}
		if forgotten := f.pending.SetPending(ctx, s.key(), nil, time.Time{}); forgotten != nil && err == nil {
			return tx.Hash(), forgotten
		}
		if !errors.Is(err, errTaken) {
			return tx.Hash(), err
		}
		if err := f.wait(ctx); err != nil {
			return common.Hash{}, err
		}
		tx = nil
	}
}

// clear waits until a block holds the transaction of a caller who has left, or another with its nonce.
func (f *Facilitator) clear(ctx context.Context) error {
	if f.waits == nil {
		return nil
	}
	nonce, err := f.nonce(ctx)
	if err != nil {
		return fmt.Errorf("read nonce: %w", err)
	}
	if nonce <= f.waits.Nonce() {
		if err := f.Sealed(ctx, f.waits); errors.Is(err, ErrPending) { // how else it ends does not matter here
			return fmt.Errorf("a payment before this one: %w", err)
		}
	}
	f.waits = nil
	return nil
}

// errTaken is returned if another transaction waits with the nonce: one that was sent before a restart, of which
// nothing is remembered. It is not replaced, since somebody may have been told of it.
var errTaken = errors.New("send: another transaction of the account waits with its nonce")

// Sealed sends a signed transaction, of whomever, until it is in a sealed block. One that reverts is an error, and so
// is one that a node refuses. No answer says nothing about it: that ends with ctx, and then the error is ErrPending.
func (f *Facilitator) Sealed(ctx context.Context, tx *types.Transaction) error {
	for tooLow := 0; ; {
		receipt, err := f.client.TransactionReceipt(ctx, tx.Hash())
		switch {
		case errors.Is(err, ethereum.NotFound): // new, waiting, lost, or in a block that who answers does not have
			err := f.client.SendTransaction(ctx, tx)
			switch {
			case err == nil || strings.Contains(err.Error(), "already known") || f.has(ctx, tx):
				tooLow = 0
			case strings.Contains(err.Error(), "nonce too low") && tooLow < maxTries: // in a block, or another has its nonce
				tooLow++
			case strings.Contains(err.Error(), "replacement transaction underpriced"):
				return errTaken
			case errors.As(err, new(rpc.Error)):
				return fmt.Errorf("send: %w", err)
			}
		case err != nil || !f.inChain(ctx, receipt): // pre-confirmed, or removed by a reorg
		case receipt.Status != types.ReceiptStatusSuccessful:
			return errors.New("the settlement reverted")
		default:
			return nil
		}
		if err := f.wait(ctx); err != nil {
			return fmt.Errorf("%w: %w", ErrPending, err)
		}
	}
}

// ChainID returns the chain's id.
func (f *Facilitator) ChainID() uint64 { return f.chainID.Uint64() }

// Read makes a call on the newest sealed block, by its hash, as the facilitator's account. The error of a call that
// reverts holds the contract's words, or the selector of its error.
func (f *Facilitator) Read(ctx context.Context, to common.Address, data []byte) ([]byte, error) {
	head, err := f.newest(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := behind.Again(maxTries, func() ([]byte, error) {
		return f.client.CallContractAtHash(ctx, ethereum.CallMsg{From: f.Address(), To: &to, Data: data}, head.Hash())
	})
	if err != nil {
		return nil, reason(err)
	}
	return answer, nil
}

// Code returns an account's code at the newest sealed block.
func (f *Facilitator) Code(ctx context.Context, account common.Address) ([]byte, error) {
	head, err := f.newest(ctx)
	if err != nil {
		return nil, err
	}
	return behind.Again(maxTries, func() ([]byte, error) { return f.client.CodeAtHash(ctx, account, head.Hash()) })
}

func (f *Facilitator) has(ctx context.Context, tx *types.Transaction) bool {
	_, _, err := f.client.TransactionByHash(ctx, tx.Hash())
	return err == nil
}

func (f *Facilitator) sign(ctx context.Context, s settlement, wei *big.Int) (*types.Transaction, error) {
	nonce, err := f.nonce(ctx)
	if err != nil {
		return nil, fmt.Errorf("read nonce: %w", err)
	}
	price, err := f.client.SuggestGasPrice(ctx)
	if err != nil {
		return nil, fmt.Errorf("read gas price: %w", err)
	}
	gas, err := f.gas(ctx, ethereum.CallMsg{From: f.Address(), To: &s.to, Data: s.data, Value: wei})
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
