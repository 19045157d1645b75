package contracts_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

var payer = fixtures.Dev(0)

// Ensure the CREATE2 deployer is the well-known one, and puts contracts where everyone computes them to be.
func TestCreate2Deployer(t *testing.T) {
	t.Parallel()
	chain := contracttest.New(t, contracts.Predeploys())
	code := chain.Code(contracts.Create2DeployerAddress)
	require.Equal(t, "0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989", crypto.Keccak256Hash(code).Hex())

	salt, creation := common.Hash{1}, helpers.DeployCode(helpers.CounterMetaData.Bin)
	address := chain.Must(payer, contracts.Create2DeployerAddress, append(salt[:], creation...)).Output
	require.Equal(t, crypto.CreateAddress2(contracts.Create2DeployerAddress, salt, crypto.Keccak256(creation)), common.BytesToAddress(address))
	require.NotEmpty(t, chain.Code(common.BytesToAddress(address)))
}

// Ensure the code of the placed Multicall3 is the code that deploying gives, and has the selectors that clients call.
func TestMulticall3(t *testing.T) {
	t.Parallel()
	chain := contracttest.New(t, contracts.Predeploys())
	m := contracts.NewMulticall3()
	deployed := chain.Deploy(helpers.DeployCode(contracts.Multicall3MetaData.Bin))
	require.Equal(t, chain.Code(deployed), chain.Code(contracts.Multicall3Address))

	for name, selector := range map[string]string{
		"aggregate": "252dba42", "aggregate3": "82ad56cb", "aggregate3Value": "174dea71", "blockAndAggregate": "c3077fa9",
		"tryAggregate": "bce38bd7", "tryBlockAndAggregate": "399542e9", "getBasefee": "3e64a696", "getBlockHash": "ee82ac5e",
		"getBlockNumber": "42cbb15c", "getChainId": "3408e470", "getCurrentBlockCoinbase": "a8b0574e",
		"getCurrentBlockDifficulty": "72425d9d", "getCurrentBlockGasLimit": "86d516e8", "getCurrentBlockTimestamp": "0f28c97d",
		"getEthBalance": "4d2301cc", "getLastBlockHash": "27e86d6e",
	} {
		require.Equal(t, selector, common.Bytes2Hex(m.GetABI().Methods[name].ID), name)
	}

	word := func(data []byte) *big.Int {
		return new(big.Int).SetBytes(chain.Read(contracts.Multicall3Address, data))
	}
	require.EqualValues(t, 1, word(m.PackGetBlockNumber()).Int64())
	require.EqualValues(t, contracttest.StartTime, word(m.PackGetCurrentBlockTimestamp()).Int64())
	require.EqualValues(t, contracttest.ChainID, word(m.PackGetChainId()).Int64())
	for _, zero := range [][]byte{m.PackGetBasefee(), m.PackGetCurrentBlockCoinbase(), m.PackGetCurrentBlockDifficulty()} {
		require.Zero(t, word(zero).Sign())
	}
	require.Positive(t, word(m.PackGetCurrentBlockGasLimit()).Sign())
	require.Equal(t, word(m.PackGetBlockHash(big.NewInt(0))), word(m.PackGetLastBlockHash()))
}

// Ensure calls are answered in order, and failures are allowed where the caller allows them and nowhere else.
func TestMulticall3Aggregates(t *testing.T) {
	t.Parallel()
	const failed = "Multicall3: call failed"
	chain := contracttest.New(t, contracts.Predeploys())
	m, to := contracts.NewMulticall3(), contracts.Multicall3Address
	counter := chain.Deploy(helpers.DeployCode(helpers.CounterMetaData.Bin))
	reverter := chain.Deploy(helpers.DeployCode(helpers.ReverterMetaData.Bin))
	good := contracts.Multicall3Call{Target: counter, CallData: helpers.NewCounter().PackIncrement()}
	bad := contracts.Multicall3Call{Target: reverter, CallData: helpers.NewReverter().PackRevertWithString("no")}
	number := func(data []byte) int64 { return new(big.Int).SetBytes(data).Int64() }

	all, err := m.UnpackAggregate(chain.Must(payer, to, m.PackAggregate([]contracts.Multicall3Call{good, good})).Output)
	require.NoError(t, err)
	require.EqualValues(t, 1, all.BlockNumber.Int64())
	require.EqualValues(t, []int64{1, 2}, []int64{number(all.ReturnData[0]), number(all.ReturnData[1])})
	chain.Reverts(payer, to, m.PackAggregate([]contracts.Multicall3Call{good, bad}), contracttest.Reason(failed))

	results, err := m.UnpackTryAggregate(chain.Must(payer, to, m.PackTryAggregate(false, []contracts.Multicall3Call{bad, good})).Output)
	require.NoError(t, err)
	require.False(t, results[0].Success)
	require.Equal(t, "08c379a0", common.Bytes2Hex(results[0].ReturnData[:4]))
	require.True(t, results[1].Success)
	require.EqualValues(t, 3, number(results[1].ReturnData), "the failed aggregate left nothing")
	chain.Reverts(payer, to, m.PackTryAggregate(true, []contracts.Multicall3Call{bad}), contracttest.Reason(failed))

	answer, err := m.UnpackTryBlockAndAggregate(chain.Must(payer, to, m.PackTryBlockAndAggregate(false, []contracts.Multicall3Call{bad})).Output)
	require.NoError(t, err)
	require.EqualValues(t, 1, answer.BlockNumber.Int64())
	require.False(t, answer.ReturnData[0].Success)
	chain.Reverts(payer, to, m.PackBlockAndAggregate([]contracts.Multicall3Call{bad}), contracttest.Reason(failed))

	call3 := func(c contracts.Multicall3Call, allow bool) contracts.Multicall3Call3 {
		return contracts.Multicall3Call3{Target: c.Target, AllowFailure: allow, CallData: c.CallData}
	}
	results, err = m.UnpackAggregate3(chain.Must(payer, to, m.PackAggregate3([]contracts.Multicall3Call3{call3(good, false), call3(bad, true)})).Output)
	require.NoError(t, err)
	require.Equal(t, []bool{true, false}, []bool{results[0].Success, results[1].Success})
	chain.Reverts(payer, to, m.PackAggregate3([]contracts.Multicall3Call3{call3(bad, false)}), contracttest.Reason(failed))
}

func TestMulticall3Value(t *testing.T) {
	t.Parallel()
	chain := contracttest.New(t, contracts.Predeploys())
	m, to, receiver := contracts.NewMulticall3(), contracts.Multicall3Address, common.Address{42}
	pay := func(value int64) contracts.Multicall3Call3Value {
		return contracts.Multicall3Call3Value{Target: receiver, Value: big.NewInt(value)}
	}
	five := uint256.NewInt(5)
	require.True(t, chain.SendValue(payer, to, m.PackAggregate3Value([]contracts.Multicall3Call3Value{pay(2), pay(3)}), five).Succeeded)
	require.EqualValues(t, 5, chain.Ether(receiver).Uint64())
	mismatch := chain.SendValue(payer, to, m.PackAggregate3Value([]contracts.Multicall3Call3Value{pay(2)}), five)
	chain.RevertsAs(mismatch, contracttest.Reason("Multicall3: value mismatch"))
	balance := chain.Read(to, m.PackGetEthBalance(receiver))
	require.EqualValues(t, 5, new(big.Int).SetBytes(balance).Int64())
}
