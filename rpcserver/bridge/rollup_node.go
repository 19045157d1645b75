package bridge

import (
	"encoding/binary"
	"time"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/common/hexutil"

	"github.com/fakenode/fakenode/evmstate/optimism"
	l1contracts "github.com/fakenode/fakenode/internal/contracts/l1"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/rollup"
	"github.com/fakenode/fakenode/rpcserver/api"
)

// Numbers in these answers are plain, as in a rollup node's.

type blockID struct {
	Hash   common.Hash `json:"hash"`
	Number uint64      `json:"number"`
}

type l1Ref struct {
	blockID
	ParentHash common.Hash `json:"parentHash"`
	Timestamp  uint64      `json:"timestamp"` // Unix seconds
}

type l2Ref struct {
	l1Ref
	Origin         blockID `json:"l1origin"`
	SequenceNumber uint64  `json:"sequenceNumber"`
}

func l1RefOf(v *preconf.View) l1Ref {
	h := v.Header()
	return l1Ref{blockID{v.Hash(), v.Number()}, h.ParentHash, h.Time}
}

func l2RefOf(v *preconf.View) l2Ref {
	ref := l2Ref{l1Ref: l1RefOf(v)}
	l1 := v.Chain().L1(v.Block())
	ref.Origin = blockID{l1.Hash, l1.Number}
	if v.Count() > 0 {
		_, ref.SequenceNumber, _ = optimism.ReadL1(v.Transaction(0)) // every block except the genesis begins with it
	}
	return ref
}

type syncStatus struct {
	CurrentL1          l1Ref `json:"current_l1"`
	CurrentL1Finalized l1Ref `json:"current_l1_finalized"`
	HeadL1             l1Ref `json:"head_l1"`
	SafeL1             l1Ref `json:"safe_l1"`
	FinalizedL1        l1Ref `json:"finalized_l1"`
	UnsafeL2           l2Ref `json:"unsafe_l2"`
	SafeL2             l2Ref `json:"safe_l2"`
	FinalizedL2        l2Ref `json:"finalized_l2"`
	PendingSafeL2      l2Ref `json:"pending_safe_l2"`
	CrossUnsafeL2      l2Ref `json:"cross_unsafe_l2"`
	LocalSafeL2        l2Ref `json:"local_safe_l2"`
}

func status(l2 *preconf.Moment) syncStatus {
	l1 := l2.Below()
	head, finalized := l1RefOf(l1.Latest()), l1RefOf(l1.Finalized())
	unsafe, safe := l2RefOf(l2.Latest()), l2RefOf(l2.Safe())
	return syncStatus{
		CurrentL1: head, CurrentL1Finalized: finalized, HeadL1: head, SafeL1: l1RefOf(l1.Safe()), FinalizedL1: finalized,
		UnsafeL2: unsafe, SafeL2: safe, FinalizedL2: l2RefOf(l2.Finalized()),
		PendingSafeL2: safe, CrossUnsafeL2: unsafe, LocalSafeL2: safe,
	}
}

func SyncStatus(b rollup.Bridge, _ *api.Request) (any, error) { return status(b.L2.Moment()), nil }

type outputObject struct {
	Version               common.Hash `json:"version"`
	OutputRoot            common.Hash `json:"outputRoot"`
	BlockRef              l2Ref       `json:"blockRef"`
	WithdrawalStorageRoot common.Hash `json:"withdrawalStorageRoot"`
	StateRoot             common.Hash `json:"stateRoot"`
	SyncStatus            syncStatus  `json:"syncStatus"`
}

func OutputAtBlock(b rollup.Bridge, _ *api.Request, number api.Number) (any, error) {
	l2 := b.L2.Moment()
	v, err := l2.ByNumber(uint64(number))
	if err != nil {
		return nil, api.Refused(err)
	}
	output, err := rollup.OutputAt(l2, uint64(number))
	if err != nil {
		return nil, api.Refused(err)
	}
	return outputObject{
		OutputRoot: output.Root(), BlockRef: l2RefOf(v), WithdrawalStorageRoot: output.PasserRoot, StateRoot: output.StateRoot,
		SyncStatus: status(l2),
	}, nil
}

