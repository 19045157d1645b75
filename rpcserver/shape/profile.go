package shape

// Profile selects the form of answers where the contract and live clients differ (contract D-profile).
type Profile int

const (
	// Spec answers as in the contract.
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
