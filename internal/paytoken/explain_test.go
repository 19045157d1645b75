package paytoken_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"math/big"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/tokencontract"
)

// shop is a node with a token, and the terms of a payment.
type shop struct {
	*fakenode.Node
	t     *testing.T
	token common.Address
	terms tokencontract.Authorization
}

func open(t *testing.T, config fakenode.Config) *shop {
	t.Helper()
	node := fakenode.RunConfigT(t, config)
	return &shop{node, t, node.Token().Address(), fixtures.Authorization(node.Account(0), node.Account(1), fixtures.USD("25"), node.Now())}
}

// wallet makes an ERC-1271 wallet of account 0 the payer, and returns its address.
func (s *shop) wallet() common.Address {
	s.t.Helper()
	address, err := s.Deploy(s.Account(0), common.FromHex(helpers.WalletMetaData.Bin), s.Account(0).Address)
	require.NoError(s.t, err)
	s.Token().Mint(address, fixtures.USD("100"))
	s.terms.From = address
	return address
}

// send sends data to a contract, seals, and returns the reason why it failed, empty if it did not, and the note.
func (s *shop) send(from int, to common.Address, data []byte) (reason, note string) {
	s.t.Helper()
	hash, err := s.Transact(s.Account(from), fakenode.Tx{To: &to, Data: data, Gas: 500_000})
	require.NoError(s.t, err)
	s.Seal()
	receipt, err := s.Receipt(s.t.Context(), hash)
	require.NoError(s.t, err)
	if receipt.Status == 0 {
		reason, err = s.RevertReason(hash)
		require.NoError(s.t, err)
	}
	var place struct{ Note string }
	require.NoError(s.t, s.Client().Client().Call(&place, "fakenode_transaction", hash))
	return reason, place.Note
}

// primaryTypes are the messages that a payer may sign.
var primaryTypes = map[string]func(tokencontract.Authorization) tokencontract.Message{
	"ReceiveWithAuthorization":  tokencontract.Authorization.ReceiveMessage,
	"TransferWithAuthorization": tokencontract.Authorization.TransferMessage,
}

// signer signs the terms of a shop as one primary type.
type signer func(fakenode.Account, tokencontract.Domain) tokencontract.Signature

// malformed returns the bad signatures of a row of the table, made of a good one by account 0.
var malformed = map[string]func(s *shop, good tokencontract.Signature, sign signer) [][]byte{
	"of 64 or 66 bytes, or none": func(_ *shop, good tokencontract.Signature, _ signer) [][]byte {
		return [][]byte{good.Bytes()[:64], append(good.Bytes(), 0), {}}
	},
	"compact (EIP-2098), 64 bytes": func(_ *shop, good tokencontract.Signature, _ signer) [][]byte {
		compact := good.Bytes()[:64]
		compact[32] |= (good.V() - 27) << 7
		return [][]byte{compact}
	},
	"s in the upper half": func(_ *shop, good tokencontract.Signature, _ signer) [][]byte {
		high := good.Bytes()
		s := good.S()
		new(big.Int).Sub(crypto.S256().Params().N, s.Big()).FillBytes(high[32:64])
		high[64] ^= 27 ^ 28
		return [][]byte{high}
	},
	"v 0 or 1": func(_ *shop, good tokencontract.Signature, _ signer) [][]byte {
		low, other := good.Bytes(), good.Bytes()
		low[64], other[64] = 0, 1
		return [][]byte{low, other}
	},
	"recovers to no account": func(_ *shop, good tokencontract.Signature, _ signer) [][]byte {
		nobody := good.Bytes()
		copy(nobody, make([]byte, 32))
		return [][]byte{nobody}
	},
	"by another key, or of other terms": func(s *shop, good tokencontract.Signature, sign signer) [][]byte {
		s.terms.Value = new(uint256.Int).SubUint64(s.terms.Value, 1)
		return [][]byte{sign(s.Account(2), s.Token().Domain()).Bytes(), good.Bytes()}
	},
	"wrong domain: name, version, chain id or contract": func(s *shop, _ tokencontract.Signature, sign signer) [][]byte {
		var all [][]byte
		for _, change := range []func(*tokencontract.Domain){
			func(d *tokencontract.Domain) { d.Name = "USDC" }, func(d *tokencontract.Domain) { d.Version = "1" },
			func(d *tokencontract.Domain) { d.ChainID++ }, func(d *tokencontract.Domain) { d.VerifyingContract = common.Address{1} },
		} {
			domain := s.Token().Domain()
			change(&domain)
			all = append(all, sign(s.Account(0), domain).Bytes())
		}
		return all
	},
}

