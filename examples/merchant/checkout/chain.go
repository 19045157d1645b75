package checkout

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/ethereum/go-ethereum"
	"github.com/ethereum/go-ethereum/accounts/abi"
	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/ethereum/go-ethereum/ethclient"
	"github.com/ethereum/go-ethereum/rpc"
	"github.com/holiman/uint256"

	"github.com/fakenode/fakenode/contracts/spendpermission"
	"github.com/fakenode/fakenode/tokencontract"
)

// Block tags as ethclient takes them.
var (
	latest    *big.Int
	pending   = big.NewInt(int64(rpc.PendingBlockNumber))
	finalized = big.NewInt(int64(rpc.FinalizedBlockNumber))
)

// chain is the endpoint, as far as a merchant needs it. Its errors are Problems: Unavailable unless the method's
// comment names others. Safe for concurrent use.
type chain struct {
	client    *ethclient.Client
	transport *http.Transport
	domain    tokencontract.Domain
	genesis   common.Hash
	token     common.Address
	merchant  common.Address
	signer    types.Signer
	branch    branch
}

// dialChain connects and reads the token's domain (contract 4.2-read). timeout bounds each call.
func dialChain(ctx context.Context, endpoint string, timeout time.Duration, token, merchant common.Address) (*chain, error) {
	name, err := withoutPassword(endpoint)
	if err != nil {
		return nil, err
	}
	transport := http.DefaultTransport.(*http.Transport).Clone()
	client, err := rpc.DialOptions(ctx, endpoint, rpc.WithHTTPClient(&http.Client{Transport: transport, Timeout: timeout}))
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w", name, err)
	}
	c := &chain{client: ethclient.NewClient(client), transport: transport, token: token, merchant: merchant}
	if err := c.readDomain(ctx); err != nil {
		c.close()
		return nil, fmt.Errorf("connect to %s: %w", name, err)
	}
	return c, nil
}

// withoutPassword returns an endpoint's URL in the form that may be logged.
func withoutPassword(endpoint string) (string, error) {
	parsed, err := url.Parse(endpoint)
	if err != nil {
		return "", errors.New("an endpoint of the chain is not a URL") // err repeats it, password and all
	}
	return parsed.Redacted(), nil
}

func (c *chain) readDomain(ctx context.Context) error {
	id, genesis, err := c.identify(ctx)
	if err != nil {
		return err
	}
	c.genesis = genesis
	c.signer = types.LatestSignerForChainID(new(big.Int).SetUint64(id))
	c.domain = tokencontract.Domain{ChainID: id, VerifyingContract: c.token}
	for function, field := range map[string]*string{"name": &c.domain.Name, "version": &c.domain.Version} {
		value, err := c.read(ctx, latest, function)
		if _, reverted := revertReason(err); reverted && function == "version" { // a B20 token has none, and a domain of version 1
			value, err = "1", nil
		}
		if err != nil {
			return fmt.Errorf("token %s: %w", c.token, err)
		}
		*field = value.(string)
	}
	return nil
}

// identify reports which chain answers now.
func (c *chain) identify(ctx context.Context) (id uint64, genesis common.Hash, err error) {
	number, err := c.client.ChainID(ctx)
	if err != nil {
		return 0, common.Hash{}, unavailable("read chain id", err)
	}
	first, err := c.header(ctx, new(big.Int))
	if err != nil {
		return 0, common.Hash{}, err
	}
	return number.Uint64(), first.Hash(), nil
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
	if len(answer) == 0 {
		return nil, fmt.Errorf("read %s: there is no such token on this chain", function)
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

// usedNonces returns how many nonces of the merchant's account are used in the blocks up to a given one.
func (c *chain) usedNonces(ctx context.Context, block *big.Int) (uint64, error) {
	used, err := c.client.NonceAt(ctx, c.merchant, block)
	if err != nil {
		return 0, unavailable("read account nonce", err)
	}
	return used, nil
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

// covered checks that the payer holds an amount, in token units, now, pre-confirmed state included. Nothing keeps the
// payer from spending it before the capture. Problems: Balance.
func (c *chain) covered(ctx context.Context, payer common.Address, amount *uint256.Int) error {
	balance, err := c.read(ctx, pending, "balanceOf", payer)
	if err != nil {
		return err
	}
	if balance.(*big.Int).Cmp(amount.ToBig()) < 0 {
		return problem(Balance, "payer holds less than %s", formatAmount(amount))
	}
	return nil
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
	receipt.BlockHash, err = c.sealed(ctx, receipt.BlockNumber.Uint64(), receipt.BlockHash)
	return receipt, err
}

// sealed returns the hash of a block, or the zero hash if it is not on the chain's branch. The block that OP Mainnet's
// nodes are building has a hash, too, which changes with every flashblock.
func (c *chain) sealed(ctx context.Context, number uint64, hash common.Hash) (common.Hash, error) {
	if hash == (common.Hash{}) {
		return hash, nil
	}
	holds, err := c.branch.holds(ctx, c, number, hash)
	if err != nil || !holds {
		return common.Hash{}, err
	}
	return hash, nil
}

// knows reports whether the node has a transaction: in a block, pre-confirmed or waiting.
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

// revertReason reads the reason out of a call's error, and whether it is a revert at all (contract 7-revert).
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
		if name, ok := customError(common.FromHex(data)); ok {
			return name, true
		}
	}
	return failure.Error(), true
}

// errorsOf are the interfaces whose errors the shop meets: that of a subscription and that of a B20 token.
var errorsOf = sync.OnceValue(func() []abi.ABI {
	return []abi.ABI{spendpermission.NewSpendPermissionManager().GetABI(), stablecoin.GetABI()}
})

// customError reads the name and the values of a declared error out of revert data.
func customError(data []byte) (string, bool) {
	if len(data) < 4 {
		return "", false
	}
	for _, declared := range errorsOf() {
		found, err := declared.ErrorByID([4]byte(data))
		if err != nil {
			continue
		}
		values, err := found.Inputs.Unpack(data[4:])
		if err != nil {
			return found.Name, true
		}
		for i, value := range values {
			if word, ok := value.([32]byte); ok {
				values[i] = common.Hash(word)
			}
		}
		return found.Name + fmt.Sprint(values), true
	}
	return "", false
}
