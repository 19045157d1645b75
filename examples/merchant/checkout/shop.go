package checkout

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"errors"
	"fmt"
	"log/slog"
	"math/big"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
)

// Config describes a Shop. URL, Database and Key are required.
type Config struct {
	// URL of the chain's JSON-RPC endpoint over HTTP.
	URL string
	// WebSocketURL of the same endpoint. Empty: URL with the scheme ws or wss.
	WebSocketURL string
	// Token is the payment token's address.
	Token common.Address
	// Key of the merchant's account, which is paid and pays for gas. No one else may send transactions with it.
	Key *ecdsa.PrivateKey
	// Database is the path of the SQLite file; it is created if need be.
	Database string
	// Timeout of one call to the endpoint. Zero: 5 s.
	Timeout time.Duration
	// Poll is how often the chain is looked at without any event. Zero: 15 s.
	Poll time.Duration
	// Logger gets what happens to orders, without any credential. Nil: slog.Default().
	Logger *slog.Logger
}

// Shop is the back end: clients call its methods, and Run does the work in the background. Safe for concurrent use.
type Shop struct {
	config   Config
	chain    *chain
	payments map[Path]payment
	store    *store
	log      *slog.Logger
	awake    chan struct{} // capacity 1: look at the chain again

	mu      sync.Mutex
	changed chan struct{} // closed, and replaced, when any order changes
}

// Open connects to the chain and opens the database. Close the Shop when done. The error reports which of them failed,
// or that the database belongs to another chain, token or merchant.
func Open(ctx context.Context, config Config) (*Shop, error) {
	if config.Key == nil {
		return nil, errors.New("no key of the merchant")
	}
	config.Timeout = cmp.Or(config.Timeout, 5*time.Second)
	config.Poll = cmp.Or(config.Poll, 15*time.Second)
	if config.WebSocketURL == "" {
		config.WebSocketURL = strings.Replace(config.URL, "http", "ws", 1)
	}
	if config.Logger == nil {
		config.Logger = slog.Default()
	}
	if _, err := withoutPassword(config.WebSocketURL); err != nil {
		return nil, err
	}
	merchant := crypto.PubkeyToAddress(config.Key.PublicKey)
	chain, err := dialChain(ctx, config.URL, config.Timeout, config.Token, merchant)
	if err != nil {
		return nil, err
	}
	store, err := openStore(ctx, config.Database, identity{chain.domain.ChainID, chain.genesis, config.Token, merchant})
	if err != nil {
		chain.close()
		return nil, err
	}
	return &Shop{
		config: config, chain: chain, payments: payments(chain), store: store, log: config.Logger,
		awake: make(chan struct{}, 1), changed: make(chan struct{}),
	}, nil
}

// Close closes the database and the connection. Run must have returned.
func (s *Shop) Close() error {
	s.chain.close()
	return s.store.close()
}

// Merchant returns the account that is paid.
func (s *Shop) Merchant() common.Address { return s.chain.merchant }

// Show returns an order. Problems: NotFound.
func (s *Shop) Show(ctx context.Context, id string) (Order, error) { return s.store.order(ctx, id) }

// lookAgain is how long Wait waits for a signal before it looks by itself.
const lookAgain = time.Second

// Wait returns an order as soon as its version is past the one given, or as it is when ctx ends. Problems: NotFound.
func (s *Shop) Wait(ctx context.Context, id string, version int64) (Order, error) {
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		o, err := s.store.order(context.WithoutCancel(ctx), id)
		if err != nil || o.Version > version || ctx.Err() != nil {
			return o, err
		}
		select {
		case <-changed:
		case <-time.After(lookAgain): // another process may have the file, too
		case <-ctx.Done():
		}
	}
}

// tell logs the state of an order after a change, and wakes the callers of Wait.
func (s *Shop) tell(ctx context.Context, id string) {
	if o, err := s.store.order(context.WithoutCancel(ctx), id); err == nil { // what changed is told, also as the shop ends
		attributes := []any{"order", id, "version", o.Version, "path", o.Path, "stage", o.Stage(), "received", formatAmount(o.Received()), "expired", o.Expired, "final", o.Final}
		if o.Settlement != nil {
			attributes = append(attributes, "outcome", o.Settlement.Outcome, "sealed", o.Settlement.Sealed(), "transaction", o.Settlement.Transaction)
		}
		for _, t := range o.Transactions {
			attributes = append(attributes, fmt.Sprintf("%s.%d", t.Kind, t.Nonce), t.State)
		}
		s.log.Info("order changed", attributes...)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// wake makes Run look at the chain again, soon.
func (s *Shop) wake() {
	select {
	case s.awake <- struct{}{}:
	default:
	}
}

// sign makes the merchant's transaction out of a call, if the purse holds what it may cost besides what is reserved.
// Its account nonce is the next one recorded, or what the chain counts when that is ahead: the account then has a
// history older than the database.
func (s *Shop) sign(p call) func(next uint64, reserved *big.Int) (*types.Transaction, error) {
	return func(next uint64, reserved *big.Int) (*types.Transaction, error) {
		signed, err := types.SignNewTx(s.config.Key, s.chain.signer, s.chain.transaction(p, max(next, p.nonce)))
		if err != nil {
			return nil, err
		}
		return signed, s.chain.affordable(p.purse, reserved.Add(reserved, signed.Cost()))
	}
}
