package door_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/ethereum/go-ethereum/rpc"
	"github.com/stretchr/testify/require"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// Ensure a world is a whole node of its own: both networks, faults and journal, at the URLs it reports, whoever made
// it.
func TestWorld(t *testing.T) {
	t.Parallel()
	node := fakenode.RunT(t)
	node.Seal()
	world, err := node.NewWorld(fakenode.WorldOptions{Name: "a"})
	require.NoError(t, err)
	require.Equal(t, "a", world.Name())
	require.Equal(t, node.URL()+"/w/a", world.URL())
	require.Equal(t, node.WebSocketURL()+"/w/a", world.WebSocketURL())
	require.Equal(t, node.URL()+"/w/a/testnet", world.TestnetURL())

	world.Seal()
	number, err := world.Client().BlockNumber(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, number)
	same := node.World("a")
	require.EqualValues(t, 2, same.BlockNumber())
	require.Len(t, same.Calls("eth_blockNumber"), 1)
	require.Empty(t, node.Calls("eth_blockNumber"))
	id := world.Snapshot()
	world.Seal()
	nested, err := world.NewWorld(fakenode.WorldOptions{Snapshot: &id})
	require.NoError(t, err)
	require.EqualValues(t, 2, nested.BlockNumber())
	require.EqualValues(t, 3, world.Clone().BlockNumber())

	require.NoError(t, world.Close())
	require.NoError(t, world.Close())
	_, err = world.Client().BlockNumber(t.Context())
	require.ErrorIs(t, err, rpc.ErrClientQuit)
	number, err = nested.Client().BlockNumber(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, 2, number)
}

// Ensure worlds cannot see each other: many, driven at once by random calls, answer byte for byte as nodes that get the
// same calls do.
func TestWorldsAreIndependent(t *testing.T) {
	t.Parallel()
	worlds, calls := laboratory.Budget(t, 8, 50), laboratory.Budget(t, 30, 60)
	config := fakenode.Config{StartTime: time.Unix(1_700_000_000, 0)}
	node := fakenode.RunConfigT(t, config)
	node.Seal()
	var all sync.WaitGroup
	for i := range worlds {
		own := fakenode.RunConfigT(t, config)
		own.Seal()
		// Every other world is made by its first request.
		if i%2 == 0 {
			_, err := node.NewWorld(fakenode.WorldOptions{Name: fmt.Sprint(i + 1)})
			require.NoError(t, err)
		}
		pair := &twins{t: t, world: fmt.Sprintf("%s/%d", node.URL(), i+1), own: own.URL(), random: rand.New(rand.NewPCG(7, uint64(i)))}
		all.Go(func() {
			for range calls {
				pair.step()
			}
			pair.compareJournals()
		})
	}
	all.Wait()
	require.EqualValues(t, 1, node.BlockNumber(), "the node itself saw nothing of it")
	require.Empty(t, node.Calls(""))
}

// twins is a world and a node of its own that get the same calls.
type twins struct {
	t          *testing.T
	world, own string
	random     *rand.Rand
}

// step makes one random call of both.
func (p *twins) step() {
	path := ""
	if p.random.IntN(5) == 0 {
		path = "/testnet"
	}
	p.compare(path, p.body())
}

// body returns a random call.
func (p *twins) body() string {
	n := p.random.IntN
	account := func() string { return fmt.Sprintf(`"%s"`, fakenodeAccounts[n(len(fakenodeAccounts))]) }
	method, params := "", ""
	switch n(24) {
	case 0, 1, 2, 3, 4:
		method, params = "eth_sendTransaction", fmt.Sprintf(`{"from":%s,"to":%s,"value":"0x%x"}`, account(), account(), 1+n(1000))
	case 5, 6:
		method = "fakenode_preconfirm"
	case 7, 8:
		method, params = "fakenode_seal", fmt.Sprint(1+n(3))
	case 9:
		method, params = "fakenode_advance", fmt.Sprint(n(5000))
	case 10, 11:
		method, params = "fakenode_reorg", fmt.Sprintf(`{"depth":%d,"transactions":"%s"}`, 1+n(3), []string{"requeue", "drop", "reverse"}[n(3)])
	case 12:
		method = "fakenode_snapshot"
	case 13:
		method, params = []string{"fakenode_revert", "evm_revert"}[n(2)], fmt.Sprint(1+n(4))
	case 14:
		method = []string{"eth_newBlockFilter", "eth_newPendingTransactionFilter"}[n(2)]
	case 15:
		method, params = "eth_getFilterChanges", fmt.Sprintf(`"0x%x"`, 1+n(4))
	case 16:
		method, params = "fakenode_setFault", fmt.Sprintf(`{"method":"eth_chainId","error":{"code":%d,"message":"injected"},"times":2}`, 1+n(9))
	case 17:
		method = "eth_chainId"
	case 18:
		method, params = "evm_setAutomine", fmt.Sprint(n(2) == 0)
	case 19:
		method, params = "eth_getBlockByNumber", fmt.Sprintf(`"%s",true`, []string{"latest", "pending", "earliest"}[n(3)])
	case 20:
		method, params = "eth_getBalance", account()+`,"pending"`
	case 21:
		method = []string{"txpool_content", "fakenode_info", "txpool_status"}[n(3)]
	case 22:
		method, params = "fakenode_flashblockFault", fmt.Sprintf(`{"kind":"%s"}`, []string{"drop", "stall", "lateBlock", "duplicate"}[n(4)])
	case 23:
		method, params = "fakenode_scenario", `"CaptureThenReorg"`
	}
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"%s","params":[%s]}`, n(100), method, params)
}

// fakenodeAccounts are some of the development accounts.
var fakenodeAccounts = []string{
	"0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266",
	"0x70997970c51812dc3a010c7d01b50e0d17dc79c8",
	"0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc",
}

// compare makes a call of both and compares the answers.
func (p *twins) compare(path, body string) {
	got, want := p.post(p.world+path, body), p.post(p.own+path, body)
	if !bytes.Equal(got, want) {
		p.t.Errorf("%s%s and a node of its own differ after %s:\n%s\n%s", p.world, path, body, got, want)
	}
}

func (p *twins) post(url, body string) []byte {
	answer, err := http.Post(url, "application/json", bytes.NewReader([]byte(body)))
	if err != nil {
		p.t.Error(err)
		return nil
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil || !json.Valid(text) {
		p.t.Errorf("%s: %d %s %v", url, answer.StatusCode, text, err)
	}
	return text
}

var wallTime = regexp.MustCompile(`"durationUs":\d+`)

// compareJournals compares the calls that both remember, but for how long they took.
func (p *twins) compareJournals() {
	body := `{"jsonrpc":"2.0","id":1,"method":"fakenode_calls"}`
	got := wallTime.ReplaceAll(p.post(p.world, body), nil)
	if want := wallTime.ReplaceAll(p.post(p.own, body), nil); !bytes.Equal(got, want) {
		p.t.Errorf("journals differ:\n%s\n%s", got, want)
	}
}
