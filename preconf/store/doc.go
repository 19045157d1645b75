// Package store keeps the Moments of timelines in a file while they run, so that a process that is killed loses next to
// nothing.
//
// It is for whoever runs a node: package fakenode with Config.State. It knows no wire and no settings of a node.
//
//	s, err := store.Open(path, store.Options{})        // checks the whole file
//	network := s.Network("main")
//	kept, err := network.Load(nil, chain.Options{})    // nil: there is nothing yet
//	timeline, err := preconf.New(preconf.Config{Chain: kept.Chain, Saved: kept.Saved})
//	network.Follow(timeline)                           // from now on each Moment is kept
//	world := network.Copy("/w/a", time.Now(), timeline.Copy()) // one that begins as the other is, kept too
//	world.Drop()                                       // and no longer
//	err = s.Close()                                    // the last one is in the file
//
// A writer only hands its Moment over. One goroutine writes what is new since the last time, at most every 20 ms, in
// one transaction of bbolt. Moments that a later one continues are skipped. Once a second and at Close the file is
// synced to the disk.
//
// # The file
//
// It is a bbolt file: one file, no neighbours, so it may be bind-mounted, and copy-on-write, so that it is whole at
// whatever moment the process stops. A power cut may damage what was not synced; the checksums tell. For each network
// it holds the genesis, or which block of which chain is forked, the newest Moment without its blocks, the codes of
// contracts by hash, and a log of records that is only appended to:
//
//   - a block with receipts and senders, and how its State differs from that of its parent;
//   - a State that a block has from now on: after an edit by a control method or a revert as the difference from
//     another record's State, and from time to time whole, so that no State is far from a whole one;
//   - a block that a revert made unknown.
//
// A copy is a network whose log goes on from a record of another network's log, and is named by a number, because its
// name is free again when it is dropped. Its own records tell how its chain differs from that of the other as that is
// when the copy is written first: nothing but the difference is written, and whatever happens to the other later does
// not matter, as a log is only appended to. A copy that is dropped within 50 ms is never written. One that is dropped
// later is deleted, but its log stays, without a Moment, for as long as other copies go on from it. A copy with one
// block takes about 3.5 KiB, and some 16 KiB as pages. Readers share, too: chains that go on from a common block share
// the index of the blocks up to there.
//
// Every value has a checksum that covers its key. Loading reads each record once, decodes the blocks and checks that
// the State of the head has the root that was recorded; nothing is executed. States of earlier blocks are made when
// they are asked for, from the nearest State before them.
//
// Salvage reads a damaged file up to the damage. Every beginning of a log is a log. A copy is lost if its own log
// begins behind the damage of the other.
package store
