package chain

import (
	"errors"
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/consensus/ethash"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/params"
)

// checkRanges returns an error for headers with numbers too large for the rules.
func (c *Chain) checkRanges(b *types.Block) error {
	for _, h := range append([]*types.Header{b.Header()}, b.Uncles()...) {
		if err := h.SanityCheck(); err != nil {
			number := c.Head().Number() + 1 // the number in the header may be out of range itself
			return &ImportError{Number: number, Field: "header", Got: err.Error(), Want: "fields in range", Err: err}
		}
	}
	return nil
}

// Verify returns the *ImportError with which Import under these options would reject the canonical blocks, or nil. It
// checks headers, and senders against signatures, which finds impersonated senders; it executes nothing.
func (c *Chain) Verify(o Options) error {
	if err := c.importable(c.base + 1); err != nil {
		return err
	}
	as := *c
	as.Lenient = o.Lenient
	for i, b := range c.blocks.items[1:] {
		if err := as.verifyHeader(b.Header(), c.blocks.items[i].Header()); err != nil {
			return err
		}
		signer := types.MakeSigner(c.config, b.Header().Number, b.Time())
		for j, tx := range b.Transactions().Signed() {
			if from, err := types.Sender(signer, tx); err != nil || from != b.Sender(j) {
				return refused(b.Number(), fmt.Sprintf("transaction %d", j), "no signature", "that of "+b.Sender(j).Hex())
			}
		}
	}
	return nil
}

// verifyHeader checks a header against its parent (Yellow Paper 4.4.4 and the EIPs of later forks). It does not check
// seals.
func (c *Chain) verifyHeader(h, parent *types.Header) error {
	n := h.Number.Uint64()
	if want := parent.Number.Uint64() + 1; n != want {
		return refused(n, "number", n, want)
	}
	if err := checkForks(c.config, h.Number, h.Time); err != nil {
		return refused(n, "fork", err, "frontier to amsterdam")
	}
	if uint64(len(h.Extra)) > params.MaximumExtraDataSize {
		return refused(n, "extra data", fmt.Sprintf("%d bytes", len(h.Extra)), fmt.Sprintf("at most %d", params.MaximumExtraDataSize))
	}
	if h.Time < parent.Time || h.Time == parent.Time && !c.Lenient {
		return refused(n, "timestamp", h.Time, fmt.Sprintf("above the parent's, %d", parent.Time))
	}
	if h.GasUsed > h.GasLimit {
		return refused(n, "gas used", h.GasUsed, fmt.Sprintf("at most the gas limit, %d", h.GasLimit))
	}
	for _, check := range []func(h, parent *types.Header) error{
		c.verifySeal, c.verifyFees, c.verifyBlobs, c.verifyForkFields,
	} {
		if err := check(h, parent); err != nil {
			return err
		}
	}
	return nil
}

// verifySeal checks difficulty, nonce and the DAO fork's extra data (EIP-3675, EIP-779). As in other clients a
// difficulty of 0 means the merge, whether the terminal total difficulty is reached or not.
func (c *Chain) verifySeal(h, parent *types.Header) error {
	n := h.Number.Uint64()
	if h.Difficulty.Sign() == 0 {
		if h.Nonce != (types.BlockNonce{}) {
			return refused(n, "nonce", fmt.Sprintf("%#x", h.Nonce), "0 after the merge")
		}
		if h.UncleHash != types.EmptyUncleHash {
			return refused(n, "uncle hash", h.UncleHash, types.EmptyUncleHash)
		}
		return nil
	}
	if parent.Difficulty.Sign() == 0 {
		return refused(n, "difficulty", h.Difficulty, "0 after the merge")
	}
	if c.config.IsShanghai(h.Number, h.Time) {
		return refused(n, "difficulty", h.Difficulty, "0 from shanghai on")
	}
	if want := ethash.CalcDifficulty(c.config, h.Time, parent); h.Difficulty.Cmp(want) != 0 {
		return refused(n, "difficulty", h.Difficulty, want)
	}
	if daoRange(c.config, h.Number) {
		marked := string(h.Extra) == string(params.DAOForkBlockExtra)
		if marked != c.config.DAOForkSupport {
			return refused(n, "extra data", fmt.Sprintf("%#x", h.Extra), fmt.Sprintf("the DAO fork's mark: %t", c.config.DAOForkSupport))
		}
	}
	return nil
}

