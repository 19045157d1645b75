package checkout

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/holiman/uint256"
)

// entry describes the purpose of a transaction.
type entry struct {
	kind Kind
	part Part // of a capture
}

// amount returns the amount of a capture as the database has it: token units, in decimal.
func (e entry) amount() string {
	if e.part.Amount == nil {
		return "0"
	}
	return e.part.Amount.Dec()
}

// record signs a transaction for an order and writes it down, in one database transaction. check sees the order as it
// is within it; sign gets the account nonce that follows those recorded, and what the waiting transactions may cost, in
// wei.
func (s *store) record(ctx context.Context, id string, e entry,
	check func(Order) error, sign func(next uint64, reserved *big.Int) (*types.Transaction, error)) (Order, error) {
	return s.change(ctx, id, check, func(tx *sql.Tx, _ Order) error {
		var next int64
		if err := tx.QueryRowContext(ctx, `SELECT COALESCE(MAX(account_nonce) + 1, 0) FROM outbox`).Scan(&next); err != nil {
			return err
		}
		open, err := transactions(ctx, tx, `WHERE NOT final`)
		if err != nil {
			return err
		}
		reserved, err := costs(open)
		if err != nil {
			return err
		}
		signed, err := sign(uint64(next), reserved)
		if err != nil {
			return err
		}
		raw, err := signed.MarshalBinary()
		if err != nil {
			return err
		}
		hash := signed.Hash()
		_, err = tx.ExecContext(ctx, `INSERT INTO outbox (account_nonce, order_id, kind, part, amount, hash, raw) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			int64(signed.Nonce()), id, string(e.kind), e.part.Number, e.amount(), hash[:], raw)
		return err
	})
}

// openTransactions returns the transactions whose end is not final, lowest nonce first.
func (s *store) openTransactions(ctx context.Context) ([]Transaction, error) {
	return transactions(ctx, s.db, `WHERE NOT final ORDER BY account_nonce`)
}

func transactions(ctx context.Context, q querier, where string, arguments ...any) ([]Transaction, error) {
	rows, err := q.QueryContext(ctx, `SELECT account_nonce, order_id, kind, part, amount, hash, raw, state, attempts, refusals, reason, final, block_number, block_hash FROM outbox `+where, arguments...)
	if err != nil {
		return nil, fmt.Errorf("read outbox: %w", err)
	}
	defer rows.Close()
	var list []Transaction
	for rows.Next() {
		var t Transaction
		var nonce, blockNumber int64
		var hash, blockHash []byte
		var amount string
		if err := rows.Scan(&nonce, &t.order, &t.Kind, &t.Part, &amount, &hash, &t.raw, &t.State, &t.Attempts, &t.Refusals, &t.Reason, &t.Final, &blockNumber, &blockHash); err != nil {
			return nil, fmt.Errorf("read outbox: %w", err)
		}
		if t.Amount, err = uint256.FromDecimal(amount); err != nil {
			return nil, fmt.Errorf("read outbox: amount %q: %w", amount, err)
		}
		t.Nonce, t.Hash = uint64(nonce), common.BytesToHash(hash)
		t.blockNumber, t.blockHash = uint64(blockNumber), common.BytesToHash(blockHash)
		list = append(list, t)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read outbox: %w", err)
	}
	return list, nil
}

// setState records how far a transaction has come, and reports whether that changes its order. The bytes of a final
// one, the signature inside, are wiped.
func (s *store) setState(ctx context.Context, t Transaction) (changed bool, err error) {
	err = s.update(ctx, func(tx *sql.Tx) error {
		result, err := tx.ExecContext(ctx, `
			UPDATE outbox SET state = ?1, attempts = ?2, refusals = ?3, reason = ?4, final = ?5, block_number = ?6, block_hash = ?7,
			       raw = CASE WHEN ?5 THEN x'' ELSE raw END
			WHERE account_nonce = ?8 AND (state, attempts, refusals, reason, final, block_number, block_hash) IS NOT (?1, ?2, ?3, ?4, ?5, ?6, ?7)`,
			string(t.State), t.Attempts, t.Refusals, t.Reason, t.Final, int64(t.blockNumber), t.blockHash[:], int64(t.Nonce))
		if err != nil {
			return fmt.Errorf("update outbox: %w", err)
		}
		count, err := result.RowsAffected()
		if err != nil {
			return fmt.Errorf("update outbox: %w", err)
		}
		if changed = count > 0; changed {
			return grow(ctx, tx, t.order)
		}
		return nil
	})
	if err == nil && changed && t.Final {
		err = s.wipe(ctx)
	}
	return changed, err
}
