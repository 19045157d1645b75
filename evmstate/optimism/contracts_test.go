package optimism_test

import (
	"errors"
	"math/big"
	"os"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/contracts"
	"github.com/fakenode/fakenode/evmstate"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/internal/contracts/predeploys"
)

// predeployed is a contract of a node with the rules of optimism.
type predeployed struct {
	rollup
	abi     abi.ABI
	address common.Address
}

func (r rollup) contract(file string, address common.Address) predeployed {
	r.t.Helper()
	text, err := os.ReadFile("../../internal/contracts/predeploys/" + file + ".abi")
	require.NoError(r.t, err)
	return predeployed{r, contracts.ABI(text), address}
}

// method returns the function with that signature, or that name.
func (p predeployed) method(signature string) abi.Method {
	p.t.Helper()
	for _, method := range p.abi.Methods {
		if method.Sig == signature || method.RawName == signature {
			return method
		}
	}
	require.Fail(p.t, "no function "+signature)
	return abi.Method{}
}

func (p predeployed) pack(signature string, args ...any) hexutil.Bytes {
	p.t.Helper()
	method := p.method(signature)
	packed, err := method.Inputs.Pack(args...)
	require.NoError(p.t, err)
	return append(method.ID[:4:4], packed...)
}

// ask calls a view and returns its one result.
func (p predeployed) ask(signature string, args ...any) any {
	p.t.Helper()
	var result hexutil.Bytes
	p.call(&result, "eth_call", map[string]any{"from": p.Account(0).Address, "to": p.address, "data": p.pack(signature, args...)})
	values, err := p.method(signature).Outputs.Unpack(result)
	require.NoError(p.t, err)
	return values[0]
}

// do sends a transaction from account 0, seals it and returns its receipt.
func (p predeployed) do(wei int64, signature string, args ...any) rollupTransaction {
	p.t.Helper()
	var hash common.Hash
	p.call(&hash, "eth_sendTransaction", map[string]any{
		"from": p.Account(0).Address, "to": p.address, "value": (*hexutil.Big)(big.NewInt(wei)), "data": p.pack(signature, args...), "gas": "0x4c4b40",
	})
	p.Seal()
	return p.receipt(hash)
}

// refuses calls a function from account 0 and asserts that it reverts with data that begins with the error's.
func (p predeployed) refuses(why []byte, wei int64, signature string, args ...any) {
	p.t.Helper()
	err := p.rpc.Call(nil, "eth_call", map[string]any{
		"from": p.Account(0).Address, "to": p.address, "value": (*hexutil.Big)(big.NewInt(wei)), "data": p.pack(signature, args...),
	})
	var failed rpc.DataError
	require.True(p.t, errors.As(err, &failed), "%v", err)
	data, _ := failed.ErrorData().(string)
	require.Contains(p.t, data, common.Bytes2Hex(why))
}

func (p predeployed) has(t *testing.T, selectors map[string]string, topics map[string]string) {
	t.Helper()
	for signature, selector := range selectors {
		require.Equal(t, selector, common.Bytes2Hex(p.method(signature).ID), signature)
	}
	for name, topic := range topics {
		require.Equal(t, common.HexToHash(topic), p.abi.Events[name].ID, name)
	}
}

