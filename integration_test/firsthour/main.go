//go:build unix

// Command firsthour runs the commands of README.md word for word, as somebody does who has a fresh clone and nothing in
// any cache: in a clone of the commit that is checked out, with caches of its own for Go, npm and pip. It prints the
// time and the processor time of each, and fails at the first that does not do what README says. It needs git and bash;
// what needs npm or Python is left out, with a line, where there is none. Containers are left out.
package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"time"
)

func main() {
	tests := flag.Bool("tests", false, "also run the command that runs every test, which takes ten minutes or more")
	flag.Parse()
	if err := run(*tests); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// hour is the first hour of a user: folders beside each other, as README has them, and the environment of its commands.
type hour struct {
	readme string
	root   string
	env    []string
}

func run(tests bool) error {
	root, err := os.MkdirTemp("", "fakenode-first-hour-")
	if err != nil {
		return err
	}
	defer func() { _ = exec.Command("chmod", "-R", "u+w", root).Run(); _ = os.RemoveAll(root) }() // Go's modules are read-only
	h := hour{root: root, env: append(os.Environ(), "GOPATH="+root+"/go", "GOMODCACHE=", "GOBIN=", "GOCACHE="+root+"/gocache",
		"GOFLAGS=", "npm_config_cache="+root+"/npm", "PIP_NO_CACHE_DIR=1", "PATH="+root+"/venv/bin:"+root+"/go/bin:"+os.Getenv("PATH"))}
	if output, err := exec.Command("git", "clone", "--quiet", ".", root+"/fakenode").CombinedOutput(); err != nil {
		return fmt.Errorf("git clone: %w\n%s", err, output)
	}
	readme, err := os.ReadFile(root + "/fakenode/README.md")
	if err != nil {
		return err
	}
	h.readme = string(readme)

	if err := h.serves("fakenode", "go run ./cmd/fakenode"); err != nil {
		return err
	}
	if err := h.goProject(); err != nil {
		return err
	}
	if err := h.runs("fakenode", "go install ./cmd/fakenode"); err != nil {
		return err
	}
	if err := h.serves("fakenode", "fakenode"); err != nil {
		return err
	}
	if err := h.npmProject(); err != nil {
		return err
	}
	if err := h.pythonProject(); err != nil {
		return err
	}
	if tests {
		return h.runs("fakenode", "go test work")
	}
	return nil
}

// goProject uses the checkout from a module beside it, for the test that README shows.
func (h hour) goProject() error {
	code := regexp.MustCompile("(?s)\n```go\n(func Test.*?)```\n").FindStringSubmatch(h.readme)
	if code == nil {
		return errors.New("README.md shows no test in Go")
	}
	const imports = "package shop\n\nimport (\n\t\"testing\"\n\t\"time\"\n\n\t\"github.com/fakenode/fakenode\"\n" +
		"\t\"github.com/fakenode/fakenode/fixtures\"\n\t\"github.com/stretchr/testify/require\"\n)\n\n"
	if err := h.write("shop/shop_test.go", imports+code[1]); err != nil {
		return err
	}
	if err := h.unshown("shop", "go mod init shop"); err != nil {
		return err
	}
	for _, command := range []string{
		"go mod edit -require github.com/fakenode/fakenode@v0.0.0 -replace github.com/fakenode/fakenode=../fakenode", "go mod tidy",
	} {
		if err := h.runs("shop", command); err != nil {
			return err
		}
	}
	return h.unshown("shop", "go test ./...")
}

// npmProject uses the checkout from a project in JavaScript beside it.
func (h hour) npmProject() error {
	if _, err := exec.LookPath("npm"); err != nil {
		fmt.Println("left out: npm is not installed")
		return nil
	}
	if err := h.runs("fakenode", "make npm"); err != nil {
		return err
	}
	const program = `import { start } from "fakenode";
const node = await start();
const answer = await fetch(node.url, { method: "POST", headers: { "Content-Type": "application/json" }, body: '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}' });
if ((await answer.json()).result !== "0x7a69") throw new Error("not the chain");
await node.stop();
`
	if err := h.write("web/start.mjs", program); err != nil {
		return err
	}
	if err := h.unshown("web", "npm init -y >/dev/null"); err != nil {
		return err
	}
	if err := h.runs("web", "npm i -D ../fakenode/dist/npm/*.tgz"); err != nil {
		return err
	}
	if err := h.serves("web", "npx fakenode"); err != nil {
		return err
	}
	return h.unshown("web", "node start.mjs") // await start()
}

// pythonProject uses the checkout from Python.
func (h hour) pythonProject() error {
	if _, err := exec.LookPath("python3"); err != nil {
		fmt.Println("left out: Python is not installed")
		return nil
	}
	const test = "def test_chain(fakenode):\n    assert fakenode.rpc(\"eth_blockNumber\") == \"0x0\"\n"
	if err := h.write("py/test_chain.py", test); err != nil {
		return err
	}
	if err := h.unshown("py", "python3 -m venv ../venv"); err != nil {
		return err
	}
	if err := h.runs("py", "pip install ../fakenode/python"); err != nil {
		return err
	}
	return h.unshown("py", `python -c 'import fakenode; n = fakenode.start(); assert n.rpc("eth_chainId") == "0x7a69"; n.stop()'`)
}

func (h hour) write(path, text string) error {
	path = filepath.Join(h.root, path)
	return errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), 0o644))
}

