import { chmod, readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { refusalOf } from "../../../src/node/serve/http-gate.ts";
import { serverToken } from "../../../src/node/serve/token-file.ts";

describe("the gate of the HTTP server", () => {
  const request = (headers: Record<string, string>): Parameters<typeof refusalOf>[0] => ({
    method: "GET",
    url: "/mcp?x=1",
    headers: { authorization: "bearer secret", ...headers },
  });

  it("knows the port that is left out, and names in any case", () => {
    const open = { port: 80, token: "secret" };
    expect(refusalOf(request({ host: "localhost" }), open)).toBeUndefined();
    expect(refusalOf(request({ host: "LocalHost:80" }), open)).toBeUndefined();
    expect(refusalOf(request({ host: "localhost" }), { ...open, port: 81 })?.status).toBe(403);
    expect(refusalOf(request({}), open)?.status).toBe(403);
    expect(refusalOf(request({ host: "localhost.evil.example" }), open)?.status).toBe(403);
  });

  it.for([
    ["http://127.0.0.1:7000", undefined],
    ["http://LOCALHOST:7000", undefined],
    ["http://127.0.0.1:7001", 403],
    ["http://127.0.0.1", 403],
    ["http://127.0.0.1.evil.example:7000", 403],
    ["http://evil.example/127.0.0.1:7000", 403],
    ["https://127.0.0.1:7000", 403],
    ["null", 403],
    ["", 403],
  ] as const)("answers the origin %s with %s", ([origin, status]) => {
    const open = { port: 7000, token: "secret" };
    expect(refusalOf(request({ host: "127.0.0.1:7000", origin }), open)?.status).toBe(status);
  });

  it("lets nobody in with an empty token", () => {
    const { headers } = request({ host: "localhost" });
    const empty = { ...headers, authorization: "Bearer " };
    expect(
      refusalOf({ method: "GET", url: "/mcp", headers: empty }, { port: 80, token: "s" }),
    ).toMatchObject({
      status: 401,
    });
  });
});

describe("the token", () => {
  it("is one for all that begin at once", async () => {
    const home = await temporaryDirectory();
    const place = { env: { HOME: home }, platform: "linux", home };
    const tokens = await Promise.all([1, 2, 3, 4].map(() => serverToken(place)));
    expect(new Set(tokens.map(({ token }) => token)).size).toBe(1);
    const [first] = tokens;
    expect(await readFile(first?.path ?? "", "utf8")).toBe(`${first?.token}\n`);
    await chmod(first?.path ?? "", 0o644);
    await expect(serverToken(place)).rejects.toThrow("others may use it; run `chmod 600");
    await expect(serverToken({ env: {}, platform: "linux", home: undefined })).rejects.toThrow(
      "no home directory is known",
    );
  });
});
