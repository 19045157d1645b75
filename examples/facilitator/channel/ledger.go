package channel

import (
	"context"
	"database/sql"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
	_ "modernc.org/sqlite" // the "sqlite" driver

	"github.com/fakenode/fakenode/examples/facilitator/paywall"
)

//go:embed schema.sql
var schema string

// ErrOtherChain is returned for a database of another chain.
var ErrOtherChain = errors.New("the database belongs to another chain")

// Ledger keeps in a SQLite file what each channel owes, and which settlements are pending. Safe for concurrent use; a
// change is on disk, whole, when the method that makes it returns, and not at all when it fails.
type Ledger struct{ db *sql.DB }

// account is a channel's row: what was charged on it, and the voucher for it.
type account struct {
	id      common.Hash
	newest  payload
	charged *uint256.Int
}

// owed is a deposit that something was charged on.
type owed struct {
	payment paywall.Payment
	price   paywall.Requirements
}

// OpenLedger opens the file of a chain, and creates it if need be.
func OpenLedger(ctx context.Context, path string, chainID uint64, genesis common.Hash) (*Ledger, error) {
	options := url.Values{
		"_txlock": {"immediate"}, // what a transaction read still holds when it writes
		"_pragma": {"journal_mode(WAL)", "synchronous(FULL)", "busy_timeout(5000)", "foreign_keys(1)"},
	}
	location := url.URL{Scheme: "file", Opaque: (&url.URL{Path: path}).EscapedPath(), RawQuery: options.Encode()}
	db, err := sql.Open("sqlite", location.String())
	if err != nil {
		return nil, fmt.Errorf("open database %s: %w", path, err)
	}
	db.SetMaxOpenConns(1) // SQLite has one writer; waiting for it in Go is cheaper than in the file
	l := &Ledger{db}
	err = l.update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(schema); err != nil {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO chain VALUES (1, ?, ?) ON CONFLICT DO NOTHING`, int64(chainID), genesis[:]); err != nil {
			return err
		}
		var id int64
		var made []byte
		if err := tx.QueryRow(`SELECT chain_id, genesis FROM chain`).Scan(&id, &made); err != nil {
			return err
		}
		if uint64(id) != chainID || common.BytesToHash(made) != genesis {
			return fmt.Errorf("%w: %d from genesis %x; this is %d from %s", ErrOtherChain, id, made, chainID, genesis)
		}
		return nil
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("open database %s: %w", path, err), db.Close())
	}
	return l, nil
}

// Close closes the file.
func (l *Ledger) Close() error { return l.db.Close() }

// Pending implements paywall.Pending.
func (l *Ledger) Pending(ctx context.Context, key common.Hash, now time.Time) (*types.Transaction, error) {
	var raw []byte
	err := l.db.QueryRowContext(ctx, `SELECT raw FROM pending WHERE key = ? AND until > ?`, key[:], now.Unix()).Scan(&raw)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("database: %w", err)
	}
	tx := new(types.Transaction)
	return tx, tx.UnmarshalBinary(raw)
}

// SetPending implements paywall.Pending.
func (l *Ledger) SetPending(ctx context.Context, key common.Hash, tx *types.Transaction, until time.Time) error {
	return l.update(ctx, func(change *sql.Tx) error {
		if _, err := change.Exec(`DELETE FROM pending WHERE key = ? OR until <= unixepoch()`, key[:]); err != nil || tx == nil {
			return err
		}
		raw, err := tx.MarshalBinary()
		if err == nil {
			_, err = change.Exec(`INSERT INTO pending VALUES (?, ?, ?)`, key[:], raw, until.Unix())
		}
		return err
	})
}

// update runs f in a transaction, which an error undoes.
func (l *Ledger) update(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	defer tx.Rollback() // does nothing after Commit
	if err := f(tx); err != nil {
		return err
	}
	return tx.Commit()
}

// scanned is a row or the rows of a query.
type scanned interface{ Scan(...any) error }

func scan(row scanned) (account, error) {
	var id []byte
	var text, charged string
	if err := row.Scan(&id, &text, &charged); err != nil {
		return account{}, err
	}
	a := account{id: common.BytesToHash(id)}
	err := json.Unmarshal([]byte(text), &a.newest)
	if err == nil {
		a.charged, err = uint256.FromDecimal(charged)
	}
	return a, err
}

// account returns a channel's row. The error of an unknown one is errMissingChannel.
func (l *Ledger) account(ctx context.Context, id common.Hash) (account, error) {
	a, err := scan(l.db.QueryRowContext(ctx, `SELECT id, voucher, charged FROM channels WHERE id = ?`, id[:]))
	if errors.Is(err, sql.ErrNoRows) {
		return account{}, errMissingChannel
	}
	return a, err
}

// accounts returns every row.
func (l *Ledger) accounts(ctx context.Context) (all []account, err error) {
	rows, err := l.db.QueryContext(ctx, `SELECT id, voucher, charged FROM channels ORDER BY id`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		a, err := scan(rows)
		if err != nil {
			return nil, err
		}
		all = append(all, a)
	}
	return all, rows.Err()
}

// charge adds a cost to a channel that has been charged so much before, together with the voucher that allows it, and
// the deposit that brought the voucher, if one did. The error is errBusy if another request was charged meanwhile.
func (l *Ledger) charge(ctx context.Context, signed payload, before, cost *uint256.Int, brought *owed) (*uint256.Int, error) {
	id, after := signed.Voucher.ChannelID, new(uint256.Int).Add(before, cost)
	if after.Gt(signed.Voucher.Ceiling) {
		return nil, errChargeExceeds
	}
	text, err := json.Marshal(payload{Kind: kindVoucher, Config: signed.Config, Voucher: signed.Voucher})
	if err != nil {
		return nil, err
	}
	return after, l.update(ctx, func(tx *sql.Tx) error {
		a, err := scan(tx.QueryRow(`SELECT id, voucher, charged FROM channels WHERE id = ?`, id[:]))
		if err == nil && !a.charged.Eq(before) {
			return errBusy
		}
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if _, err := tx.Exec(`INSERT INTO channels VALUES (?, ?, ?) ON CONFLICT DO UPDATE SET voucher = excluded.voucher, charged = excluded.charged`,
			id[:], string(text), after.Dec()); err != nil {
			return err
		}
		if brought == nil {
			return nil
		}
		return brought.insert(tx, id, signed)
	})
}

func (o owed) insert(tx *sql.Tx, id common.Hash, signed payload) error {
	payment, err := json.Marshal(o.payment)
	if err != nil {
		return err
	}
	price, err := json.Marshal(o.price)
	if err != nil {
		return err
	}
	_, err = tx.Exec(`INSERT INTO deposits VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`, id[:], string(payment), string(price), int64(signed.Deposit.expires()))
	return err
}

// deposits returns the deposits that can still be made again, and deletes the others.
func (l *Ledger) deposits(ctx context.Context, now uint64) (all []owed, err error) {
	err = l.update(ctx, func(tx *sql.Tx) error {
		if _, err := tx.Exec(`DELETE FROM deposits WHERE expires <= ?`, int64(now)); err != nil {
			return err
		}
		rows, err := tx.Query(`SELECT payment, price FROM deposits`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			var payment, price string
			if err := rows.Scan(&payment, &price); err != nil {
				return err
			}
			var o owed
			if err := errors.Join(json.Unmarshal([]byte(payment), &o.payment), json.Unmarshal([]byte(price), &o.price)); err != nil {
				return err
			}
			all = append(all, o)
		}
		return rows.Err()
	})
	return all, err
}
