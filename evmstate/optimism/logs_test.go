package optimism_test

import (
	"encoding/binary"
	"fmt"
	"math/big"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/evmstate/optimism"
)

// number is a 256-bit number.
func number(n uint64) []byte { return common.BigToHash(new(big.Int).SetUint64(n)).Bytes() }

// encoded is the data of an event whose only argument outside the topics is of type bytes, padded to whole words.
func encoded(bytes ...[]byte) []byte {
	var all []byte
	for _, b := range bytes {
		all = append(all, b...)
	}
	data := append(append(number(32), number(uint64(len(all)))...), all...)
	return append(data, make([]byte, -len(data)&31)...)
}

// Ensure a deposit is read from the portal's log as the OP stack reads it, and that a log that makes none says why.
func TestDepositOfLog(t *testing.T) {
	t.Parallel()
	from, to := common.HexToHash("0xf0"), common.HexToHash("0xa0")
	topics := []common.Hash{optimism.DepositTopic, from, to, {}}
	opaque := func(mint, value, gas uint64, create byte, data ...byte) []byte {
		return append(append(append(append(number(mint), number(value)...), binary.BigEndian.AppendUint64(nil, gas)...), create), data...)
	}
	block := common.Hash{7}
	read := func(topics []common.Hash, data []byte) (*optimism.Deposit, error) {
		return optimism.DepositOf(&types.Log{Topics: topics, Data: data, Index: 5}, block)
	}
	target := common.HexToAddress("0xa0")
	for _, c := range []struct {
		opaque []byte
		want   optimism.Deposit
	}{
		{opaque(0, 0, 21_000, 0), optimism.Deposit{To: &target, Value: new(big.Int), Gas: 21_000, Data: []byte{}}},
		{opaque(3, 2, 1, 0, 9, 8), optimism.Deposit{To: &target, Mint: big.NewInt(3), Value: big.NewInt(2), Gas: 1, Data: []byte{9, 8}}},
		{opaque(0, 2, 1, 1, 9), optimism.Deposit{Value: big.NewInt(2), Gas: 1, Data: []byte{9}}},
	} {
		c.want.SourceHash, c.want.From = optimism.UserSource(block, 5), common.HexToAddress("0xf0")
		is, err := read(topics, encoded(c.opaque))
		require.NoError(t, err)
		require.Zero(t, c.want.Value.Cmp(is.Value))
		is.Value = c.want.Value
		require.Equal(t, c.want, *is)
	}
	right := encoded(opaque(0, 0, 21_000, 0))
	wrong := func(at int, value byte) []byte {
		data := append([]byte{}, right...)
		data[at] = value
		return data
	}
	for text, c := range map[string]struct {
		topics []common.Hash
		data   []byte
	}{
		"log 5 is no TransactionDeposited":                                   {topics[:3], right},
		"deposit of log 5 has version " + from.Hex() + ", want 0":            {append(append([]common.Hash{}, topics[:3]...), from), right},
		"deposit of log 5 has 72 bytes, want 73 or more":                     {topics, encoded(opaque(0, 0, 21_000, 0)[:72])},
		"deposit of log 5: 2 does not say whether it creates a contract":     {topics, encoded(opaque(0, 0, 21_000, 2))},
		"deposit of log 5: 32 bytes of data are not two words or more":       {topics, right[:32]},
		"deposit of log 5: 159 bytes of data are not two words or more":      {topics, right[:159]},
		"deposit of log 5: offset is 33, want 32":                            {topics, wrong(31, 33)},
		"deposit of log 5: length is 97, which 96 bytes do not hold exactly": {topics, wrong(63, 97)},
		"deposit of log 5: length is 64, which 96 bytes do not hold exactly": {topics, wrong(63, 64)},
		fmt.Sprintf("deposit of log 5: length is %v, which 96 bytes do not hold exactly", new(big.Int).Lsh(big.NewInt(1), 255)): {
			topics, append(append(append([]byte{}, right[:32]...), common.BigToHash(new(big.Int).Lsh(big.NewInt(1), 255)).Bytes()...), right[64:]...),
		},
	} {
		_, err := read(c.topics, c.data)
		require.EqualError(t, err, text)
	}
	_, err := read([]common.Hash{{1}, from, to, {}}, right)
	require.EqualError(t, err, "log 5 is no TransactionDeposited")
}

