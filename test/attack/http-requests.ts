/** A request to the MCP server over HTTP; what is left out is correct. */
export interface HttpAttempt {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string | Uint8Array;
}

/** Renders a JSON-RPC request. */
export const rpc = (id: number, method: string, params?: unknown): string =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });

/** Requests that the server must refuse, each with the status and a part of the message. */
export function refusedRequests({
  port,
  token,
}: {
  readonly port: number;
  readonly token: string;
}): readonly (readonly [input: HttpAttempt, status: number, message: string])[] {
  return [
    [{ headers: { authorization: undefined } }, 401, "bearer token"],
    [{ headers: { authorization: "Bearer x" } }, 401, "bearer token"],
    [{ headers: { authorization: "" } }, 401, "bearer token"],
    [{ headers: { authorization: "Bearer " } }, 401, "bearer token"],
    [{ headers: { authorization: token } }, 401, "bearer token"],
    [{ headers: { authorization: `Bearer ${token.toUpperCase()}` } }, 401, "bearer token"],
    [{ headers: { authorization: `Bearer ${token.slice(0, -1)}` } }, 401, "bearer token"],
    [{ headers: { authorization: `Bearer x ${token}` } }, 401, "bearer token"],
    [{ headers: { authorization: undefined, cookie: `token=${token}` } }, 401, "bearer token"],
    [{ headers: { authorization: undefined }, path: `/mcp?token=${token}` }, 401, "bearer token"],
    [{ headers: { authorization: `Bearer ${token}x` } }, 401, "bearer token"],
    [{ headers: { authorization: `Basic ${token}` } }, 401, "bearer token"],
    [{ headers: { host: "evil.example" } }, 403, "Host header"],
    [{ headers: { host: `evil.example:${port}` } }, 403, "Host header"],
    [{ headers: { host: `localhost.evil.example:${port}` } }, 403, "Host header"],
    [{ headers: { host: `127.0.0.1.nip.io:${port}` } }, 403, "Host header"],
    [{ headers: { host: `0.0.0.0:${port}` } }, 403, "Host header"],
    [{ headers: { host: `user@127.0.0.1:${port}` } }, 403, "Host header"],
    [{ headers: { host: `127.0.0.1:${port},evil.example` } }, 403, "Host header"],
    [{ headers: { host: "127.0.0.1" } }, 403, "Host header"],
    [{ headers: { host: `127.0.0.1:${port + 1}` } }, 403, "Host header"],
    [{ headers: { origin: "https://evil.example" } }, 403, "web pages"],
    [{ headers: { origin: "null" } }, 403, "web pages"],
    [{ headers: { origin: "" } }, 403, "web pages"],
    [{ headers: { origin: "file://" } }, 403, "web pages"],
    [{ headers: { origin: `https://127.0.0.1:${port}` } }, 403, "web pages"],
    [{ headers: { origin: `http://127.0.0.1:${port}.evil.example` } }, 403, "web pages"],
    [{ headers: { origin: "vscode-webview://x" } }, 403, "web pages"],
    [{ headers: { origin: `http://localhost:${port + 1}` } }, 403, "web pages"],
    [{ path: "/" }, 404, "/mcp"],
    [{ path: "/mcp/../x" }, 404, "/mcp"],
    [{ path: "/.well-known/oauth-protected-resource" }, 404, "/mcp"],
    [{ method: "PUT" }, 405, "POST, GET, DELETE"],
    [{ headers: { "content-type": "text/plain" }, body: "{}" }, 415, "application/json"],
    [{ body: "not JSON" }, 400, "invalid JSON"],
    [{ body: Buffer.from([0x22, 0xff, 0x22]) }, 400, "invalid UTF-8"],
    [{ body: `[${rpc(1, "ping")}]` }, 400, "batches are not supported"],
    [{ body: "{}" }, 400, "JSON-RPC 2.0"],
    [{ body: rpc(1, "initialize", { protocolVersion: 7 }) }, 400, "invalid initialize request"],
    [{ body: rpc(1, "tools/list") }, 400, "Mcp-Session-Id"],
    [{ body: rpc(1, "tools/list"), headers: { "mcp-session-id": "x" } }, 404, "session id"],
    [{ method: "GET" }, 400, "Mcp-Session-Id"],
    [{ method: "DELETE", headers: { "mcp-session-id": "x" } }, 404, "session id"],
  ];
}
