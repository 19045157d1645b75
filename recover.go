package fakenode

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"time"

	"github.com/fakenode/fakenode/preconf"
	"github.com/fakenode/fakenode/preconf/store"
)

// offered adds to the error of a damaged file what can be recovered of it, if anything can.
func offered(err error) error {
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
		if w.main != nil && w.testnet != nil {
			worlds++
		}
	}
	main, mainOK := remains.Network(keptMain).Newest()
	test, testOK := remains.Network(keptTestnet).Newest()
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

// recover writes the chains of the damaged file c.Recover, as far as they are whole, into the new file c.State.
func (c Config) recover(start time.Time) (err error) {
	remains, err := store.Salvage(c.Recover)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, remains.Close()) }()
	from := c
	from.State = c.Recover
	main, test := remains.Network(keptMain), remains.Network(keptTestnet)
	origin := main.Origin()
	if origin == nil {
		return fmt.Errorf("%s has no main network", c.Recover)
	}
	fork, err := from.keptFork(origin.Fork)
	if err != nil {
		return err
	}
	keptMainChain, err := from.load(main, fork)
	if err != nil {
		return err
	}
	keptTestChain, err := from.load(test, nil)
	if err != nil {
		return err
	}
	mainTimeline, testTimeline, err := c.timelines(keptMainChain.Chain, keptTestChain.Chain, start)
	if err != nil {
		return err
	}
	moments := make(map[string]*preconf.Saved)
	for name, timeline := range map[string]*preconf.Timeline{keptMain: mainTimeline, keptTestnet: testTimeline} {
		if moments[name], err = timeline.Moment().Saved(); err != nil {
			return err
		}
	}
	for _, w := range worldsIn(remains) {
		of, err := from.recoverWorld(w, fork, start)
		if err != nil {
			c.logger().Warn("a world is left out", "world", w.name, "reason", err)
		}
		maps.Copy(moments, of)
	}
	for _, name := range remains.Lost() {
		c.logger().Warn("nothing is left of a network of a world", "path", name)
	}
	if err := remains.CopyTo(c.State, moments); err != nil {
		return err
	}
	c.logger().Warn("recovered what is whole; the damaged file is as it was", "from", c.Recover, "into", c.State,
		"block", mainTimeline.Moment().Latest().Number(), "testnet", testTimeline.Moment().Latest().Number())
	return nil
}

// logger returns where the node tells what its user must know.
func (c Config) logger() *slog.Logger {
	if c.Logger == nil {
		return slog.Default()
	}
	return c.Logger
}