// runs runs a command that README has, in a folder. Its error has the output.
func (h hour) runs(folder, command string) error {
	if !strings.Contains(h.readme, "`"+command+"`") && !strings.Contains(h.readme, "\n    "+command+" ") {
		return fmt.Errorf("README.md does not have the command %s", command)
	}
	return h.unshown(folder, command)
}

// unshown runs a command that README need not have.
func (h hour) unshown(folder, command string) error {
	var output bytes.Buffer
	c := h.command(context.Background(), folder, command)
	c.Stdout, c.Stderr = &output, &output
	begin := time.Now()
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w\n%s", command, err, &output)
	}
	report(folder, command, begin, c.ProcessState)
	return nil
}

// serves runs a command of README that starts a node on port 8545, asks the node for its chain, and ends it.
func (h hour) serves(folder, command string) error {
	if !strings.Contains(h.readme, "`"+command+"`") && !strings.Contains(h.readme, "\n    "+command+" ") {
		return fmt.Errorf("README.md does not have the command %s", command)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	c := h.command(ctx, folder, command)
	var errs bytes.Buffer
	c.Stderr = &errs
	stdout, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	begin := time.Now()
	if err := c.Start(); err != nil {
		return err
	}
	line, err := bufio.NewReader(stdout).ReadString('\n')
	serving := time.Since(begin)
	if err == nil {
		err = asked(line)
	}
	_ = syscall.Kill(-c.Process.Pid, syscall.SIGINT)
	_, _ = io.Copy(io.Discard, stdout)
	_ = c.Wait()
	if err != nil {
		return fmt.Errorf("%s printed %q: %w\n%s", command, line, err, &errs)
	}
	report(folder, command, time.Now().Add(-serving), c.ProcessState)
	return nil
}

// asked asks the node that printed a line for its chain.
func asked(line string) error {
	if line != "Listening on 127.0.0.1:8545\n" {
		return errors.New("want Listening on 127.0.0.1:8545")
	}
	response, err := http.Post("http://127.0.0.1:8545", "application/json", strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}`))
	if err != nil {
		return err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && !bytes.Contains(answer, []byte(`"0x7a69"`)) {
		err = fmt.Errorf("eth_chainId answered %s", answer)
	}
	return err
}

// command returns a command of a shell, in a process group of its own.
func (h hour) command(ctx context.Context, folder, command string) *exec.Cmd {
	c := exec.CommandContext(ctx, "bash", "-c", command)
	c.Dir, c.Env = filepath.Join(h.root, folder), h.env
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	return c
}

func report(folder, command string, begin time.Time, state *os.ProcessState) {
	fmt.Printf("%6.1f s  %6.1f s of processor  %-8s  %s\n", time.Since(begin).Seconds(), (state.UserTime() + state.SystemTime()).Seconds(), folder, command)
}
