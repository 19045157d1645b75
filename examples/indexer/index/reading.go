package index

import (
	"context"
	"database/sql"
	"errors"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
)

// has reports whether a block is indexed.
func (s *store) has(ctx context.Context, number uint64, hash common.Hash) (found bool, err error) {
	err = s.transact(ctx, func(tx *sql.Tx) error {
		return tx.QueryRow(`SELECT EXISTS (SELECT 1 FROM blocks WHERE number = ? AND hash = ?)`, int64(number), hash[:]).Scan(&found)
	})
	return found, err
}

// status returns the progress of the index.
func (s *store) status(ctx context.Context) (status Status, err error) {
	err = s.transact(ctx, func(tx *sql.Tx) error {
		status, err = readStatus(tx)
		return err
	})
	return status, err
}

// balance returns an account's balance in token units, and the status it belongs to. known is false if no transfer
// touched the account.
func (s *store) balance(ctx context.Context, account common.Address) (balance uint256.Int, known bool, status Status, err error) {
	err = s.transact(ctx, func(tx *sql.Tx) error {
		if status, err = readStatus(tx); err != nil {
			return err
		}
		var text string
		err := tx.QueryRow(`SELECT balance FROM accounts WHERE address = ?`, account[:]).Scan(&text)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		known = true
		return balance.SetFromDecimal(text)
	})
	return balance, known, status, err
}

// transfers returns transfers, newest first, and the status they belong to.
func (s *store) transfers(ctx context.Context, from, to *common.Address, limit int) (transfers []Transfer, status Status, err error) {
	err = s.transact(ctx, func(tx *sql.Tx) error {
		if status, err = readStatus(tx); err != nil {
			return err
		}
		where, arguments := `WHERE true`, []any{}
		if from != nil {
			where, arguments = where+` AND sender = ?`, append(arguments, from[:])
		}
		if to != nil {
			where, arguments = where+` AND recipient = ?`, append(arguments, to[:])
		}
		transfers, err = readTransfers(tx, where+` ORDER BY block_number DESC, log_index DESC LIMIT ?`, append(arguments, limit)...)
		return err
	})
	return transfers, status, err
}

func readStatus(tx *sql.Tx) (Status, error) {
	var version, number int64
	var hash []byte
	err := tx.QueryRow(`SELECT version, blocks.number, blocks.hash FROM origin, blocks ORDER BY blocks.number DESC LIMIT 1`).
		Scan(&version, &number, &hash)
	return Status{version, uint64(number), common.BytesToHash(hash)}, err
}

func readTransfers(tx *sql.Tx, which string, arguments ...any) ([]Transfer, error) {
	rows, err := tx.Query(`SELECT block_number, log_index, block_hash, tx_hash, sender, recipient, value, memo FROM transfers `+which, arguments...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	transfers := []Transfer{}
	for rows.Next() {
		var number, logIndex int64
		var block, transaction, from, to []byte
		var value, memo string
		if err := rows.Scan(&number, &logIndex, &block, &transaction, &from, &to, &value, &memo); err != nil {
			return nil, err
		}
		t := Transfer{
			From: common.BytesToAddress(from), To: common.BytesToAddress(to), Transaction: common.BytesToHash(transaction),
			LogIndex: uint(logIndex), BlockNumber: uint64(number), BlockHash: common.BytesToHash(block), Memo: memo,
		}
		if err := t.Value.SetFromDecimal(value); err != nil {
			return nil, err
		}
		transfers = append(transfers, t)
	}
	return transfers, rows.Err()
}
