package main

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// mutant is a change of one place in one file.
type mutant struct {
	suite      *suite // its package
	file       string // its name within the package
	source     []byte // the file without the change
	start, end int    // bytes of source that the change replaces
	text       string // what stands there instead
	number     int    // its place in the order in which mutants are tried
	within     *function
}

// function is a function of a file that is not within another one.
type function struct {
	results    string // as they are declared
	start, end int    // bytes of the source that are its body, without the braces
}

// mutated returns the file with the change.
func (m mutant) mutated() []byte {
	return bytes.Join([][]byte{m.source[:m.start], []byte(m.text), m.source[m.end:]}, nil)
}

// switchOf declares, in a package of the given name, the number of the mutant that is switched on.
const switchOf = `package %s

import "os"

var mutantNumber = os.Getenv("MUTANT")
`

// switched returns a file in which the mutants, all within functions of that file, can be switched on. The compiler
// reports errors in one as those of a file named after it.
func switched(mutants []mutant) []byte {
	mutants = slices.SortedFunc(slices.Values(mutants), func(a, b mutant) int { return cmp.Compare(a.within.start, b.within.start) })
	var out []byte
	done := 0
	for _, m := range mutants {
		body := slices.Concat(m.source[m.within.start:m.start], []byte(m.text), m.source[m.end:m.within.end])
		out = append(out, m.source[done:m.within.start]...)
		done = m.within.start
		call, end := "func()", "; return"
		if m.within.results != "" {
			call, end = "return func() "+m.within.results, ""
		}
		out = fmt.Appendf(out, "\nif mutantNumber == \"%d\" { %s {\n//line mutant%d.go:1\n%s\n}()%s }\n", m.number, call, m.number, body, end)
	}
	return append(out, mutants[0].source[done:]...)
}

// place returns the import path of the package, the name of the file, and the line at which the change begins.
func (m mutant) place() string {
	return fmt.Sprintf("%s/%s:%d", m.suite.ImportPath, m.file, 1+bytes.Count(m.source[:m.start], []byte("\n")))
}

// change returns the lines before and after the change.
func (m mutant) change() string {
	first := bytes.LastIndexByte(m.source[:m.start], '\n') + 1
	last := m.end + bytes.IndexByte(append(m.source[m.end:len(m.source):len(m.source)], '\n'), '\n')
	before := string(m.source[first:last])
	after := string(m.source[first:m.start]) + m.text + string(m.source[m.end:last])
	return "- " + strings.ReplaceAll(before, "\n", "\n- ") + "\n+ " + strings.ReplaceAll(after, "\n", "\n+ ")
}

// operators maps an operator to the one that takes its place.
var operators = map[token.Token]token.Token{
	token.LSS: token.LEQ, token.LEQ: token.LSS, token.GTR: token.GEQ, token.GEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
	token.ADD: token.SUB, token.SUB: token.ADD, token.MUL: token.QUO, token.QUO: token.MUL,
	token.SHL: token.SHR, token.SHR: token.SHL,
}

