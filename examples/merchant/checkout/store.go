package checkout

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"

	"github.com/ethereum/go-ethereum/common"
	_ "modernc.org/sqlite" // the "sqlite" driver
)

//go:embed schema.sql
var schema string

// store keeps orders, signatures and transactions in a SQLite file. Safe for concurrent use; a change is on disk,
// whole, when the method that makes it returns, and not at all when it fails.
type store struct {
	db      *sql.DB
	id      identity
	unwiped atomic.Bool // the last wipe did not succeed
}

// identity names the chain, token and merchant of the records. A file made for one identity is not opened for another:
// its account nonces and signatures would mean something else.
type identity struct {
	chainID         uint64
	genesis         common.Hash
	token, merchant common.Address
}

func (i identity) String() string {
	return fmt.Sprintf("chain %d from genesis %s, token %s, merchant %s", i.chainID, i.genesis, i.token, i.merchant)
}

// ErrOtherChain: the database belongs to another chain, token or merchant.
var ErrOtherChain = errors.New("the database belongs to another chain, token or merchant")

// check compares the identity with the present one. Errors: ErrOtherChain.
func (i identity) check(now identity) error {
	if i != now {
		return fmt.Errorf("%w: it belongs to %v; this is %v", ErrOtherChain, i, now)
	}
	return nil
}

// busyTimeout is how long to wait for another process, in milliseconds.
const busyTimeout = "busy_timeout(5000)"

// openStore opens the file, readable for its owner alone, and creates it if need be.
func openStore(ctx context.Context, path string, id identity) (*store, error) {
	if err := keepPrivate(path); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	// Writers lock at the start, so that what a transaction read still holds when it writes. secure_delete overwrites
	// what is deleted: signatures, see wipe.
	options := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", busyTimeout, "foreign_keys(1)", "secure_delete(1)"},
	}
	location := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", location.String())
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // SQLite has one writer; waiting for it in Go is cheaper than in the file
	s := &store{db: db, id: id}
	if err := errors.Join(s.prepare(ctx), s.wipe(ctx)); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), db.Close())
	}
	return s, nil
}

// keepPrivate makes the file and those that SQLite puts beside it the owner's alone; it gives new ones the file's mode.
func keepPrivate(path string) error {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return err
	}
	if err := file.Close(); err != nil {
		return err
	}
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Chmod(path+suffix, 0o600); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	return nil
}

// wipe empties the write-ahead log, which still holds what was overwritten since it was last emptied. It cannot, and
// does not wait, while another process reads the file: then it leaves the store unwiped, which is no error.
func (s *store) wipe(ctx context.Context) error {
	conn, err := s.db.Conn(ctx) // the only one: nothing else happens until it is closed
	if err != nil {
		return fmt.Errorf("wipe database: %w", err)
	}
	defer conn.Close()
	ctx = context.WithoutCancel(ctx) // so that the timeout is set back
	var busy, frames, moved int
	_, noWait := conn.ExecContext(ctx, `PRAGMA busy_timeout(0)`)
	emptied := conn.QueryRowContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`).Scan(&busy, &frames, &moved)
	_, waitAgain := conn.ExecContext(ctx, `PRAGMA `+busyTimeout)
	err = errors.Join(noWait, emptied, waitAgain)
	s.unwiped.Store(err != nil || busy != 0)
	if err != nil {
		return fmt.Errorf("wipe database: %w", err)
	}
	return nil
}

// prepare makes the tables, and checks that the file is about this chain, token and merchant.
func (s *store) prepare(ctx context.Context) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(schema); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO shop VALUES (1, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
			int64(s.id.chainID), s.id.genesis[:], s.id.token[:], s.id.merchant[:]); err != nil {
			return err
		}
		var chainID int64
		var genesis, token, merchant []byte
		if err := tx.QueryRow(`SELECT chain_id, genesis, token, merchant FROM shop`).Scan(&chainID, &genesis, &token, &merchant); err != nil {
			return err
		}
		made := identity{uint64(chainID), common.BytesToHash(genesis), common.BytesToAddress(token), common.BytesToAddress(merchant)}
		return made.check(s.id)
	})
}

// update runs f in a transaction, which an error undoes.
func (s *store) update(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	defer tx.Rollback() // does nothing after Commit
	if err := f(tx); err != nil {
		return err
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return nil
}

func (s *store) close() error { return s.db.Close() }
