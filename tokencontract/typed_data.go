package tokencontract

// TypedData is a message as wallets take it (EIP-712): as JSON it is the second parameter of eth_signTypedData_v4, and
// what viem's and ethers' signTypedData are called with. (ethers names the domain's type itself: leave EIP712Domain
// out.)
type TypedData struct {
	Types       map[string][]TypedDataField `json:"types"`
	PrimaryType string                      `json:"primaryType"`
	Domain      Domain                      `json:"domain"`
	Message     map[string]string           `json:"message"` // numbers in decimal, bytes and addresses in hex
}

// TypedDataField is a member of an EIP-712 type.
type TypedDataField struct {
	Name string `json:"name"`
	Type string `json:"type"`
}