// systemConfig holds the settings of the L2's operator in its genesis.
type systemConfig struct {
	BatcherAddress       common.Address `json:"batcherAddr"`
	Overhead             common.Hash    `json:"overhead"`
	Scalar               common.Hash    `json:"scalar"`
	GasLimit             uint64         `json:"gasLimit"`
	EIP1559Params        hexutil.Bytes  `json:"eip1559Params"`
	OperatorFeeParams    common.Hash    `json:"operatorFeeParams"` // zero: no genesis has an operator fee
	MinBaseFee           uint64         `json:"minBaseFee"`
	DAFootprintGasScalar uint16         `json:"daFootprintGasScalar"`
}

type rollupConfig struct {
	Genesis struct {
		L1           blockID      `json:"l1"`
		L2           blockID      `json:"l2"`
		L2Time       uint64       `json:"l2_time"`
		SystemConfig systemConfig `json:"system_config"`
	} `json:"genesis"`
	BlockTime         uint64         `json:"block_time"` // seconds; 0 where it is less than one
	MaxSequencerDrift uint64         `json:"max_sequencer_drift"`
	SequencingWindow  uint64         `json:"seq_window_size"`
	ChannelTimeout    uint64         `json:"channel_timeout"`
	L1ChainID         uint64         `json:"l1_chain_id"`
	L2ChainID         uint64         `json:"l2_chain_id"`
	RegolithTime      uint64         `json:"regolith_time"`
	CanyonTime        uint64         `json:"canyon_time"`
	DeltaTime         uint64         `json:"delta_time"`
	EcotoneTime       uint64         `json:"ecotone_time"`
	FjordTime         uint64         `json:"fjord_time"`
	GraniteTime       uint64         `json:"granite_time"`
	HoloceneTime      uint64         `json:"holocene_time"`
	IsthmusTime       uint64         `json:"isthmus_time"`
	JovianTime        uint64         `json:"jovian_time"`
	KarstTime         *uint64        `json:"karst_time,omitempty"`
	BatchInbox        common.Address `json:"batch_inbox_address"`
	DepositContract   common.Address `json:"deposit_contract_address"`
	L1SystemConfig    common.Address `json:"l1_system_config_address"`
	ProtocolVersions  common.Address `json:"protocol_versions_address"`
}

// Values of the protocol.
const (
	sequencingWindow = 3600 // L1 blocks
	channelTimeout   = 300  // L1 blocks
)

func RollupConfig(b rollup.Bridge, _ *api.Request) (any, error) {
	l2, l1 := b.L2.Moment().Chain(), b.L1.Moment().Chain()
	genesis := l2.BlockByNumber(0)
	origin, header := l2.L1(genesis), genesis.Header()
	c := rollupConfig{
		BlockTime:         uint64(b.L2.Moment().BlockTime() / time.Second),
		MaxSequencerDrift: uint64(rollup.MaxSequencerDrift / time.Second),
		SequencingWindow:  sequencingWindow, ChannelTimeout: channelTimeout,
		L1ChainID: l1.Config().ChainID.Uint64(), L2ChainID: l2.Config().ChainID.Uint64(),
		DepositContract: b.Portal, L1SystemConfig: b.SystemConfig,
	}
	c.BatchInbox = l1contracts.BatchInbox(c.L2ChainID)
	if l2.Optimism.Upgrade == optimism.Karst {
		c.KarstTime = new(uint64)
	}
	c.Genesis.L1, c.Genesis.L2 = blockID{origin.Hash, origin.Number}, blockID{genesis.Hash(), 0}
	c.Genesis.L2Time = genesis.Time()
	s := &c.Genesis.SystemConfig
	s.BatcherAddress = common.BytesToAddress(origin.BatcherHash[:])
	s.Scalar[0] = 1
	binary.BigEndian.PutUint32(s.Scalar[24:], origin.BlobBaseFeeScalar)
	binary.BigEndian.PutUint32(s.Scalar[28:], origin.BaseFeeScalar)
	s.GasLimit = header.GasLimit
	if rules := optimism.RulesIn(header.Extra, l2.Optimism.Upgrade); rules != nil {
		s.EIP1559Params = binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, rules.Denominator), rules.Elasticity)
		s.MinBaseFee = rules.MinBaseFee
	}
	s.DAFootprintGasScalar = origin.DAFootprintGasScalar
	return c, nil
}

