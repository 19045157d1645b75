package api

import (
	"crypto/ecdsa"
	"sync"

	"github.com/ethereum/go-ethereum/common"

	"github.com/fakenode/fakenode/internal/paytoken"
)

// Keyring finds keys by their accounts. All networks of a server share it.
type Keyring struct {
	once sync.Once
	keys map[common.Address]*ecdsa.PrivateKey
}

// Addresses returns the development accounts.
func (n *Network) Addresses() []common.Address {
	addresses := make([]common.Address, len(n.Accounts))
	for i, account := range n.Accounts {
		addresses[i] = account.Address
	}
	return addresses
}

// Key returns the private key of an account that the node signs for, a development account or the token's owner, nil
// for any other.
func (n *Network) Key(account common.Address) *ecdsa.PrivateKey {
	n.Keyring.once.Do(func() {
		n.Keyring.keys = make(map[common.Address]*ecdsa.PrivateKey, len(n.Accounts))
		for _, own := range append(n.Accounts[:len(n.Accounts):len(n.Accounts)], paytoken.Owner) {
			n.Keyring.keys[own.Address] = own.Key
		}
	})
	return n.Keyring.keys[account]
}