// Ensure CreateX deploys at the addresses it computes, with the published interface and the rules of its salts.
func TestRollupCreateX(t *testing.T) {
	t.Parallel()
	r := newRollup(t, fakenode.Config{})
	x := r.contract("createx", predeploys.CreateXAddress)
	require.Len(t, x.abi.Methods, 24)
	x.has(t, map[string]string{
		"deployCreate(bytes)": "27fe1822", "deployCreate2(bytes32,bytes)": "26307668", "deployCreate2(bytes)": "26a32fc7",
		"deployCreate3(bytes32,bytes)": "9c36a286", "deployCreate3(bytes)": "7f565360",
		"deployCreate3AndInit(bytes32,bytes,bytes,(uint256,uint256))":         "00d84acb",
		"deployCreate3AndInit(bytes32,bytes,bytes,(uint256,uint256),address)": "ddda0acb",
		"deployCreate3AndInit(bytes,bytes,(uint256,uint256))":                 "2f990e3f",
		"deployCreate3AndInit(bytes,bytes,(uint256,uint256),address)":         "f5745aba",
		"computeCreate3Address(bytes32)":                                      "6cec2536",
	}, nil)
	sender := r.Account(0).Address
	accepts := common.FromHex("6001600c60003960016000f300")     // deploys STOP
	reverts := common.FromHex("6003600c60003960036000f35f5ffd") // deploys REVERT
	nothing := common.FromHex("00")                             // deploys no code
	type values struct{ ConstructorAmount, InitCallAmount *big.Int }
	none := values{new(big.Int), new(big.Int)}
	made := func(receipt rollupTransaction) common.Address {
		require.EqualValues(t, 1, receipt.Status)
		return common.BytesToAddress(receipt.Logs[len(receipt.Logs)-1].Topics[1][:])
	}
	coded := func(address common.Address, code string) {
		t.Helper()
		var have hexutil.Bytes
		r.call(&have, "eth_getCode", address, "latest")
		require.Equal(t, code, have.String())
	}

	// The address that CREATE gives follows from the nonce.
	for _, nonce := range []int64{0, 1, 0x7f, 0x80, 0xffff, 1 << 40} {
		require.Equal(t, crypto.CreateAddress(sender, uint64(nonce)), x.ask("computeCreateAddress(address,uint256)", sender, big.NewInt(nonce)))
	}
	want := x.ask("computeCreateAddress(uint256)", big.NewInt(1))
	require.Equal(t, want, made(x.do(0, "deployCreate(bytes)", accepts)))
	coded(want.(common.Address), "0x00")
	invalid := crypto.Keccak256([]byte("InvalidNonceValue(address)"))[:4]
	x.refuses(invalid, 0, "computeCreateAddress(uint256)", new(big.Int).SetUint64(1<<64-1))

	// Salts: anybody's, the sender's alone, and for one chain alone.
	word := func(parts ...[]byte) (salt [32]byte) {
		copy(salt[:], common.CopyBytes(append(append(parts[0], parts[1]...), 7)))
		return salt
	}
	chain := common.LeftPadBytes(big.NewInt(31337).Bytes(), 32)
	owner := common.LeftPadBytes(sender[:], 32)
	for name, c := range map[string]struct {
		salt [32]byte
		with [][]byte // hashed before the salt
	}{
		"anybody's":               {[32]byte{9: 1}, nil},
		"the sender's":            {word(sender[:], []byte{0}), [][]byte{owner}},
		"the sender's, per chain": {word(sender[:], []byte{1}), [][]byte{owner, chain}},
		"anybody's, per chain":    {word(make([]byte, 20), []byte{1}), [][]byte{chain}},
	} {
		guarded := crypto.Keccak256Hash(append(c.with, c.salt[:])...)
		receipt := x.do(0, "deployCreate2(bytes32,bytes)", c.salt, accepts)
		require.Equal(t, crypto.CreateAddress2(x.address, guarded, crypto.Keccak256(accepts)), made(receipt), name)
		require.Equal(t, guarded, receipt.Logs[0].Topics[2], name)
		require.Equal(t, made(receipt), x.ask("computeCreate2Address(bytes32,bytes32)", guarded, crypto.Keccak256Hash(accepts)))

		receipt = x.do(3, "deployCreate3(bytes32,bytes)", c.salt, accepts)
		require.Len(t, receipt.Logs, 2)
		proxy := common.BytesToAddress(receipt.Logs[0].Topics[1][:])
		require.Equal(t, crypto.CreateAddress(proxy, 1), made(receipt), name)
		require.Equal(t, made(receipt), x.ask("computeCreate3Address(bytes32)", guarded))
		require.EqualValues(t, 3, r.balance(made(receipt), "latest").Int64())
	}
	salt := crypto.Keccak256Hash([]byte("InvalidSalt(address)"))
	x.refuses(salt[:4], 0, "deployCreate2(bytes32,bytes)", word(sender[:], []byte{2}), accepts)
	x.refuses(salt[:4], 0, "deployCreate3(bytes32,bytes)", word(make([]byte, 20), []byte{2}), accepts)
	require.NotEqual(t, made(x.do(0, "deployCreate2(bytes)", accepts)), made(x.do(0, "deployCreate2(bytes)", accepts)))

	// A first call with ether, and what is left goes back.
	back := common.HexToAddress("0xbac4")
	for _, name := range []string{"deployCreateAndInit", "deployCreate2AndInit", "deployCreate3AndInit"} {
		before := r.balance(back, "latest")
		at := made(x.do(10, name+"(bytes,bytes,(uint256,uint256),address)", accepts, []byte{1}, values{big.NewInt(2), big.NewInt(3)}, back))
		require.EqualValues(t, 5, r.balance(at, "latest").Int64(), name)
		require.EqualValues(t, 5, new(big.Int).Sub(r.balance(back, "latest"), before).Int64(), name)
		r.Seal() // a salt that is not named is another in each block
		x.refuses(crypto.Keccak256([]byte("FailedContractInitialisation(address,bytes)"))[:4], 0, name+"(bytes,bytes,(uint256,uint256))", reverts, []byte{}, none)
	}
	for signature, args := range map[string][]any{
		"deployCreate(bytes)": {nothing}, "deployCreate2(bytes32,bytes)": {[32]byte{9: 2}, nothing}, "deployCreate3(bytes32,bytes)": {[32]byte{9: 1}, accepts},
	} {
		x.refuses(crypto.Keccak256([]byte("FailedContractCreation(address)"))[:4], 0, signature, args...)
	}
	// Minimal proxies.
	for signature, args := range map[string][]any{
		"deployCreateClone(address,bytes)": {back, []byte{}}, "deployCreate2Clone(bytes32,address,bytes)": {[32]byte{9: 3}, back, []byte{}},
	} {
		coded(made(x.do(0, signature, args...)), "0x363d3d373d3d3d363d73"+common.Bytes2Hex(back[:])+"5af43d82803e903d91602b57fd5bf3")
	}
}

