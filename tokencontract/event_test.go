package tokencontract_test

import (
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

// Ensure decoders take their own event only: another token's look-alikes and short logs are refused, not misread.
func TestDecodersRefuseOtherLogs(t *testing.T) {
	t.Parallel()
	word := make([]byte, 32)
	topic := tokencontract.TransferTopic
	for name, log := range map[string]types.Log{
		"no topics":             {},
		"another event":         {Topics: []common.Hash{{1}, {}, {}}, Data: word},
		"NFT transfer":          {Topics: []common.Hash{topic, {}, {}, {}}},
		"not indexed":           {Topics: []common.Hash{topic}, Data: make([]byte, 96)},
		"no data":               {Topics: []common.Hash{topic, {}, {}}},
		"authorization, data":   {Topics: []common.Hash{tokencontract.AuthorizationUsedTopic, {}, {}}, Data: word},
		"authorization, 1 less": {Topics: []common.Hash{tokencontract.AuthorizationCanceledTopic, {}}},
	} {
		_, err := tokencontract.DecodeTransfer(log)
		require.ErrorIs(t, err, tokencontract.ErrOtherEvent, name)
		_, err = tokencontract.DecodeAuthorizationUsed(log)
		require.ErrorIs(t, err, tokencontract.ErrOtherEvent, name)
		_, err = tokencontract.DecodeAuthorizationCanceled(log)
		require.ErrorIs(t, err, tokencontract.ErrOtherEvent, name)
	}
}

func TestDecodeTransfer(t *testing.T) {
	t.Parallel()
	amount := fixtures.USD("25.00").Bytes32()
	got, err := tokencontract.DecodeTransfer(types.Log{
		Topics: []common.Hash{tokencontract.TransferTopic, common.BytesToHash(payer.Address[:]), common.BytesToHash(merchant.Address[:])},
		Data:   amount[:],
	})
	require.NoError(t, err)
	require.Equal(t, tokencontract.Transfer{From: payer.Address, To: merchant.Address, Value: fixtures.USD("25.00")}, got)
}