func Version(_ rollup.Bridge, r *api.Request) (any, error) { return r.Network.ClientVersion, nil }

// superRootsObject is the answer of superroot_atTimestamp, with the one chain. Ids of chains are decimal texts.
type superRootsObject struct {
	CurrentL1          blockID                  `json:"current_l1"`
	SafeTimestamp      uint64                   `json:"safe_timestamp"` // this and the next two in Unix seconds
	LocalSafeTimestamp uint64                   `json:"local_safe_timestamp"`
	FinalizedTimestamp uint64                   `json:"finalized_timestamp"`
	Optimistic         map[string]chainRootInfo `json:"optimistic_at_timestamp"`
	ChainIDs           []string                 `json:"chain_ids"`
	Data               *superRootObject         `json:"data,omitempty"` // absent: the chain has no block at that time yet
}

// chainRootInfo is the output of a chain, with the L1 block that it follows from.
type chainRootInfo struct {
	Output     outputPreimage `json:"output"`
	OutputRoot common.Hash    `json:"output_root"`
	RequiredL1 blockID        `json:"required_l1"`
}

type outputPreimage struct {
	StateRoot                common.Hash `json:"stateRoot"`
	MessagePasserStorageRoot common.Hash `json:"messagePasserStorageRoot"`
	BlockHash                common.Hash `json:"blockHash"`
}

type superRootObject struct {
	RequiredL1 blockID       `json:"verified_required_l1"`
	Super      superPreimage `json:"super"`
	SuperRoot  common.Hash   `json:"super_root"`
}

type superPreimage struct {
	Timestamp hexutil.Uint64 `json:"timestamp"`
	Chains    []chainOutput  `json:"chains"`
}

type chainOutput struct {
	ChainID string
	Output  common.Hash
}

// SuperRootAtTimestamp serves superroot_atTimestamp, of a time in Unix seconds.
func SuperRootAtTimestamp(b rollup.Bridge, _ *api.Request, time api.Number) (any, error) {
	l2, l1 := b.L2.Moment(), b.L1.Moment()
	id, head := l2.Chain().Config().ChainID.String(), l1.Latest()
	answer := superRootsObject{
		CurrentL1: blockID{head.Hash(), head.Number()}, ChainIDs: []string{id}, Optimistic: map[string]chainRootInfo{},
		SafeTimestamp: l2.Safe().Time(), LocalSafeTimestamp: l2.Safe().Time(), FinalizedTimestamp: l2.Finalized().Time(),
	}
	if uint64(time) > l2.Latest().Time() || uint64(time) < l2.Chain().BlockByNumber(l2.Chain().Base()).Time() {
		return answer, nil
	}
	super, output, block, err := rollup.SuperRootAt(l2, uint64(time))
	if err != nil {
		return nil, api.Refused(err)
	}
	origin := l2RefOf(block).Origin
	answer.Optimistic[id] = chainRootInfo{outputPreimage{output.StateRoot, output.PasserRoot, output.BlockHash}, super.Output, origin}
	answer.Data = &superRootObject{
		RequiredL1: origin, SuperRoot: super.Root(),
		Super: superPreimage{hexutil.Uint64(super.Time), []chainOutput{{id, super.Output}}},
	}
	return answer, nil
}
