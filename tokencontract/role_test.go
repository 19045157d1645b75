package tokencontract_test

import (
	"bytes"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

const (
	notOwner       = "Ownable: caller is not the owner"
	notPauser      = "Pausable: caller is not the pauser"
	notBlacklister = "Blacklistable: caller is not the blacklister"
	notRescuer     = "Rescuable: caller is not the rescuer"
)

func roleCases() []tableCase {
	rows := []struct {
		role   string
		update func(common.Address) []byte
		read   func() []byte
		event  string
		zero   string
	}{
		{"owner", binding.PackTransferOwnership, binding.PackOwner, "OwnershipTransferred", "Ownable: new owner is the zero address"},
		{"pauser", binding.PackUpdatePauser, binding.PackPauser, "PauserChanged", "Pausable: new pauser is the zero address"},
		{"blacklister", binding.PackUpdateBlacklister, binding.PackBlacklister, "BlacklisterChanged", "Blacklistable: new blacklister is the zero address"},
		{"masterMinter", binding.PackUpdateMasterMinter, binding.PackMasterMinter, "MasterMinterChanged", "FiatToken: new masterMinter is the zero address"},
		{"rescuer", binding.PackUpdateRescuer, binding.PackRescuer, "RescuerChanged", "Rescuable: new rescuer is the zero address"},
	}
	var cases []tableCase
	for _, row := range rows {
		cases = append(cases, newCase("roles/"+row.role, func(w *world) {
			w.reverts(w.stranger, row.update(w.stranger.Address), notOwner)
			w.reverts(w.stranger, row.update(nobody), notOwner)
			w.reverts(w.owner, row.update(nobody), row.zero)
			outcome := w.must(w.owner, row.update(w.stranger.Address))
			w.logsAre(outcome, row.event)
			if row.role == "owner" { // the one event without indexed fields
				require.Len(w.t, outcome.Logs[0].Topics, 1)
				require.Equal(w.t, append(common.LeftPadBytes(w.owner.Address[:], 32), common.LeftPadBytes(w.stranger.Address[:], 32)...), outcome.Logs[0].Data)
			} else {
				require.Equal(w.t, w.stranger.Address.Bytes(), outcome.Logs[0].Topics[1][12:])
			}
			require.Equal(w.t, w.stranger.Address.Bytes(), w.read(row.read()).Bytes())
		}))
	}
	return append(cases, newCase("pause/by the pauser", func(w *world) {
		w.reverts(w.owner, binding.PackPause(), notPauser)
		w.logsAre(w.must(w.pauser, binding.PackPause()), "Pause")
		w.is(true, binding.PackPaused())
		w.reverts(w.owner, binding.PackUnpause(), notPauser)
		w.logsAre(w.must(w.pauser, binding.PackUnpause()), "Unpause")
		w.is(false, binding.PackPaused())
	}))
}

// blacklistCases look at the word that packs the blacklist flag with the balance.
func blacklistCases() []tableCase {
	flag := new(uint256.Int).Lsh(oneUnit, 255)
	balanceWord := func(w *world, account common.Address) *uint256.Int {
		return w.slot(tokencontract.MappingSlot(tokencontract.SlotBalances, account))
	}
	return []tableCase{
		newCase("blacklist/by the blacklister", func(w *world) {
			w.reverts(w.owner, binding.PackBlacklist(w.payer.Address), notBlacklister)
			w.logsAre(w.must(w.blacklister, binding.PackBlacklist(w.payer.Address)), "Blacklisted")
			w.is(true, binding.PackIsBlacklisted(w.payer.Address))
			w.reverts(w.owner, binding.PackUnBlacklist(w.payer.Address), notBlacklister)
			w.logsAre(w.must(w.blacklister, binding.PackUnBlacklist(w.payer.Address)), "UnBlacklisted")
			w.is(false, binding.PackIsBlacklisted(w.payer.Address))
		}),
		newCase("blacklist/keeps the balance", func(w *world) {
			account := w.payer.Address
			require.Equal(w.t, startUSD, balanceWord(w, account))
			for range 2 { // listing twice changes nothing
				w.blacklist(account)
				require.Equal(w.t, plus(flag, startUSD), balanceWord(w, account))
				w.balanceIs(account, startUSD)
			}
			for range 2 {
				w.unBlacklist(account)
				require.Equal(w.t, startUSD, balanceWord(w, account))
				w.balanceIs(account, startUSD)
			}
		}),
		newCase("blacklist/the token's own address is listed", func(w *world) {
			w.is(true, binding.PackIsBlacklisted(w.token))
		}),
	}
}

func rescueCases() []tableCase {
	// newStranded sends ten dollars of a second token to the first and appoints the relayer as the rescuer.
	newStranded := func(w *world) common.Address {
		other := newWorld(w.t, w.chain)
		other.fund(w.token, ten)
		w.must(w.owner, binding.PackUpdateRescuer(w.relayer.Address))
		return other.token
	}
	balance := func(w *world, token, account common.Address, want *uint256.Int) {
		outcome := w.chain.Call(nobody, token, tokencontract.PackBalanceOf(account))
		require.Equal(w.t, want.Dec(), new(uint256.Int).SetBytes(outcome.Output).Dec())
	}
	return []tableCase{
		newCase("rescueERC20/all and part", func(w *world) {
			stranded := newStranded(w)
			w.pause() // rescues go on
			w.must(w.relayer, binding.PackRescueERC20(stranded, w.merchant.Address, bigOne))
			balance(w, stranded, w.merchant.Address, oneUnit)
			w.must(w.relayer, binding.PackRescueERC20(stranded, w.merchant.Address, minus(ten, oneUnit).ToBig()))
			balance(w, stranded, w.merchant.Address, ten)
			balance(w, stranded, w.token, new(tokenUnits))
		}),
		newCase("rescueERC20/not by the rescuer", func(w *world) {
			stranded := newStranded(w)
			w.reverts(w.owner, binding.PackRescueERC20(stranded, w.owner.Address, bigOne), notRescuer)
		}),
		newCase("rescueERC20/what is not a token", func(w *world) {
			newStranded(w)
			w.reverts(w.relayer, binding.PackRescueERC20(w.stranger.Address, w.merchant.Address, bigOne), "Address: call to non-contract")
			counter := w.deploy(contracts.DeployCode(contracts.CounterMetaData.Bin))
			w.reverts(w.relayer, binding.PackRescueERC20(counter, w.merchant.Address, bigOne), "SafeERC20: low-level call failed")
			refusing := w.deployConstant(new(tokenUnits))
			w.reverts(w.relayer, binding.PackRescueERC20(refusing, w.merchant.Address, bigOne), "SafeERC20: ERC20 operation did not succeed")
			silent := w.deploy(program.New().ReturnViaCodeCopy([]byte{0}).Bytes()) // STOP: succeeds and returns nothing
			w.must(w.relayer, binding.PackRescueERC20(silent, w.merchant.Address, new(big.Int)))
		}),
	}
}

// deployConstant creates a contract that answers every call with one word.
func (w *world) deployConstant(word *uint256.Int) common.Address {
	bytes := word.Bytes32()
	return w.deploy(program.New().ReturnViaCodeCopy(program.New().ReturnData(bytes[:]).Bytes()).Bytes())
}

const (
	noTransfer    = "FiatTokenUtil: no transfer provided"
	badParams     = "FiatTokenUtil: length of params is invalid"
	badSignatures = "FiatTokenUtil: length of signatures is invalid"
	batchFailed   = "FiatTokenUtil: call failed"
)

// batch is the utility that settles many authorizations, with two good authorizations for it.
type batch struct {
	*world
	contract common.Address
	first    tokencontract.Authorization
	second   tokencontract.Authorization
}

func newBatch(w *world, token common.Address) batch {
	code := contracts.DeployCode(contracts.BatchTransferMetaData.Bin, contracts.NewBatchTransfer().PackConstructor(token)...)
	b := batch{w, w.deploy(code), w.terms(signers[0]), w.terms(signers[0])}
	b.second.Nonce = tokencontract.NonceFromSeed("second order")
	return b
}

// settle sends authorizations signed by the payer.
func (b batch) settle(atomic bool, authorizations ...tokencontract.Authorization) ending {
	var params, signatures []byte
	for _, a := range authorizations {
		params = append(params, bytes.Join([][]byte{a.From[:], a.To[:], word(a.Value), word64(a.ValidAfter), word64(a.ValidBefore), a.Nonce[:]}, nil)...)
		signature := b.payer.Sign(b.domain, a.TransferMessage())
		signatures = append(append(signatures, signature.V()), signature[:64]...)
	}
	return b.send(params, signatures, atomic)
}

func (b batch) send(params, signatures []byte, atomic bool) ending {
	return b.chain.Send(b.relayer, &b.contract, contracts.NewBatchTransfer().PackTransferWithMultipleAuthorizations(params, signatures, atomic))
}

func batchCases() []tableCase {
	batchCase := func(name string, run func(b batch)) tableCase {
		return newCase("transferWithMultipleAuthorizations/"+name, func(w *world) { run(newBatch(w, w.token)) })
	}
	return []tableCase{
		batchCase("none", func(b batch) {
			b.revertsAs(b.settle(true), noTransfer)
		}),
		batchCase("params of a wrong length", func(b batch) {
			b.revertsAs(b.send(make([]byte, 167), make([]byte, 65), true), badParams)
			b.revertsAs(b.send(make([]byte, 169), make([]byte, 65), true), badParams)
		}),
		batchCase("signatures of a wrong length", func(b batch) {
			b.revertsAs(b.send(make([]byte, 168), make([]byte, 64), true), badSignatures)
			b.revertsAs(b.send(make([]byte, 168), make([]byte, 130), true), badSignatures)
		}),
		batchCase("two", func(b batch) {
			outcome := b.settle(true, b.first, b.second)
			require.True(b.t, outcome.Succeeded)
			b.logsAre(outcome, "AuthorizationUsed", "Transfer", "AuthorizationUsed", "Transfer")
			require.Equal(b.t, b.first.Nonce, outcome.Logs[0].Topics[2])
			require.Equal(b.t, b.second.Nonce, outcome.Logs[2].Topics[2])
			b.balanceIs(b.merchant.Address, fixtures.USD("20"))
		}),
		batchCase("one of two fails", func(b batch) {
			b.second.ValidBefore = b.chain.Now()
			outcome := b.settle(false, b.first, b.second)
			require.True(b.t, outcome.Succeeded)
			require.Len(b.t, outcome.Logs, 3)
			failed, err := contracts.NewBatchTransfer().UnpackTransferFailedEvent(outcome.Logs[2])
			require.NoError(b.t, err)
			require.Equal(b.t, b.second.From, failed.Authorizer)
			require.Equal(b.t, b.second.Nonce, common.Hash(failed.Nonce))
			b.usedIs(true, b.first.From, b.first.Nonce)
			b.usedIs(false, b.second.From, b.second.Nonce)
			b.balanceIs(b.merchant.Address, ten)
		}),
		batchCase("one of two fails, atomic", func(b batch) {
			b.second.ValidBefore = b.chain.Now()
			b.revertsAs(b.settle(true, b.first, b.second), expired)
			b.untouched(signers[0], b.first)
		}),
		newCase("transferWithMultipleAuthorizations/fails without a reason", func(w *world) {
			silent := w.deploy(program.New().ReturnViaCodeCopy(program.New().Push(0).Push(0).Op(vm.REVERT).Bytes()).Bytes())
			b := newBatch(w, silent)
			b.revertsAs(b.settle(true, b.first), batchFailed)
			require.True(w.t, b.settle(false, b.first).Succeeded)
		}),
	}
}

func word(n *tokenUnits) []byte {
	bytes := n.Bytes32()
	return bytes[:]
}

func word64(n uint64) []byte {
	return common.BigToHash(new(big.Int).SetUint64(n)).Bytes()
}
