package checkout

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"strings"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"

	"github.com/fakenode/fakenode/tokencontract"
)

// Block tags as ethclient takes them.
var (
	latest    *big.Int
	pending   = big.NewInt(int64(rpc.PendingBlockNumber))
	finalized = big.NewInt(int64(rpc.FinalizedBlockNumber))
)

// chain is the endpoint, as far as a merchant needs it. Its errors are Problems: Unavailable unless a method says more.
// Safe for concurrent use.
type chain struct {
	client    *ethclient.Client
	transport *http.Transport
	domain    tokencontract.Domain
	token     common.Address
	merchant  common.Address
	signer    types.Signer
}

// dialChain connects and reads the token's domain (contract 4.2, step 1). timeout bounds each call.
func dialChain(ctx context.Context, url string, timeout time.Duration, token, merchant common.Address) (*chain, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	client, err := rpc.DialOptions(ctx, url, rpc.WithHTTPClient(&http.Client{Transport: transport, Timeout: timeout}))
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	c := &chain{client: ethclient.NewClient(client), transport: transport, token: token, merchant: merchant}
	if err := c.readDomain(ctx); err != nil {
		c.close()
		return nil, fmt.Errorf("connect to %s: %w", url, err)
	}
	return c, nil
}

func (c *chain) readDomain(ctx context.Context) error {
	id, err := c.client.ChainID(ctx)
	if err != nil {
		return unavailable("read chain id", err)
	}
	c.signer = types.LatestSignerForChainID(id)
	c.domain = tokencontract.Domain{ChainID: id.Uint64(), VerifyingContract: c.token}
	for function, field := range map[string]*string{"name": &c.domain.Name, "version": &c.domain.Version} {
		value, err := c.read(ctx, latest, function)
		if err != nil {
			return fmt.Errorf("token %s: %w", c.token, err)
		}
		*field = value.(string)
	}
	return nil
}

func (c *chain) close() {
	c.client.Close()
	c.transport.CloseIdleConnections()
}

// read calls a function of the token that returns one value.
func (c *chain) read(ctx context.Context, block *big.Int, function string, arguments ...any) (any, error) {
	data, err := tokencontract.ABI().Pack(function, arguments...)
	if err != nil {
		return nil, err
	}
	answer, err := c.client.CallContract(ctx, ethereum.CallMsg{To: &c.token, Data: data}, block)
	if err != nil {
		return nil, unavailable("read "+function, err)
	}
	values, err := tokencontract.ABI().Unpack(function, answer)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", function, err)
	}
	return values[0], nil
}

// header reads a block's header.
func (c *chain) header(ctx context.Context, block *big.Int) (*types.Header, error) {
	header, err := c.client.HeaderByNumber(ctx, block)
	if err != nil {
		return nil, unavailable("read block", err)
	}
	return header, nil
}

// unused checks that a nonce is neither used nor canceled, pre-confirmed state included. Problems: NonceUsed.
func (c *chain) unused(ctx context.Context, terms tokencontract.Authorization) error {
	used, err := c.read(ctx, pending, "authorizationState", terms.From, terms.Nonce)
	if err != nil {
		return err
	}
	if used.(bool) {
		return problem(NonceUsed, "authorization is used or canceled on-chain")
	}
	return nil
}

// covered checks that the payer holds the amount now, pre-confirmed state included. Nothing keeps the payer from spending
// it before the capture. Problems: Balance.
func (c *chain) covered(ctx context.Context, terms tokencontract.Authorization) error {
	balance, err := c.read(ctx, pending, "balanceOf", terms.From)
	if err != nil {
		return err
	}
	if balance.(*big.Int).Cmp(terms.Value.ToBig()) < 0 {
		return problem(Balance, "payer holds less than %s", formatAmount(terms.Value))
	}
	return nil
}

// call is a transaction of the merchant to the token that is ready but for its account nonce.
type call struct {
	data           []byte
	gas            uint64
	feeCap, tipCap *big.Int // wei per gas
	nonce          uint64   // the next one, as the chain counts
}

