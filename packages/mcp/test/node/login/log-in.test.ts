import { once } from "node:events";
import { createServer } from "node:http";
import { describe, expect, it, onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { createLoginStore, logIn } from "../../../src/node/index.ts";

/** A server that sends users to an address of its choice to log in. */
async function serverWithLoginAt(address: string): Promise<string> {
  const server = createServer((request, response) => {
    const base = `http://${request.headers.host ?? ""}`;
    const documents: Readonly<Record<string, object>> = {
      "/.well-known/oauth-protected-resource": { resource: base, authorization_servers: [base] },
      "/.well-known/oauth-authorization-server": {
        issuer: base,
        authorization_endpoint: address,
        token_endpoint: `${base}/token`,
        response_types_supported: ["code"],
        code_challenge_methods_supported: ["S256"],
      },
    };
    const found = documents[request.url ?? ""];
    response.writeHead(found === undefined ? 404 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(found ?? {}));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const bound = server.address();
  return `http://127.0.0.1:${typeof bound === "object" ? (bound?.port ?? 0) : 0}`;
}

describe("logIn", () => {
  it("opens no address of the server that is neither https nor on this machine", async () => {
    const shown: string[] = [];
    const url = await serverWithLoginAt("http://login.example/authorize");
    const stateDirectory = await temporaryDirectory();
    const store = createLoginStore({ stateDirectory, name: "x", url });
    const login = logIn({
      url,
      store,
      clientId: "caliban",
      show: (address) => void shown.push(address),
      interrupted: new Promise(() => undefined),
    });
    await expect(login).rejects.toMatchObject({
      code: "UNSAFE_ADDRESS",
      message: expect.stringContaining("http://login.example") as string,
    });
    expect(shown).toEqual([]);
  });
});
