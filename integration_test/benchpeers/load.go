package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/big"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"
	"github.com/ethereum/go-ethereum/core/types"

	"github.com/fakenode/fakenode/fixtures"
)

// load describes the requests that every node gets.
type load struct {
	connections  int
	time         time.Duration
	transactions int
}

// readerCode creates a contract that answers every call with its first storage word.
var readerCode = common.FromHex("600b600c600039600b6000f3" + "60005460005260206000f3")

func (l load) run(n *node) (figures, error) {
	idle, err := n.memory()
	if err != nil {
		return nil, err
	}
	c, err := dial(n.address)
	if err != nil {
		return nil, err
	}
	defer c.close()
	s, err := newSender(c)
	if err != nil {
		return nil, err
	}
	contract, err := s.deploy(readerCode)
	if err != nil {
		return nil, err
	}

	chainID, chainIDTime, err := l.rate(n, request("eth_chainId"))
	if err != nil {
		return nil, err
	}
	calls, callTime, err := l.rate(n, request("eth_call", map[string]any{"to": contract}, "latest"))
	if err != nil {
		return nil, err
	}
	blocks, fastest, err := l.transfers(s)
	if err != nil {
		return nil, err
	}
	busy, err := n.memory()
	if err != nil {
		return nil, err
	}
	return figures{
		{"start to first answer, ms", n.started.Seconds() * 1e3, false},
		{"memory after start, MiB", idle, false},
		{"eth_chainId per second", chainID, true},
		{"its processor time in the node, µs", chainIDTime, false},
		{"eth_call per second", calls, true},
		{"its processor time in the node, µs", callTime, false},
		{"send to receipt, fastest, µs", fastest, false},
		{"transfers one by one, per second", blocks, true},
		{"memory after them, MiB", busy, false},
	}, nil
}

// rate returns how many times a second the node answers a request on all connections together, and the processor time
// it spends on one, in µs.
func (l load) rate(n *node, request []byte) (perSecond, micros float64, err error) {
	before, err := n.cpu()
	if err != nil {
		return 0, 0, err
	}
	var (
		answers atomic.Int64
		working sync.WaitGroup
		failed  = make(chan error, l.connections)
		began   = time.Now()
	)
	for range l.connections {
		working.Go(func() {
			c, err := dial(n.address)
			if err != nil {
				failed <- err
				return
			}
			defer c.close()
			for time.Since(began) < l.time {
				answer, err := c.exchange(request)
				if err == nil && !bytes.Contains(answer, []byte(`"result"`)) {
					err = fmt.Errorf("the answer is %s", answer)
				}
				if err != nil {
					failed <- err
					return
				}
				answers.Add(1)
			}
		})
	}
	working.Wait()
	took := time.Since(began)
	select {
	case err := <-failed:
		return 0, 0, err
	default:
	}
	after, err := n.cpu()
	count := float64(answers.Load())
	return count / took.Seconds(), float64((after - before).Microseconds()) / count, err
}

// transfers sends one after another, each when the one before has its receipt. It returns how many a second, and how
// long the fastest took, in µs.
func (l load) transfers(s *sender) (perSecond, fastest float64, err error) {
	to := fixtures.Dev(1).Address
	raw := make([][]byte, l.transactions)
	for i := range raw {
		if raw[i], err = s.sign(&to, nil, 21_000); err != nil {
			return 0, 0, err
		}
	}
	best := time.Duration(1<<63 - 1)
	began := time.Now()
	for _, tx := range raw {
		sent := time.Now()
		if _, err := s.send(tx); err != nil {
			return 0, 0, err
		}
		best = min(best, time.Since(sent))
	}
	return float64(len(raw)) / time.Since(began).Seconds(), float64(best.Microseconds()), nil
}

// sender sends transactions of the first development account.
type sender struct {
	client *client
	signer types.Signer
	nonce  uint64
}

func newSender(c *client) (*sender, error) {
	var id hexutil.Big
	var nonce hexutil.Uint64
	if err := c.call(&id, "eth_chainId"); err != nil {
		return nil, err
	}
	err := c.call(&nonce, "eth_getTransactionCount", fixtures.Dev(0).Address, "latest")
	return &sender{c, types.LatestSignerForChainID(id.ToInt()), uint64(nonce)}, err
}

func (s *sender) sign(to *common.Address, data []byte, gas uint64) ([]byte, error) {
	tx, err := types.SignNewTx(fixtures.Dev(0).Key, s.signer, &types.LegacyTx{
		Nonce: s.nonce, GasPrice: big.NewInt(100e9), Gas: gas, To: to, Value: new(big.Int), Data: data,
	})
	if err != nil {
		return nil, err
	}
	s.nonce++
	return tx.MarshalBinary()
}

// receiptLimit is how long a receipt may take.
const receiptLimit = 10 * time.Second

// receipt holds the only member of a receipt that is read here.
type receipt struct {
	ContractAddress *common.Address
}

// send sends a signed transaction and asks for its receipt until it is there.
func (s *sender) send(raw []byte) (*receipt, error) {
	var hash common.Hash
	if err := s.client.call(&hash, "eth_sendRawTransaction", hexutil.Bytes(raw)); err != nil {
		return nil, err
	}
	for began := time.Now(); time.Since(began) < receiptLimit; {
		var r *receipt
		if err := s.client.call(&r, "eth_getTransactionReceipt", hash); err != nil || r != nil {
			return r, err
		}
	}
	return nil, errors.New("a transaction has no receipt")
}

func (s *sender) deploy(code []byte) (common.Address, error) {
	raw, err := s.sign(nil, code, 200_000)
	if err != nil {
		return common.Address{}, err
	}
	r, err := s.send(raw)
	if err != nil {
		return common.Address{}, err
	}
	if r.ContractAddress == nil {
		return common.Address{}, errors.New("the receipt of a deployment has no contract address")
	}
	return *r.ContractAddress, nil
}
