package checkout

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/tokencontract"
)

// querier reads, in a transaction or outside one.
type querier interface {
	QueryContext(ctx context.Context, query string, arguments ...any) (*sql.Rows, error)
}

const selectOrders = `
	SELECT o.id, o.version, o.path, o.payer, o.value, o.valid_after, o.valid_before, o.nonce, o.owner, o.period, o.price, o.vouched, o.permit_nonce, o.from_block,
	       o.voided, a.order_id IS NOT NULL, o.outcome, o.outcome_tx, o.block_number, o.block_hash, o.expired, o.final
	FROM orders o LEFT JOIN authorizations a ON a.order_id = o.id `

// insertOrder adds a drafted order.
func (s *store) insertOrder(ctx context.Context, o Order) error {
	_, err := s.db.ExecContext(ctx, `
		INSERT INTO orders (id, path, payer, value, valid_after, valid_before, nonce, owner, period, price, vouched, permit_nonce, from_block)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
		o.ID, string(o.Path), o.Terms.From[:], o.Terms.Value.Dec(), int64(o.Terms.ValidAfter), int64(o.Terms.ValidBefore), o.Terms.Nonce[:],
		o.Owner[:], int64(o.Period), decimal(o.Price), decimal(o.Vouched), int64(o.permitNonce), int64(o.fromBlock))
	if err != nil {
		return fmt.Errorf("insert order: %w", err)
	}
	return nil
}

// decimal returns an amount as the database has it; nil is 0.
func decimal(amount *uint256.Int) string {
	if amount == nil {
		return "0"
	}
	return amount.Dec()
}

// order reads one order. Problems: NotFound.
func (s *store) order(ctx context.Context, id string) (Order, error) {
	var o Order
	err := s.update(ctx, func(tx *sql.Tx) (err error) {
		o, err = s.orderIn(ctx, tx, id)
		return err
	})
	return o, err
}

func (s *store) orderIn(ctx context.Context, tx *sql.Tx, id string) (Order, error) {
	orders, err := s.orders(ctx, tx, `WHERE o.id = ?`, id)
	switch {
	case err != nil:
		return Order{}, err
	case len(orders) == 0:
		return Order{}, problem(NotFound, "no order %q", id)
	}
	o := orders[0]
	o.Transactions, err = transactions(ctx, tx, `WHERE order_id = ? ORDER BY account_nonce`, id)
	return o, err
}

// openOrders returns the orders that may still change by what happens on the chain, without their Transactions.
func (s *store) openOrders(ctx context.Context) ([]Order, error) {
	return s.orders(ctx, s.db, `WHERE NOT o.final OR EXISTS (SELECT 1 FROM outbox b WHERE b.order_id = o.id AND NOT b.final)`)
}

func (s *store) orders(ctx context.Context, q querier, where string, arguments ...any) ([]Order, error) {
	rows, err := q.QueryContext(ctx, selectOrders+where, arguments...)
	if err != nil {
		return nil, fmt.Errorf("read orders: %w", err)
	}
	defer rows.Close()
	var orders []Order
	for rows.Next() {
		o, err := scanOrder(rows)
		if err != nil {
			return nil, fmt.Errorf("read orders: %w", err)
		}
		o.Terms.To = s.id.merchant
		orders = append(orders, o)
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read orders: %w", err)
	}
	return orders, nil
}

func scanOrder(rows *sql.Rows) (Order, error) {
	var (
		o                        Order
		payer, nonce, owner      []byte
		tx, block                []byte
		period, permitNonce      int64
		value, price, vouched    string
		after, before, fromBlock int64
		outcome                  sql.NullString
		number                   sql.NullInt64
	)
	err := rows.Scan(&o.ID, &o.Version, &o.Path, &payer, &value, &after, &before, &nonce, &owner, &period, &price, &vouched, &permitNonce, &fromBlock,
		&o.voided, &o.signed, &outcome, &tx, &number, &block, &o.Expired, &o.Final)
	if err != nil {
		return o, err
	}
	var units *uint256.Int
	for _, amount := range []struct {
		text string
		into **uint256.Int
	}{{value, &units}, {price, &o.Price}, {vouched, &o.Vouched}} {
		if *amount.into, err = uint256.FromDecimal(amount.text); err != nil {
			return o, fmt.Errorf("amount %q of order %s: %w", amount.text, o.ID, err)
		}
	}
	o.Terms = tokencontract.Authorization{
		From: common.BytesToAddress(payer), Value: units,
		ValidAfter: uint64(after), ValidBefore: uint64(before), Nonce: common.BytesToHash(nonce),
	}
	o.Owner, o.Period, o.permitNonce = common.BytesToAddress(owner), uint64(period), uint64(permitNonce)
	o.fromBlock = uint64(fromBlock)
	if outcome.Valid {
		o.Settlement = &Settlement{
			Outcome: Outcome(outcome.String), Transaction: common.BytesToHash(tx),
			BlockNumber: uint64(number.Int64), BlockHash: common.BytesToHash(block),
		}
	}
	return o, nil
}

// setSignature stores the credential of a drafted order. check sees the order as it is within the transaction.
func (s *store) setSignature(ctx context.Context, id string, signature Credential, check func(Order) error) (Order, error) {
	return s.change(ctx, id, check, func(tx *sql.Tx, o Order) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO authorizations VALUES (?, ?, ?, ?)`,
			o.Terms.From[:], o.Terms.Nonce[:], id, []byte(signature))
		return err
	})
}

