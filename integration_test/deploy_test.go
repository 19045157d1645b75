package integration_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/fakenode/fakenode"
	"github.com/fakenode/fakenode/internal/test/laboratory"
)

// spread is an nginx with the rules of deploy/nginx.conf before nodes of this process.
type spread struct {
	t     *testing.T
	url   string
	nodes []*fakenode.Node
}

func newSpread(t *testing.T, worlds int) *spread {
	t.Helper()
	laboratory.Needs(t, laboratory.Shell, "nginx")
	rules, err := os.ReadFile("../deploy/nginx.conf")
	require.NoError(t, err)
	s := &spread{t: t}
	text := string(rules)
	for port := 8551; port <= 8553; port++ {
		node := fakenode.RunConfigT(t, fakenode.Config{Worlds: fakenode.Worlds{Count: worlds}})
		s.nodes = append(s.nodes, node)
		text = strings.Replace(text, fmt.Sprintf("127.0.0.1:%d", port), strings.TrimPrefix(node.URL(), "http://"), 1)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := free.Addr().String()
	require.NoError(t, free.Close())
	text = strings.Replace(text, "listen 8545;", "listen "+address+";", 1)
	folder := t.TempDir()
	text = strings.Replace(text, "http {", "http {\n    access_log off;\n    client_body_temp_path "+folder+"/body;\n    proxy_temp_path "+folder+"/proxy;\n"+
		"    fastcgi_temp_path "+folder+"/fastcgi;\n    uwsgi_temp_path "+folder+"/uwsgi;\n    scgi_temp_path "+folder+"/scgi;", 1)
	text = strings.Replace(text, "events {}", "daemon off;\npid "+folder+"/pid;\nerror_log stderr warn;\nevents { worker_connections 4096; }", 1)
	conf := filepath.Join(folder, "nginx.conf")
	require.NoError(t, os.WriteFile(conf, []byte(text), 0o600))
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	nginx := exec.CommandContext(ctx, "nginx", "-e", "stderr", "-c", conf)
	nginx.Cancel = func() error { return nginx.Process.Signal(os.Interrupt) }
	var printed bytes.Buffer
	nginx.Stderr = &printed
	require.NoError(t, nginx.Start())
	t.Cleanup(func() {
		cancel()
		_ = nginx.Wait()
	})
	s.url = "http://" + address
	require.Eventually(t, func() bool {
		response, err := http.Get(s.url + "/health")
		if err == nil {
			response.Body.Close()
		}
		return err == nil && response.StatusCode == http.StatusOK
	}, 10*time.Second, 10*time.Millisecond, "%s", &printed)
	return s
}

// call makes a call at a path and returns the HTTP status with the result, or the message of the error.
func (s *spread) call(path, method string, params ...any) (int, string, error) {
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
	if err != nil {
		return 0, "", err
	}
	response, err := http.Post(s.url+path, "application/json", bytes.NewReader(body))
	if err != nil {
		return 0, "", err
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	var decoded struct {
		Result json.RawMessage
		Error  *struct{ Message string }
	}
	if err == nil {
		err = json.Unmarshal(answer, &decoded)
	}
	if decoded.Error != nil {
		return response.StatusCode, decoded.Error.Message, err
	}
	return response.StatusCode, string(decoded.Result), err
}

// Ensure worlds are spread over nodes by the hash of their names, and that a node that dies takes its own alone: their
// clients get one clear error, and new worlds go to the other nodes.
func TestWorldsBehindNginx(t *testing.T) {
	t.Parallel()
	const worlds = 3_000
	s := newSpread(t, worlds)
	makeWorld := func(name string) {
		status, result, err := s.call("/?world="+name, "fakenode_newWorld", map[string]any{"name": name})
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, status, result)
		require.Contains(t, result, s.url+"/w/"+name+`"`)
	}
	var makers sync.WaitGroup
	for i := range 8 {
		makers.Go(func() {
			for n := i; n < worlds; n += 8 {
				makeWorld(fmt.Sprintf("job-%d", n))
			}
		})
	}
	makers.Wait()
	lives := map[string]int{}
	for i, node := range s.nodes {
		var made []struct{ Name string }
		require.NoError(t, node.Client().Client().Call(&made, "fakenode_worlds"))
		require.Greater(t, len(made), worlds/6)
		for _, w := range made {
			lives[w.Name] = i
		}
	}
	require.Len(t, lives, worlds)

	require.NoError(t, s.nodes[1].Close())
	for n := range worlds {
		name := fmt.Sprintf("job-%d", n)
		status, result, err := s.call("/w/"+name+"/testnet", "eth_chainId")
		require.NoError(t, err)
		if lives[name] == 1 {
			require.Equal(t, http.StatusNotFound, status)
			require.Contains(t, result, "there is no world "+name)
			continue
		}
		require.Equal(t, http.StatusOK, status, result)
	}
	for n := range 20 {
		makeWorld(fmt.Sprintf("after-%d", n))
	}
}

// Ensure the rules in kubernetes.yaml are those of nginx.conf, and that it has what Kubernetes needs of a node.
func TestKubernetes(t *testing.T) {
	t.Parallel()
	rules, err := os.ReadFile("../deploy/nginx.conf")
	require.NoError(t, err)
	text, err := os.ReadFile("../deploy/kubernetes.yaml")
	require.NoError(t, err)
	kinds, flags := []string{}, []string{}
	conf := ""
	for decoder := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var object struct {
			Kind string
			Data map[string]string
			Spec struct {
				Template struct {
					Spec struct{ Containers []struct{ Args []string } }
				}
			}
		}
		if err := decoder.Decode(&object); err == io.EOF {
			break
		}
		require.NoError(t, err)
		kinds = append(kinds, object.Kind)
		conf += object.Data["default.conf"]
		if object.Kind == "StatefulSet" {
			flags = object.Spec.Template.Spec.Containers[0].Args
		}
	}
	require.Equal(t, []string{"StatefulSet", "Service", "ConfigMap", "Deployment", "Service"}, kinds)
	require.Equal(t, []string{"--seal", "manual", "--worlds", "2000", "--allow-host", "*"}, flags)
	space := regexp.MustCompile(`\s+`)
	plain := func(text string) string { return space.ReplaceAllString(text, " ") }
	mapped := regexp.MustCompile(`(?s)map \$request_uri.*?\}`)
	require.Equal(t, plain(mapped.FindString(string(rules))), plain(mapped.FindString(conf)))
	for _, set := range regexp.MustCompile(`(?m)^ +(?:proxy_\w+|hash) [^;]*;`).FindAllString(string(rules), -1) {
		require.Contains(t, plain(conf), strings.TrimSpace(plain(set)))
	}
}
