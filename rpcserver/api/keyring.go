package api

import (
	"crypto/ecdsa"
	"sync"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

// Keyring finds keys by their accounts. The copies of a network share it.
type Keyring struct {
	once sync.Once
	keys map[common.Address]*ecdsa.PrivateKey
}

// Accounts returns the accounts that the node signs for, in the order of its keys.
func (n *Network) Accounts() []common.Address {
	accounts := make([]common.Address, len(n.Keys))
	for i, key := range n.Keys {
		accounts[i] = crypto.PubkeyToAddress(key.PublicKey)
	}
	return accounts
}

// Key returns the private key of an account that the node signs for, nil for any other.
func (n *Network) Key(account common.Address) *ecdsa.PrivateKey {
	n.Keyring.once.Do(func() {
		n.Keyring.keys = make(map[common.Address]*ecdsa.PrivateKey, len(n.Keys))
		for _, key := range n.Keys {
			n.Keyring.keys[crypto.PubkeyToAddress(key.PublicKey)] = key
		}
	})
	return n.Keyring.keys[account]
}