// Ensure a block whose transactions are the system's alone can be made again from a few values, and any other cannot.
func TestSystemOf(t *testing.T) {
	t.Parallel()
	l1 := optimism.L1{Number: 7, Time: 8, Hash: common.Hash{9}, Fees: optimism.Fees{L1BaseFee: *uint256.NewInt(11)}}
	make := func() (evmstate.Transactions, types.Receipts) {
		txs := evmstate.Transactions{
			optimism.NewIncluded(l1.Attributes(3), 40), optimism.NewIncluded(optimism.BaseTimeDeposit(5, 200), 41),
		}
		return txs, types.Receipts{
			{Status: 1, GasUsed: 100, CumulativeGasUsed: 100}, {Status: 1, GasUsed: 30, CumulativeGasUsed: 130},
		}
	}
	txs, receipts := make()
	want := optimism.System{L1: &l1, Sequence: 3, Nonce: 40, Gas: [2]uint64{100, 30}, Millis: 200, HasTime: true}
	s, ok := optimism.SystemOf(5, txs, receipts)
	require.True(t, ok)
	require.Equal(t, want, s)
	again := s.Transactions(5)
	for i, tx := range again {
		require.Equal(t, txs[i].Hash(), tx.Hash())
		require.Equal(t, txs[i].Nonce(), tx.Nonce())
		require.Equal(t, receipts[i].CumulativeGasUsed, s.Receipts(5, again)[i].CumulativeGasUsed)
	}
	one, ok := optimism.SystemOf(5, txs[:1], receipts[:1])
	require.True(t, ok)
	require.Len(t, one.Transactions(5), 1)
	for name, change := range map[string]func(evmstate.Transactions, types.Receipts){
		"other first":   func(txs evmstate.Transactions, _ types.Receipts) { txs[0] = txs[1] },
		"not a deposit": func(txs evmstate.Transactions, _ types.Receipts) { txs[0] = optimism.NewPostExec(5, nil) },
		"other second":  func(txs evmstate.Transactions, _ types.Receipts) { txs[1] = txs[0] },
		"none second":   func(txs evmstate.Transactions, _ types.Receipts) { txs[1] = optimism.NewPostExec(5, nil) },
		"other block": func(txs evmstate.Transactions, _ types.Receipts) {
			txs[1] = optimism.NewIncluded(optimism.BaseTimeDeposit(6, 200), 41)
		},
		"nonce": func(txs evmstate.Transactions, _ types.Receipts) {
			txs[1] = optimism.NewIncluded(optimism.BaseTimeDeposit(5, 200), 42)
		},
		"failed":           func(_ evmstate.Transactions, r types.Receipts) { r[1].Status = 0 },
		"first failed":     func(_ evmstate.Transactions, r types.Receipts) { r[0].Status = 0 },
		"a log":            func(_ evmstate.Transactions, r types.Receipts) { r[0].Logs = []*types.Log{{}} },
		"gas":              func(_ evmstate.Transactions, r types.Receipts) { r[1].CumulativeGasUsed++ },
		"gas of the first": func(_ evmstate.Transactions, r types.Receipts) { r[0].CumulativeGasUsed++ },
	} {
		txs, receipts := make()
		change(txs, receipts)
		_, ok := optimism.SystemOf(5, txs, receipts)
		require.False(t, ok, name)
	}
	_, ok = optimism.SystemOf(5, append(txs, txs[0]), append(receipts, receipts[0]))
	require.False(t, ok, "three")
	_, ok = optimism.SystemOf(5, nil, nil)
	require.False(t, ok, "none")
}
