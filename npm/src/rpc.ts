/** The error of a JSON-RPC answer. */
export class RpcError extends Error {
  override readonly name = "RpcError";

  constructor(
    method: string,
    /** The code, such as -32602 for a parameter that is wrong. */
    readonly code: number,
    message: string,
    /** What the node adds to the message, such as the data of a revert. */
    readonly data?: unknown,
  ) {
    super(`${method}: ${message}`);
  }
}

/**
 * Calls a method of a node over HTTP and returns its result.
 *
 * @throws RpcError when the node answers with an error.
 */
export async function rpc(url: string, method: string, ...params: unknown[]): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const body = await response.text();
  if (!response.ok) throw new Error(`${method}: HTTP ${response.status}: ${body.trim()}`);
  const { result, error } = JSON.parse(body) as { result: unknown; error?: { code: number; message: string; data?: unknown } };
  if (error !== undefined) throw new RpcError(method, error.code, error.message, error.data);
  return result;
}
