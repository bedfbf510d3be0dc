import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** An MCP server on this machine that wants a login, with its authorization server. */
export interface AuthorizationFixture {
  /** Of the MCP server. */
  readonly url: string;
  /** What was sent, as `METHOD path`. */
  readonly received: readonly string[];
  /** The tokens that were ever given out. */
  readonly tokens: readonly string[];
  readonly registrations: readonly Readonly<Record<string, unknown>>[];
  /** Makes every access token of now invalid, and with `refresh` every refresh token, too. */
  readonly expire: (refresh?: boolean) => void;
  /** Logs in as the user's browser does, and follows the redirect back. Returns its answer. */
  readonly approve: (address: string, change?: (back: URL) => void) => Promise<Response>;
}

export interface AuthorizationInput {
  /** Where the user is sent to instead of the authorization server. */
  readonly authorizeAt?: string;
  /** Whether clients may register themselves; they may by default. */
  readonly registers?: boolean;
  /** Answers a request instead of the server. */
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => boolean;
}

const TOKEN = "secret-token-0123456789";

export async function startAuthorizationServer(
  input: AuthorizationInput = {},
): Promise<AuthorizationFixture> {
  const { authorizeAt, registers = true, answer = () => false } = input;
  const received: string[] = [];
  const registrations: Record<string, unknown>[] = [];
  const tokens: string[] = [];
  const codes = new Map<string, URLSearchParams>();
  let [valid, refreshable] = ["", ""];
  const issue = (): object => {
    valid = `${TOKEN}-access-${tokens.length}`;
    refreshable = `${TOKEN}-refresh-${tokens.length}`;
    tokens.push(valid, refreshable);
    return {
      access_token: valid,
      token_type: "Bearer",
      expires_in: 3600,
      refresh_token: refreshable,
    };
  };
  const routes: Readonly<
    Record<string, (body: string, request: IncomingMessage) => [number, unknown]>
  > = {
    "/.well-known/oauth-protected-resource/mcp": () => [
      200,
      { resource: `${origin}/mcp`, authorization_servers: [origin] },
    ],
    "/.well-known/oauth-authorization-server": () => [
      200,
      {
        issuer: origin,
        authorization_endpoint: authorizeAt ?? `${origin}/authorize`,
        token_endpoint: `${origin}/token`,
        response_types_supported: ["code"],
        grant_types_supported: ["authorization_code", "refresh_token"],
        code_challenge_methods_supported: ["S256"],
        token_endpoint_auth_methods_supported: ["none"],
        ...(registers ? { registration_endpoint: `${origin}/register` } : {}),
      },
    ],
    "/register": (body) => {
      const client = JSON.parse(body) as Record<string, unknown>;
      registrations.push(client);
      return [201, { ...client, client_id: `client-${registrations.length}` }];
    },
    "/token": (body) => {
      const form = new URLSearchParams(body);
      if (form.get("grant_type") === "refresh_token") {
        if (form.get("refresh_token") !== refreshable) return [400, { error: "invalid_grant" }];
        return [200, issue()];
      }
      const asked = codes.get(form.get("code") ?? "");
      codes.delete(form.get("code") ?? "");
      const proof = createHash("sha256")
        .update(form.get("code_verifier") ?? "")
        .digest("base64url");
      const isProven = asked?.get("code_challenge") === proof;
      const isSame = asked?.get("redirect_uri") === form.get("redirect_uri");
      return isProven && isSame ? [200, issue()] : [400, { error: "invalid_grant" }];
    },
    "/mcp": (body, request) => {
      if (request.headers.authorization !== `Bearer ${valid}`) return [401, { error: "login" }];
      if (request.method !== "POST") return [405, {}];
      const { id, method } = JSON.parse(body) as { readonly id?: unknown; readonly method: string };
      if (id === undefined) return [202, undefined];
      const result = RESULTS[method];
      if (method === "tools/call")
        return [
          200,
          { jsonrpc: "2.0", id, result: { content: [{ type: "text", text: `token ${valid}` }] } },
        ];
      if (result === undefined)
        return [200, { jsonrpc: "2.0", id, error: { code: -32_601, message: "Method not found" } }];
      return [200, { jsonrpc: "2.0", id, result }];
    },
  };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const path = (request.url ?? "").split("?", 1)[0] ?? "";
      received.push(`${request.method ?? ""} ${path}`);
      if (answer(request, response)) return;
      const [status, value] = routes[path]?.(body, request) ?? [404, {}];
      const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
      response.writeHead(status, {
        "content-type": "application/json",
        ...(status === 401 ? { "www-authenticate": `Bearer resource_metadata="${metadata}"` } : {}),
      });
      response.end(value === undefined ? undefined : JSON.stringify(value));
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return {
    url: `${origin}/mcp`,
    received,
    tokens,
    registrations,
    expire: (refresh = false) => {
      valid = "expired";
      if (refresh) refreshable = "expired";
    },
    approve: async (address, change = () => undefined) => {
      const asked = new URL(address).searchParams;
      const code = `code-${codes.size + 1}-${tokens.length}`;
      codes.set(code, asked);
      const back = new URL(asked.get("redirect_uri") ?? "");
      back.searchParams.set("code", code);
      back.searchParams.set("state", asked.get("state") ?? "");
      change(back);
      return await fetch(back);
    },
  };
}

const RESULTS: Readonly<Record<string, object>> = {
  initialize: {
    protocolVersion: "2025-06-18",
    capabilities: { tools: {} },
    serverInfo: { name: "wiki", version: "1" },
  },
  "tools/list": { tools: [{ name: "go", inputSchema: { type: "object" } }] },
};
