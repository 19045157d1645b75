package contracts_test

import (
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/ethereum/go-ethereum/accounts/abi/abigen"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite each binding.go from what the compiler made")

// bindings lists the packages with a binding.go: the folder, and its contracts in the order of the file.
var bindings = []struct {
	folder, name string
	contracts    []string
	aliases      map[string]string // names of overloads, which abigen numbers in the order of the ABI
}{
	{"../tokencontract", "tokencontract", []string{"Token"}, map[string]string{
		"transferWithAuthorization0": "TransferWithAuthorizationVRS",
		"receiveWithAuthorization0":  "ReceiveWithAuthorizationVRS",
		"cancelAuthorization":        "CancelAuthorizationVRS",
		"cancelAuthorization0":       "CancelAuthorization",
		"permit0":                    "PermitVRS",
	}},
	{"../fixtures/contracts", "contracts", []string{"BatchTransfer", "Counter", "Emitter", "Reverter", "TIP20", "Wallet"}, nil},
	{".", "contracts", []string{"Multicall3"}, nil},
	{"b20", "b20", []string{"Stablecoin", "PolicyRegistry"}, nil},
	{"permit2", "permit2", []string{"Permit2"}, map[string]string{
		"permit": "PermitBatch", "permit0": "Permit",
		"transferFrom": "TransferFromBatch", "transferFrom0": "TransferFrom",
		"permitTransferFrom0": "PermitBatchTransferFrom", "permitWitnessTransferFrom0": "PermitBatchWitnessTransferFrom",
	}},
	{"channels", "channels", []string{"x402BatchSettlement", "ERC3009DepositCollector", "Permit2DepositCollector"}, nil},
	{"checkout", "checkout", []string{"Checkout"}, nil},
	{"escrow", "escrow", []string{
		"AuthCaptureEscrow", "TokenStore", "ERC3009PaymentCollector", "Permit2PaymentCollector", "PreApprovalPaymentCollector",
		"OperatorRefundCollector",
	}, nil},
	// EntryPointV09 has all functions of v0.8.
	{"entrypoint", "entrypoint", []string{"EntryPointV06", "EntryPointV07", "EntryPointV09", "SenderCreator", "SimpleAccount"}, nil},
	{"smartwallet", "smartwallet", []string{"SmartWalletFactory", "SmartWallet"}, nil},
	{"simple7702", "simple7702", []string{"Simple7702Account"}, nil},
	{"spendpermission", "spendpermission", []string{"SpendPermissionManager", "PublicERC6492Validator"}, nil},
	{"x402", "x402", []string{"x402ExactPermit2Proxy", "x402UptoPermit2Proxy"}, nil},
}

// Ensure every binding.go is the output of abigen v2 for the interfaces beside it, without what no Go code of this
// repository calls, and embeds what the compiler made.
func TestBindingsMatchCompiled(t *testing.T) {
	t.Parallel()
	called := identifiers(t, "..")
	for _, b := range bindings {
		compiled := readCompiled(t, b.folder)
		var abis []string
		for _, name := range b.contracts {
			text, err := os.ReadFile(filepath.Join(b.folder, compiled.Contracts[name].File+".abi"))
			require.NoError(t, err)
			abis = append(abis, string(text))
		}
		binding, err := abigen.BindV2(b.contracts, abis, make([]string, len(abis)), b.name, nil, b.aliases)
		require.NoError(t, err)
		source, path := pruned(t, embedded(binding, compiled)+embedding(b.contracts, compiled), called), filepath.Join(b.folder, "binding.go")
		if *update {
			require.NoError(t, os.WriteFile(path, []byte(source), 0o644))
		}
		onDisk, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, source, string(onDisk), "run: go test ./contracts -run TestBindings -update")
	}
}

