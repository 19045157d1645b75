package keeping

import (
	"errors"
	"fmt"
	"maps"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

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

// load loads the networks, and begins a Moment on each.
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
	if !w.whole(l.L1 != nil) {
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