// verifyFees checks the gas limit and the base fee (EIP-1559). A lenient chain accepts any base fee from London on and
// any gas limit up to params.MaxGasLimit.
func (c *Chain) verifyFees(h, parent *types.Header) error {
	n := h.Number.Uint64()
	london := c.config.IsLondon(h.Number)
	limit := parent.GasLimit
	if london && !c.config.IsLondon(parent.Number) {
		limit *= c.config.ElasticityMultiplier()
	}
	step := limit / params.GasLimitBoundDivisor
	difference := max(limit, h.GasLimit) - min(limit, h.GasLimit)
	if h.GasLimit > params.MaxGasLimit || !c.Lenient && (difference >= step || h.GasLimit < params.MinGasLimit) {
		return refused(n, "gas limit", h.GasLimit, fmt.Sprintf("less than %d from %d, between %d and %d",
			step, limit, params.MinGasLimit, uint64(params.MaxGasLimit)))
	}
	if !london {
		return absent(n, "base fee", h.BaseFee)
	}
	if want := c.NextBaseFee(parent); h.BaseFee == nil || h.BaseFee.Cmp(want) != 0 && !c.Lenient {
		return refused(n, "base fee", text(h.BaseFee), want)
	}
	return nil
}

func (c *Chain) verifyBlobs(h, parent *types.Header) error {
	n := h.Number.Uint64()
	if !c.config.IsCancun(h.Number, h.Time) {
		if err := absent(n, "blob gas used", h.BlobGasUsed); err != nil {
			return err
		}
		return absent(n, "excess blob gas", h.ExcessBlobGas)
	}
	if h.BlobGasUsed == nil {
		return refused(n, "blob gas used", "none", "a number from cancun on")
	}
	limit := c.MaxBlobGas(h)
	if used := *h.BlobGasUsed; used > limit || used%params.BlobTxBlobGasPerBlob != 0 {
		return refused(n, "blob gas used", used, fmt.Sprintf("a multiple of %d, at most %d", params.BlobTxBlobGasPerBlob, limit))
	}
	want, err := c.excessBlobGas(h, parent)
	if err != nil {
		return refused(n, "excess blob gas", err, "a parent with a base fee")
	}
	if h.ExcessBlobGas == nil || *h.ExcessBlobGas != want && !c.Lenient {
		return refused(n, "excess blob gas", text(h.ExcessBlobGas), want)
	}
	return nil
}

// verifyForkFields checks that each field is present from its fork on and absent before. It does not check values.
func (c *Chain) verifyForkFields(h, _ *types.Header) error {
	n := h.Number.Uint64()
	for _, field := range []struct {
		name    string
		value   *common.Hash
		present bool
	}{
		{"withdrawals root", h.WithdrawalsHash, c.config.IsShanghai(h.Number, h.Time)},
		{"parent beacon block root", h.ParentBeaconRoot, c.config.IsCancun(h.Number, h.Time)},
		{"requests hash", h.RequestsHash, c.config.IsPrague(h.Number, h.Time)},
		{"block access list hash", h.BlockAccessListHash, c.config.IsAmsterdam(h.Number, h.Time)},
	} {
		if field.present && field.value == nil {
			return refused(n, field.name, "none", "a hash")
		}
		if !field.present {
			if err := absent(n, field.name, field.value); err != nil {
				return err
			}
		}
	}
	if !c.config.IsAmsterdam(h.Number, h.Time) {
		return absent(n, "slot number", h.SlotNumber)
	}
	if h.SlotNumber == nil {
		return refused(n, "slot number", "none", "a number from amsterdam on")
	}
	return nil
}

// verifyBody checks the body against the hashes and roots in the header.
func (c *Chain) verifyBody(b *types.Block) error {
	n := b.NumberU64()
	if c.config.IsOsaka(b.Number(), b.Time()) && b.Size() > params.MaxBlockSize {
		return refused(n, "size", fmt.Sprintf("%d bytes", b.Size()), fmt.Sprintf("at most %d (EIP-7934)", params.MaxBlockSize))
	}
	if list := b.AccessList(); list != nil {
		if !c.config.IsAmsterdam(b.Number(), b.Time()) {
			return refused(n, "block access list", "one", "none before amsterdam")
		}
		if got := list.Hash(); got != *b.Header().BlockAccessListHash {
			return refused(n, "block access list", got, *b.Header().BlockAccessListHash)
		}
	}
	if want := types.CalcUncleHash(b.Uncles()); b.UncleHash() != want {
		return refused(n, "uncle hash", b.UncleHash(), want)
	}
	if want := listRoot(b.Transactions()); b.TxHash() != want {
		return refused(n, "transactions root", b.TxHash(), want)
	}
	root := b.Header().WithdrawalsHash
	switch {
	case (root == nil) != (b.Withdrawals() == nil):
		return refused(n, "withdrawals", b.Withdrawals() != nil, root != nil)
	case root != nil:
		if want := listRoot(b.Withdrawals()); *root != want {
			return refused(n, "withdrawals root", *root, want)
		}
	}
	for i, tx := range b.Transactions() {
		if tx.BlobTxSidecar() != nil {
			return refused(n, fmt.Sprintf("transaction %d", i), "a blob sidecar", "none in a block")
		}
	}
	return nil
}

