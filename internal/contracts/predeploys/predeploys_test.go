package predeploys_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// Ensure a genesis has each contract of an OP-stack chain as an account that was created, without ether, and the rich
// zero address; with blocks of less than a second also the clock.
func TestAlloc(t *testing.T) {
	t.Parallel()
	for _, rules := range []*optimism.Rules{optimism.Jovian.DefaultRules(), optimism.Denim.DefaultRules()} {
		alloc := predeploys.Alloc(rules, contracttest.StartTime)
		want := map[common.Address]bool{ // true: with storage
			common.HexToAddress("0x4200000000000000000000000000000000000006"): false, // WETH9
			common.HexToAddress("0x4200000000000000000000000000000000000007"): true,  // L2CrossDomainMessenger
			common.HexToAddress("0x420000000000000000000000000000000000000F"): false, // GasPriceOracle
			common.HexToAddress("0x4200000000000000000000000000000000000010"): true,  // L2StandardBridge
			common.HexToAddress("0x4200000000000000000000000000000000000011"): false, // SequencerFeeVault
			common.HexToAddress("0x4200000000000000000000000000000000000013"): false, // L1BlockNumber
			common.HexToAddress("0x4200000000000000000000000000000000000015"): true,  // L1Block
			common.HexToAddress("0x4200000000000000000000000000000000000016"): false, // L2ToL1MessagePasser
			common.HexToAddress("0x4200000000000000000000000000000000000019"): false, // BaseFeeVault
			common.HexToAddress("0x420000000000000000000000000000000000001A"): false, // L1FeeVault
			common.HexToAddress("0x420000000000000000000000000000000000001b"): false, // OperatorFeeVault
			common.HexToAddress("0x914d7Fec6aaC8cd542e72Bca78B30650d45643d7"): false, // the singleton factory
			common.HexToAddress("0x13b0D85CcB8bf860b6b79AF3029fCA081AE9beF2"): false, // Create2Deployer
			common.HexToAddress("0xba5Ed099633D3B313e4D5F7bdc1305d3c28ba5Ed"): false, // CreateX
		}
		if rules.BlockTime() > 0 {
			want[common.HexToAddress("0x4200000000000000000000000000000000000030")] = true  // BaseTime
			want[common.HexToAddress("0xc0D3C0d3C0d3C0D3c0d3C0d3c0D3C0d3c0d30030")] = false // its code
		}
		require.Len(t, alloc, len(want)+1)
		codes := map[common.Hash]int{}
		for address, storage := range want {
			account := alloc[address]
			require.NotEmpty(t, account.Code, address)
			require.EqualValues(t, 1, account.Nonce, address)
			require.Zero(t, account.Balance.Sign(), address)
			require.Equal(t, storage, len(account.Storage) > 0, address)
			codes[crypto.Keccak256Hash(account.Code)]++
		}
		require.Len(t, codes, len(want)-3, "the four vaults share their code, no others do")
		ether := new(big.Int).Mul(big.NewInt(10_000), big.NewInt(1e18))
		require.Equal(t, types.Account{Balance: ether}, alloc[common.Address{}])
	}
	require.Positive(t, optimism.Denim.DefaultRules().BlockTime())
	require.Zero(t, optimism.Jovian.DefaultRules().BlockTime())
}

// Ensure the contracts of a genesis answer with the L1 contracts and the L1 block that it refers to, by default Base's.
func TestAllocAnswers(t *testing.T) {
	t.Parallel()
	rules := optimism.Denim.DefaultRules()
	origin := rules.DefaultL1(contracttest.StartTime).Later(7)
	own := l1.Addresses{Messenger: common.Address{1}, StandardBridge: common.Address{2}}
	base := l1.Addresses{
		Messenger:      common.HexToAddress("0x866E82a600A1414e583f7F13623F1aC5d58b0Afa"),
		StandardBridge: common.HexToAddress("0x3154Cf16ccdb4C6d922629664174b904d80F2C35"),
	}
	for _, tc := range []struct {
		alloc  types.GenesisAlloc
		bridge l1.Addresses
		l1     optimism.L1
	}{
		{predeploys.AllocOn(rules, origin, own), own, origin},
		{predeploys.Alloc(rules, contracttest.StartTime), base, rules.DefaultL1(contracttest.StartTime)},
	} {
		c := contracttest.New(t, tc.alloc)
		for _, question := range []struct {
			contract common.Address
			function string
			want     []byte
		}{
			{predeploys.MessengerAddress, "otherMessenger()", tc.bridge.Messenger[:]},
			{predeploys.StandardBridgeAddress, "otherBridge()", tc.bridge.StandardBridge[:]},
			{predeploys.StandardBridgeAddress, "messenger()", predeploys.MessengerAddress[:]},
			{predeploys.L1BlockNumberAddress, "getL1BlockNumber()", new(big.Int).SetUint64(tc.l1.Number).Bytes()},
			{optimism.L1BlockAddress, "number()", new(big.Int).SetUint64(tc.l1.Number).Bytes()},
			{optimism.L1BlockAddress, "timestamp()", new(big.Int).SetUint64(tc.l1.Time).Bytes()},
			{optimism.L1BlockAddress, "hash()", tc.l1.Hash[:]},
			{optimism.BaseTimeAddress, "timestampMs()", big.NewInt(contracttest.StartTime * 1000).Bytes()},
		} {
			is := c.Call(common.Address{9}, question.contract, crypto.Keccak256([]byte(question.function))[:4])
			require.True(t, is.Succeeded, question.function)
			require.Equal(t, common.BytesToHash(question.want), common.BytesToHash(is.Output), question.function)
		}
		admin := crypto.Keccak256([]byte("admin()"))[:4]
		is := c.Call(predeploys.ProxyAdminAddress, optimism.BaseTimeAddress, admin)
		require.Equal(t, common.BytesToHash(predeploys.ProxyAdminAddress[:]), common.BytesToHash(is.Output))
		is = c.Call(predeploys.ProxyAdminAddress, optimism.BaseTimeAddress, crypto.Keccak256([]byte("implementation()"))[:4])
		require.Equal(t, common.BytesToHash(predeploys.BaseTimeCodeAddress[:]), common.BytesToHash(is.Output))
		require.False(t, c.Call(common.Address{9}, optimism.BaseTimeAddress, admin).Succeeded, "for the admin alone")
	}
}

// Ensure the factory of Safe creates a contract where CREATE2 does, from the salt and the code behind it.
func TestSingletonFactory(t *testing.T) {
	t.Parallel()
	c := contracttest.New(t, predeploys.Alloc(optimism.Denim.DefaultRules(), contracttest.StartTime))
	salt, code := common.Hash{31: 5}, common.FromHex("60fe60005360016000f3")
	is := c.Must(contracttest.Owner, predeploys.SingletonFactoryAddress, append(salt[:], code...))
	want := crypto.CreateAddress2(predeploys.SingletonFactoryAddress, salt, crypto.Keccak256(code))
	require.Equal(t, want[:], is.Output)
	require.Equal(t, []byte{0xfe}, c.Code(want))
}
