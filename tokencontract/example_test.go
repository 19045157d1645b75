package tokencontract_test

import (
	"fmt"
	"time"

	"github.com/fakenode/fakenode/fixtures"
	"github.com/fakenode/fakenode/tokencontract"
)

var testTime = time.Unix(1_700_000_000, 0)

// The payer signs; the merchant recovers the signer and builds the capture.
func Example() {
	payer, merchant := fixtures.Dev(0), fixtures.Dev(1)
	domain := tokencontract.Domain{
		Name: tokencontract.MainnetName, Version: tokencontract.Version, ChainID: 31337, VerifyingContract: tokencontract.MainnetAddress,
	}
	authorization := tokencontract.Authorization{
		From:        payer.Address,
		To:          merchant.Address,
		Value:       fixtures.USD("25.00"),
		ValidAfter:  uint64(testTime.Add(-time.Minute).Unix()),
		ValidBefore: uint64(testTime.Add(15 * time.Minute).Unix()),
		Nonce:       tokencontract.NonceFromSeed("order 1"), // NewNonce() outside tests
	}

	signature, err := authorization.ReceiveMessage().Sign(domain, payer.Key)
	if err != nil {
		panic(err)
	}

	signer, err := authorization.ReceiveMessage().Recover(domain, signature)
	if err != nil {
		panic(err)
	}
	capture := authorization.PackReceive(signature)
	fmt.Println(signer == payer.Address, authorization.Value, len(capture))
	// Output: true 25000000 292
}
