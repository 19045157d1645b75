package chain

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/rlp"

	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
)

// record is a block with all results of its execution, as RLP. Receipts leave out fields that follow from the rest.
type record struct {
	Hash         common.Hash
	Header       *types.Header
	Transactions []*types.Transaction
	Senders      []common.Address
	Uncles       []*types.Header
	Withdrawals  []*types.Withdrawal
	Receipts     []receiptRecord
	Requests     [][]byte
	Deposits     []depositRecord `rlp:"optional"` // they come before Transactions
	Closed       []closed        `rlp:"optional"` // one from Amsterdam on, else none
	PostExec     [][]byte        `rlp:"optional"` // payload of the last transaction, if it is an optimism.PostExec
}

type depositRecord struct {
	Deposit *optimism.Deposit
	Nonce   uint64
	Receipt receiptRecord
}

type receiptRecord struct {
	PostState       []byte // before Byzantium
	Status          uint64
	GasUsed         uint64
	Price           *big.Int // effective, in wei per gas
	BlobPrice       []byte   // in wei per blob gas; empty: nil
	ContractAddress common.Address
	Logs            []*types.Log // address, topics and data
	Footprint       uint64       `rlp:"optional"` // on an OP-stack chain
}

// Record returns the block with senders, receipts and requests as bytes for BlockFromRecord.
func (b *Block) Record() ([]byte, error) {
	own := b.own()
	r := record{Hash: b.hash, Header: b.Header(), Uncles: own.uncles, Withdrawals: own.withdrawals, Requests: own.requests}
	for i, tx := range own.transactions.all() {
		receipt := recordOf(own.receipts[i])
		if deposit, ok := tx.(*optimism.Included); ok {
			r.Deposits = append(r.Deposits, depositRecord{deposit.Deposit(), tx.Nonce(), receipt})
			continue
		}
		if last, ok := tx.(*optimism.PostExec); ok {
			r.PostExec = append(r.PostExec, last.Data())
			continue
		}
		if len(r.Deposits) > 0 {
			receipt.Footprint = own.receipts[i].BlobGasUsed
		}
		r.Transactions = append(r.Transactions, evmstate.Signed(tx))
		r.Senders = append(r.Senders, own.senders[i])
		r.Receipts = append(r.Receipts, receipt)
	}
	if own.closed != nil {
		r.Closed = []closed{*own.closed}
	}
	return rlp.EncodeToBytes(&r)
}

func recordOf(receipt *types.Receipt) receiptRecord {
	r := receiptRecord{
		PostState: receipt.PostState, Status: receipt.Status, GasUsed: receipt.GasUsed, Price: receipt.EffectiveGasPrice,
		ContractAddress: receipt.ContractAddress, Logs: receipt.Logs,
	}
	if receipt.BlobGasPrice != nil {
		r.BlobPrice = receipt.BlobGasPrice.Bytes()
	}
	return r
}

// BlockFromRecord returns the block that Record wrote. Nothing is executed, and only the shape is checked: the bytes
// must come from Record. Restore makes the block part of a chain.
func BlockFromRecord(data []byte) (*Block, error) {
	var r record
	if err := rlp.DecodeBytes(data, &r); err != nil {
		return nil, fmt.Errorf("block record: %w", err)
	}
	if len(r.Senders) != len(r.Transactions) || len(r.Receipts) != len(r.Transactions) {
		return nil, fmt.Errorf("block record: %d transactions, %d senders, %d receipts", len(r.Transactions), len(r.Senders), len(r.Receipts))
	}
	made := &body{uncles: r.Uncles}
	b := blockOf(r.Header, r.Hash, made)
	if r.Header.WithdrawalsHash != nil {
		made.withdrawals = r.Withdrawals
	}
	if len(r.Requests) > 0 {
		made.requests = r.Requests
	}
	if len(r.Closed) > 0 {
		made.closed = &r.Closed[0]
	}
	made.receive(b, &r)
	b.logged = len(made.logs) > 0
	return b, nil
}

// receive sets the transactions, senders, receipts and logs of block of, which has its header.
func (b *body) receive(of *Block, r *record) {
	transactions := make(evmstate.Transactions, 0, len(r.Deposits)+len(r.Transactions))
	for i := range r.Deposits {
		kept := &r.Deposits[i]
		tx := optimism.NewIncluded(kept.Deposit, kept.Nonce)
		transactions = append(transactions, tx)
		b.senders = append(b.senders, kept.Deposit.From)
		b.addReceipt(of, tx, &kept.Receipt)
	}
	for i, tx := range r.Transactions {
		kept := &r.Receipts[i]
		receipt := b.addReceipt(of, tx, kept)
		receipt.BlobGasUsed = tx.BlobGas() + kept.Footprint
		if tx.Type() == types.BlobTxType {
			receipt.BlobGasPrice = new(big.Int).SetBytes(kept.BlobPrice)
		}
		transactions = append(transactions, tx)
	}
	b.senders = append(b.senders, r.Senders...)
	for _, data := range r.PostExec {
		last := optimism.PostExecOf(data)
		transactions = append(transactions, last)
		b.senders = append(b.senders, common.Address{})
		b.addReceipt(of, last, &receiptRecord{Status: types.ReceiptStatusSuccessful, Price: new(big.Int), Logs: []*types.Log{}})
	}
	b.transactions = newTransactions(transactions)
}

// addReceipt appends the receipt of the next transaction of block of, and its logs.
func (b *body) addReceipt(of *Block, tx evmstate.Transaction, kept *receiptRecord) *types.Receipt {
	cumulative := kept.GasUsed
	if n := len(b.receipts); n > 0 {
		cumulative += b.receipts[n-1].CumulativeGasUsed
	}
	receipt := &types.Receipt{
		Type: tx.Type(), Status: kept.Status, CumulativeGasUsed: cumulative, Logs: kept.Logs, TxHash: tx.Hash(),
		ContractAddress: kept.ContractAddress, GasUsed: kept.GasUsed, EffectiveGasPrice: kept.Price,
		BlockHash: of.hash, BlockNumber: of.Header().Number, TransactionIndex: uint(len(b.receipts)),
	}
	b.receipts = append(b.receipts, receipt)
	if len(kept.PostState) > 0 {
		receipt.PostState = kept.PostState
	}
	for _, l := range kept.Logs {
		l.BlockNumber, l.BlockTimestamp, l.BlockHash = of.Number(), of.Time(), of.hash
		l.TxHash, l.TxIndex, l.Index = receipt.TxHash, receipt.TransactionIndex, uint(len(b.logs))
		b.logs = append(b.logs, l)
	}
	receipt.Bloom = types.CreateBloom(receipt)
	return receipt
}
