package simple7702_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/contracts/simple7702"
	"github.com/fakenode/fakenode/fixtures"
	helpers "github.com/fakenode/fakenode/fixtures/contracts"
	"github.com/fakenode/fakenode/internal/test/contracttest"
)

// account returns an account with a key that delegates to the code, and the chain it is on.
func account(t *testing.T) (*contracttest.Chain, fixtures.Account) {
	c := contracttest.New(t, simple7702.Predeploys())
	alice := fixtures.Dev(3)
	c.Delegate(alice, simple7702.V08Address)
	return c, alice
}

// Ensure a batch executes all its calls or none, and says which one failed and why.
func TestBatch(t *testing.T) {
	t.Parallel()
	c, alice := account(t)
	counter := c.Deploy(helpers.DeployCode(helpers.CounterMetaData.Bin))
	payee := common.HexToAddress("0xfeed")
	add := simple7702.Call{Target: counter, Value: new(big.Int), Data: helpers.NewCounter().PackIncrement()}
	pay := simple7702.Call{Target: payee, Value: big.NewInt(7)}
	data := simple7702.PackExecuteBatch([]simple7702.Call{add, pay, add})

	require.True(t, c.Send(alice, alice.Address, data).Succeeded)
	require.Equal(t, common.BigToHash(big.NewInt(2)), c.Storage(counter, common.Hash{}))
	require.Equal(t, uint256.NewInt(7), c.Ether(payee))

	fails := simple7702.Call{Target: contracttest.TokenAddress, Value: new(big.Int), Data: common.FromHex("0xa9059cbb")} // arguments missing
	fails.Data = append(fails.Data, common.LeftPadBytes(payee[:], 32)...)
	fails.Data = append(fails.Data, common.MaxHash[:]...)
	reason := contracttest.Reason("ERC20: transfer amount exceeds balance")
	parsed, err := simple7702.Simple7702AccountMetaData.ParseABI()
	require.NoError(t, err)
	c.Reverts(alice, alice.Address, simple7702.PackExecuteBatch([]simple7702.Call{add, pay, fails}),
		contracttest.Error(t, *parsed, "ExecuteError", big.NewInt(2), reason))
	c.Reverts(alice, alice.Address, simple7702.PackExecuteBatch([]simple7702.Call{fails}), reason)
	require.Equal(t, common.BigToHash(big.NewInt(2)), c.Storage(counter, common.Hash{}), "none of the calls")
}

// Ensure only the account itself and its EntryPoint execute.
func TestBatchOfAStranger(t *testing.T) {
	t.Parallel()
	c, alice := account(t)
	refused := contracttest.Reason("not from self or EntryPoint")
	c.Reverts(fixtures.Dev(4), alice.Address, simple7702.PackExecuteBatch(nil), refused)
	entryPoints := map[common.Address]common.Address{
		simple7702.V08Address: common.HexToAddress("0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108"),
		simple7702.V09Address: common.HexToAddress("0x433709009B8330FDa32311DF1C2AFA402eD8D009"),
	}
	for version := range entryPoints {
		c.Delegate(alice, version)
		for of, entryPoint := range entryPoints {
			answer := c.Call(entryPoint, alice.Address, simple7702.PackExecuteBatch(nil))
			require.Equal(t, of == version, answer.Succeeded)
		}
	}
}

// Ensure the code placed at genesis is the code that deploying gives.
func TestPredeploysAreDeployments(t *testing.T) {
	t.Parallel()
	c := contracttest.New(t, simple7702.Predeploys())
	for address, entryPoint := range map[common.Address]string{
		simple7702.V08Address: "0x4337084D9E255Ff0702461CF8895CE9E3b5Ff108", simple7702.V09Address: "0x433709009B8330FDa32311DF1C2AFA402eD8D009",
	} {
		argument := simple7702.NewSimple7702Account().PackConstructor(common.HexToAddress(entryPoint))
		require.Equal(t, c.Code(c.Deploy(helpers.DeployCode(simple7702.Simple7702AccountMetaData.Bin, argument...))), c.Code(address))
	}
}
