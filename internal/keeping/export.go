package keeping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/preconf"
)

// exportVersion is the version of the format of an Export.
const exportVersion = 1

// Export is the JSON form of a main network: a genesis and the blocks to execute on it.
type Export struct {
	Version int            `json:"version"`
	Genesis *chain.Genesis `json:"genesis"`
	Blocks  hexutil.Bytes  `json:"blocks"` // RLP, one after another
}

// NewExport returns the sealed blocks of a Moment as an Export. Blocks that cannot be executed again, because control
// methods edited the state or a sender did not sign, are left out: then the genesis has the accounts of the head, and
// whole is false. The error reports why even that would be no genesis, or that the network is a fork or an OP-stack
// chain.
func NewExport(moment *preconf.Moment) (e *Export, whole bool, err error) {
	if moment.Chain().Fork() != nil {
		return nil, false, errors.New("a fork has no genesis to save: Config.State keeps it")
	}
	if moment.Chain().Optimism() != nil {
		return nil, false, errors.New("the state of an OP-stack chain cannot be saved: its blocks cannot be imported; Config.State keeps it")
	}
	e = &Export{Version: exportVersion}
	var genesis, blocks bytes.Buffer
	if err := moment.Chain().ExportGenesis(&genesis); err != nil {
		return nil, false, err
	}
	if err := json.Unmarshal(genesis.Bytes(), &e.Genesis); err != nil {
		return nil, false, err
	}
	if moment.Edited() || moment.Chain().Verify(chain.Options{Lenient: true}) != nil {
		return e, false, e.beginAt(moment.Latest())
	}
	err = moment.Chain().Export(&blocks)
	e.Blocks = blocks.Bytes()
	return e, true, err
}

// beginAt makes the genesis that of the accounts after a block.
func (e *Export) beginAt(head *preconf.View) error {
	state, err := head.State()
	if err != nil {
		return err
	}
	header := head.Header()
	e.Genesis.Alloc, e.Genesis.Timestamp = state.Alloc(), header.Time
	e.Genesis.GasLimit, e.Genesis.BaseFee = header.GasLimit, header.BaseFee
	_, err = chain.New(e.Genesis, chain.Options{})
	return err
}

// ReadExport reads an Export. The error reports what is wrong with it.
func ReadExport(r io.Reader) (*Export, error) {
	e := new(Export)
	decoder := json.NewDecoder(r)
	if err := decoder.Decode(e); err != nil {
		return nil, fmt.Errorf("saved state: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("saved state: something follows its end, at byte %d", decoder.InputOffset())
	}
	if e.Version != exportVersion {
		return nil, fmt.Errorf("saved state has version %d, want %d", e.Version, exportVersion)
	}
	if e.Genesis == nil {
		return nil, errors.New("saved state has no genesis")
	}
	return e, nil
}

// chainID returns the chain id of the genesis, 0 if it names none.
func (e *Export) chainID() uint64 {
	if e.Genesis.Config == nil || e.Genesis.Config.ChainID == nil {
		return 0
	}
	return e.Genesis.Config.ChainID.Uint64()
}
