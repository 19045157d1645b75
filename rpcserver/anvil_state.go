package rpcserver

import (
	"errors"
	"math/big"
	"strings"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/evmstate"
)

// amount is a whole number up to 2^256-1: a plain number, a string of decimal digits, or hex with or
// without leading zeros. Helpers of different libraries write amounts in all these ways.
type amount struct{ uint256.Int }

// UnmarshalJSON implements json.Unmarshaler.
func (a *amount) UnmarshalJSON(raw []byte) error {
	if raw[0] == '"' {
		raw = unquote(raw)
	}
	base := 10
	digits, hex := strings.CutPrefix(string(raw), "0x")
	if hex {
		base = 16
	}
	number, ok := new(big.Int).SetString(digits, base)
	if !ok {
		return errors.New("not a whole number")
	}
	if number.Sign() < 0 || a.SetFromBig(number) {
		return errors.New("not between 0 and 2^256-1")
	}
	return nil
}

func (amount) wanted() string { return "a whole number, plain or in hex" }

// edit changes the accounts of the head, and with them those of the pending block.
func (r *request) edit(change func(*evmstate.State) *evmstate.State) error {
	return r.badInput(r.chain.Timeline.EditState(change))
}

// setBalance serves anvil_setBalance, in wei.
func setBalance(r *request, account common.Address, wei amount) (any, error) {
	return nil, r.edit(func(s *evmstate.State) *evmstate.State { return s.WithBalance(account, &wei.Int) })
}

// addBalance serves anvil_addBalance, in wei. A sum beyond 2^256-1 stays there.
func addBalance(r *request, account common.Address, wei amount) (any, error) {
	return nil, r.edit(func(s *evmstate.State) *evmstate.State {
		sum, overflow := new(uint256.Int).AddOverflow(s.Balance(account), &wei.Int)
		if overflow {
			sum.SetAllOne()
		}
		return s.WithBalance(account, sum)
	})
}

// setCode serves anvil_setCode.
func setCode(r *request, account common.Address, code hexutil.Bytes) (any, error) {
	return nil, r.edit(func(s *evmstate.State) *evmstate.State { return s.WithCode(account, code) })
}

// setNonce serves anvil_setNonce.
func setNonce(r *request, account common.Address, nonce Number) (any, error) {
	return nil, r.edit(func(s *evmstate.State) *evmstate.State { return s.WithNonce(account, uint64(nonce)) })
}

// setStorageAt serves anvil_setStorageAt.
func setStorageAt(r *request, account common.Address, slot storageKey, value common.Hash) (any, error) {
	return true, r.edit(func(s *evmstate.State) *evmstate.State { return s.WithStorage(account, slot.slot, value) })
}

// impersonateAccount serves anvil_impersonateAccount: eth_sendTransaction takes transactions from the
// account without its key.
func impersonateAccount(r *request, account common.Address) (any, error) {
	r.chain.Timeline.Impersonate(account)
	return nil, nil
}

// stopImpersonatingAccount serves anvil_stopImpersonatingAccount.
func stopImpersonatingAccount(r *request, account common.Address) (any, error) {
	r.chain.Timeline.StopImpersonating(account)
	return nil, nil
}

// autoImpersonateAccount serves anvil_autoImpersonateAccount: every account is impersonated, or no more.
func autoImpersonateAccount(r *request, on bool) (any, error) {
	r.chain.Timeline.ImpersonateAll(on)
	return nil, nil
}

// setCoinbase serves anvil_setCoinbase: who receives the tips.
func setCoinbase(r *request, account common.Address) (any, error) {
	return nil, r.badInput(r.chain.Timeline.SetCoinbase(account))
}

// setNextBlockBaseFeePerGas serves anvil_setNextBlockBaseFeePerGas, in wei.
func setNextBlockBaseFeePerGas(r *request, wei amount) (any, error) {
	return nil, r.badInput(r.chain.Timeline.SetNextBaseFee(wei.ToBig()))
}

// setNextBlockPrevRandao serves anvil_setNextBlockPrevRandao.
func setNextBlockPrevRandao(r *request, value common.Hash) (any, error) {
	return nil, r.badInput(r.chain.Timeline.SetNextPrevRandao(value))
}

// setBlockGasLimit serves evm_setBlockGasLimit.
func setBlockGasLimit(r *request, gas Number) (any, error) {
	if gas == 0 {
		return nil, InvalidParams("%s: a gas limit of 0 leaves no room for any transaction", r.method)
	}
	if err := r.badInput(r.chain.Timeline.SetGasLimit(uint64(gas))); err != nil {
		return nil, err
	}
	return true, nil
}

// setMinGasPrice serves anvil_setMinGasPrice: always refused, since the base fee decides (EIP-1559).
func setMinGasPrice(r *request, _ amount) (any, error) {
	return nil, InvalidParams("%s is not supported when EIP-1559 is active: set the base fee of the next block", r.method)
}
