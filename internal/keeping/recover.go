package keeping

import (
	"errors"
	"fmt"
	"maps"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// offer adds to the error of a damaged file what can be recovered of it.
func offer(err error) error {
	var damage *store.DamageError
	if !errors.As(err, &damage) {
		return err
	}
	remains, unreadable := store.Salvage(damage.Path)
	if unreadable != nil {
		return fmt.Errorf("%w; nothing of it can be recovered", err)
	}
	worlds := 0
	for _, w := range worldsIn(remains) {
		if w.whole() {
			worlds++
		}
	}
	main, mainOK := remains.Network(mainNetwork).Newest()
	test, testOK := remains.Network(testNetwork).Newest()
	if unreadable := remains.Close(); unreadable != nil || !mainOK || !testOK {
		return fmt.Errorf("%w; nothing of it can be recovered", err)
	}
	with := ""
	if worlds > 0 {
		with = fmt.Sprintf(", with what is whole of %d worlds", worlds)
	}
	return fmt.Errorf("%w; --recover %s with a new file as --state goes on from block %d of the main network and %d of the test network%s",
		err, damage.Path, main, test, with)
}

// recover writes the chains of the damaged file, as far as they are whole, into a new file.
func (o Options) recover() (err error) {
	remains, err := store.Salvage(o.Damaged)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remains.Close()) }()
	l := loader{Options: o, path: o.Damaged}
	origin := remains.Network(mainNetwork).Origin()
	if origin == nil {
		return fmt.Errorf("%s has no main network", o.Damaged)
	}
	if l.fork, err = l.openFork(origin.Fork); err != nil {
		return err
	}
	moments, err := l.begunAgain(remains.Network(mainNetwork), remains.Network(testNetwork))
	if err != nil {
		return err
	}
	for _, w := range worldsIn(remains) {
		of, err := l.recoverWorld(w)
		if err != nil {
			o.Logger.Warn("a world is left out", "world", w.name, "reason", err)
		}
		maps.Copy(moments, of)
	}
	for _, name := range remains.Lost() {
		o.Logger.Warn("nothing is left of a network of a world", "network", name)
	}
	if err := remains.CopyTo(o.Path, moments); err != nil {
		return err
	}
	o.Logger.Warn("recovered what is whole; the damaged file is as it was", "from", o.Damaged, "into", o.Path)
	return nil
}

// recoverWorld returns the Moments that a world's networks begin at again. The error reports why the world is left out.
func (l loader) recoverWorld(w *worldInFile) (map[store.Name]*preconf.Saved, error) {
	if !w.whole() {
		return nil, errors.New("one of its networks is missing")
	}
	return l.begunAgain(w.main, w.testnet)
}

// begunAgain returns the Moments at which timelines begin on what is whole of networks.
func (l loader) begunAgain(networks ...*store.Network) (map[store.Name]*preconf.Saved, error) {
	moments := make(map[store.Name]*preconf.Saved)
	for _, n := range networks {
		loaded, err := l.load(n)
		if err != nil {
			return nil, err
		}
		timeline, err := preconf.New(l.Timeline(loaded.Chain))
		if err != nil {
			return nil, err
		}
		if moments[n.Name()], err = timeline.Moment().Saved(); err != nil {
			return nil, err
		}
	}
	return moments, nil
}
