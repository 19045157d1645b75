// A call as it is written elsewhere.

/** snippets write the call of a method. */
export const snippets = {
  curl(url, method, params) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }).replaceAll("'", "'\\''");
    return `curl -s -H 'Content-Type: application/json' ${url} \\\n  -d '${body}'`;
  },
  go(url, method, params) {
    const written = params.map((param) => (typeof param === 'object' ? `json.RawMessage(${goString(JSON.stringify(param))})` : typeof param === 'string' ? JSON.stringify(param) : String(param)));
    return `client, err := rpc.Dial("${url}") // github.com/ethereum/go-ethereum/rpc\n…\nvar result json.RawMessage\nerr = client.Call(&result, ${[`"${method}"`, ...written].join(', ')})`;
  },
  viem(url, method, params) {
    return `const client = createTestClient({ mode: 'anvil', transport: http('${url}') })\nawait client.request({ method: '${method}', params: ${JSON.stringify(params)} })`;
  },
};

const goString = (text) => (text.includes('`') ? JSON.stringify(text) : `\`${text}\``);