// signatures returns the signatures of a row, each as both types where it is for neither.
func (s *shop) signatures(row string) (all [][]byte) {
	s.t.Helper()
	wallet, isWallet := strings.CutPrefix(row, "ERC-1271 wallet")
	by := s.Account(0)
	if isWallet {
		s.wallet()
		if wallet == " that refuses" {
			by = s.Account(2)
		}
	}
	for name, message := range primaryTypes {
		if strings.Contains(row, "WithAuthorization`") && !strings.Contains(row, "`"+name+"`") {
			continue
		}
		signed := message(s.terms)
		sign := func(a fakenode.Account, d tokencontract.Domain) tokencontract.Signature { return a.Sign(d, signed) }
		good := sign(by, s.Token().Domain())
		if spoil := malformed[row]; spoil != nil {
			all = append(all, spoil(s, good, sign)...)
		} else {
			all = append(all, good.Bytes())
		}
	}
	return all
}

var tableRow = regexp.MustCompile(`(?m)^\| (.*) \| (.*) \| (.*) \|$`)

// Ensure each kind of signature has the outcome in the documentation's table on both variants, with USDC's reasons, and
// that the node explains an outcome where the variants differ and nowhere else.
func TestSignatures(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/payments.md")
	require.NoError(t, err)
	_, table, found := strings.Cut(string(page), "| signature | `strict` | `documented` |\n|---|---|---|\n")
	require.True(t, found)
	table, _, _ = strings.Cut(table, "\n\n")
	rows := tableRow.FindAllStringSubmatch(table, -1)
	require.Len(t, rows, strings.Count(table, "\n")+1)
	for _, row := range rows {
		kind := row[1]
		if strings.HasPrefix(kind, "`") || strings.HasPrefix(kind, "ERC-1271") {
			require.NotContains(t, malformed, kind)
		} else {
			require.Contains(t, malformed, kind)
		}
		for i, variant := range []tokencontract.Variant{tokencontract.Strict, tokencontract.DocumentedFlow} {
			t.Run(fmt.Sprintf("%s/%s", kind, variant), func(t *testing.T) {
				t.Parallel()
				s := open(t, fakenode.Config{Token: variant})
				want, explained := strings.CutSuffix(row[2+i], ", explained")
				for _, signature := range s.signatures(kind) {
					reason, note := s.send(1, s.token, s.terms.PackReceiveBytes(signature))
					if want == "settles" {
						require.Empty(t, reason)
					} else {
						require.Equal(t, strings.Trim(want, "`"), reason)
					}
					require.Equal(t, explained, note != "", note)
					require.Equal(t, want == "settles", s.Token().AuthorizationState(s.terms.From, s.terms.Nonce))
				}
			})
		}
	}
}

// The sentences on both variants.
var sentences = map[tokencontract.Variant]string{
	tokencontract.Strict: "token 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 refused this capture, as USDC does, because the payer signed TransferWithAuthorization: " +
		"receiveWithAuthorization needs a ReceiveWithAuthorization signature (--token documented takes either)",
	tokencontract.DocumentedFlow: "token 0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913 settled this capture by a TransferWithAuthorization signature, which USDC refuses with " +
		`"FiatTokenV2: invalid signature": in production the payer must sign ReceiveWithAuthorization (--token strict refuses as USDC does)`,
}

