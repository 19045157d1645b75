package eth_test

import (
	"fmt"
	"math/big"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode/internal/persona"
	"github.com/fakenode/fakenode/internal/test/servertest"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/control"
	"github.com/fakenode/fakenode/rpcserver"
	"github.com/fakenode/fakenode/rpcserver/api"
	"github.com/fakenode/fakenode/rpcserver/jsonrpc"
)

// Ensure each dialect of eth_sendRawTransactionSync has its own code for a nonce too high, and for a time that is up.
func TestSendSyncDialects(t *testing.T) {
	t.Parallel()
	for dialect, gap := range map[api.SendSync]int{
		api.SyncSpec: api.CodeSyncTimeout, api.SyncGeth: api.CodeSyncTimeout, api.SyncEIP: api.CodeNonceGap, api.SyncArbitrum: api.CodeSyncTimeout,
		api.SyncAnnounced: api.CodeSyncTimeout, api.SyncPolygon: api.CodeSyncTimeout, api.SyncMegaETH: api.CodeServer,
	} {
		t.Run(string(dialect), func(t *testing.T) {
			t.Parallel()
			n := servertest.New(t, preconf.Config{Mode: control.Manual}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{SendSync: dialect}}})
			n.Fails(gap, "eth_sendRawTransactionSync", hexutil.Bytes(servertest.Raw(t, servertest.Signed(t, servertest.Bob, 5))), "0x1")
			n.Fails(api.CodeInvalidParams, "eth_sendRawTransactionSync", "0x01", "0x1")
		})
	}
	geth := inProfile(t, persona.Geth.Wire, preconf.Config{Mode: control.Instant})
	geth.Do("eth_sendRawTransactionSync", rawOf(t, servertest.Alice), 6001) // as api.SyncGeth where none is named
	n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{SendSync: api.SyncEIP}}})
	gap := n.Fails(api.CodeNonceGap, "eth_sendRawTransactionSync", hexutil.Bytes(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 3))))
	require.Equal(t, "0x0", gap.Data)
	require.Zero(t, n.Timeline.Moment().PoolSize(), "a transaction after a gap is not pooled")
	tx := servertest.Signed(t, servertest.Alice, 0)
	late := n.Fails(api.CodeSyncTimeout, "eth_sendRawTransactionSync", hexutil.Bytes(servertest.Raw(t, tx)), 1)
	require.Equal(t, "The transaction was added to the mempool but wasn't processed in 1ms.", late.Message)
	require.Equal(t, tx.Hash().Hex(), late.Data)
}

// Ensure Arbitrum's receipt is that of a block, and the one that it has announced has the hash of none.
func TestSendSyncOnArbitrum(t *testing.T) {
	t.Parallel()
	for dialect, sealed := range map[api.SendSync]bool{api.SyncArbitrum: true, api.SyncAnnounced: false} {
		n := servertest.New(t, preconf.Config{}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{SendSync: dialect}}})
		answered, _ := sending(n, n.Eth.Client(), "eth_sendRawTransactionSync", rawOf(t, servertest.Alice), "0xffffff")
		n.Preconfirm()
		if sealed {
			n.Seal(1)
		}
		receipt := servertest.Await(t, answered)
		require.Equal(t, sealed, receipt.BlockHash != common.Hash{})
	}
}

// Ensure a fault brings about each outcome of EIP-7966 on command.
func TestSendSyncFaults(t *testing.T) {
	t.Parallel()
	n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{})
	raw := hexutil.Bytes(servertest.Raw(t, servertest.Signed(t, servertest.Alice, 0)))
	for code, data := range map[int]string{4: "0x12", 5: "0x34", 6: "0x7"} {
		n.Do("fakenode_setFault", map[string]any{"method": "eth_sendRawTransactionSync", "error": jsonrpc.Error{Code: code, Message: "no", Data: data}})
		require.Equal(t, data, n.Fails(code, "eth_sendRawTransactionSync", raw).Data)
	}
	n.Do("eth_sendRawTransactionSync", raw)
}

// Ensure EIP-7966's rules answer at once with code 5 and the hash for a transaction that is in the pool with a fee cap
// below the base fee, as one that is not ready, with code 6 for one after a gap, and that other rules wait.
func TestSendSyncNotReady(t *testing.T) {
	t.Parallel()
	eip := servertest.New(t, preconf.Config{Mode: control.Manual}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{SendSync: api.SyncEIP}}})
	spec := servertest.New(t, preconf.Config{Mode: control.Manual}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{SendSync: api.SyncSpec}}})
	base := eip.Timeline.Moment().NextHeader().BaseFee
	below := new(big.Int).Sub(base, common.Big1)
	for _, tc := range []struct {
		n     *servertest.Network
		nonce uint64
		price *big.Int
		code  int
		words string
	}{
		{eip, 0, base, api.CodeSyncTimeout, "wasn't processed in 1ms"},
		{eip, 1, below, api.CodeNotReady, fmt.Sprintf("its fee cap of %d wei is below the base fee of %d wei.", below, base)},
		{eip, 2, base, api.CodeSyncTimeout, "wasn't processed in 1ms"},
		{eip, 4, base, api.CodeNonceGap, "Please resubmit with the next on-chain nonce."},
		{spec, 0, below, api.CodeSyncTimeout, "was not confirmed within 1ms"},
		{spec, 4, base, api.CodeSyncTimeout, "was not confirmed within 1ms"},
	} {
		tx := types.MustSignNewTx(servertest.Alice.Key, types.LatestSignerForChainID(big.NewInt(servertest.ChainID)), &types.LegacyTx{
			Nonce: tc.nonce, To: &common.Address{}, Gas: 21_000, GasPrice: tc.price,
		})
		failure := tc.n.Fails(tc.code, "eth_sendRawTransactionSync", hexutil.Bytes(servertest.Raw(t, tx)), 1)
		require.Contains(t, failure.Message, tc.words)
		if tc.code != api.CodeNonceGap {
			require.Equal(t, tx.Hash().Hex(), failure.Data)
		}
	}
	require.Equal(t, 3, eip.Timeline.Moment().PoolSize())
}

// Ensure go-ethereum's SendTransactionSync gets a receipt by each dialect, with a timeout only where decimals are
// taken.
func TestSendSyncByGethsClient(t *testing.T) {
	t.Parallel()
	hexOnly := map[api.SendSync]bool{api.SyncArbitrum: true, api.SyncAnnounced: true, api.SyncPolygon: true}
	for _, dialect := range api.SendSyncs() {
		n := servertest.New(t, preconf.Config{Mode: control.Instant}, rpcserver.Config{Settings: api.Settings{Behaviour: api.Behaviour{SendSync: dialect}}})
		for nonce, timeout := range []*time.Duration{nil, new(time.Second)} {
			tx := servertest.Signed(t, servertest.Alice, uint64(nonce))
			receipt, err := n.Eth.SendTransactionSync(t.Context(), tx, timeout)
			if timeout != nil && hexOnly[dialect] {
				require.ErrorContains(t, err, "not a string in hex", dialect)
				continue
			}
			require.NoError(t, err, dialect)
			require.Equal(t, tx.Hash(), receipt.TxHash)
		}
	}
}
