package l1_test

import (
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// Ensure the calls that Go makes are those of the published interfaces, and the contracts take them.
func TestCalls(t *testing.T) {
	t.Parallel()
	s := newStack(t)
	p := s.portal()
	require.Equal(t, p.pack("depositTransaction", bob.Address, big.NewInt(5), uint64(21_000), false, []byte{}), l1.Deposit(bob.Address, big.NewInt(5), 21_000))
	require.Equal(t, selector("resolve()"), l1.Resolve())
	require.Equal(t, append(selector("decide(uint8)"), common.Hash{31: 2}.Bytes()...), l1.Decide(l1.DefenderWins))
	require.Equal(t, s.registry().pack("blacklistDisputeGame", bob.Address), l1.Blacklist(bob.Address))
	require.Equal(t, s.config().pack("pause", common.Address{}), l1.Pause(true))
	require.Equal(t, s.config().pack("unpause", common.Address{}), l1.Pause(false))
	for _, size := range []int{0, 1, 31, 32, 33, 73} {
		extra := make([]byte, size)
		require.Equal(t, s.factory().pack("create", uint32(8), common.Hash{7}, extra), l1.Create(8, common.Hash{7}, extra), size)
	}
	withdraw := append(selector("initiateWithdrawal(address,uint256,bytes)"), common.BytesToHash(bob.Address[:]).Bytes()...)
	withdraw = append(withdraw, append(common.Hash{30: 1}.Bytes(), append(common.Hash{31: 96}.Bytes(), make([]byte, 32)...)...)...)
	require.Equal(t, withdraw, l1.Withdraw(bob.Address, 256))

	w := transfer(0, bob.Address, 1_000)
	b := newL2(t, w)
	index := s.propose(1, b.output.root())
	s.pass(time.Second)
	given := l1.Withdrawal(w)
	output := l1.OutputProof{
		StateRoot: b.output.StateRoot, MessagePasserStorageRoot: b.output.MessagePasserStorageRoot, LatestBlockhash: b.output.LatestBlockhash,
	}
	proof := l1.Prove(given, index.Uint64(), output, b.passer.prove(w.slot(t)))
	require.Equal(t, p.pack("proveWithdrawalTransaction", b.proof(t, w, index)...), proof)
	s.Must(alice, s.Portal, proof)
	require.Equal(t, p.pack("finalizeWithdrawalTransaction", w), l1.Finalize(given))
	s.Must(operator, s.game(index), l1.Decide(l1.DefenderWins))
	s.pass(proofMaturity + time.Second)
	paid := s.Must(alice, s.Portal, l1.Finalize(given)).Logs[0]
	require.Equal(t, l1.PaymentTopic(), paid.Topics[0])
	require.True(t, l1.Succeeded(&types.Log{Data: paid.Data}))
	require.False(t, l1.Succeeded(&types.Log{Data: make([]byte, 32)}))
	require.False(t, l1.Succeeded(&types.Log{}))
	require.Equal(t, w.slot(t), l1.WithdrawalSlot(w.hash(t)))
}

// Ensure a withdrawal is read from its log as it is, and another log is refused.
func TestWithdrawalIn(t *testing.T) {
	t.Parallel()
	w := transfer(3, bob.Address, 1_000)
	w.Data = []byte{1, 2, 3}
	word := func(n uint64) []byte { return common.BigToHash(new(big.Int).SetUint64(n)).Bytes() }
	hash := w.hash(t)
	var data []byte
	for _, part := range [][]byte{word(1_000), word(50_000), word(128), hash[:], word(3), common.RightPadBytes(w.Data, 32)} {
		data = append(data, part...)
	}
	topic := crypto.Keccak256Hash([]byte("MessagePassed(uint256,address,address,uint256,uint256,bytes,bytes32)"))
	require.Equal(t, topic, l1.WithdrawalTopic())
	log := types.Log{
		Topics: []common.Hash{topic, common.BigToHash(w.Nonce), common.BytesToHash(w.Sender[:]), common.BytesToHash(w.Target[:])}, Data: data,
	}
	got, gotHash, err := l1.WithdrawalIn(&log)
	require.NoError(t, err)
	require.Equal(t, hash, gotHash)
	require.Equal(t, l1.Withdrawal(w), got)
	for name, topics := range map[string][]common.Hash{"none": nil, "three": log.Topics[:3], "another": append([]common.Hash{{1}}, log.Topics[1:]...)} {
		_, _, err = l1.WithdrawalIn(&types.Log{Topics: topics, Data: data})
		require.EqualError(t, err, "the log is no MessagePassed", name)
	}
	_, _, err = l1.WithdrawalIn(&types.Log{Topics: log.Topics, Data: data[:100]})
	require.Error(t, err)
}

// Ensure a genesis has the ether, the owner and the addresses that the contracts answer with, and locks the token on
// both sides.
func TestGenesis(t *testing.T) {
	t.Parallel()
	settings := newStack(t).Settings
	settings.Token = l1.Token{L1: common.Address{0x11}, L2: common.Address{0x22}, Locked: wei(77)}
	settings.L1.BaseFeeScalar, settings.L1.BlobBaseFeeScalar, settings.L1.OperatorFeeScalar = 3, 4, 5
	settings.L1.OperatorFeeConstant, settings.L1.DAFootprintGasScalar = 6, 7
	alloc := settings.Alloc()
	ether := func(n int64) *big.Int { return new(big.Int).Mul(big.NewInt(n), big.NewInt(1e18)) }
	require.Equal(t, ether(1_000_000), alloc[settings.Portal].Balance)
	require.Equal(t, ether(1_000_000), alloc[operator.Address].Balance)
	require.Equal(t, ether(10_000), alloc[common.Address{}].Balance)
	for _, at := range []common.Address{settings.Portal, settings.Factory, settings.Registry, settings.SystemConfig, settings.Messenger, settings.StandardBridge} {
		require.EqualValues(t, 1, alloc[at].Nonce)
		require.NotEmpty(t, alloc[at].Code)
		require.True(t, at == settings.Portal || alloc[at].Balance.Sign() == 0)
		for _, value := range alloc[at].Storage {
			require.NotZero(t, value)
		}
	}
	s := stack{contracttest.New(t, alloc), settings, t}
	for name, want := range map[string]any{
		"basefeeScalar": uint32(3), "blobbasefeeScalar": uint32(4), "operatorFeeScalar": uint32(5), "operatorFeeConstant": uint64(6),
		"daFootprintGasScalar": uint16(7), "gasLimit": uint64(40_000_000), "eip1559Denominator": settings.Rules.Denominator,
		"eip1559Elasticity": settings.Rules.Elasticity, "minBaseFee": settings.Rules.MinBaseFee, "owner": operator.Address,
		"batcherHash": [32]byte(settings.L1.BatcherHash), "l2ChainId": big.NewInt(10), "optimismPortal": settings.Portal,
		"l1CrossDomainMessenger": settings.Messenger, "l1StandardBridge": settings.StandardBridge, "disputeGameFactory": settings.Factory,
		"unsafeBlockSigner": operator.Address, "guardian": operator.Address,
	} {
		require.EqualValues(t, want, s.config().ask(name), name)
	}
	bridge := s.contract("standard_bridge", settings.StandardBridge)
	require.EqualValues(t, 77, bridge.ask("deposits", settings.Token.L1, settings.Token.L2).(*big.Int).Int64())
	for name, want := range map[string]common.Address{
		"messenger": settings.Messenger, "otherBridge": common.HexToAddress("0x4200000000000000000000000000000000000010"),
		"systemConfig": settings.SystemConfig,
	} {
		require.Equal(t, want, bridge.ask(name), name)
	}
	messenger := s.contract("messenger", settings.Messenger)
	for name, want := range map[string]common.Address{
		"portal": settings.Portal, "PORTAL": settings.Portal, "systemConfig": settings.SystemConfig,
		"otherMessenger": common.HexToAddress("0x4200000000000000000000000000000000000007"),
	} {
		require.Equal(t, want, messenger.ask(name), name)
	}
	require.Equal(t, []any{settings.Registry, settings.Factory}, []any{s.portal().ask("anchorStateRegistry"), s.portal().ask("disputeGameFactory")})

	require.Equal(t, []any{big.NewInt(1e9), uint64(0), uint64(0)}, s.portal().all("params"), "the price of the L2's gas")

	predeploys := types.GenesisAlloc{common.HexToAddress("0x4200000000000000000000000000000000000010"): {Storage: map[common.Hash]common.Hash{}}}
	settings.AddToL2(predeploys)
	require.EqualValues(t, 1, predeploys[l1.TokenFactory].Nonce)
	require.Len(t, predeploys[l1.TokenFactory].Storage, 1)
	require.Equal(t, common.HexToHash("0x4200000000000000000000000000000000000010"), predeploys[l1.TokenFactory].Storage[common.Hash{}])
	locked := predeploys[common.HexToAddress("0x4200000000000000000000000000000000000010")].Storage
	require.Len(t, locked, 1)
	for _, amount := range locked {
		require.Equal(t, common.Hash{31: 77}, amount)
	}
	for id, want := range map[uint64]string{10: "0xFf00000000000000000000000000000000000010", 8453: "0xFf00000000000000000000000000000000008453"} {
		require.Equal(t, common.HexToAddress(want), l1.BatchInbox(id))
	}
	for kind, super := range map[uint32]bool{0: false, 1: false, 3: false, 4: true, 5: true, 6: false, 7: true, 8: false, 9: true, 10: false, 621: false} {
		require.Equal(t, super, l1.IsSuper(kind), kind)
	}
	game := l1.Game{Root: common.Hash{1}, Number: 5}
	require.Equal(t, []any{common.Hash{1}, uint64(5)}, []any{game.Output(), game.Sequence()})
	game.Super = &l1.SuperRoot{Time: 9, Output: common.Hash{2}}
	require.Equal(t, []any{common.Hash{2}, uint64(9)}, []any{game.Output(), game.Sequence()})
}
