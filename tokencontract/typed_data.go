package tokencontract

// TypedData is a message in the form that wallets accept (EIP-712). Its JSON is the second parameter of
// eth_signTypedData_v4, and the argument of signTypedData in viem and ethers. ethers adds the domain's type itself, so
// leave out EIP712Domain there.
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
