package chain

import (
	"math/big"
	"reflect"
	"testing"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/core/types"
	"github.com/stretchr/testify/require"
)

// Ensure headers count as alike only if all fields but the kept ones are equal, whatever fields go-ethereum adds.
func TestAlikeComparesEveryField(t *testing.T) {
	t.Parallel()
	header := func() *types.Header { return &types.Header{Difficulty: new(big.Int), Number: big.NewInt(7)} }
	kept := map[string]bool{"ParentHash": true, "Root": true, "Number": true, "Time": true, "MixDigest": true}
	fields := reflect.TypeFor[types.Header]()
	for i := range fields.NumField() {
		changed := header()
		switch field := reflect.ValueOf(changed).Elem().Field(i); at := field.Addr().Interface().(type) {
		case *common.Hash:
			at[31] = 1
		case *common.Address:
			at[19] = 1
		case *types.Bloom:
			at[255] = 1
		case *types.BlockNonce:
			at[7] = 1
		case **big.Int:
			*at = big.NewInt(1)
		case *uint64:
			*at = 1
		case *[]byte:
			*at = []byte{0}
		default:
			require.Equal(t, reflect.Pointer, field.Kind(), fields.Field(i).Name)
			field.Set(reflect.New(field.Type().Elem()))
		}
		name := fields.Field(i).Name
		require.Equal(t, kept[name], alike(changed, header()), name)
		require.Equal(t, kept[name], alike(header(), changed), name)
		require.True(t, alike(changed, types.CopyHeader(changed)), name)
	}
}