// mutantsOf returns all mutants of a file, none of one that is generated. siblings maps a constant to another one of
// its group.
func mutantsOf(file string, source []byte, siblings map[string]string) ([]mutant, error) {
	positions := token.NewFileSet()
	tree, err := parser.ParseFile(positions, file, source, parser.ParseComments)
	if err != nil || ast.IsGenerated(tree) {
		return nil, err
	}
	var mutants []mutant
	offset := func(at token.Pos) int { return positions.Position(at).Offset }
	var within *function
	enter := func(head *ast.FuncType, body *ast.BlockStmt) {
		if within != nil && offset(body.Pos()) < within.end {
			return
		}
		within = &function{start: offset(body.Lbrace) + 1, end: offset(body.Rbrace)}
		if head.Results != nil {
			within.results = string(source[offset(head.Results.Pos()):offset(head.Results.End())])
		}
	}
	replace := func(from, to token.Pos, text string) {
		m := mutant{file: file, source: source, start: offset(from), end: offset(to), text: text}
		if within != nil && within.start <= m.start && m.end <= within.end {
			m.within = within
		}
		if string(source[m.start:m.end]) != text {
			mutants = append(mutants, m)
		}
	}
	unseen := map[ast.Node]bool{}
	ast.Inspect(tree, func(n ast.Node) bool {
		if unseen[n] {
			return false
		}
		for _, part := range unseenParts(n) {
			unseen[part] = true
		}
		switch n := n.(type) {
		case *ast.ImportSpec:
			return false
		case *ast.FuncDecl:
			enter(n.Type, n.Body)
		case *ast.FuncLit:
			enter(n.Type, n.Body)
		case *ast.BinaryExpr:
			if other, ok := operators[n.Op]; ok {
				replace(n.OpPos, n.OpPos+token.Pos(len(n.Op.String())), other.String())
			}
		case *ast.BasicLit:
			if number, err := strconv.ParseInt(n.Value, 0, 64); n.Kind == token.INT && err == nil {
				replace(n.Pos(), n.End(), strconv.FormatInt(number+1, 10))
			}
		case *ast.IfStmt:
			replace(n.Cond.Pos(), n.Cond.Pos(), "!(")
			m := &mutants[len(mutants)-1]
			m.end = offset(n.Cond.End())
			m.text += string(source[m.start:m.end]) + ")"
		case *ast.Ident:
			if other, ok := siblings[n.Name]; ok {
				replace(n.Pos(), n.End(), other)
			}
		case *ast.ExprStmt, *ast.IncDecStmt, *ast.BranchStmt, *ast.DeferStmt:
			replace(n.Pos(), n.End(), "")
		case *ast.AssignStmt:
			if n.Tok != token.DEFINE {
				replace(n.Pos(), n.End(), "")
			}
		}
		return true
	})
	return mutants, nil
}

// unseenParts returns the parts of a node that no caller can see by their nature: the capacity that make is given for a
// slice or map, what is returned beside an error that is made there or was just found not to be nil, and the panic on
// an error that cannot be.
func unseenParts(n ast.Node) (parts []ast.Node) {
	beside := func(r *ast.ReturnStmt) {
		for _, result := range r.Results[:len(r.Results)-1] {
			parts = append(parts, result)
		}
	}
	switch n := n.(type) {
	case *ast.CallExpr:
		if types.ExprString(n.Fun) == "make" {
			capacity := 2
			if _, ok := n.Args[0].(*ast.MapType); ok {
				capacity = 1
			}
			for _, argument := range n.Args[min(capacity, len(n.Args)):] {
				parts = append(parts, argument)
			}
		}
	case *ast.ReturnStmt:
		if len(n.Results) == 0 {
			break
		}
		if call, ok := n.Results[len(n.Results)-1].(*ast.CallExpr); ok && slices.Contains(failures, types.ExprString(call.Fun)) {
			beside(n)
		}
	case *ast.IfStmt:
		if len(n.Body.List) == 0 {
			break
		}
		failed, ok := strings.CutSuffix(types.ExprString(n.Cond), " != nil")
		switch last := n.Body.List[len(n.Body.List)-1].(type) {
		case *ast.ReturnStmt:
			if ok && len(last.Results) > 0 && types.ExprString(last.Results[len(last.Results)-1]) == failed {
				beside(last)
			}
		case *ast.ExprStmt:
			if call, is := last.X.(*ast.CallExpr); ok && is && types.ExprString(call.Fun) == "panic" {
				parts = append(parts, last)
			}
		}
	}
	return parts
}

// failures lists the functions that make an error.
var failures = []string{"errors.New", "fmt.Errorf", "api.Errorf", "api.InvalidParams"}

// siblingsOf returns, for each constant declared in a group, the next one of the group, and true and false for each
// other.
func siblingsOf(files map[string][]byte) (map[string]string, error) {
	siblings := map[string]string{"true": "false", "false": "true"}
	for name, source := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), name, source, 0)
		if err != nil {
			return nil, err
		}
		for _, declaration := range tree.Decls {
			group, ok := declaration.(*ast.GenDecl)
			if !ok || group.Tok != token.CONST {
				continue
			}
			var names []string
			for _, spec := range group.Specs {
				for _, ident := range spec.(*ast.ValueSpec).Names {
					names = append(names, ident.Name)
				}
			}
			for i, name := range names {
				if next := names[(i+1)%len(names)]; next != name && name != "_" && next != "_" {
					siblings[name] = next
				}
			}
		}
	}
	return siblings, nil
}