// setVoucher stores the credential with a newer voucher, which is for a total in token units.
func (s *store) setVoucher(ctx context.Context, id string, total *uint256.Int, credential Credential, check func(Order) error) (Order, error) {
	return s.change(ctx, id, check, func(tx *sql.Tx, o Order) error {
		if _, err := tx.ExecContext(ctx, `UPDATE orders SET vouched = ? WHERE id = ?`, total.Dec(), id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE authorizations SET signature = ? WHERE order_id = ?`, []byte(credential), id)
		return err
	})
}

// signature reads the credential of an order. Problems: Conflict, if it has none yet, or no longer.
func (s *store) signature(ctx context.Context, id string) (Credential, error) {
	var signature []byte
	err := s.db.QueryRowContext(ctx, `SELECT signature FROM authorizations WHERE order_id = ?`, id).Scan(&signature)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil, problem(Conflict, "order has no signature yet")
	case err != nil:
		return nil, fmt.Errorf("read signature: %w", err)
	case len(signature) == 0: // wiped
		return nil, problem(Conflict, "order is %s", Voided)
	}
	return signature, nil
}

// void marks an order void and wipes its credential; the replay key stays.
func (s *store) void(ctx context.Context, id string, check func(Order) error) (Order, error) {
	o, err := s.change(ctx, id, check, func(tx *sql.Tx, _ Order) error {
		if _, err := tx.ExecContext(ctx, `UPDATE orders SET voided = 1 WHERE id = ?`, id); err != nil {
			return err
		}
		_, err := tx.ExecContext(ctx, `UPDATE authorizations SET signature = x'' WHERE order_id = ?`, id)
		return err
	})
	if err != nil {
		return o, err
	}
	return o, s.wipe(ctx)
}

// errUnchanged, returned by a check, leaves the order as it is; the change itself then returns no error.
var errUnchanged = errors.New("nothing to change")

// change is one change of an order: check, then make, in one transaction. It returns the order as it is then.
func (s *store) change(ctx context.Context, id string, check func(Order) error, apply func(*sql.Tx, Order) error) (Order, error) {
	var o Order
	err := s.update(ctx, func(tx *sql.Tx) (err error) {
		if o, err = s.orderIn(ctx, tx, id); err != nil {
			return err
		}
		if err := check(o); err != nil {
			return err
		}
		if err := apply(tx, o); err != nil {
			return fmt.Errorf("change order: %w", err)
		}
		if err := grow(ctx, tx, id); err != nil {
			return err
		}
		o, err = s.orderIn(ctx, tx, id)
		return err
	})
	if errors.Is(err, errUnchanged) {
		return o, nil
	}
	return o, err
}

// grow gives an order its next version.
func grow(ctx context.Context, tx *sql.Tx, id string) error {
	if _, err := tx.ExecContext(ctx, `UPDATE orders SET version = version + 1 WHERE id = ?`, id); err != nil {
		return fmt.Errorf("change order: %w", err)
	}
	return nil
}

// observe records the state of an order on the chain, and reports whether it has changed.
func (s *store) observe(ctx context.Context, o Order) (bool, error) {
	var outcome, tx, number, block any
	if o.Settlement != nil {
		outcome, tx = string(o.Settlement.Outcome), o.Settlement.Transaction[:]
		number, block = int64(o.Settlement.BlockNumber), o.Settlement.BlockHash[:]
	}
	result, err := s.db.ExecContext(ctx, `
		UPDATE orders SET version = version + 1,
		       outcome = ?1, outcome_tx = ?2, block_number = ?3, block_hash = ?4, expired = ?5, final = ?6
		WHERE id = ?7 AND (outcome, outcome_tx, block_number, block_hash, expired, final) IS NOT (?1, ?2, ?3, ?4, ?5, ?6)`,
		outcome, tx, number, block, o.Expired, o.Final, o.ID)
	if err != nil {
		return false, fmt.Errorf("observe order: %w", err)
	}
	changed, err := result.RowsAffected()
	return changed > 0, err
}