// Ensure each update of the contract SystemConfig sets what it is for and nothing else, and that values that the rules
// ignore, versions and kinds that are not known, and other events change nothing (OP stack,
// specs/protocol/system-config.md).
func TestSystemConfigUpdates(t *testing.T) {
	t.Parallel()
	topic := crypto.Keccak256Hash([]byte("ConfigUpdate(uint256,uint8,bytes)"))
	before := optimism.SystemConfig{GasLimit: 1}
	before.Fees.Denominator, before.Fees.Elasticity = 250, 6
	kind := func(k uint64) []common.Hash { return []common.Hash{topic, {}, common.BytesToHash(number(k))} }
	large := common.HexToHash("0x010000000000000000").Bytes() // 2^64
	scalars := func(version byte, blob, base uint32) []byte {
		word := make([]byte, 32)
		word[0] = version
		binary.BigEndian.PutUint32(word[24:], blob)
		binary.BigEndian.PutUint32(word[28:], base)
		return word
	}
	for name, c := range map[string]struct {
		topics []common.Hash
		data   []byte
		change func(*optimism.SystemConfig)
	}{
		"batcher":           {kind(0), encoded(number(7)), func(c *optimism.SystemConfig) { c.L1.BatcherHash = common.HexToHash("0x7") }},
		"scalars":           {kind(1), encoded(number(9), scalars(1, 5, 6)), func(c *optimism.SystemConfig) { c.L1.BlobBaseFeeScalar, c.L1.BaseFeeScalar = 5, 6 }},
		"scalar of bedrock": {kind(1), encoded(number(9), scalars(0, 5, 6)), nil},
		"scalars alone":     {kind(1), encoded(scalars(1, 5, 6)), nil},
		"gas limit":         {kind(2), encoded(number(30)), func(c *optimism.SystemConfig) { c.GasLimit = 30 }},
		"large gas limit":   {kind(2), encoded(large), nil},
		"block signer":      {kind(3), encoded(number(7)), nil},
		"base fee":          {kind(4), encoded(number(2<<32 | 3)), func(c *optimism.SystemConfig) { c.Fees.Denominator, c.Fees.Elasticity = 2, 3 }},
		"no denominator":    {kind(4), encoded(number(3)), nil},
		"no elasticity":     {kind(4), encoded(number(2 << 32)), nil},
		"large denominator": {kind(4), encoded(common.HexToHash("0x010000000200000003").Bytes()), nil},
		"operator fee": {kind(5), encoded(common.HexToHash("0x040000000000000005").Bytes()), func(c *optimism.SystemConfig) {
			c.L1.OperatorFeeScalar, c.L1.OperatorFeeConstant = 4, 5
		}},
		"least base fee":       {kind(6), encoded(number(8)), func(c *optimism.SystemConfig) { c.Fees.MinBaseFee = 8 }},
		"large least base fee": {kind(6), encoded(large), nil},
		"footprint":            {kind(7), encoded(number(400)), func(c *optimism.SystemConfig) { c.L1.DAFootprintGasScalar = 400 }},
		"unknown":              {kind(8), encoded(number(7)), nil},
		"large kind":           {[]common.Hash{topic, {}, {1}}, encoded(number(7)), nil},
		"two words":            {kind(2), encoded(number(30), number(1)), nil},
		"no bytes":             {kind(2), number(30), nil},
		"version 1":            {[]common.Hash{topic, common.HexToHash("0x1"), common.BytesToHash(number(2))}, encoded(number(30)), nil},
		"another event":        {[]common.Hash{{1}, {}, common.BytesToHash(number(2))}, encoded(number(30)), nil},
		"two topics":           {kind(2)[:2], encoded(number(30)), nil},
	} {
		want, is := before, before
		if c.change != nil {
			c.change(&want)
		}
		is.Apply(&types.Log{Topics: c.topics, Data: c.data})
		require.Equal(t, want, is, name)
	}
}
