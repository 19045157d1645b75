package channel_test

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/crypto"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/examples/facilitator/channel"
	"github.com/fakenode/fakenode/examples/facilitator/paywall"
)

// The variables by which the test binary is a seller: a process of its own, to be killed.
const (
	sellerNode  = "CHANNEL_TEST_NODE"
	sellerFile  = "CHANNEL_TEST_FILE"
	sellerKey   = "CHANNEL_TEST_KEY"
	sellerPayTo = "CHANNEL_TEST_PAY_TO"
)

func TestMain(m *testing.M) {
	if os.Getenv(sellerNode) != "" {
		if err := sell(context.Background()); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	}
	os.Exit(m.Run())
}

// sell serves and keeps channels until it is killed. It prints its URL.
func sell(ctx context.Context) error {
	client, err := ethclient.DialContext(ctx, os.Getenv(sellerNode))
	if err != nil {
		return err
	}
	key, err := crypto.ToECDSA(common.FromHex(os.Getenv(sellerKey)))
	if err != nil {
		return err
	}
	f, err := paywall.NewFacilitator(ctx, client, key)
	if err != nil {
		return err
	}
	ledger, err := channel.OpenLedger(ctx, os.Getenv(sellerFile), f.ChainID(), common.Hash{1})
	if err != nil {
		return err
	}
	till := channel.NewTill(channel.NewScheme(f, key), ledger)
	go channel.Keeper{Till: till, ClaimAt: units(5 * price)}.Run(ctx, 10*time.Millisecond)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	fmt.Printf("http://%s\n", listener.Addr())
	return http.Serve(listener, route(till, terms(f, common.HexToAddress(os.Getenv(sellerPayTo)))))
}

// Ensure a seller that is killed at any moment, and started again, has charged every answer it gave and nothing more
// than it was asked for, and is paid exactly that.
func TestKilled(t *testing.T) {
	t.Parallel()
	s := newShop(t, fakenode.Config{})
	require.NoError(t, s.ledger.Close())
	shopURL, w := s.url, s.wallet(0)
	answered, asked, charged := uint64(0), uint64(0), uint64(0)
	for round := range 8 {
		seller := s.spawn()
		if round == 0 {
			w.buys(w.deposit(1_000_000, price))
			answered, asked, charged = 1, 1, price
		}
		killed := make(chan struct{})
		go func() {
			<-killed
			_ = seller.Process.Kill()
		}()
		for i := range 12 {
			if i == 3+round { // with a request under way
				close(killed)
			}
			a, err := w.try(w.payload("voucher", charged+price))
			asked++
			if err != nil {
				break
			}
			if a.status == http.StatusPaymentRequired { // it was charged for the answer that was not given
				require.Equal(t, units(charged+price).Dec(), a.required.Accepts[0].Extra["channelState"].(object)["chargedCumulativeAmount"])
				charged += price
				continue
			}
			answered++
			charged += price
		}
		require.Error(t, seller.Wait())
	}
	s.url = shopURL
	s.open() // nothing remembers what was under way
	s.keep()
	s.keep()
	a := w.pay(w.payload("voucher", charged+price))
	if a.status == http.StatusPaymentRequired {
		charged += price
		w.buys(w.payload("voucher", charged+price))
	}
	charged += price
	require.GreaterOrEqual(t, charged, (answered+1)*price)
	require.LessOrEqual(t, charged, (asked+1)*price)
	s.keep()
	require.Equal(t, charged, s.received())
	require.EqualValues(t, 1_000_000, w.spent())
}

// spawn starts a seller as a process, in place of the shop's own.
func (s *shop) spawn() *exec.Cmd {
	s.t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), sellerNode+"="+s.node.URL(), sellerFile+"="+s.path, sellerPayTo+"="+s.price.PayTo.Hex(),
		sellerKey+"="+hexutil.Encode(crypto.FromECDSA(s.node.Account(3).Key)))
	command.Stderr = os.Stderr
	stdout, err := command.StdoutPipe()
	require.NoError(s.t, err)
	require.NoError(s.t, command.Start())
	s.t.Cleanup(func() { _ = command.Process.Kill() })
	line, err := bufio.NewReader(stdout).ReadString('\n')
	require.NoError(s.t, err)
	s.url = strings.TrimSpace(line)
	return command
}
