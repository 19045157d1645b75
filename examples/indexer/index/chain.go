package index

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"slices"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/b20"
	"github.com/fakenode/fakenode/examples/internal/behind"
	"github.com/fakenode/fakenode/tokencontract"
)

// maxLogRange keeps eth_getLogs under the 2,000 blocks that answer reliably (contract 8-range).
const maxLogRange = 1_999

// maxTries is how often a block is asked for that an earlier answer named: the node that answers now may not have it.
const maxTries = 8

// chain is the endpoint, as far as an indexer needs it. Safe for concurrent use.
type chain struct {
	client    *ethclient.Client
	transport *http.Transport
	token     common.Address
	start     uint64
}

// block is a sealed block and its transfers, in order.
type block struct {
	number    uint64
	hash      common.Hash
	transfers []Transfer
}

// origin names the chain and the token of an index, and the block it starts from.
type origin struct {
	chainID uint64
	token   common.Address
	number  uint64
	hash    common.Hash
}

func dialChain(ctx context.Context, config Config) (*chain, error) {
	for _, endpoint := range []string{config.URL, config.WebSocketURL} {
		if _, err := url.Parse(endpoint); err != nil {
			return nil, errors.New("an endpoint of the chain is not a URL") // err repeats it, password and all
		}
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	client, err := rpc.DialOptions(ctx, config.URL, rpc.WithHTTPClient(&http.Client{Transport: transport, Timeout: config.Timeout}))
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	return &chain{client: ethclient.NewClient(client), transport: transport, token: config.Token, start: config.Start}, nil
}

func (c *chain) close() {
	c.client.Close()
	c.transport.CloseIdleConnections()
}

func (c *chain) origin(ctx context.Context) (origin, error) {
	id, err := c.client.ChainID(ctx)
	if err != nil {
		return origin{}, fmt.Errorf("read chain id: %w", err)
	}
	header, err := c.header(ctx, c.start)
	if err != nil {
		return origin{}, err
	}
	return origin{id.Uint64(), c.token, c.start, header.Hash()}, nil
}

func (c *chain) head(ctx context.Context) (*types.Header, error) {
	header, err := c.client.HeaderByNumber(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("read newest block: %w", err)
	}
	return header, nil
}

func (c *chain) header(ctx context.Context, number uint64) (*types.Header, error) {
	header, err := c.client.HeaderByNumber(ctx, new(big.Int).SetUint64(number))
	if err != nil {
		return nil, fmt.Errorf("read block %d: %w", number, err)
	}
	return header, nil
}

func (c *chain) headerByHash(ctx context.Context, hash common.Hash) (*types.Header, error) {
	header, err := behind.Again(maxTries, func() (*types.Header, error) { return c.client.HeaderByHash(ctx, hash) })
	if err != nil {
		return nil, fmt.Errorf("read block %s: %w", hash, err)
	}
	return header, nil
}

// openingBalance reads what an account holds at the start block, in token units.
func (c *chain) openingBalance(ctx context.Context, account common.Address) (uint256.Int, error) {
	data, err := tokencontract.ABI().Pack("balanceOf", account)
	if err != nil {
		return uint256.Int{}, err
	}
	answer, err := c.client.CallContract(ctx, ethereum.CallMsg{To: &c.token, Data: data}, new(big.Int).SetUint64(c.start))
	if err != nil {
		return uint256.Int{}, fmt.Errorf("read opening balance of %s at block %d: %w", account, c.start, err)
	}
	return *new(uint256.Int).SetBytes(answer), nil // empty where the token is deployed later: zero
}

// memoTopic is the topic of B20's event Memo(caller, memo). Its log is right behind the transfer's.
var memoTopic = b20.NewStablecoin().GetABI().Events["Memo"].ID

// filter selects the token's transfers, on the wire.
func (c *chain) filter() map[string]any {
	return map[string]any{"address": c.token, "topics": []any{tokencontract.TransferTopic}}
}

// query selects the token's transfers and their memos.
func (c *chain) query() ethereum.FilterQuery {
	return ethereum.FilterQuery{Addresses: []common.Address{c.token}, Topics: [][]common.Hash{{tokencontract.TransferTopic, memoTopic}}}
}

// unsupported lists the JSON-RPC codes with which nodes report that they have no logs at pending: server error, unknown
// method, invalid params. Others, such as -32005 (limit exceeded), pass.
var unsupported = []int{-32000, -32601, -32602}

// pending reads the transfers that are pre-confirmed. A node without pre-confirmations never has any.
func (c *chain) pending(ctx context.Context) ([]Transfer, error) {
	query := c.query()
	query.FromBlock = big.NewInt(int64(rpc.PendingBlockNumber))
	query.ToBlock = query.FromBlock
	logs, err := c.client.FilterLogs(ctx, query)
	var refused rpc.Error
	if errors.As(err, &refused) && slices.Contains(unsupported, refused.ErrorCode()) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read pre-confirmed logs: %w", err)
	}
	transfers, err := decode(logs)
	for i := range transfers {
		transfers[i].BlockHash = common.Hash{} // a node may name the block it is building
	}
	return transfers, err
}

