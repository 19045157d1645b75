package api

import "slices"

// BundlerRules names the rules by which a bundler checks the validation of user operations. Empty: StrictBundler.
type BundlerRules string

// The values of BundlerRules.
const (
	// StrictBundler restricts validations by ERC-7562, as the bundlers of live chains do.
	StrictBundler BundlerRules = "strict"
	// LooseBundler only checks that the EntryPoint accepts the operation, as the bundlers of development nodes do.
	LooseBundler BundlerRules = "loose"
)

// AllBundlerRules lists the values of BundlerRules.
func AllBundlerRules() []BundlerRules { return []BundlerRules{StrictBundler, LooseBundler} }

// Valid reports whether the rules are known or empty.
func (b BundlerRules) Valid() bool { return b == "" || slices.Contains(AllBundlerRules(), b) }
