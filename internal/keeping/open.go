package keeping

import (
	"errors"
	"fmt"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// Open returns the file of o.Path, and keeps the node that it has from now on. A file without a node has no Main yet,
// and waits for Begin. The error reports that the file is damaged, in use, or has another node than o.Expected and
// o.Fork. A rejected file is left unchanged.
func Open(o Options) (*File, error) {
	if o.Damaged != "" {
		if err := o.recover(); err != nil {
			return nil, err
		}
	}
	kept, err := store.Open(o.Path, o.storeOptions())
	if err != nil {
		return nil, o.offer(err)
	}
	f := newFile(kept, o)
	if kept.Network(mainNetwork).Origin() == nil {
		return f, nil
	}
	if err := f.resume(o); err != nil {
		unclosed := kept.Close() // before it is read again
		return nil, errors.Join(o.offer(err), unclosed)
	}
	return f, nil
}

// Begin keeps a new node in a file that has none.
func (f *File) Begin(main, testnet *preconf.Timeline) {
	f.Main, f.Testnet = main, testnet
	f.store.Together(func() { // a file without one of them is refused
		f.keep(f.store.Network(mainNetwork), main)
		f.keep(f.store.Network(testNetwork), testnet)
		if below := main.Below(); below != nil {
			f.keep(f.store.Network(l1Network), below)
		}
	})
}

// resume makes the node and its worlds again from the file, and keeps them. It loads everything before it keeps
// anything, because the copies of a network must be loaded first.
func (f *File) resume(o Options) (err error) {
	l := loader{Options: o, path: o.Path}
	main, testnet, l1 := f.store.Network(mainNetwork), f.store.Network(testNetwork), f.store.Network(l1Network)
	if err := l.checkL1(l1); err != nil {
		return err
	}
	if l.fork, err = l.openFork(main.Origin().Fork); err != nil {
		return err
	}
	if f.Main, err = l.resumeAbove(main, l1); err != nil {
		return err
	}
	if err := l.check(f.Main.Moment().Chain()); err != nil {
		return err
	}
	if f.Testnet, err = l.resume(testnet); err != nil {
		return err
	}
	resumed := map[*store.Network]*preconf.Timeline{main: f.Main, testnet: f.Testnet}
	if below := f.Main.Below(); below != nil {
		resumed[l1] = below
	}
	for _, w := range worldsIn(f.store) {
		switch {
		case o.WithoutWorlds:
			continue
		case !w.whole(o.L1 != nil): // one of its networks was reset to another chain
			w.drop()
			continue
		}
		world := World{Name: w.name, Made: w.main.Made()}
		if world.Main, err = l.resumeAbove(w.main, w.l1); err == nil {
			world.Testnet, err = l.resume(w.testnet)
		}
		if err != nil {
			return fmt.Errorf("world %s: %w", w.name, err)
		}
		f.Worlds = append(f.Worlds, world)
		resumed[w.main], resumed[w.testnet] = world.Main, world.Testnet
		if below := world.Main.Below(); below != nil {
			resumed[w.l1] = below
		}
	}
	for n, timeline := range resumed {
		f.keep(n, timeline)
	}
	return nil
}
