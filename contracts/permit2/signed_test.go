package permit2_test

import (
	"fmt"
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/contracts/permit2"
	"github.com/fakenode/fakenode/contracts/smartwallet"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// signedCases are transfers by one signature.
func signedCases() []tableCase {
	var cases []tableCase
	for _, s := range signers {
		cases = append(cases, newCase("permitTransferFrom/"+s.name, func(w *world) {
			s.prepare(w)
			data := w.pull(s, w.permit())
			outcome := w.must(w.spender, data)
			require.Empty(w.t, contracttest.Events(w.t, permit2.Address, binding.GetABI(), outcome.Logs))
			w.shopHas(ten)
			w.reverts(w.spender, data, "InvalidNonce")
		}))
	}
	plain := signers[0]
	return append(cases,
		newCase("permitTransferFrom/order of checks", func(w *world) {
			p := w.permit()
			p.Deadline = w.chain.Now() - 1
			over := new(uint256.Int).AddUint64(ten, 1)
			bad := []byte{1, 2, 3}
			w.must(w.payer, binding.PackInvalidateUnorderedNonces(new(big.Int), big.NewInt(1<<7)))
			w.reverts(w.spender, p.Pack(w.payer.Address, w.shop.Address, over, bad), "SignatureExpired", new(big.Int).SetUint64(p.Deadline))
			p.Deadline = w.chain.Now() // inclusive
			w.reverts(w.spender, p.Pack(w.payer.Address, w.shop.Address, over, bad), "InvalidAmount", ten.ToBig())
			w.reverts(w.spender, p.Pack(w.payer.Address, w.shop.Address, ten, bad), "InvalidNonce")
			p.Nonce = uint256.NewInt(8)
			w.reverts(w.spender, p.Pack(w.payer.Address, w.shop.Address, ten, bad), "InvalidSignatureLength")
			w.must(w.spender, w.pull(plain, p))
		}),
		newCase("permitWitnessTransferFrom/bound to its witness", func(w *world) {
			p := w.permit()
			p.Witness = &permit2.Witness{
				Type: "Order(uint256 id)", Message: apitypes.TypedDataMessage{"id": "42"},
			}
			signature := plain.sign(p.TypedData(contracttest.ChainID), w.payer)
			pull := func(id uint64, kind string) []byte {
				word := uint256.NewInt(id).Bytes32()
				witness := crypto.Keccak256Hash(crypto.Keccak256([]byte("Order(uint256 id)")), word[:])
				details := permit2.ISignatureTransferSignatureTransferDetails{To: w.shop.Address, RequestedAmount: ten.ToBig()}
				return binding.PackPermitWitnessTransferFrom(p.Permit(), details, w.payer.Address, witness, kind, signature)
			}
			const kind = "Order witness)Order(uint256 id)TokenPermissions(address token,uint256 amount)"
			w.reverts(w.spender, pull(43, kind), "InvalidSigner")
			w.reverts(w.spender, pull(42, "Other witness)"), "InvalidSigner")
			w.reverts(w.spender, p.Pack(w.payer.Address, w.shop.Address, ten, signature), "InvalidSigner")
			w.must(w.spender, pull(42, kind))
			w.shopHas(ten)
		}),
	)
}

func batch(amounts ...uint64) permit2.ISignatureTransferPermitBatchTransferFrom {
	b := permit2.ISignatureTransferPermitBatchTransferFrom{Nonce: big.NewInt(300), Deadline: big.NewInt(contracttest.StartTime + 60)}
	for _, amount := range amounts {
		b.Permitted = append(b.Permitted, permit2.ISignatureTransferTokenPermissions{
			Token: contracttest.TokenAddress, Amount: new(big.Int).SetUint64(amount),
		})
	}
	return b
}

// batchCases are transfers of several amounts by one signature. The digest is computed by hand: wallets sign it so.
func batchCases() []tableCase {
	const permissions = "TokenPermissions(address token,uint256 amount)"
	word := func(n *big.Int) []byte { return common.BigToHash(n).Bytes() }
	sign := func(w *world, b permit2.ISignatureTransferPermitBatchTransferFrom, kind string, extra ...[]byte) []byte {
		var hashes []byte
		for _, p := range b.Permitted {
			hashes = append(hashes, crypto.Keccak256(crypto.Keccak256([]byte(permissions)), common.LeftPadBytes(p.Token[:], 32), word(p.Amount))...)
		}
		encoded := [][]byte{
			crypto.Keccak256([]byte(kind)), crypto.Keccak256(hashes), common.LeftPadBytes(w.spender.Address[:], 32), word(b.Nonce), word(b.Deadline),
		}
		structHash := crypto.Keccak256(append(encoded, extra...)...)
		separator := w.chain.Read(permit2.Address, binding.PackDOMAINSEPARATOR())
		return w.payer.SignDigest(crypto.Keccak256Hash([]byte{0x19, 1}, separator, structHash)).Bytes()
	}
	details := func(w *world, amounts ...uint64) (list []permit2.ISignatureTransferSignatureTransferDetails) {
		for _, amount := range amounts {
			list = append(list, permit2.ISignatureTransferSignatureTransferDetails{To: w.shop.Address, RequestedAmount: new(big.Int).SetUint64(amount)})
		}
		return list
	}
	const kind = "PermitBatchTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline)" + permissions
	return []tableCase{
		newCase("batch/moves each amount once", func(w *world) {
			b := batch(5, 7, 9)
			signature := sign(w, b, kind)
			data := binding.PackPermitBatchTransferFrom(b, details(w, 5, 0, 4), w.payer.Address, signature)
			outcome := w.must(w.spender, data)
			require.Len(w.t, outcome.Logs, 2, "nothing moves for an amount of 0")
			w.shopHas(uint256.NewInt(9))
			w.reverts(w.spender, data, "InvalidNonce")
		}),
		newCase("batch/order of checks", func(w *world) {
			b := batch(5, 7)
			pull := func(signature []byte, amounts ...uint64) []byte {
				return binding.PackPermitBatchTransferFrom(b, details(w, amounts...), w.payer.Address, signature)
			}
			b.Deadline = big.NewInt(contracttest.StartTime - 1)
			w.reverts(w.spender, pull(nil, 6), "SignatureExpired", b.Deadline)
			b.Deadline = big.NewInt(contracttest.StartTime)
			w.reverts(w.spender, pull(nil, 6), "LengthMismatch")
			w.must(w.payer, binding.PackInvalidateUnorderedNonces(big.NewInt(1), big.NewInt(1<<44)))
			w.reverts(w.spender, pull(nil, 6, 8), "InvalidNonce")
			b.Nonce = big.NewInt(301)
			w.reverts(w.spender, pull(nil, 6, 8), "InvalidSignatureLength")
			w.reverts(w.spender, pull(sign(w, b, kind), 5, 8), "InvalidAmount", big.NewInt(7))
			w.must(w.spender, pull(sign(w, b, kind), 5, 7))
		}),
	}
}

// nonceCases are about the bits that make a signature good once.
func nonceCases() []tableCase {
	return []tableCase{
		newCase("nonces/invalidated", func(w *world) {
			outcome := w.must(w.payer, binding.PackInvalidateUnorderedNonces(new(big.Int), big.NewInt(0x81)))
			w.logsAre(outcome, "UnorderedNonceInvalidation")
			event, err := binding.UnpackUnorderedNonceInvalidationEvent(outcome.Logs[0])
			require.NoError(w.t, err)
			require.Equal(w.t, w.payer.Address, event.Owner)
			require.Zero(w.t, event.Word.Sign())
			require.EqualValues(w.t, 0x81, event.Mask.Int64())
			w.reverts(w.spender, w.pull(signers[0], w.permit()), "InvalidNonce")
			w.must(w.spender, w.pull(signer{wallet: true}, w.permit())) // nonces are each owner's own
		}),
	}
}

// signatureCases are about the signatures that a transfer accepts.
func signatureCases() []tableCase {
	pullWith := func(w *world, s signer, signature []byte) []byte {
		p := w.permit()
		return p.Pack(s.address(w), w.shop.Address, p.Amount, signature)
	}
	return []tableCase{
		newCase("signatures/of an account without code", func(w *world) {
			plain := signers[0]
			good := plain.sign(w.permit().TypedData(contracttest.ChainID), w.payer)
			w.reverts(w.spender, pullWith(w, plain, nil), "InvalidSignatureLength")
			w.reverts(w.spender, pullWith(w, plain, good[:63]), "InvalidSignatureLength")
			w.reverts(w.spender, pullWith(w, plain, append(good[:65:65], 0)), "InvalidSignatureLength")
			v := append([]byte(nil), good...)
			v[64] -= 27
			w.reverts(w.spender, pullWith(w, plain, v), "InvalidSignature")
			w.reverts(w.spender, pullWith(w, plain, plain.sign(w.permit().TypedData(contracttest.ChainID), w.stranger)), "InvalidSigner")
			w.reverts(w.spender, pullWith(w, plain, plain.sign(w.permit().TypedData(contracttest.ChainID+1), w.payer)), "InvalidSigner")
			w.must(w.spender, pullWith(w, plain, good))
		}),
		newCase("signatures/of an account that is not deployed (ERC-6492)", func(w *world) {
			account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(w.payer.Address))
			p := w.permit()
			digest := account.Digest(contracttest.ChainID, contracts.Digest(p.TypedData(contracttest.ChainID)))
			wrapped := account.WrapUndeployed(smartwallet.WrapSignature(0, w.payer.SignDigest(digest).Bytes()))
			w.reverts(w.spender, p.Pack(account.Address(), w.shop.Address, p.Amount, wrapped), "InvalidSignatureLength")
			w.reverts(w.spender, p.Pack(w.wallet, w.shop.Address, p.Amount, wrapped), "InvalidContractSignature")
		}),
	}
}