// Ensure the explanation is there for both forms of the call, for a capture by a contract, and for one that a contract
// tries and goes on without.
func TestNotes(t *testing.T) {
	t.Parallel()
	for variant, sentence := range sentences {
		t.Run(variant.String(), func(t *testing.T) {
			t.Parallel()
			s := open(t, fakenode.Config{Token: variant})
			wallet, err := s.Deploy(s.Account(1), common.FromHex(helpers.WalletMetaData.Bin), s.Account(1).Address)
			require.NoError(t, err)
			again := func(to common.Address) []byte {
				s.terms.To, s.terms.Nonce = to, tokencontract.NonceFromSeed(fmt.Sprint(s.BlockNumber()))
				return s.terms.PackReceive(s.Account(0).Sign(s.Token().Domain(), s.terms.TransferMessage()))
			}
			_, note := s.send(1, s.token, again(s.Account(1).Address))
			require.Equal(t, sentence, note)
			_, note = s.send(1, wallet, helpers.NewWallet().PackExecute(s.token, new(big.Int), again(wallet)))
			require.Equal(t, sentence, note)
			tries := contracts.NewMulticall3().PackTryAggregate(false, []contracts.Multicall3Call{{Target: s.token, CallData: again(contracts.Multicall3Address)}})
			reason, note := s.send(1, contracts.Multicall3Address, tries)
			require.Empty(t, reason)
			require.Equal(t, sentence, note)

			// Other outcomes have no note.
			settled := s.terms.PackTransfer(s.Account(0).Sign(s.Token().Domain(), s.terms.TransferMessage()))
			for _, data := range [][]byte{settled, again(s.Account(1).Address)[:4+6*32], nil} {
				_, note = s.send(2, s.token, data)
				require.Empty(t, note)
			}
			s.terms.ValidBefore = uint64(s.Now().Unix()) - 1
			reason, note = s.send(1, s.token, again(s.Account(1).Address))
			require.Equal(t, "FiatTokenV2: authorization is expired", reason)
			require.Empty(t, note)
		})
	}
}

// kept is a test that keeps what is written to its log.
type kept struct {
	*testing.T
	lines []string
}

func (k *kept) Log(args ...any) { k.lines = append(k.lines, fmt.Sprint(args...)) }

// Ensure the log has the sentence at warn, for a transaction and for a refused call, estimate or filling, and the log
// of the test once for many transactions.
func TestNotesInLogs(t *testing.T) {
	t.Parallel()
	for variant, sentence := range sentences {
		t.Run(variant.String(), func(t *testing.T) {
			t.Parallel()
			var buffer bytes.Buffer
			test := &kept{T: t}
			t.Run("test", func(t *testing.T) {
				test.T = t
				node := fakenode.RunConfigT(test, fakenode.Config{Token: variant, Logger: slog.New(slog.NewTextHandler(&buffer, &slog.HandlerOptions{Level: slog.LevelWarn}))})
				s := &shop{node, t, node.Token().Address(), fixtures.Authorization(node.Account(0), node.Account(1), fixtures.USD("25"), node.Now())}
				for i := range 3 {
					s.terms.Nonce = tokencontract.NonceFromSeed(fmt.Sprint(i))
					data := s.terms.PackReceive(s.Account(0).Sign(s.Token().Domain(), s.terms.TransferMessage()))
					object := map[string]any{"from": s.Account(1).Address, "to": s.token, "data": hexutil.Bytes(data)}
					for _, method := range []string{"eth_call", "eth_estimateGas", "eth_fillTransaction"} {
						err := s.Client().Client().Call(new(any), method, object)
						require.Equal(t, variant == tokencontract.Strict, err != nil)
					}
					_, note := s.send(1, s.token, data)
					require.Equal(t, sentence, note)
				}
			})
			require.Len(t, test.lines, 1)
			require.Contains(t, test.lines[0], sentence)
			lines := strings.Count(buffer.String(), "level=WARN")
			quoted := strings.Count(buffer.String(), "WithAuthorization signature")
			require.Equal(t, map[tokencontract.Variant]int{tokencontract.Strict: 12, tokencontract.DocumentedFlow: 3}[variant], lines, buffer.String())
			require.Equal(t, lines, quoted)
		})
	}
}
