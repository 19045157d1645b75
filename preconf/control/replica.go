package control

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
)

const (
	// PastBlocks is how many blocks a reader may be behind, PastTime how long.
	PastBlocks = 64
	PastTime   = 5 * time.Minute
	// MaxReplicas is how many replicas a network may have.
	MaxReplicas = 64
)

// Lag tells how far in the past a reader is, as the client of a node that is behind. With several fields set it is the
// one furthest back. The zero value is the present.
type Lag struct {
	// Blocks is how many blocks the head is below the present one, from 0 to 64.
	Blocks int
	// Time is how long ago, by the clock of the node; more than 4 blocks ago flashblocks are not remembered.
	Time time.Duration
	// Orphaned is the newest Moment whose head a reorg has removed since, if there is one.
	Orphaned bool
	// Replica is the number of the replica that is read, which is behind by itself. Zero: none.
	Replica int
}

// String names the view that a Lag reads, such as "replica 2" or "3 below the head".
func (l Lag) String() string {
	var all []string
	if l.Replica != 0 {
		all = append(all, fmt.Sprintf("replica %d", l.Replica))
	}
	switch {
	case l.Orphaned:
		all = append(all, "the orphaned branch")
	case l.Time != 0:
		all = append(all, l.Time.String()+" ago")
	case l.Blocks != 0:
		all = append(all, fmt.Sprintf("%d below the head", l.Blocks))
	}
	return strings.Join(all, ", ")
}

// Replica tells how far behind the node a replica of it is. What it shows of one branch never goes back, and depends on
// the number of the head and the time since the first block alone: it is the same on every run. The zero value is never
// behind.
type Replica struct {
	// Blocks and Time, on the node's clock, are how far it is behind always.
	Blocks int
	Time   time.Duration
	// Jitter and JitterTime are how much further it is behind at most, drawn for each block, and 16 times in JitterTime.
	Jitter     int
	JitterTime time.Duration
	// Stuck is for how many blocks it stands still, once in 32 blocks, or in 4 times Stuck if that is more. It catches
	// up at two blocks for each one.
	Stuck int
	// Orphaned is for how many blocks after a reorg it stays on the branch that was removed.
	Orphaned int
	// Seed draws the others.
	Seed uint64
}

// Check rejects a Replica that is further behind than what a node remembers.
func (r Replica) Check() error {
	for _, field := range []struct {
		name  string
		given int
	}{{"blocks", r.Blocks}, {"jitter", r.Jitter}, {"stuck", r.Stuck}, {"orphaned", r.Orphaned}, {"blocks, jitter and stuck", r.Blocks + r.Jitter + r.Stuck}} {
		if field.given < 0 || field.given > PastBlocks {
			return fmt.Errorf("replica: %s of %d blocks, want 0 to the %d that the node remembers", field.name, field.given, PastBlocks)
		}
	}
	if r.Time < 0 || r.JitterTime < 0 || r.Time > PastTime || r.Time+r.JitterTime > PastTime {
		return fmt.Errorf("replica: %s with a jitter of %s, want 0 to the %s that the node remembers", r.Time, r.JitterTime, PastTime)
	}
	return nil
}

// At returns how far behind the replica is where the head has a number, so long after the chain's first block.
func (r Replica) At(head uint64, since time.Duration) (blocks int, ago time.Duration) {
	at := int64(head) - r.stuck(head)
	seen := at - int64(r.Jitter)
	for n := at; r.Jitter > 0 && n >= 0 && n > at-int64(r.Jitter); n-- {
		seen = max(seen, n-draw(r.Seed, uint64(n), int64(r.Jitter)+1))
	}
	if r.JitterTime == 0 {
		return int(int64(head)-seen) + r.Blocks, r.Time
	}
	step := max(r.JitterTime/16, time.Millisecond)
	then := since - r.JitterTime
	for n := since / step; n >= 0 && n*step > since-r.JitterTime; n-- {
		then = max(then, n*step-time.Duration(draw(^r.Seed, uint64(n), int64(r.JitterTime)+1)))
	}
	return int(int64(head)-seen) + r.Blocks, r.Time + since - then
}

// stuck returns how many blocks the replica is behind at a block because it stood still.
func (r Replica) stuck(head uint64) int64 {
	if r.Stuck == 0 {
		return 0
	}
	long := int64(r.Stuck)
	period := max(32, 4*long)
	since := int64(head)%period - draw(r.Seed, ^(head/uint64(period)), period-2*long+1)
	switch {
	case since < 0 || since >= 2*long:
		return 0
	case since < long:
		return since + 1
	}
	return 2*long - 1 - since
}

// draw returns a number from 0 to below, the same one for the same seed and place.
func draw(seed, place uint64, below int64) int64 {
	return int64(rand.NewPCG(seed, place).Uint64() % uint64(below))
}

// Replicas are the replicas of a network, numbered from 1. They are immutable.
type Replicas struct {
	Each []Replica `json:",omitempty"`
	Seed uint64    `json:",omitempty"` // draws which of them answers
}

// ReplicaConfig describes the replicas of a network.
type ReplicaConfig struct {
	// Count is the number of replicas, at /replica/1 and so on: the same chain seen by nodes that are behind;
	// /replica/any is one of them for each request. Zero: none; at most 64.
	Count int
	// Lag is how far behind each of them is, the last one also those that follow. Nil: each jitters by 2 blocks, stands
	// still for 8 now and then, and stays on a removed branch for 2 blocks.
	Lag []Replica
	// Seed draws who answers at /replica/any, and what the replicas without a Seed of their own draw.
	Seed uint64
}

// NewReplicas returns the replicas of a network. Those without a Seed get different ones.
func NewReplicas(c ReplicaConfig) (Replicas, error) {
	lags := c.Lag
	switch {
	case c.Count < 0 || c.Count > MaxReplicas:
		return Replicas{}, fmt.Errorf("%d replicas, want 0 to %d", c.Count, MaxReplicas)
	case len(lags) > c.Count:
		return Replicas{}, fmt.Errorf("%d lags of replicas are given for %d replicas", len(lags), c.Count)
	case len(lags) == 0:
		lags = []Replica{{Jitter: 2, Stuck: 8, Orphaned: 2}}
	}
	var all Replicas
	for i := range c.Count {
		r := lags[min(i, len(lags)-1)]
		if err := r.Check(); err != nil {
			return Replicas{}, err
		}
		if r.Seed == 0 {
			r.Seed = c.Seed + uint64(i) + 1
		}
		all.Each, all.Seed = append(all.Each, r), c.Seed
	}
	return all, nil
}

// Get returns the replica of a number. The error reports that there is none.
func (r Replicas) Get(number uint64) (Replica, error) {
	if number == 0 || number > uint64(len(r.Each)) {
		return Replica{}, fmt.Errorf("there is no replica %d: the node has %d (--replicas)", number, len(r.Each))
	}
	return r.Each[number-1], nil
}

// With returns the replicas with another one of that number, which without a Seed keeps its own. The error reports that
// there is none, or names what is wrong with it.
func (r Replicas) With(number uint64, other Replica) (Replicas, error) {
	was, err := r.Get(number)
	if err != nil {
		return r, err
	}
	other.Seed = cmp.Or(other.Seed, was.Seed)
	r.Each = slices.Clone(r.Each)
	r.Each[number-1] = other
	return r, other.Check()
}

// Pick returns the number of the replica that answers the n-th request, from 0, to all of them. There must be one.
func (r Replicas) Pick(n uint64) int {
	return 1 + int(draw(r.Seed, n, int64(len(r.Each))))
}
