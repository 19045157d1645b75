package permit2test

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures/contracts/permit2"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

func (w *world) spend(amount *big.Int) []byte {
	return binding.PackTransferFrom(w.payer.Address, w.shop.Address, amount, contracttest.TokenAddress)
}

func (w *world) approve(amount *big.Int, expiration uint64) []byte {
	return binding.PackApprove(contracttest.TokenAddress, w.spender.Address, amount, new(big.Int).SetUint64(expiration))
}

func (w *world) allowancePermit() permit2.AllowancePermit {
	return permit2.AllowancePermit{
		Token: contracttest.TokenAddress, Amount: ten, Expiration: w.chain.Now() + 100, Spender: w.spender.Address,
		SigDeadline: w.chain.Now() + 60,
	}
}

// allowanceCases are about allowances: set, by signature too, spent, expired, withdrawn.
func allowanceCases() []Case {
	var cases []Case
	for _, s := range signers {
		cases = append(cases, newCase("permit/"+s.name, func(w *world) {
			s.prepare(w)
			p := w.allowancePermit()
			data := p.Pack(s.address(w), s.sign(p.TypedData(contracttest.ChainID), w.payer))
			outcome := w.must(w.stranger, data)
			w.logsAre(outcome, "Permit")
			event, err := binding.UnpackPermitEvent(outcome.Logs[0])
			require.NoError(w.t, err)
			require.Equal(w.t, s.address(w), event.Owner)
			require.Equal(w.t, ten.ToBig(), event.Amount)
			require.EqualValues(w.t, 0, event.Nonce.Uint64())
			got := w.allowance(s.address(w))
			require.Equal(w.t, ten.ToBig(), got.Amount)
			require.Equal(w.t, p.Expiration, got.Expiration.Uint64())
			require.EqualValues(w.t, 1, got.Nonce.Uint64())
			w.reverts(w.stranger, data, "InvalidNonce")
		}))
	}
	return append(cases,
		newCase("permit/order of checks", func(w *world) {
			p := w.allowancePermit()
			p.SigDeadline, p.Nonce = w.chain.Now()-1, 1
			w.reverts(w.stranger, p.Pack(w.payer.Address, nil), "SignatureExpired", new(big.Int).SetUint64(p.SigDeadline))
			p.SigDeadline = w.chain.Now()
			w.reverts(w.stranger, p.Pack(w.payer.Address, nil), "InvalidSignatureLength")
			w.reverts(w.stranger, p.Pack(w.payer.Address, signers[0].sign(p.TypedData(contracttest.ChainID), w.stranger)), "InvalidSigner")
			w.reverts(w.stranger, p.Pack(w.payer.Address, signers[0].sign(p.TypedData(contracttest.ChainID), w.payer)), "InvalidNonce")
		}),
		newCase("approve/sets, keeps the nonce", func(w *world) {
			w.must(w.payer, binding.PackInvalidateNonces(contracttest.TokenAddress, w.spender.Address, big.NewInt(5)))
			outcome := w.must(w.payer, w.approve(ten.ToBig(), 0))
			w.logsAre(outcome, "Approval")
			event, err := binding.UnpackApprovalEvent(outcome.Logs[0])
			require.NoError(w.t, err)
			require.Zero(w.t, event.Expiration.Sign(), "the event has what was asked for")
			got := w.allowance(w.payer.Address)
			require.Equal(w.t, w.chain.Now(), got.Expiration.Uint64())
			require.EqualValues(w.t, 5, got.Nonce.Uint64())
		}),
		newCase("transferFrom/spends", func(w *world) {
			w.must(w.payer, w.approve(ten.ToBig(), w.chain.Now()+10))
			w.must(w.spender, w.spend(big.NewInt(4_000_000)))
			w.shopHas(uint256.NewInt(4_000_000))
			w.reverts(w.spender, w.spend(big.NewInt(6_000_001)), "InsufficientAllowance", big.NewInt(6_000_000))
			w.reverts(w.stranger, w.spend(big.NewInt(1)), "AllowanceExpired", new(big.Int))
			w.must(w.spender, w.spend(big.NewInt(6_000_000)))
			require.Zero(w.t, w.allowance(w.payer.Address).Amount.Sign())
		}),
		newCase("transferFrom/expiration is inclusive", func(w *world) {
			end := w.chain.Now() + 10
			w.must(w.payer, w.approve(ten.ToBig(), end))
			w.chain.SetTime(end)
			w.must(w.spender, w.spend(big.NewInt(1)))
			w.chain.SetTime(end + 1)
			w.reverts(w.spender, w.spend(maxUint160), "AllowanceExpired", new(big.Int).SetUint64(end))
		}),
		newCase("transferFrom/the largest amount does not shrink", func(w *world) {
			w.must(w.payer, w.approve(maxUint160, w.chain.Now()+10))
			w.must(w.spender, w.spend(ten.ToBig()))
			require.Equal(w.t, maxUint160, w.allowance(w.payer.Address).Amount)
		}),
		newCase("transferFrom/a batch fails as a whole", func(w *world) {
			w.must(w.payer, w.approve(ten.ToBig(), w.chain.Now()+10))
			detail := permit2.IAllowanceTransferAllowanceTransferDetails{
				From: w.payer.Address, To: w.shop.Address, Amount: big.NewInt(6_000_000), Token: contracttest.TokenAddress,
			}
			w.reverts(w.spender, binding.PackTransferFromBatch([]permit2.IAllowanceTransferAllowanceTransferDetails{detail, detail}), "InsufficientAllowance", big.NewInt(4_000_000))
			detail.Amount = big.NewInt(5_000_000)
			w.must(w.spender, binding.PackTransferFromBatch([]permit2.IAllowanceTransferAllowanceTransferDetails{detail, detail}))
			w.shopHas(ten)
		}),
		newCase("lockdown/takes allowances back", func(w *world) {
			w.must(w.payer, w.approve(ten.ToBig(), w.chain.Now()+10))
			outcome := w.must(w.payer, binding.PackLockdown([]permit2.IAllowanceTransferTokenSpenderPair{{Token: contracttest.TokenAddress, Spender: w.spender.Address}}))
			w.logsAre(outcome, "Lockdown")
			w.reverts(w.spender, w.spend(big.NewInt(1)), "InsufficientAllowance", new(big.Int))
		}),
		newCase("invalidateNonces/forwards only, 65,535 at most", func(w *world) {
			to := func(nonce int64) []byte {
				return binding.PackInvalidateNonces(contracttest.TokenAddress, w.spender.Address, big.NewInt(nonce))
			}
			w.reverts(w.payer, to(0), "InvalidNonce")
			w.reverts(w.payer, to(65536), "ExcessiveInvalidation")
			outcome := w.must(w.payer, to(65535))
			w.logsAre(outcome, "NonceInvalidation")
			event, err := binding.UnpackNonceInvalidationEvent(outcome.Logs[0])
			require.NoError(w.t, err)
			require.EqualValues(w.t, []uint64{65535, 0}, []uint64{event.NewNonce.Uint64(), event.OldNonce.Uint64()})
			w.reverts(w.payer, to(65535), "InvalidNonce")
			p := w.allowancePermit()
			w.reverts(w.stranger, p.Pack(w.payer.Address, signers[0].sign(p.TypedData(contracttest.ChainID), w.payer)), "InvalidNonce")
		}),
		newCase("allowance/is where it is in the deployed Permit2", func(w *world) {
			w.must(w.payer, w.approve(big.NewInt(5), 9))
			word := w.chain.Storage(permit2.Address, allowanceSlot(w.payer.Address, contracttest.TokenAddress, w.spender.Address))
			want := new(uint256.Int).Lsh(uint256.NewInt(9), 160)
			require.Equal(w.t, common.Hash(want.AddUint64(want, 5).Bytes32()), word)
		}),
	)
}
