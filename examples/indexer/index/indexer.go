// Package index keeps the transfers and balances of one token, as of the chain's newest block, in a SQLite file.
//
// Four rules keep it right whatever the chain takes back:
//
//   - Blocks are named by hash. New ones are found by walking parent hashes down to a block that is indexed, so a reorg
//     of any depth, a gap and a restart are the same case.
//   - What leaves the chain and what replaces it change the file in one transaction: no reader sees half a reorg.
//   - Events only say that it is time to look again. A lost, repeated or late event costs time, never a transfer.
//   - One answer takes nothing back. Calls are spread over nodes, some of which are behind or on a branch that was
//     removed: a newest block that is not above the indexed one must be answered many times in a row.
//
// Pre-confirmed transfers are kept apart: they count towards no balance, and are forgotten as soon as the node no
// longer announces them. It knows a chain by its RPC endpoint alone.
package index

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// maxBlocks is how many new blocks one step takes in, one database transaction each.
const maxBlocks = 128

// maxDoubts is how many looks in a row must meet a newest block that is not above the indexed one until it is believed.
const maxDoubts = 10

// ErrBehind is returned if the endpoint's newest block is another than the indexed one and not above it: a node that is
// behind answered, or a reorg made the chain no longer. The index stays as it is until one of them is certain.
var ErrBehind = errors.New("the newest block is not above the one that is indexed")

// ErrOtherChain is returned if the chain does not have the block that the index starts from. A file cannot be moved to
// another chain.
var ErrOtherChain = errors.New("the chain does not hold the block the index starts from")

// Config describes an Indexer. URL, Token and Database are required.
type Config struct {
	// URL of the chain's JSON-RPC endpoint over HTTP.
	URL string
	// WebSocketURL of the same endpoint. Empty: URL with the scheme ws or wss.
	WebSocketURL string
	// Token is the address of the token.
	Token common.Address
	// Database is the path of the SQLite file; it is created if need be.
	Database string
	// Start is the block that opening balances are read at; transfers count from the block after it. Zero: genesis.
	// It must not be reorged any more, its state must be readable, and it stays the same for one file.
	Start uint64
	// Timeout of one call to the endpoint. Zero: 5 s.
	Timeout time.Duration
	// Poll is how often Run looks at the chain without any event. Zero: 2 s.
	Poll time.Duration
	// Logger gets reorgs and failures. Nil: slog.Default().
	Logger *slog.Logger
}

// Transfer is one movement of tokens.
type Transfer struct {
	From        common.Address // zero when minted
	To          common.Address // zero when burned
	Value       uint256.Int    // token units (6 decimals)
	Transaction common.Hash
	LogIndex    uint // in its block
	BlockNumber uint64
	BlockHash   common.Hash // zero while only pre-confirmed
	Memo        string      // 32 bytes in hex, where the token is B20 and the transfer has one
}

// Pending reports that the transfer is only pre-confirmed: no block holds it, and perhaps none ever will.
func (t Transfer) Pending() bool { return t.BlockHash == common.Hash{} }

// Status describes how far an index is.
type Status struct {
	Version     int64 // grows with every change, over restarts too
	BlockNumber uint64
	BlockHash   common.Hash // of the newest indexed block
}

// Indexer keeps one index. Safe for concurrent use; one process at a time may have the file open.
type Indexer struct {
	config Config
	chain  *chain
	store  *store
	log    *slog.Logger
	awake  chan struct{} // capacity 1: look at the chain again

	syncing sync.Mutex
	early   []Transfer // the pre-confirmed ones in the file; under syncing
	doubts  int        // looks in a row that ended with ErrBehind; under syncing

	mu      sync.Mutex
	changed chan struct{} // closed, and replaced, when the index changes
}

// Open connects to the chain and opens the file. Close the Indexer when done. Errors: ErrOtherChain.
func Open(ctx context.Context, config Config) (*Indexer, error) {
	config.Timeout = cmp.Or(config.Timeout, 5*time.Second)
	config.Poll = cmp.Or(config.Poll, 2*time.Second)
	if config.WebSocketURL == "" {
		config.WebSocketURL = strings.Replace(config.URL, "http", "ws", 1)
	}
	if config.Logger == nil {
		config.Logger = slog.Default()
	}
	chain, err := dialChain(ctx, config)
	if err != nil {
		return nil, err
	}
	origin, err := chain.origin(ctx)
	if err != nil {
		chain.close()
		return nil, err
	}
	store, err := openStore(ctx, config.Database, origin)
	if err != nil {
		chain.close()
		return nil, err
	}
	return &Indexer{
		config: config, chain: chain, store: store, log: config.Logger,
		awake: make(chan struct{}, 1), changed: make(chan struct{}),
	}, nil
}

// Close closes the file and the connection. Run must have returned.
func (ix *Indexer) Close() error {
	ix.chain.close()
	return ix.store.close()
}

