package api

import (
	"crypto/ecdsa"
	"sync"

	"github.com/ethereum/go-ethereum/common"
)

// Keyring finds keys by their accounts. All networks of a server share it.
type Keyring struct {
	once sync.Once
	keys map[common.Address]*ecdsa.PrivateKey
}

// Addresses returns the accounts that the node signs for.
func (n *Network) Addresses() []common.Address {
	addresses := make([]common.Address, len(n.Accounts))
	for i, account := range n.Accounts {
		addresses[i] = account.Address
	}
	return addresses
}

// Key returns the private key of an account that the node signs for, nil for any other.
func (n *Network) Key(account common.Address) *ecdsa.PrivateKey {
	n.Keyring.once.Do(func() {
		n.Keyring.keys = make(map[common.Address]*ecdsa.PrivateKey, len(n.Accounts))
		for _, own := range n.Accounts {
			n.Keyring.keys[own.Address] = own.Key
		}
	})
	return n.Keyring.keys[account]
}
