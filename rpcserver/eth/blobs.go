package eth

import (
	"slices"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// GetBlobByHash serves anvil_getBlobByHash: the blob with a versioned hash, of an executed transaction.
func GetBlobByHash(r *api.Request, hash common.Hash) (any, error) {
	m := r.Moment()
	tx := m.Blobs().Find(hash)
	if tx == nil {
		return nil, nil
	}
	found, err := m.Find(tx.Hash())
	if i := slices.Index(tx.BlobHashes(), hash); i >= 0 && err == nil && found.Executed() {
		return hexutil.Bytes(tx.BlobTxSidecar().Blobs[i][:]), nil
	}
	return nil, err
}

// GetBlobsByTransactionHash serves anvil_getBlobsByTransactionHash.
func GetBlobsByTransactionHash(r *api.Request, hash common.Hash) (any, error) {
	m := r.Moment()
	found, err := m.Find(hash)
	if tx := m.Blobs().Find(hash); tx != nil && err == nil && found.Executed() {
		return tx.BlobTxSidecar().Blobs, nil
	}
	return nil, err
}
