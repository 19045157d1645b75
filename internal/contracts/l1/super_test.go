package l1_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// Ensure a game about a super root answers by time and by chain, is refused where its extra data is not what its claim
// hashes, and shows withdrawals; that a chain upgraded to such games makes no others; and that a withdrawal which a
// game from before has shown is still paid.
func TestSuperGames(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	p, f := s.portal(), s.factory()
	before, after := transfer(0, bob.Address, 700), transfer(1, bob.Address, 11)
	b := newL2(t, before, after)
	old := s.propose(1, b.output.root())
	s.pass(time.Second)
	p.do(alice, "proveWithdrawalTransaction", b.proof(t, before, old)...)

	// The upgrade.
	s.Reverts(alice, s.Factory, f.pack("setImplementation", uint32(9), s.Factory), contracttest.Reason("Ownable: caller is not the owner"))
	f.do(operator, "setImplementation", uint32(9), s.Factory)
	f.do(operator, "setImplementation", uint32(gameType), common.Address{})
	s.registry().do(operator, "setRespectedGameType", uint32(9))
	s.Reverts(alice, s.Factory, l1.Create(gameType, b.output.root(), common.Hash{31: 2}.Bytes()), contracttest.Error(t, f.ABI, "NoImplementation", uint32(gameType)))

	super := l1.SuperRoot{Time: 1_800_000_002, ChainID: 10, Output: b.output.root()}
	encoded := append([]byte{1, 0, 0, 0, 0, 0x6b, 0x49, 0xd2, 0x02}, common.Hash{31: 10}.Bytes()...)
	encoded = append(encoded, super.Output[:]...)
	require.Equal(t, encoded, super.Encoded())
	wrong := selector("BadExtraData()")
	for _, extra := range [][]byte{
		common.BigToHash(big.NewInt(2)).Bytes(), // as games about blocks have
		encoded[:9], encoded[:72], append([]byte{2}, encoded[1:]...), append(encoded[:72:72], 9),
	} {
		s.Reverts(alice, s.Factory, l1.Create(9, super.Root(), extra), wrong)
	}
	s.Reverts(alice, s.Factory, l1.Create(9, crypto.Keccak256Hash(encoded[:9]), encoded[:9]), wrong)
	index := f.ask("gameCount").(*big.Int)
	s.Must(operator, s.Factory, l1.Create(9, super.Root(), encoded))
	game := s.game(index)
	ask := func(signature string, arguments ...byte) common.Hash {
		return common.BytesToHash(s.Read(game, append(selector(signature), arguments...)))
	}
	require.Equal(t, common.BigToHash(big.NewInt(1_800_000_002)), ask("l2SequenceNumber()"))
	require.Equal(t, super.Root(), ask("rootClaim()"))
	require.Equal(t, super.Output, ask("rootClaimByChainId(uint256)", common.Hash{31: 10}.Bytes()...))
	s.Reverts(alice, game, append(selector("rootClaimByChainId(uint256)"), common.Hash{31: 11}.Bytes()...), selector("UnknownChainId()"))
	for at, absent := range map[common.Address]string{game: "l2BlockNumber()", s.game(old): "rootClaimByChainId(uint256)"} {
		require.False(t, s.Call(alice.Address, at, append(selector(absent), make([]byte, 32)...)).Succeeded, absent)
	}
	read := s.Settings.Game(s.Storage, index.Uint64())
	require.Equal(t, &super, read.Super)
	require.Equal(t, super.Output, read.Output())

	p.refuses(alice, "OptimismPortal_InvalidProofTimestamp", "proveWithdrawalTransaction", b.proof(t, after, index)...)
	s.pass(time.Second)
	p.do(alice, "proveWithdrawalTransaction", b.proof(t, after, index)...)
	s.pass(gameDuration + proofMaturity)
	for _, over := range []common.Address{s.game(old), game} {
		s.Must(alice, over, l1.Resolve())
	}
	s.pass(finality + time.Second)
	had := s.Ether(bob.Address)
	for _, w := range []withdrawal{before, after} {
		p.do(alice, "finalizeWithdrawalTransaction", w)
	}
	require.EqualValues(t, 711, had.Sub(s.Ether(bob.Address), had).Uint64())
	require.Zero(t, s.Anchor(s.Storage))
	s.registry().do(alice, "setAnchorState", game)
	require.Equal(t, []any{[32]byte(super.Root()), big.NewInt(1_800_000_002)}, s.registry().all("getAnchorRoot"))
	require.EqualValues(t, 1_800_000_002, s.Anchor(s.Storage))
	super.Output = common.Hash{1}
	s.refusesOld(super)
	super.Time++
	s.Must(alice, s.Factory, l1.Create(9, super.Root(), super.Encoded()))
}

// refusesOld requires that there is no game about a super root that is not newer than the anchor.
func (s stack) refusesOld(super l1.SuperRoot) {
	s.t.Helper()
	refused := append(selector("UnexpectedRootClaim(bytes32)"), super.Root().Bytes()...)
	s.Reverts(alice, s.Factory, l1.Create(9, super.Root(), super.Encoded()), refused)
}

// Ensure games about blocks are about newer ones than the anchor, too.
func TestGamesAreNewerThanTheAnchor(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	root := common.Hash{1}
	refused := append(selector("UnexpectedRootClaim(bytes32)"), root[:]...)
	s.Reverts(alice, s.Factory, l1.Create(gameType, root, make([]byte, 32)), refused)
	game := s.game(s.propose(5, root))
	s.pass(gameDuration)
	s.Must(alice, game, l1.Resolve())
	s.pass(finality + time.Second)
	s.registry().do(alice, "setAnchorState", game)
	require.EqualValues(t, 5, s.Anchor(s.Storage))
	root = common.Hash{2}
	refused = append(selector("UnexpectedRootClaim(bytes32)"), root[:]...)
	s.Reverts(alice, s.Factory, l1.Create(gameType, root, common.Hash{31: 5}.Bytes()), refused)
	s.propose(6, root)
}

// Ensure the genesis of a chain with super roots is as after the upgrade: one type of games, an anchor by time, and a
// SystemConfig without a batch inbox.
func TestSuperGenesis(t *testing.T) {
	t.Parallel()
	old := newStack(t)
	settings := old.Settings
	settings.GameType = l1.SuperCannonKona
	s := stack{contracttest.New(t, settings.Alloc()), settings, t}
	for kind := range uint32(12) {
		require.Equal(t, kind != 9, s.factory().ask("gameImpls", kind) == common.Address{}, kind)
	}
	require.Equal(t, []any{[32]byte{0xde, 0xad}, new(big.Int).SetUint64(settings.L1.Time)}, s.registry().all("getAnchorRoot"))
	require.Equal(t, settings.L1.Time, s.Anchor(s.Storage))
	s.refusesOld(l1.SuperRoot{Time: settings.L1.Time, ChainID: 10, Output: common.Hash{1}})
	require.Equal(t, "4.0.0-fakenode", s.config().ask("version"))
	require.False(t, s.Call(alice.Address, s.SystemConfig, s.config().pack("batchInbox")).Succeeded)
	require.Zero(t, s.config().ask("overhead").(*big.Int).Sign())
	require.Equal(t, "3.13.2-fakenode", old.config().ask("version"))
	require.Equal(t, l1.BatchInbox(10), old.config().ask("batchInbox"))
}