// compare checks a header against the one computed by execution.
func compare(got, want *types.Header) error {
	n := got.Number.Uint64()
	switch {
	case got.GasUsed != want.GasUsed:
		return refused(n, "gas used", got.GasUsed, want.GasUsed)
	case got.Bloom != want.Bloom:
		return refused(n, "logs bloom", fmt.Sprintf("%#x", got.Bloom[:]), fmt.Sprintf("%#x", want.Bloom[:]))
	case got.ReceiptHash != want.ReceiptHash:
		return refused(n, "receipts root", got.ReceiptHash, want.ReceiptHash)
	case want.BlobGasUsed != nil && *got.BlobGasUsed != *want.BlobGasUsed:
		return refused(n, "blob gas used", *got.BlobGasUsed, *want.BlobGasUsed)
	case want.RequestsHash != nil && *got.RequestsHash != *want.RequestsHash:
		return refused(n, "requests hash", *got.RequestsHash, *want.RequestsHash)
	case want.BlockAccessListHash != nil && *got.BlockAccessListHash != *want.BlockAccessListHash:
		return refused(n, "block access list hash", *got.BlockAccessListHash, *want.BlockAccessListHash)
	case got.Root != want.Root:
		return refused(n, "state root", got.Root, want.Root)
	}
	return nil
}

// absent returns an error for a field that does not exist in the block's fork.
func absent[T any](number uint64, field string, value *T) error {
	if value == nil {
		return nil
	}
	return refused(number, field, text(value), "none in this fork")
}

// text returns a field that may be absent as text for an error.
func text[T any](value *T) string {
	if value == nil {
		return "none"
	}
	if named, ok := any(value).(fmt.Stringer); ok {
		return named.String()
	}
	return fmt.Sprint(*value)
}

const (
	maxUncles     = 2 // uncles in a block
	maxUncleDepth = 6 // generations between a block and its uncle
)

// verifyUncles checks the uncles of a block on the head (Yellow Paper 11.1). There may be at most two. Their headers
// must be valid, not be in the chain and not have been included before, and be children of one of the block's ancestors
// within six generations.
func (c *Chain) verifyUncles(b *types.Block) error {
	n := b.NumberU64()
	if len(b.Uncles()) == 0 {
		return nil
	}
	if b.Difficulty().Sign() == 0 {
		return refused(n, "uncles", len(b.Uncles()), "none after the merge")
	}
	if len(b.Uncles()) > maxUncles {
		return refused(n, "uncles", len(b.Uncles()), fmt.Sprintf("at most %d", maxUncles))
	}
	ancestors, taken := c.family()
	for i, uncle := range b.Uncles() {
		field, hash := fmt.Sprintf("uncle %d", i), uncle.Hash()
		if taken[hash] {
			return refused(n, field, hash, "one not included before")
		}
		taken[hash] = true
		if ancestors[hash] != nil {
			return refused(n, field, hash, "a block that is not an ancestor")
		}
		parent := ancestors[uncle.ParentHash]
		if parent == nil || parent == c.Head() {
			return refused(n, field, hash, fmt.Sprintf("a child of an ancestor, at most %d generations back", maxUncleDepth))
		}
		if uncle.Difficulty.Sign() == 0 {
			return refused(n, field+": difficulty", 0, "proof of work")
		}
		if err := c.verifyHeader(uncle, parent.Header()); err != nil {
			if bad, ok := errors.AsType[*ImportError](err); ok {
				bad.Number, bad.Field = n, field+": "+bad.Field
			}
			return err
		}
	}
	return nil
}

// family returns, by hash, the ancestors that can be the parent of an uncle of the next block, and the uncles that they
// include.
func (c *Chain) family() (ancestors map[common.Hash]*Block, taken map[common.Hash]bool) {
	ancestors, taken = make(map[common.Hash]*Block), make(map[common.Hash]bool)
	for i := range min(maxUncleDepth+1, c.blocks.len()) {
		b := c.blocks.items[c.blocks.len()-1-i]
		ancestors[b.hash] = b
		for _, uncle := range b.own().uncles {
			taken[uncle.Hash()] = true
		}
	}
	return ancestors, taken
}
