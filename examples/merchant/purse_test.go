package main

import (
	"net/http"
	"sync"
	"testing"

	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/fixtures"
)

// purse sets what the merchant's account has for gas, a decimal amount of ether.
func (m *merchant) purse(ether string) {
	m.t.Helper()
	m.control("anvil_setBalance", m.account.Address, hexutil.EncodeBig(fixtures.Ether(ether).ToBig()))
}

// Ensure nothing is sent, and nothing recorded, that the merchant cannot pay the gas for.
func TestEmptyPurse(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	first, second := m.store("25.00"), m.store("25.00")
	m.purse("0")
	status, code, message := m.refused(http.MethodPost, "/orders/"+first.ID+"/capture", nil)
	require.Equal(t, http.StatusServiceUnavailable, status)
	require.Equal(t, "unavailable", code)
	require.Equal(t, "the merchant's account cannot pay for gas", message)
	require.Empty(t, m.show(first.ID).Transactions)
	require.Equal(t, "voided", m.do(http.MethodPost, "/orders/"+first.ID+"/void", nil).Stage)

	m.purse("1")
	m.capture(second.ID)
	m.settles(second, dollars25, 1)
}

// Ensure of captures asked for at once no more are recorded than the purse can pay for together, and that each of those
// settles; the others do when it is filled.
func TestSharedPurse(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	var orders []order
	for range 5 {
		orders = append(orders, m.store("1"))
	}
	m.purse("0.0012")
	statuses := make([]int, len(orders))
	var clients sync.WaitGroup
	for i, o := range orders {
		clients.Go(func() { statuses[i], _, _ = m.attempt(t.Context(), http.MethodPost, "/orders/"+o.ID+"/capture", nil) })
	}
	clients.Wait()
	var recorded, refused []order
	for i, o := range orders {
		if statuses[i] == http.StatusOK {
			recorded = append(recorded, m.await(o.ID, "it is sent", sent))
			continue
		}
		require.Equal(t, http.StatusServiceUnavailable, statuses[i])
		require.Empty(t, m.show(o.ID).Transactions)
		refused = append(refused, o)
	}
	require.NotEmpty(t, recorded)
	require.NotEmpty(t, refused)
	m.node.Seal()
	for _, o := range recorded {
		m.await(o.ID, "it is captured", captured)
	}
	m.purse("1")
	for _, o := range refused {
		m.capture(o.ID)
	}
	m.node.Seal()
	for _, o := range refused {
		m.await(o.ID, "it is captured", captured)
	}
	m.settled(5_000_000, 5)
}

// Ensure a purse that became too short for what is recorded costs no capture its account nonce, however often it is
// rejected.
func TestPurseRunsShort(t *testing.T) {
	t.Parallel()
	m := startMerchant(t, fakenode.RunT(t))
	first, second := m.store("1"), m.store("2")
	m.capture(first.ID)
	m.capture(second.ID)
	m.purse("0.0001") // enough for a transfer of nothing
	m.node.Timeline().ClearPool()
	m.attempts(first.ID, 2*refusals)
	require.Equal(t, "refused", m.show(first.ID).last().State)
	m.purse("1")
	for _, o := range []order{first, second} {
		m.do(http.MethodPost, "/orders/"+o.ID+"/capture", nil)
		m.await(o.ID, "it is sent", sent)
	}
	m.node.Seal()
	m.await(first.ID, "it is captured", captured)
	m.await(second.ID, "it is captured", captured)
	m.settled(3_000_000, 2)
}
