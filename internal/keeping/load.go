package keeping

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/fakenode/fakenode/evmstate/chain"
	"github.com/fakenode/fakenode/evmstate/optimism"
	"github.com/fakenode/fakenode/evmstate/remote"
	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

type loader struct {
	Options
	path string       // of the file, for errors
	fork *remote.Fork // under the main network and its copies; nil: they have a genesis
}

// openFork opens the fork of the main network in the file, nil if it has a genesis. It must be the one in the options.
func (l loader) openFork(is *store.Fork) (*remote.Fork, error) {
	switch {
	case is == nil && l.Fork == nil:
		return nil, nil
	case is == nil:
		return nil, fmt.Errorf("%s keeps a network with a genesis of its own, not a fork", l.path)
	case l.Fork == nil:
		return nil, fmt.Errorf("%s keeps a fork of %s: the fork's URL or cache file must be given again", l.path, is)
	}
	fork, err := remote.Open(context.Background(), l.Fork.Pinned(is.Number))
	if err != nil {
		return nil, err
	}
	if given := fork.Point(); given != is.Point {
		return nil, fmt.Errorf("%s keeps a fork of %s, not of %s", l.path, is, given)
	}
	return fork, nil
}

// open rejects a node with an L1 if the options have none, and the reverse, and opens the fork under the node.
func (l *loader) open(own *networks) (err error) {
	switch has := has(own.l1); {
	case has && l.Below == nil:
		return fmt.Errorf("%s keeps a network with an L1 beside it: --l1 must be given again", l.path)
	case !has && l.Below != nil:
		return fmt.Errorf("%s keeps a network without an L1 beside it", l.path)
	}
	l.fork, err = l.openFork(own.main.Origin.Fork)
	return err
}

// node returns the timelines of a node or world from the file.
func (l loader) node(in *networks) (w World, err error) {
	w = World{Name: in.name, World: in.main.World}
	if w.Main, err = l.resume(in.main, in.l1); err == nil {
		w.Testnet, err = l.resume(in.testnet, nil)
	}
	return w, err
}