// prepare tries call data out and prices it. Problems: TokenRefuse with the token's reason when it would revert.
func (c *chain) prepare(ctx context.Context, data []byte) (call, error) {
	gas, err := c.client.EstimateGas(ctx, ethereum.CallMsg{From: c.merchant, To: &c.token, Data: data})
	if reason, reverted := revertReason(err); reverted {
		return call{}, problem(TokenRefuse, "the token refuses: %s", reason)
	}
	if err != nil {
		return call{}, unavailable("estimate gas", err)
	}
	tip, err := c.client.SuggestGasTipCap(ctx)
	if err != nil {
		return call{}, unavailable("read tip", err)
	}
	head, err := c.header(ctx, latest)
	if err != nil {
		return call{}, err
	}
	nonce, err := c.client.PendingNonceAt(ctx, c.merchant)
	if err != nil {
		return call{}, unavailable("read account nonce", err)
	}
	// A quarter more gas, for storage that others may change first; twice the base fee, for some dozen full blocks.
	feeCap := new(big.Int).Add(tip, new(big.Int).Lsh(head.BaseFee, 1))
	return call{data: data, gas: gas + gas/4, feeCap: feeCap, tipCap: tip, nonce: nonce}, nil
}

// transaction is the call with an account nonce, unsigned.
func (c *chain) transaction(p call, nonce uint64) *types.Transaction {
	return types.NewTx(&types.DynamicFeeTx{
		ChainID: c.signer.ChainID(), Nonce: nonce, GasTipCap: p.tipCap, GasFeeCap: p.feeCap, Gas: p.gas, To: &c.token, Data: p.data,
	})
}

// receipt reads a transaction's receipt, with the zero block hash while it is only pre-confirmed; nil if there is none.
func (c *chain) receipt(ctx context.Context, hash common.Hash) (*types.Receipt, error) {
	receipt, err := c.client.TransactionReceipt(ctx, hash)
	if errors.Is(err, ethereum.NotFound) {
		return nil, nil
	}
	if err != nil {
		return nil, unavailable("read receipt", err)
	}
	return receipt, nil
}

// knows says whether the node has a transaction: in a block, pre-confirmed or waiting.
func (c *chain) knows(ctx context.Context, hash common.Hash) (bool, error) {
	_, _, err := c.client.TransactionByHash(ctx, hash)
	if errors.Is(err, ethereum.NotFound) {
		return false, nil
	}
	if err != nil {
		return false, unavailable("read transaction", err)
	}
	return true, nil
}

// send hands signed bytes to the node. After an error the node may have them all the same.
func (c *chain) send(ctx context.Context, raw []byte) error {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return fmt.Errorf("recorded transaction: %w", err)
	}
	if err := c.client.SendTransaction(ctx, tx); err != nil {
		return unavailable("send transaction", err)
	}
	return nil
}

// whyReverted asks the token, at the block of the transaction, for the reason; state may have changed in between, so
// that there is none.
func (c *chain) whyReverted(ctx context.Context, raw []byte, block *big.Int) (string, error) {
	tx := new(types.Transaction)
	if err := tx.UnmarshalBinary(raw); err != nil {
		return "", fmt.Errorf("recorded transaction: %w", err)
	}
	_, err := c.client.CallContract(ctx, ethereum.CallMsg{From: c.merchant, To: tx.To(), Data: tx.Data()}, block)
	if reason, reverted := revertReason(err); reverted {
		return reason, nil
	}
	if err != nil {
		return "", unavailable("read revert reason", err)
	}
	return "", nil
}

// revertReason reads the reason out of a call's error, and whether it is a revert at all (contract section 7).
func revertReason(err error) (string, bool) {
	var failure rpc.Error
	if !errors.As(err, &failure) || !strings.HasPrefix(failure.Error(), "execution reverted") {
		return "", false
	}
	var detailed rpc.DataError
	if errors.As(err, &detailed) {
		data, _ := detailed.ErrorData().(string)
		if reason, err := abi.UnpackRevert(common.FromHex(data)); err == nil {
			return reason, true
		}
	}
	return failure.Error(), true
}
