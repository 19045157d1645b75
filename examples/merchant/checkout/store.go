package checkout

import (
	"bytes"
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"
	"os"

	"github.com/ethereum/go-ethereum/common"
	_ "modernc.org/sqlite" // the "sqlite" driver
)

//go:embed schema.sql
var schema string

// store keeps orders, signatures and transactions in a SQLite file. Safe for concurrent use; a change is on disk, whole,
// when the method that makes it returns, and not at all when it fails.
type store struct {
	db *sql.DB
	id identity
}

// identity is whom the records are about. A file made for one identity is not opened for another: its account nonces
// and signatures would mean something else.
type identity struct {
	chainID         uint64
	token, merchant common.Address
}

// openStore opens the file, and creates it readable for its owner alone.
func openStore(ctx context.Context, path string, id identity) (*store, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	if err := file.Close(); err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	// Writers lock at the start, so that what a transaction read still holds when it writes. secure_delete overwrites
	// what is deleted: voided signatures.
	options := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)", "foreign_keys(1)", "secure_delete(1)"},
	}
	location := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", location.String())
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // SQLite has one writer; waiting for it in Go is cheaper than in the file
	s := &store{db: db, id: id}
	if err := s.prepare(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), db.Close())
	}
	return s, nil
}

// prepare makes the tables, and checks that the file is about this chain, token and merchant.
func (s *store) prepare(ctx context.Context) error {
	return s.update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(schema); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO shop VALUES (1, ?, ?, ?) ON CONFLICT DO NOTHING`,
			int64(s.id.chainID), s.id.token[:], s.id.merchant[:]); err != nil {
			return err
		}
		var chainID int64
		var token, merchant []byte
		if err := tx.QueryRow(`SELECT chain_id, token, merchant FROM shop`).Scan(&chainID, &token, &merchant); err != nil {
			return err
		}
		if uint64(chainID) != s.id.chainID || !bytes.Equal(token, s.id.token[:]) || !bytes.Equal(merchant, s.id.merchant[:]) {
			return fmt.Errorf("it belongs to chain %d, token %s, merchant %s; this is chain %d, token %s, merchant %s",
				chainID, common.BytesToAddress(token), common.BytesToAddress(merchant), s.id.chainID, s.id.token, s.id.merchant)
		}
		return nil
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