// embedded returns a binding that has its interfaces and code from files and not as text of its own.
func embedded(binding string, compiled compiled) string {
	metaData := regexp.MustCompile(`(?m)^\tABI: .*\n\tID:  "(.*)",$`)
	binding = strings.Replace(binding, "\t\"bytes\"\n", "\t\"bytes\"\n\t_ \"embed\"\n", 1)
	return metaData.ReplaceAllStringFunc(binding, func(found string) string {
		id := metaData.FindStringSubmatch(found)[1]
		for name, contract := range compiled.Contracts {
			if strings.EqualFold(name, id) { // abigen's names begin with a capital
				id, variable := strconv.Quote(id), contract.variable()
				return fmt.Sprintf("\tABI: %sABI,\n\tID:  %s,\n\tBin: %sBin,", variable, id, variable)
			}
		}
		return found
	})
}

// embedding returns the variables that embed the files, and functions for the deployed code.
func embedding(bound []string, compiled compiled) string {
	var variables, functions strings.Builder
	for _, name := range slices.Sorted(maps.Keys(compiled.Contracts)) {
		contract := compiled.Contracts[name]
		if contract.Runtime == nil {
			continue
		}
		if slices.Contains(bound, name) {
			fmt.Fprintf(&variables, "\t//go:embed %s.abi\n\t%sABI string\n", contract.File, contract.variable())
		}
		fmt.Fprintf(&variables, "\t//go:embed %s.bin\n\t%sBin string\n", contract.File, contract.variable())
		// The deployed code is a part of the code that deploys it.
		from, to := len("0x")+2*contract.Runtime[0], len("0x")+2*contract.Runtime[1]
		fmt.Fprintf(&functions, "\nfunc %sRuntime() []byte { return common.Hex2Bytes(%sBin[%d:%d]) }\n", contract.variable(), contract.variable(), from, to)
	}
	return "\nvar (\n" + variables.String() + ")\n" + functions.String()
}

// identifiers returns every identifier of the Go files below a folder but those of bindings.
func identifiers(t *testing.T, folder string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	require.NoError(t, filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && slices.Contains([]string{".git", "dist", "node_modules"}, entry.Name()) {
			return fs.SkipDir
		}
		if filepath.Ext(path) != ".go" || entry.Name() == "binding.go" {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var lexer scanner.Scanner
		lexer.Init(token.NewFileSet().AddFile(path, -1, len(source)), source, nil, 0)
		for _, kind, text := lexer.Scan(); kind != token.EOF; _, kind, text = lexer.Scan() {
			if kind == token.IDENT {
				found[text] = true
			}
		}
		return nil
	}))
	return found
}

// pruned returns a binding without the functions and types that neither the code that calls it nor the rest names.
func pruned(t *testing.T, binding string, called map[string]bool) string {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, "binding.go", binding, parser.ParseComments)
	require.NoError(t, err)
	kept := map[ast.Decl]bool{}
	named := maps.Clone(called)
	for grew := true; grew; {
		grew = false
		for _, declared := range file.Decls {
			if name := prunable(declared); kept[declared] || name != "" && !named[name] {
				continue
			}
			kept[declared], grew = true, true
			ast.Inspect(declared, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					named[id.Name] = true
				}
				return true
			})
		}
	}
	for _, declared := range slices.Backward(file.Decls) {
		if kept[declared] {
			continue
		}
		from, to := declared.Pos(), declared.End()
		switch d := declared.(type) {
		case *ast.FuncDecl:
			from = d.Doc.Pos()
		case *ast.GenDecl:
			from = d.Doc.Pos()
		}
		binding = binding[:files.Position(from).Offset] + strings.TrimLeft(binding[files.Position(to).Offset:], "\n")
	}
	return binding
}

// prunable returns the name of a documented function or type, and "" for what always stays. An event keeps the method
// by which go-ethereum's bind knows it.
func prunable(declared ast.Decl) string {
	switch d := declared.(type) {
	case *ast.FuncDecl:
		if d.Name.Name == "ContractEventName" {
			return d.Recv.List[0].Type.(*ast.Ident).Name
		}
		if d.Doc != nil {
			return d.Name.Name
		}
	case *ast.GenDecl:
		if d.Tok == token.TYPE && d.Doc != nil {
			return d.Specs[0].(*ast.TypeSpec).Name.Name
		}
	}
	return ""
}
