package index

import (
	"context"
	"database/sql"
	_ "embed"
	"errors"
	"fmt"
	"net/url"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	_ "modernc.org/sqlite" // the "sqlite" driver
)

//go:embed schema.sql
var schema string

// store is the index in a SQLite file. Safe for concurrent use; a change is in the file, whole, when the method that
// makes it returns, and not at all when it fails.
type store struct{ db *sql.DB }

func openStore(ctx context.Context, path string, o origin) (*store, error) {
	// NORMAL: a power cut may lose the last changes, whole ones, which the chain still has.
	options := url.Values{
		"_txlock": {"immediate"},
		"_pragma": {"journal_mode(WAL)", "synchronous(NORMAL)", "busy_timeout(5000)"},
	}
	location := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", location.String())
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // SQLite has one writer; waiting for it in Go is cheaper than in the file
	s := &store{db: db}
	if err := s.prepare(ctx, o); err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), db.Close())
	}
	return s, nil
}

// prepare makes the tables, and checks that the file is about this chain, token and start. It drops what was
// pre-confirmed when the file was closed.
func (s *store) prepare(ctx context.Context, o origin) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(schema); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO origin VALUES (1, ?, ?, ?, ?, 1) ON CONFLICT DO NOTHING`,
			int64(o.chainID), o.token[:], int64(o.number), o.hash[:]); err != nil {
			return err
		}
		var chainID, number int64
		var token, hash []byte
		if err := tx.QueryRow(`SELECT chain_id, token, number, hash FROM origin`).Scan(&chainID, &token, &number, &hash); err != nil {
			return err
		}
		made := origin{uint64(chainID), common.BytesToAddress(token), uint64(number), common.BytesToHash(hash)}
		if made.chainID != o.chainID || made.token != o.token || made.number != o.number {
			return fmt.Errorf("it is about chain %d, token %s from block %d, not chain %d, token %s from block %d",
				made.chainID, made.token, made.number, o.chainID, o.token, o.number)
		}
		if made.hash != o.hash {
			return fmt.Errorf("it starts from block %d %s, now it is %s: %w", o.number, made.hash, o.hash, ErrOtherChain)
		}
		if _, err := tx.Exec(`INSERT INTO blocks VALUES (?, ?) ON CONFLICT DO NOTHING`, number, hash); err != nil {
			return err
		}
		_, err := tx.Exec(`DELETE FROM transfers WHERE block_hash IS NULL`)
		return err
	})
}

// replace makes blocks, oldest first, the children of the block with number ancestor, in place of all that were.
// openings are the balances before any transfer of the accounts that are new. Nothing is pre-confirmed after it.
func (s *store) replace(ctx context.Context, ancestor uint64, blocks []block, openings map[common.Address]uint256.Int) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		for account, balance := range openings {
			if _, err := tx.Exec(`INSERT INTO accounts VALUES (?, ?)`, account[:], balance.Dec()); err != nil {
				return err
			}
		}
		undone, err := readTransfers(tx, `WHERE block_number > ? AND block_hash IS NOT NULL`, int64(ancestor))
		if err != nil {
			return err
		}
		moved := movements{}
		for _, t := range undone {
			moved.add(t.To, t.From, t.Value)
		}
		if _, err := tx.Exec(`DELETE FROM transfers WHERE block_number > ? OR block_hash IS NULL`, int64(ancestor)); err != nil {
			return err
		}
		if _, err := tx.Exec(`DELETE FROM blocks WHERE number > ?`, int64(ancestor)); err != nil {
			return err
		}
		for _, b := range blocks {
			if _, err := tx.Exec(`INSERT INTO blocks VALUES (?, ?)`, int64(b.number), b.hash[:]); err != nil {
				return err
			}
			if err := insertTransfers(tx, b.transfers); err != nil {
				return err
			}
			for _, t := range b.transfers {
				moved.add(t.From, t.To, t.Value)
			}
		}
		if err := moved.apply(tx); err != nil {
			return err
		}
		return advance(tx)
	})
}

// announce replaces the pre-confirmed transfers.
func (s *store) announce(ctx context.Context, early []Transfer) error {
	return s.transact(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`DELETE FROM transfers WHERE block_hash IS NULL`); err != nil {
			return err
		}
		if err := insertTransfers(tx, early); err != nil {
			return err
		}
		return advance(tx)
	})
}

// movements are changes of balances in token units, modulo 2^256: taking back and paying again may come in any order.
type movements map[common.Address]uint256.Int

func (m movements) add(from, to common.Address, value uint256.Int) {
	payer := m[from]
	m[from] = *payer.Sub(&payer, &value)
	payee := m[to]
	m[to] = *payee.Add(&payee, &value)
}

func (m movements) apply(tx *sql.Tx) error {
	delete(m, common.Address{}) // tokens come from it when minted, and go to it when burned; it holds none
	for account, change := range m {
		if change.IsZero() {
			continue
		}
		var text string
		if err := tx.QueryRow(`SELECT balance FROM accounts WHERE address = ?`, account[:]).Scan(&text); err != nil {
			return err
		}
		balance, err := uint256.FromDecimal(text)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE accounts SET balance = ? WHERE address = ?`, balance.Add(balance, &change).Dec(), account[:]); err != nil {
			return err
		}
	}
	return nil
}

func insertTransfers(tx *sql.Tx, transfers []Transfer) error {
	for _, t := range transfers {
		var hash []byte // NULL
		if !t.Pending() {
			hash = t.BlockHash[:]
		}
		if _, err := tx.Exec(`INSERT INTO transfers VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
			int64(t.BlockNumber), int64(t.LogIndex), hash, t.Transaction[:], t.From[:], t.To[:], t.Value.Dec(), t.Memo); err != nil {
			return err
		}
	}
	return nil
}

func advance(tx *sql.Tx) error {
	_, err := tx.Exec(`UPDATE origin SET version = version + 1`)
	return err
}

// transact runs f in a transaction, which an error undoes.
func (s *store) transact(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := s.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	defer tx.Rollback() // does nothing after Commit
	if err := f(tx); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	if err := tx.Commit(); err != nil {
		return fmt.Errorf("database: %w", err)
	}
	return nil
}

func (s *store) close() error { return s.db.Close() }