// resume returns the timeline of a network above the timeline of its L1, if it has one, from the file.
func (l loader) resume(n, l1 *store.Network) (*preconf.Timeline, error) {
	loaded, err := l.load(n)
	if err != nil {
		return nil, err
	}
	config := l.timeline(n.Name.Network, loaded.Chain)
	config.Saved = loaded.Saved
	if has(l1) {
		if config.Below, err = l.resume(l1, nil); err != nil {
			return nil, err
		}
	}
	timeline, err := preconf.New(config)
	if passed := time.Since(loaded.Written); err == nil && config.Real && passed > 0 && n.Name.Network != l1Network {
		err = timeline.IncreaseTime(passed) // a real clock has moved on as far as the wall clock has
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return timeline, nil
}

func (l loader) load(n *store.Network) (*store.Loaded, error) {
	if !has(n) {
		return nil, fmt.Errorf("%s: it has the main network and lacks the network %q", l.path, n.Name.Network)
	}
	options := l.Chain
	var err error
	if options.Optimism, err = l.rules(n); err != nil {
		return nil, err
	}
	var fork *remote.Fork
	if n.Origin.Fork != nil {
		fork = l.fork
	}
	return n.Load(fork, options)
}

// rules returns the rules of a network's first block, nil for Ethereum's. After a genesis they must be the expected.
func (l loader) rules(n *store.Network) (*optimism.Rules, error) {
	origin := n.Origin
	switch {
	case origin.Fork != nil && origin.Upgrade == "", n.Name.Network == l1Network:
		return nil, nil
	case origin.Fork != nil:
		return chain.OptimismAt(l.fork), nil
	case origin.Upgrade == "":
		return nil, l.checkRules(Ethereum)
	}
	upgrade, err := optimism.UpgradeNamed(origin.Upgrade)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return optimism.RulesIn(origin.Genesis.ExtraData, upgrade), l.checkRules(upgrade.Name)
}

func (l loader) checkRules(is string) error {
	if want := l.Expected.Rules; want != "" && want != is {
		return fmt.Errorf("rules %q differ from %q, those of %s", want, is, l.path)
	}
	return nil
}

// check rejects a main network with another chain id or genesis than expected.
func (l loader) check(main *chain.Chain) error {
	if is := main.Config().ChainID; l.Expected.ChainID != 0 && is.Uint64() != l.Expected.ChainID {
		return fmt.Errorf("chain id %d differs from %d, that of %s", l.Expected.ChainID, is, l.path)
	}
	if l.Expected.Genesis == nil {
		return nil
	}
	expected, err := chain.New(l.Expected.Genesis, chain.Options{})
	if err != nil {
		return err
	}
	if want, is := expected.Head().Hash(), main.BlockByNumber(0).Hash(); want != is {
		return fmt.Errorf("the genesis given has block %s, and that of %s is %s", want, l.path, is)
	}
	return nil
}

// remains holds the undamaged parts of a damaged file.
type remains struct {
	*store.Store
	main, testnet uint64 // numbers of the newest blocks
	worlds        int
	lost          map[string]error // worlds that are left out, by name
	moments       map[store.Name]*preconf.Saved
}

// salvage returns the undamaged parts of a damaged file. It loads all of them, so they can be recovered.
func (o Options) salvage(path string) (r *remains, err error) {
	r = &remains{moments: make(map[store.Name]*preconf.Saved), lost: make(map[string]error)}
	if r.Store, err = store.Salvage(path); err != nil {
		return nil, err
	}
	if err := r.load(loader{Options: o, path: path}); err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

func (r *remains) load(l loader) error {
	own := ownIn(r.Store)
	if !has(own.main) || !has(own.testnet) {
		return errMissing
	}
	if err := l.open(own); err != nil {
		return err
	}
	newest, err := r.begin(l, own)
	if err != nil {
		return err
	}
	r.main, r.testnet = newest[0], newest[1]
	for _, w := range worldsIn(r.Store) {
		if _, err := r.begin(l, w); err != nil {
			r.lost[w.name] = err
		} else {
			r.worlds++
		}
	}
	return nil
}

var errMissing = errors.New("one of its networks is missing")

// begin begins Moments on what is whole of a node or world, and returns the numbers of its networks' newest blocks.
func (r *remains) begin(l loader, in *networks) (newest []uint64, err error) {
	if !in.whole(l.Below != nil) {
		return nil, errMissing
	}
	moments := make(map[store.Name]*preconf.Saved)
	for _, n := range in.all() {
		loaded, err := l.load(n)
		if err != nil {
			return nil, err
		}
		timeline, err := preconf.New(l.timeline(n.Name.Network, loaded.Chain))
		if err != nil {
			return nil, err
		}
		moments[n.Name] = timeline.Moment().Saved()
		newest = append(newest, loaded.Chain.Head().Number())
	}
	maps.Copy(r.moments, moments)
	return newest, nil
}

// offer adds to the error of a damaged file the parts that can be recovered.
func (o Options) offer(err error) error {
	var damage *store.DamageError
	if !errors.As(err, &damage) {
		return err
	}
	r, nothing := o.salvage(damage.Path)
	switch {
	case errors.As(nothing, &damage): // is said already
		return fmt.Errorf("%w; nothing of it can be recovered", err)
	case nothing != nil:
		return fmt.Errorf("%w; nothing of it can be recovered: %w", err, nothing)
	}
	with := ""
	if r.worlds > 0 {
		with = fmt.Sprintf(", with what is whole of %d worlds", r.worlds)
	}
	return errors.Join(fmt.Errorf("%w; --recover %s with a new file as --state goes on from block %d of the main network and %d of the test network%s",
		err, damage.Path, r.main, r.testnet, with), r.Close())
}

// recover writes the undamaged parts of the damaged file into a new one.
func (o Options) recover() error {
	r, err := o.salvage(o.Damaged)
	if err != nil {
		return err
	}
	for name, reason := range r.lost {
		o.Logger.Warn("a world is left out", "world", name, "reason", reason)
	}
	for _, name := range r.Lost {
		o.Logger.Warn("nothing is left of a network of a world", "network", name)
	}
	if err := errors.Join(r.CopyTo(o.Path, r.moments), r.Close()); err != nil {
		return err
	}
	o.Logger.Warn("recovered what is whole; the damaged file is as it was", "from", o.Damaged, "into", o.Path,
		"block", r.main, "testnet", r.testnet)
	return nil
}