func (w *world) spend(amount *big.Int) []byte {
	return binding.PackTransferFrom(w.payer.Address, w.shop.Address, amount, contracttest.TokenAddress)
}

func (w *world) approve(amount *big.Int, expiration uint64) []byte {
	return binding.PackApprove(contracttest.TokenAddress, w.spender.Address, amount, new(big.Int).SetUint64(expiration))
}

// allowancePermit sets the spender's allowance by signature.
type allowancePermit struct{ amount, expiration, nonce, deadline uint64 }

func (w *world) allowancePermit() allowancePermit {
	return allowancePermit{ten.Uint64(), w.chain.Now() + 100, 0, w.chain.Now() + 60}
}

func (p allowancePermit) pack(w *world, owner common.Address, signature []byte) []byte {
	number := func(n uint64) *big.Int { return new(big.Int).SetUint64(n) }
	return binding.PackPermit(owner, permit2.IAllowanceTransferPermitSingle{
		Details: permit2.IAllowanceTransferPermitDetails{
			Token: contracttest.TokenAddress, Amount: number(p.amount), Expiration: number(p.expiration), Nonce: number(p.nonce),
		},
		Spender: w.spender.Address, SigDeadline: number(p.deadline),
	}, signature)
}

func (p allowancePermit) signed(w *world, s signer, by fixtures.Account) []byte {
	const types = "PermitSingle(PermitDetails details,address spender,uint256 sigDeadline)" +
		"PermitDetails(address token,uint160 amount,uint48 expiration,uint48 nonce)"
	details := apitypes.TypedDataMessage{
		"token": contracttest.TokenAddress.Hex(), "amount": fmt.Sprint(p.amount), "expiration": fmt.Sprint(p.expiration), "nonce": fmt.Sprint(p.nonce),
	}
	message := apitypes.TypedDataMessage{"details": details, "spender": w.spender.Address.Hex(), "sigDeadline": fmt.Sprint(p.deadline)}
	return s.sign(contracts.TypedData(w.permit().TypedData(contracttest.ChainID).Domain, types, message), by)
}