// Sync brings the index up to the chain's newest block and the pre-confirmations after it. After an error the index is
// as some block of the chain left it, and Sync can be repeated. Errors: ErrBehind, ErrOtherChain, or what the endpoint
// answered.
func (ix *Indexer) Sync(ctx context.Context) error {
	ix.syncing.Lock()
	defer ix.syncing.Unlock()
	for {
		// Read before the head: were a block sealed in between, the head is new, and this is read again.
		early, err := ix.chain.pending(ctx)
		if err != nil {
			return err
		}
		head, err := ix.chain.head(ctx)
		if err != nil {
			return err
		}
		tip, err := ix.store.status(ctx)
		if err != nil {
			return err
		}
		if head.Hash() == tip.BlockHash {
			ix.doubts = 0
			return ix.announce(ctx, tip, early)
		}
		if head.Number.Uint64() <= tip.BlockNumber && ix.doubts < maxDoubts {
			ix.doubts++
			return ErrBehind
		}
		if err := ix.follow(ctx, tip, head); err != nil {
			// It may have asked for blocks that left the chain meanwhile.
			if now, failed := ix.chain.head(ctx); failed != nil || now.Hash() == head.Hash() {
				return err
			}
		}
	}
}

// follow replaces the blocks that left the chain by those that lead to head, the first maxBlocks of them.
func (ix *Indexer) follow(ctx context.Context, tip Status, head *types.Header) error {
	if furthest := tip.BlockNumber + maxBlocks; head.Number.Uint64() > furthest {
		var err error
		if head, err = ix.chain.header(ctx, furthest); err != nil {
			return err
		}
	}
	ancestor, headers, err := ix.branch(ctx, head)
	if err != nil {
		return err
	}
	blocks, err := ix.chain.blocks(ctx, headers)
	if err != nil {
		return err
	}
	openings, err := ix.openings(ctx, blocks)
	if err != nil {
		return err
	}
	if err := ix.store.replace(ctx, ancestor, blocks, openings); err != nil {
		return err
	}
	if undone := tip.BlockNumber - ancestor; undone > 0 {
		ix.log.Info("reorg", "undone", undone, "ancestor", ancestor, "head", head.Number, "hash", head.Hash())
	}
	ix.early, ix.doubts = nil, 0
	ix.tell()
	return nil
}

// branch walks parent hashes down to the newest block that is indexed. It returns that block's number, and the headers
// above it, oldest first.
func (ix *Indexer) branch(ctx context.Context, header *types.Header) (ancestor uint64, headers []*types.Header, err error) {
	for {
		number := header.Number.Uint64()
		indexed, err := ix.store.has(ctx, number, header.Hash())
		if err != nil {
			return 0, nil, err
		}
		if indexed {
			slices.Reverse(headers)
			return number, headers, nil
		}
		if number <= ix.config.Start {
			return 0, nil, fmt.Errorf("block %d is %s: %w", number, header.Hash(), ErrOtherChain)
		}
		headers = append(headers, header)
		if header, err = ix.chain.headerByHash(ctx, header.ParentHash); err != nil {
			return 0, nil, err
		}
	}
}

// openings reads the opening balances of the accounts in blocks that the index does not know yet.
func (ix *Indexer) openings(ctx context.Context, blocks []block) (map[common.Address]uint256.Int, error) {
	openings := map[common.Address]uint256.Int{}
	for _, b := range blocks {
		for _, t := range b.transfers {
			for _, account := range []common.Address{t.From, t.To} {
				if _, asked := openings[account]; asked {
					continue
				}
				_, known, _, err := ix.store.balance(ctx, account)
				if err != nil {
					return nil, err
				}
				if known {
					continue
				}
				if openings[account], err = ix.chain.openingBalance(ctx, account); err != nil {
					return nil, err
				}
			}
		}
	}
	return openings, nil
}

// announce stores the transfers that are pre-confirmed after tip in place of the earlier ones.
func (ix *Indexer) announce(ctx context.Context, tip Status, early []Transfer) error {
	// A node without pre-confirmations answers with what its newest block holds.
	early = slices.DeleteFunc(early, func(t Transfer) bool { return t.BlockNumber <= tip.BlockNumber })
	if slices.Equal(early, ix.early) {
		return nil
	}
	if err := ix.store.announce(ctx, early); err != nil {
		return err
	}
	ix.early = early
	ix.tell()
	return nil
}

// Status returns the progress of the index.
func (ix *Indexer) Status(ctx context.Context) (Status, error) { return ix.store.status(ctx) }

// Wait returns the status as soon as its version is past the one given, or as it is when ctx ends.
func (ix *Indexer) Wait(ctx context.Context, version int64) (Status, error) {
	for {
		ix.mu.Lock()
		changed := ix.changed
		ix.mu.Unlock()
		status, err := ix.store.status(context.WithoutCancel(ctx))
		if err != nil || status.Version > version || ctx.Err() != nil {
			return status, err
		}
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
}

// Balance returns the token units of an account, as of the status.
func (ix *Indexer) Balance(ctx context.Context, account common.Address) (uint256.Int, Status, error) {
	balance, known, status, err := ix.store.balance(ctx, account)
	if err == nil && !known { // no transfer up to status touched it
		balance, err = ix.chain.openingBalance(ctx, account)
	}
	return balance, status, err
}

// Transfers returns the newest transfers, newest first and pre-confirmed before all, at most limit, as of the status.
// from and to restrict them to a sender and a recipient; nil: any.
func (ix *Indexer) Transfers(ctx context.Context, from, to *common.Address, limit int) ([]Transfer, Status, error) {
	return ix.store.transfers(ctx, from, to, limit)
}

// tell wakes the callers of Wait after a change.
func (ix *Indexer) tell() {
	ix.mu.Lock()
	defer ix.mu.Unlock()
	close(ix.changed)
	ix.changed = make(chan struct{})
}
