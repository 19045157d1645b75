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

// checkL1 rejects a file with an L1 if the options have none, and the reverse.
func (l loader) checkL1(l1 *store.Network) error {
	switch has := l1.Origin() != nil; {
	case has && l.Below == nil:
		return fmt.Errorf("%s keeps a network with an L1 beside it: --l1 must be given again", l.path)
	case !has && l.Below != nil:
		return fmt.Errorf("%s keeps a network without an L1 beside it", l.path)
	}
	return nil
}

// resume returns the timeline of a network above the timeline of its L1, which is nil for none, from the file.
func (l loader) resume(n, l1 *store.Network) (*preconf.Timeline, error) {
	loaded, err := l.load(n)
	if err != nil {
		return nil, err
	}
	config := l.timeline(n.Name().Network, loaded.Chain)
	if l.Below != nil && l1 != nil {
		if config.Below, err = l.below(l1); err != nil {
			return nil, err
		}
	}
	config.Saved = loaded.Saved
	timeline, err := preconf.New(config)
	if passed := time.Since(loaded.Written); err == nil && config.Real && passed > 0 {
		err = timeline.IncreaseTime(passed) // a real clock has moved on as far as the wall clock has
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", l.path, err)
	}
	return timeline, nil
}

// below returns the timeline of an L1 from the file.
func (l loader) below(l1 *store.Network) (*preconf.Timeline, error) {
	loaded, err := l.load(l1)
	if err != nil {
		return nil, err
	}
	config := l.timeline(l1Network, loaded.Chain)
	config.Saved = loaded.Saved
	below, err := preconf.New(config)
	if err != nil {
		return nil, fmt.Errorf("%s: l1: %w", l.path, err)
	}
	return below, nil
}

func (l loader) load(n *store.Network) (*store.Loaded, error) {
	options := l.Chain
	var err error
	if options.Optimism, err = l.rules(n); err != nil {
		return nil, err
	}
	var fork *remote.Fork
	if n.Origin() != nil && n.Origin().Fork != nil {
		fork = l.fork
	}
	loaded, err := n.Load(fork, options)
	if err != nil {
		return nil, err
	}
	if loaded == nil {
		return nil, fmt.Errorf("%s: it has the main network and lacks the network %q", l.path, n.Name().Network)
	}
	return loaded, nil
}

// rules returns the rules that the first block of a network names, nil for Ethereum's. After a genesis, unexpected
// rules are an error.
func (l loader) rules(n *store.Network) (*optimism.Rules, error) {
	origin := n.Origin()
	switch {
	case origin == nil, origin.Fork != nil && origin.Upgrade == "", n.Name().Network == l1Network:
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

func (r *remains) load(l loader) (err error) {
	main, testnet := r.Network(mainNetwork), r.Network(testNetwork)
	if main.Origin() == nil || testnet.Origin() == nil {
		return errors.New("one of its networks is missing")
	}
	if l.fork, err = l.openFork(main.Origin().Fork); err != nil {
		return err
	}
	if r.main, err = r.begin(l, main); err != nil {
		return err
	}
	if r.testnet, err = r.begin(l, testnet); err != nil {
		return err
	}
	l1 := r.Network(l1Network)
	if err := l.checkL1(l1); err != nil {
		return err
	}
	if l1.Origin() != nil {
		if _, err := r.begin(l, l1); err != nil {
			return err
		}
	}
	for _, w := range worldsIn(r.Store) {
		if err := r.loadWorld(l, w); err != nil {
			r.lost[w.name] = err
		} else {
			r.worlds++
		}
	}
	return nil
}

// loadWorld loads the networks of a world. The error reports why the world is left out.
func (r *remains) loadWorld(l loader, w *worldInFile) error {
	if !w.whole(l.Below != nil) {
		return errors.New("one of its networks is missing")
	}
	world := remains{moments: make(map[store.Name]*preconf.Saved)}
	for _, n := range w.networks() {
		if _, err := world.begin(l, n); err != nil {
			return err
		}
	}
	maps.Copy(r.moments, world.moments)
	return nil
}

// begin begins a Moment on the undamaged part of a network, and returns the number of its newest block.
func (r *remains) begin(l loader, n *store.Network) (newest uint64, err error) {
	loaded, err := l.load(n)
	if err != nil {
		return 0, err
	}
	timeline, err := preconf.New(l.timeline(n.Name().Network, loaded.Chain))
	if err != nil {
		return 0, err
	}
	r.moments[n.Name()] = timeline.Moment().Saved()
	return loaded.Chain.Head().Number(), nil
}

// offer adds to the error of a damaged file the parts that can be recovered.
func (o Options) offer(err error) error {
	var damage *store.DamageError
	if !errors.As(err, &damage) {
		return err
	}
	r, nothing := o.salvage(damage.Path)
	if nothing != nil {
		return fmt.Errorf("%w; nothing of it can be recovered", err)
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
	for _, name := range r.Lost() {
		o.Logger.Warn("nothing is left of a network of a world", "network", name)
	}
	if err := errors.Join(r.CopyTo(o.Path, r.moments), r.Close()); err != nil {
		return err
	}
	o.Logger.Warn("recovered what is whole; the damaged file is as it was", "from", o.Damaged, "into", o.Path,
		"block", r.main, "testnet", r.testnet)
	return nil
}
