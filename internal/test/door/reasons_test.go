package door_test

import (
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure the client in the test's process reads why a call reverts, errors of artifacts included, while one that dials
// reads the contract's words, or with Geth the reason, too.
func TestReasonsForTests(t *testing.T) {
	t.Parallel()
	code, artifact := tillArtifact()
	folder := artifacts(t, map[string]string{"out/Till.sol/Till.json": artifact})
	for _, profile := range []fakenode.Profile{fakenode.Spec, fakenode.Geth} {
		node := fakenode.RunConfigT(t, fakenode.Config{Artifacts: []string{folder}, Compat: profile})
		till, token := common.HexToAddress("0x7111"), node.Token().Address()
		node.SetCode(till, code)
		transfer, err := tokencontract.ABI().Pack("transfer", node.Account(1).Address, big.NewInt(2e12))
		require.NoError(t, err)
		short := append(crypto.Keccak256([]byte("Short(uint256)"))[:4], common.BigToHash(big.NewInt(7)).Bytes()...)
		world, err := node.NewWorld(fakenode.WorldOptions{})
		require.NoError(t, err)
		for want, message := range map[string]ethereum.CallMsg{
			"execution reverted: ERC20: transfer amount exceeds balance": {From: node.Account(0).Address, To: &token, Data: transfer},
			"execution reverted: Short(missing: 7)":                      {To: &till, Data: short},
			"execution reverted":                                         {To: &till, Data: []byte("no error")},
		} {
			requireReason := func(client *ethclient.Client, want string) {
				_, err := client.CallContract(t.Context(), message, nil)
				require.EqualError(t, err, want)
				var withData rpc.DataError
				require.ErrorAs(t, err, &withData)
				require.NotEmpty(t, withData.ErrorData())
				_, err = client.EstimateGas(t.Context(), message)
				require.EqualError(t, err, want)
			}
			requireReason(node.Client(), want)
			requireReason(world.Client(), want)
			dialed, err := ethclient.Dial(node.URL())
			require.NoError(t, err)
			t.Cleanup(dialed.Close)
			if profile == fakenode.Spec { // contract 7-revert
				want = "execution reverted"
			}
			requireReason(dialed, want)
		}
	}
}
