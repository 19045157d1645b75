package permit2test

import (
	"math/big"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/signer/core/apitypes"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/fixtures/contracts/permit2"
	"github.com/fakenode/fakenode/fixtures/contracts/smartwallet"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

const transferFailed = "TRANSFER_FROM_FAILED"

// signedCases are transfers by one signature.
func signedCases() []Case {
	var cases []Case
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
		newCase("permitTransferFrom/part", func(w *world) {
			p := w.permit()
			signature := plain.sign(p.TypedData(contracttest.ChainID), w.payer)
			w.must(w.spender, p.Pack(w.payer.Address, w.shop.Address, uint256.NewInt(3), signature))
			w.shopHas(uint256.NewInt(3))
			w.reverts(w.spender, p.Pack(w.payer.Address, w.shop.Address, uint256.NewInt(3), signature), "InvalidNonce")
		}),
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
		newCase("permitTransferFrom/not the spender", func(w *world) {
			w.reverts(w.stranger, w.pull(plain, w.permit()), "InvalidSigner")
			w.shopHas(new(uint256.Int))
		}),
		newCase("permitTransferFrom/over the balance", func(w *world) {
			p := w.permit()
			p.Amount = new(uint256.Int).AddUint64(contracttest.StartBalance, 1)
			w.revertsFor(w.spender, w.pull(plain, p), transferFailed)
			require.True(w.t, new(uint256.Int).SetBytes(w.chain.Read(permit2.Address, permit2.PackNonceBitmap(w.payer.Address, p.Nonce))).IsZero())
		}),
		newCase("permitTransferFrom/not approved", func(w *world) {
			w.chain.Must(w.payer, contracttest.TokenAddress, token.PackApprove(permit2.Address, new(big.Int)))
			w.revertsFor(w.spender, w.pull(plain, w.permit()), transferFailed)
		}),
		newCase("permitWitnessTransferFrom/bound to its witness", func(w *world) {
			p := w.permit()
			p.Witness = &permit2.Witness{
				Type: "Order", Fields: []apitypes.Type{{Name: "id", Type: "uint256"}}, Message: apitypes.TypedDataMessage{"id": "42"},
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
func batchCases() []Case {
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
	return []Case{
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
		newCase("batch/with a witness", func(w *world) {
			const stub = "PermitBatchWitnessTransferFrom(TokenPermissions[] permitted,address spender,uint256 nonce,uint256 deadline,"
			const witnessType = "Order witness)Order(uint256 id)" + permissions
			b, witness := batch(5), common.Hash{9}
			signature := sign(w, b, stub+witnessType, witness[:])
			pull := func(witness common.Hash) []byte {
				return binding.PackPermitBatchWitnessTransferFrom(b, details(w, 5), w.payer.Address, witness, witnessType, signature)
			}
			w.reverts(w.spender, pull(common.Hash{8}), "InvalidSigner")
			w.must(w.spender, pull(witness))
			w.shopHas(uint256.NewInt(5))
		}),
	}
}

// nonceCases are about the bits that make a signature good once.
func nonceCases() []Case {
	return []Case{
		newCase("nonces/one bit each, in any order", func(w *world) {
			for _, nonce := range []uint64{255, 0, 256, 1, 511} {
				p := w.permit()
				p.Amount, p.Nonce = uint256.NewInt(1), uint256.NewInt(nonce)
				w.must(w.spender, w.pull(signers[0], p))
			}
			bitmap := func(word uint64) *uint256.Int {
				return new(uint256.Int).SetBytes(w.chain.Read(permit2.Address, permit2.PackNonceBitmap(w.payer.Address, uint256.NewInt(word<<8))))
			}
			first := new(uint256.Int).Lsh(uint256.NewInt(1), 255)
			require.Equal(w.t, first.AddUint64(first, 3), bitmap(0))
			second := new(uint256.Int).Lsh(uint256.NewInt(1), 255)
			require.Equal(w.t, second.AddUint64(second, 1), bitmap(1))
			w.shopHas(uint256.NewInt(5))
		}),
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
func signatureCases() []Case {
	pullWith := func(w *world, s signer, signature []byte) []byte {
		p := w.permit()
		return p.Pack(s.address(w), w.shop.Address, p.Amount, signature)
	}
	return []Case{
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
		newCase("signatures/of a wallet", func(w *world) {
			wallet := signer{wallet: true}
			w.reverts(w.spender, pullWith(w, wallet, wallet.sign(w.permit().TypedData(contracttest.ChainID), w.stranger)), "InvalidContractSignature")
			w.reverts(w.spender, pullWith(w, wallet, nil), "InvalidContractSignature")
		}),
		newCase("signatures/of an account that is not deployed (ERC-6492)", func(w *world) {
			account := smartwallet.New(smartwallet.FactoryAddress, smartwallet.AccountOwner(w.payer.Address))
			p := w.permit()
			digest := account.Digest(contracttest.ChainID, contracts.Digest(p.TypedData(contracttest.ChainID)))
			wrapped := account.WrapUndeployed(smartwallet.WrapSignature(0, w.payer.SignDigest(digest).Bytes()))
			w.reverts(w.spender, p.Pack(account.Address(), w.shop.Address, p.Amount, wrapped), "InvalidSignatureLength")
			w.reverts(w.spender, p.Pack(w.wallet, w.shop.Address, p.Amount, wrapped), "InvalidContractSignature")
		}),
		newCase("signatures/domain of this chain and address", func(w *world) {
			data := w.permit().TypedData(contracttest.ChainID)
			separator, err := data.HashStruct("EIP712Domain", data.Domain.Map())
			require.NoError(w.t, err)
			require.Equal(w.t, []byte(separator), w.chain.Read(permit2.Address, binding.PackDOMAINSEPARATOR()))
			require.Len(w.t, contracts.Digest(data), 32)
		}),
	}
}
