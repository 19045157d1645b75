package bundler_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/vm"
	"github.com/ethereum/go-ethereum/core/vm/program"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/fixtures/contracts/entrypoint"
)

// Ensure a bundler refuses an account that reads the number of the block while it is validated, unless its rules are
// loose.
func TestRulesOfBundler(t *testing.T) {
	t.Parallel()
	for rules, refusal := range map[fakenode.BundlerRules]string{"": "[OP-011]", fakenode.StrictBundler: "[OP-011]", fakenode.LooseBundler: ""} {
		p := newPayer(t, fakenode.Config{BundlerRules: rules})
		code := program.New().Op(vm.NUMBER, vm.POP).Push0().Push0().Op(vm.MSTORE).Return(0, 32).Bytes()
		p.SetCode(p.account, code)
		data := entrypoint.NewEntryPointV07().PackDepositTo(p.account)
		hash, err := p.Transact(p.Account(0), fakenode.Tx{To: &entrypoint.V07Address, Data: data, Value: fixtures.Ether("1"), Gas: 200_000})
		require.NoError(t, err)
		p.Seal()
		receipt, err := p.Receipt(t.Context(), hash)
		require.NoError(t, err)
		require.EqualValues(t, 1, receipt.Status)
		_, object := p.operation()
		var sent common.Hash
		err = p.Client().Client().Call(&sent, "eth_sendUserOperation", object, entrypoint.V07Address)
		if refusal == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, refusal, rules)
	}
}