// allowanceCases are about allowances: set, by signature too, spent, expired, withdrawn.
func allowanceCases() []tableCase {
	var cases []tableCase
	for _, s := range signers {
		cases = append(cases, newCase("permit/"+s.name, func(w *world) {
			s.prepare(w)
			p := w.allowancePermit()
			data := p.pack(w, s.address(w), p.signed(w, s, w.payer))
			outcome := w.must(w.stranger, data)
			w.logsAre(outcome, "Permit")
			event, err := binding.UnpackPermitEvent(outcome.Logs[0])
			require.NoError(w.t, err)
			require.Equal(w.t, s.address(w), event.Owner)
			require.Equal(w.t, ten.ToBig(), event.Amount)
			require.EqualValues(w.t, 0, event.Nonce.Uint64())
			got := w.allowance(s.address(w))
			require.Equal(w.t, ten.ToBig(), got.Amount)
			require.Equal(w.t, p.expiration, got.Expiration.Uint64())
			require.EqualValues(w.t, 1, got.Nonce.Uint64())
			w.reverts(w.stranger, data, "InvalidNonce")
		}))
	}
	return append(cases,
		newCase("permit/order of checks", func(w *world) {
			p := w.allowancePermit()
			p.deadline, p.nonce = w.chain.Now()-1, 1
			w.reverts(w.stranger, p.pack(w, w.payer.Address, nil), "SignatureExpired", new(big.Int).SetUint64(p.deadline))
			p.deadline = w.chain.Now()
			w.reverts(w.stranger, p.pack(w, w.payer.Address, nil), "InvalidSignatureLength")
			w.reverts(w.stranger, p.pack(w, w.payer.Address, p.signed(w, signers[0], w.stranger)), "InvalidSigner")
			w.reverts(w.stranger, p.pack(w, w.payer.Address, p.signed(w, signers[0], w.payer)), "InvalidNonce")
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
			w.reverts(w.stranger, p.pack(w, w.payer.Address, p.signed(w, signers[0], w.payer)), "InvalidNonce")
		}),
	)
}
