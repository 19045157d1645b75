package world

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/fakenode/fakenode/rpcserver/api"
)

// NetworkName names one of a world's networks.
type NetworkName string

// The networks.
const (
	Main    NetworkName = "main"    // at the world's own path
	Testnet NetworkName = "testnet" // at TestnetPath behind it
	L1      NetworkName = "l1"      // at L1Path behind it: the L1 of the main network
)

const (
	// TestnetPath is the path of a test network, appended to its world's.
	TestnetPath = "/testnet"
	// L1Path is the path of the L1 of a main network, appended to its world's.
	L1Path = "/l1"
	// FlashblocksPath is the path of a raw feed, appended to its network's.
	FlashblocksPath = "/flashblocks"

	// ReplicaPath begins the path of a replica, appended to its network's: its number follows, or AnyReplicaName.
	ReplicaPath = "/replica/"
	// AnyReplicaName ends the path of all replicas of a network, one of which answers each request.
	AnyReplicaName = "any"
	// AnyReplica as Path.Replica stands for all replicas.
	AnyReplica = -1

	namedPath = "/w/" // begins the paths of worlds, before the name
	maxName   = 64    // length of a name
	maxNumber = 65535 // the highest number that is a path of its own: /7 is /w/7
)

// networkPaths are the paths of networks that differ from their world's own.
var networkPaths = map[NetworkName]string{Testnet: TestnetPath, L1: L1Path}

// Path is a URL path that leads to a network. The zero value leads to a server's main network.
type Path struct {
	World   string      // empty: the world at /
	Network NetworkName // empty: Main
	Feed    bool        // it leads to the network's raw feed
	Number  bool        // it was given as a number, /7 in place of /w/7
	Replica int         // the number of a replica of the network, or AnyReplica; 0: the network itself
}

// errNoPath is returned by ParsePath for paths that lead to no network.
var errNoPath = errors.New("the path leads to no network")

// NameError is returned for a name that no world can have.
type NameError struct{ Name string }

func (e *NameError) Error() string {
	return fmt.Sprintf("%q is no name of a world: want 1 to %d of A-Z, a-z, 0-9, _ and -", api.Excerpt(e.Name), maxName)
}

// String returns the path without a slash at its end: it is empty for the main network at /.
func (p Path) String() string {
	var text string
	if p.World != "" {
		text = namedPath + p.World
	}
	text += networkPaths[p.Network]
	switch {
	case p.Replica == AnyReplica:
		text += ReplicaPath + AnyReplicaName
	case p.Replica > 0:
		text += ReplicaPath + strconv.Itoa(p.Replica)
	}
	if p.Feed {
		text += FlashblocksPath
	}
	return text
}

// ParsePath reads a URL path, with or without a slash at its end; there need be no such world. The error is a
// *NameError if the path has a name that no world can have, any other if it leads to no network.
func ParsePath(text string) (Path, error) {
	rest, isNamed := strings.CutPrefix(text, namedPath)
	var p Path
	rest, p.Feed = strings.CutSuffix(strings.TrimSuffix(rest, "/"), FlashblocksPath)
	if at := strings.LastIndex(rest, ReplicaPath); at >= 0 {
		number := rest[at+len(ReplicaPath):]
		switch p.Replica, _ = strconv.Atoi(number); {
		case number == AnyReplicaName:
			p.Replica = AnyReplica
		case !isNumber(number):
			return Path{}, errNoPath
		}
		rest = rest[:at]
	}
	p.Network = Main
	for network, path := range networkPaths {
		if shorter, is := strings.CutSuffix(rest, path); is {
			rest, p.Network = shorter, network
			break
		}
	}
	switch {
	case isNamed:
		if p.World = rest; !nameForm.MatchString(rest) {
			return Path{}, &NameError{rest}
		}
	case rest != "":
		p.World, p.Number = strings.TrimPrefix(rest, "/"), true
		if !isNumber(p.World) {
			return Path{}, errNoPath
		}
	}
	return p, nil
}

// nameForm is the form of names that a world can have.
var nameForm = regexp.MustCompile(fmt.Sprintf("^[A-Za-z0-9_-]{1,%d}$", maxName))

// isNumber reports whether text is a number from 1 to maxNumber, without zeros before it.
func isNumber(text string) bool {
	n, err := strconv.ParseUint(text, 10, 32)
	return err == nil && 1 <= n && n <= maxNumber && text[0] != '0' && text[0] != '+'
}
