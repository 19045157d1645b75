package shape

// Profile selects whose answers are given where the contract and live clients differ (contract D-profile).
type Profile int

const (
	// Spec answers as the contract says.
	Spec Profile = iota
	// Geth answers as execution-apis and live clients do.
	Geth
)

// Name is the profile as the command line spells it.
func (p Profile) Name() string {
	if p == Geth {
		return "geth"
	}
	return "spec"
}