// blocks reads the transfers of a branch, oldest first. A search by number is quick but may meet another branch. The
// hash decides: a block whose bloom has transfers that the search did not bring is asked for by its hash.
func (c *chain) blocks(ctx context.Context, headers []*types.Header) ([]block, error) {
	if len(headers) == 0 {
		return nil, nil
	}
	found, err := c.search(ctx, headers[0].Number.Uint64(), headers[len(headers)-1].Number.Uint64())
	if err != nil {
		return nil, err
	}
	logs := map[common.Hash][]types.Log{}
	for _, log := range found {
		logs[log.BlockHash] = append(logs[log.BlockHash], log)
	}
	blocks := make([]block, len(headers))
	for i, header := range headers {
		hash := header.Hash()
		if len(logs[hash]) == 0 && types.BloomLookup(header.Bloom, c.token) && types.BloomLookup(header.Bloom, tokencontract.TransferTopic) {
			query := c.query()
			query.BlockHash = &hash
			if logs[hash], err = behind.Again(maxTries, func() ([]types.Log, error) { return c.client.FilterLogs(ctx, query) }); err != nil {
				return nil, fmt.Errorf("read logs of block %s: %w", hash, err)
			}
		}
		transfers, err := decode(logs[hash])
		if err != nil {
			return nil, err
		}
		blocks[i] = block{header.Number.Uint64(), hash, transfers}
	}
	return blocks, nil
}

// search reads the logs from one block to another, both included, in as many queries as the node's limits ask for.
func (c *chain) search(ctx context.Context, from, to uint64) ([]types.Log, error) {
	var found []types.Log
	span := uint64(maxLogRange)
	for from <= to {
		last := min(from+span-1, to)
		query := c.query()
		query.FromBlock, query.ToBlock = new(big.Int).SetUint64(from), new(big.Int).SetUint64(last)
		logs, err := c.client.FilterLogs(ctx, query)
		if err != nil {
			if span = narrower(err, from, last); span == 0 {
				return nil, fmt.Errorf("read logs of blocks %d to %d: %w", from, last, err)
			}
			continue
		}
		found = append(found, logs...)
		from = last + 1
	}
	return found, nil
}

// narrower returns how many blocks to ask for after a query was rejected: what the node suggests, else half. Zero: the
// query was not rejected for its size.
func narrower(err error, from, last uint64) uint64 {
	var refused rpc.Error
	if !errors.As(err, &refused) {
		return 0
	}
	var detailed rpc.DataError
	if errors.As(err, &detailed) {
		if data, ok := detailed.ErrorData().(map[string]any); ok {
			text, _ := data["to"].(string)
			if to, err := hexutil.DecodeUint64(text); err == nil && from <= to && to < last {
				return to - from + 1
			}
		}
	}
	return (last - from + 1) / 2
}

// decode reads transfers out of a block's logs, or of several blocks' in order. A memo belongs to logIndex - 1.
func decode(logs []types.Log) ([]Transfer, error) {
	transfers := make([]Transfer, 0, len(logs))
	for _, log := range logs {
		if log.Topics[0] == memoTopic {
			if last := len(transfers) - 1; last >= 0 && transfers[last].Transaction == log.TxHash && transfers[last].LogIndex+1 == log.Index {
				transfers[last].Memo = log.Topics[2].Hex()
			}
			continue
		}
		transfer, err := tokencontract.DecodeTransfer(log)
		if err != nil {
			return nil, fmt.Errorf("log %d of transaction %s: %w", log.Index, log.TxHash, err)
		}
		transfers = append(transfers, Transfer{
			From: transfer.From, To: transfer.To, Value: *transfer.Value, Transaction: log.TxHash,
			LogIndex: log.Index, BlockNumber: log.BlockNumber, BlockHash: log.BlockHash,
		})
	}
	return transfers, nil
}
