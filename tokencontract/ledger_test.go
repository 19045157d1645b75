package tokencontract_test

import (
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

const (
	overLimit     = "FiatTokenV2_2: Balance exceeds (2^255 - 1)"
	addOverflow   = "SafeMath: addition overflow"
	overAllowance = "ERC20: transfer amount exceeds allowance"
	belowZero     = "ERC20: decreased allowance below zero"
	toNobody      = "ERC20: transfer to the zero address"
	fromNobody    = "ERC20: transfer from the zero address"
	approveNobody = "ERC20: approve to the zero address"
)

// limitCases fill the merchant's balance to 2^255 - 1; one more unit must not fit.
func limitCases() []tableCase {
	limitCase := func(name string, run func(w *world)) tableCase {
		return newCase("balance limit/"+name, func(w *world) {
			w.fund(w.merchant.Address, tokencontract.MaxBalance)
			run(w)
			w.balanceIs(w.merchant.Address, tokencontract.MaxBalance)
		})
	}
	settle := func(w *world, k settlement) {
		a := w.terms(signers[0])
		a.Value = oneUnit
		w.reverts(k.sender(w), k.signed(w, signers[0], a), overLimit)
		w.usedIs(false, a.From, a.Nonce)
	}
	return []tableCase{
		limitCase("mint", func(w *world) {
			w.reverts(w.mint, tokencontract.PackMint(w.merchant.Address, oneUnit), overLimit)
		}),
		limitCase("mint over 2^256 in all", func(w *world) {
			w.must(w.masterMinter, binding.PackConfigureMinter(w.mint.Address, bigMax))
			w.reverts(w.mint, tokencontract.PackMint(w.stranger.Address, plus(tokencontract.MaxBalance, oneUnit)), addOverflow)
		}),
		limitCase("transfer", func(w *world) {
			w.reverts(w.payer, tokencontract.PackTransfer(w.merchant.Address, oneUnit), overLimit)
		}),
		limitCase("transferWithAuthorization", func(w *world) { settle(w, settlements[0]) }),
		limitCase("receiveWithAuthorization", func(w *world) { settle(w, settlements[1]) }),
	}
}

func allowanceCases() []tableCase {
	return []tableCase{
		newCase("approve/sets and overwrites", func(w *world) {
			outcome := w.must(w.payer, binding.PackApprove(w.relayer.Address, ten.ToBig()))
			w.logsAre(outcome, "Approval")
			require.Len(w.t, outcome.Logs[0].Topics, 3)
			w.allowanceIs(w.payer.Address, w.relayer.Address, ten)
			w.must(w.payer, binding.PackApprove(w.relayer.Address, bigOne))
			w.allowanceIs(w.payer.Address, w.relayer.Address, oneUnit)
		}),
		newCase("approve/nobody", func(w *world) {
			w.reverts(w.payer, binding.PackApprove(nobody, bigOne), approveNobody)
			w.revertsAs(w.chain.Call(nobody, w.token, binding.PackApprove(w.payer.Address, bigOne)), "ERC20: approve from the zero address")
		}),
		newCase("increaseAllowance/adds", func(w *world) {
			w.must(w.payer, binding.PackIncreaseAllowance(w.relayer.Address, ten.ToBig()))
			w.logsAre(w.must(w.payer, binding.PackIncreaseAllowance(w.relayer.Address, bigOne)), "Approval")
			w.allowanceIs(w.payer.Address, w.relayer.Address, plus(ten, oneUnit))
		}),
		newCase("decreaseAllowance/subtracts", func(w *world) {
			w.must(w.payer, binding.PackApprove(w.relayer.Address, ten.ToBig()))
			w.logsAre(w.must(w.payer, binding.PackDecreaseAllowance(w.relayer.Address, bigOne)), "Approval")
			w.allowanceIs(w.payer.Address, w.relayer.Address, minus(ten, oneUnit))
		}),
		newCase("decreaseAllowance/below zero", func(w *world) {
			w.must(w.payer, binding.PackApprove(w.relayer.Address, bigOne))
			w.reverts(w.payer, binding.PackDecreaseAllowance(w.relayer.Address, ten.ToBig()), belowZero)
			w.reverts(w.payer, binding.PackDecreaseAllowance(w.relayer.Address, bigMax), belowZero)
			w.allowanceIs(w.payer.Address, w.relayer.Address, oneUnit)
		}),
		newCase("allowances/paused", func(w *world) {
			w.pause()
			w.reverts(w.payer, binding.PackApprove(w.relayer.Address, bigOne), paused)
			w.reverts(w.payer, binding.PackIncreaseAllowance(w.relayer.Address, bigOne), paused)
			w.reverts(w.payer, binding.PackDecreaseAllowance(w.relayer.Address, bigOne), paused)
		}),
	}
}

func transferCases() []tableCase {
	return []tableCase{
		newCase("transfer/moves", func(w *world) {
			outcome := w.must(w.payer, tokencontract.PackTransfer(w.merchant.Address, ten))
			require.Len(w.t, outcome.Logs, 1)
			w.transferLogIs(outcome.Logs[0], w.payer.Address, w.merchant.Address, ten)
			w.balanceIs(w.payer.Address, minus(startUSD, ten))
			w.balanceIs(w.merchant.Address, ten)
		}),
		newCase("transfer/refused", func(w *world) {
			w.reverts(w.payer, tokencontract.PackTransfer(nobody, ten), toNobody)
			w.reverts(w.payer, tokencontract.PackTransfer(w.merchant.Address, plus(startUSD, oneUnit)), overBalance)
			w.reverts(w.payer, tokencontract.PackTransfer(w.merchant.Address, maxUint), overBalance)
			w.reverts(w.payer, tokencontract.PackTransfer(w.token, ten), blacklisted)
			w.revertsAs(w.chain.Call(nobody, w.token, tokencontract.PackTransfer(w.merchant.Address, ten)), fromNobody)
			w.blacklist(w.merchant.Address)
			w.reverts(w.payer, tokencontract.PackTransfer(w.merchant.Address, ten), blacklisted)
			w.reverts(w.merchant, tokencontract.PackTransfer(w.payer.Address, ten), blacklisted)
			w.pause()
			w.reverts(w.payer, tokencontract.PackTransfer(w.merchant.Address, ten), paused)
			w.balanceIs(w.payer.Address, startUSD)
		}),
		newCase("transferFrom/spends the allowance", func(w *world) {
			data := binding.PackTransferFrom(w.payer.Address, w.merchant.Address, ten.ToBig())
			w.must(w.payer, binding.PackApprove(w.relayer.Address, plus(ten, oneUnit).ToBig()))
			w.logsAre(w.must(w.relayer, data), "Transfer")
			w.allowanceIs(w.payer.Address, w.relayer.Address, oneUnit)
			w.reverts(w.relayer, data, overAllowance)
			w.balanceIs(w.merchant.Address, ten)
		}),
		newCase("transferFrom/order of checks", func(w *world) {
			over := binding.PackTransferFrom(w.payer.Address, w.merchant.Address, plus(startUSD, oneUnit).ToBig())
			parties := []fixtures.Account{w.relayer, w.payer, w.merchant}
			for _, account := range parties {
				w.blacklist(account.Address)
			}
			w.pause()
			w.reverts(w.relayer, over, paused)
			w.unpause()
			for _, account := range parties {
				w.reverts(w.relayer, over, blacklisted)
				w.unBlacklist(account.Address)
			}
			w.reverts(w.relayer, over, overAllowance)
			w.must(w.payer, binding.PackApprove(w.relayer.Address, bigMax))
			w.reverts(w.relayer, over, overBalance)
		}),
	}
}

func mintCases() []tableCase {
	const notMinter = "FiatToken: caller is not a minter"
	return []tableCase{
		newCase("mint/adds", func(w *world) {
			supply := w.read(binding.PackTotalSupply())
			outcome := w.must(w.mint, tokencontract.PackMint(w.merchant.Address, ten))
			w.logsAre(outcome, "Mint", "Transfer")
			w.transferLogIs(outcome.Logs[1], nobody, w.merchant.Address, ten)
			w.balanceIs(w.merchant.Address, ten)
			require.Equal(w.t, plus(supply, ten), w.read(binding.PackTotalSupply()))
		}),
		newCase("mint/order of checks", func(w *world) {
			w.must(w.masterMinter, binding.PackConfigureMinter(w.relayer.Address, ten.ToBig()))
			w.blacklist(w.stranger.Address)
			w.blacklist(w.relayer.Address)
			w.blacklist(nobody)
			w.pause()
			w.reverts(w.stranger, tokencontract.PackMint(nobody, maxUint), paused)
			w.unpause()
			w.reverts(w.stranger, tokencontract.PackMint(nobody, maxUint), notMinter)
			w.reverts(w.relayer, tokencontract.PackMint(nobody, maxUint), blacklisted)
			w.unBlacklist(w.relayer.Address)
			w.reverts(w.relayer, tokencontract.PackMint(nobody, maxUint), blacklisted)
			w.unBlacklist(nobody)
			w.reverts(w.relayer, tokencontract.PackMint(nobody, new(tokenUnits)), "FiatToken: mint to the zero address")
			w.reverts(w.relayer, tokencontract.PackMint(w.payer.Address, new(tokenUnits)), "FiatToken: mint amount not greater than 0")
			w.reverts(w.relayer, tokencontract.PackMint(w.payer.Address, plus(ten, oneUnit)), "FiatToken: mint amount exceeds minterAllowance")
			w.must(w.relayer, tokencontract.PackMint(w.payer.Address, ten))
			require.True(w.t, w.read(binding.PackMinterAllowance(w.relayer.Address)).IsZero())
		}),
		newCase("burn/subtracts", func(w *world) {
			w.fund(w.mint.Address, ten)
			supply := w.read(binding.PackTotalSupply())
			outcome := w.must(w.mint, binding.PackBurn(bigOne))
			w.logsAre(outcome, "Burn", "Transfer")
			w.transferLogIs(outcome.Logs[1], w.mint.Address, nobody, oneUnit)
			w.balanceIs(w.mint.Address, minus(ten, oneUnit))
			require.Equal(w.t, minus(supply, oneUnit), w.read(binding.PackTotalSupply()))
		}),
		newCase("burn/order of checks", func(w *world) {
			w.blacklist(w.payer.Address)
			w.blacklist(w.mint.Address)
			w.pause()
			w.reverts(w.payer, binding.PackBurn(bigMax), paused)
			w.unpause()
			w.reverts(w.payer, binding.PackBurn(bigMax), notMinter)
			w.reverts(w.mint, binding.PackBurn(bigMax), blacklisted)
			w.unBlacklist(w.mint.Address)
			w.reverts(w.mint, binding.PackBurn(new(tokenUnits).ToBig()), "FiatToken: burn amount not greater than 0")
			w.reverts(w.mint, binding.PackBurn(bigOne), "FiatToken: burn amount exceeds balance")
		}),
		newCase("minters/configured and removed", func(w *world) {
			const notMaster = "FiatToken: caller is not the masterMinter"
			w.reverts(w.owner, binding.PackConfigureMinter(w.relayer.Address, bigOne), notMaster)
			w.reverts(w.owner, binding.PackRemoveMinter(w.mint.Address), notMaster)
			w.logsAre(w.must(w.masterMinter, binding.PackConfigureMinter(w.relayer.Address, bigOne)), "MinterConfigured")
			w.is(true, binding.PackIsMinter(w.relayer.Address))
			require.Equal(w.t, oneUnit, w.read(binding.PackMinterAllowance(w.relayer.Address)))
			w.pause()
			w.reverts(w.masterMinter, binding.PackConfigureMinter(w.relayer.Address, bigOne), paused)
			w.logsAre(w.must(w.masterMinter, binding.PackRemoveMinter(w.relayer.Address)), "MinterRemoved")
			w.is(false, binding.PackIsMinter(w.relayer.Address))
			require.True(w.t, w.read(binding.PackMinterAllowance(w.relayer.Address)).IsZero())
			w.unpause()
			w.reverts(w.relayer, tokencontract.PackMint(w.payer.Address, oneUnit), notMinter)
		}),
	}
}

const (
	permitInvalid = "EIP2612: invalid signature"
	permitExpired = "FiatTokenV2: permit is expired"
)

// permit returns ten dollars for a stranger to spend, within the hour.
func (w *world) permit(s signer) tokencontract.Permit {
	return tokencontract.Permit{
		Owner: s.address(w), Spender: w.stranger.Address, Value: ten,
		Deadline: uint256.NewInt(w.chain.Now() + 3600),
	}
}

// permit returns the call data of a permit signed by a key.
func (s signer) permit(w *world, p tokencontract.Permit, key fixtures.Account) []byte {
	return s.packPermit(p, key.Sign(w.domain, p.Message()))
}

func (s signer) packPermit(p tokencontract.Permit, signature tokencontract.Signature) []byte {
	if s.vrs {
		return p.Pack(signature)
	}
	return p.PackBytes(signature.Bytes())
}

func permitCases() []tableCase {
	rows := []struct {
		name string
		run  func(w *world, s signer)
	}{
		{"valid, then overwritten", func(w *world, s signer) {
			p := w.permit(s)
			outcome := w.must(w.relayer, s.permit(w, p, w.payer))
			w.logsAre(outcome, "Approval")
			require.Equal(w.t, p.Owner.Bytes(), outcome.Logs[0].Topics[1][12:])
			require.Equal(w.t, p.Spender.Bytes(), outcome.Logs[0].Topics[2][12:])
			require.Equal(w.t, ten.Bytes(), new(uint256.Int).SetBytes(outcome.Logs[0].Data).Bytes())
			w.allowanceIs(p.Owner, p.Spender, ten)
			require.EqualValues(w.t, 1, w.read(binding.PackNonces(p.Owner)).Uint64())
			p.Nonce, p.Value = 1, oneUnit
			w.must(w.relayer, s.permit(w, p, w.payer))
			w.allowanceIs(p.Owner, p.Spender, oneUnit)
			require.EqualValues(w.t, 2, w.read(binding.PackNonces(p.Owner)).Uint64())
		}},
		{"at the deadline", func(w *world, s signer) {
			p := w.permit(s)
			w.chain.SetTime(p.Deadline.Uint64())
			w.must(w.relayer, s.permit(w, p, w.payer))
		}},
		{"a second after the deadline", func(w *world, s signer) {
			p := w.permit(s)
			w.chain.SetTime(p.Deadline.Uint64() + 1)
			w.reverts(w.relayer, s.permit(w, p, w.payer), permitExpired)
			w.allowanceIs(p.Owner, p.Spender, new(tokenUnits))
		}},
		{"wrong key", func(w *world, s signer) {
			w.reverts(w.relayer, s.permit(w, w.permit(s), w.stranger), permitInvalid)
		}},
		{"replay", func(w *world, s signer) {
			data := s.permit(w, w.permit(s), w.payer)
			w.must(w.relayer, data)
			w.reverts(w.relayer, data, permitInvalid)
		}},
		{"signed as a transfer", func(w *world, s signer) {
			p, a := w.permit(s), w.terms(s)
			w.reverts(w.relayer, s.packPermit(p, w.payer.Sign(w.domain, a.TransferMessage())), permitInvalid)
		}},
		{"blacklisted owner and spender", func(w *world, s signer) {
			p := w.permit(s)
			w.blacklist(p.Owner)
			w.blacklist(p.Spender)
			w.must(w.relayer, s.permit(w, p, w.payer))
			w.allowanceIs(p.Owner, p.Spender, ten)
		}},
	}
	var cases []tableCase
	for _, s := range signers {
		for _, row := range rows {
			cases = append(cases, newCase("permit/"+s.name+"/"+row.name, func(w *world) { row.run(w, s) }))
		}
	}
	return cases
}
