// Package store keeps the Moments of timelines in a file while they run, so that a process that is killed loses next to
// nothing. It has no part in the wire or in the settings of a node.
//
//	s, err := store.Open(path, store.Options{})        // checks the whole file
//	network := s.Network("main")
//	loaded, err := network.Load(nil, chain.Options{})  // nil: the file does not have it yet
//	timeline, err := preconf.New(preconf.Config{Chain: loaded.Chain, Saved: loaded.Saved})
//	network.Keep(timeline)                             // from now on each Moment is kept
//	world := network.Copy(name, time.Now(), timeline.Copy()) // keeps a copy, too
//	world.Drop()                                       // removes it
//	err = s.Close()                                    // the last Moment is in the file
//
// A writer of a timeline only hands its Moment over. One goroutine writes the changes, at most every 20 ms, in one
// transaction of bbolt. It skips a Moment that a later one continues. A second after the last sync, and at Close, the
// file is synced to the disk. Transactions and syncs run in the background, one at a time: if one takes long, it and
// the changes that come meanwhile go to a journal.
//
// # The file
//
// It is a bbolt file. The only other file is the journal, so it may be bind-mounted. It is copy-on-write, so it is
// whole at whatever moment the process stops. A power cut may damage pages that were not synced, which the checksums
// show, and leave older pages in place of newer ones, which the sum of all values shows. For each network the file has
// the genesis or the fork block, the newest Moment without its blocks, the codes of contracts by hash, and a log of
// records that is only appended to:
//
//   - a block with receipts and senders, and how its State differs from its parent's;
//   - a new State of a block, after an edit by a control method or a revert: as the difference from another record's
//     State, and now and then whole, so that no State is far from a whole one;
//   - that a revert made a block unknown.
//
// A copy is a network whose log continues another network's, its basis, after some record. The copy's own records hold
// how its chain differs from the source's chain at the time they are written first; later changes of the source do not
// matter, because a log is only appended to. The key of a copy is a number, because its name may be used again once it
// is dropped. A copy that is dropped within 50 ms is never written. After that it is deleted when it is dropped, but
// its log stays, without a Moment, as long as other copies need it. A copy with one block takes about 3.5 KiB, and some
// 16 KiB as pages. In memory chains that continue a common block share the index up to there.
//
// Every value has a checksum that covers its key. Loading reads each record once, decodes the blocks and checks that
// the head's State has the recorded root; nothing is executed. States of earlier blocks are made on demand, from the
// nearest State before them.
//
// Salvage reads a damaged file up to the damage: every beginning of a log is a valid log. A copy is lost if it branches
// off behind the damage of its basis.
package store
