import { describe, expect, it } from "vitest";
import { checkRequest } from "../../../src/node/serve/http-gate.ts";

describe("the check of an HTTP request", () => {
  const request = (headers: Record<string, string>): Parameters<typeof checkRequest>[0] => ({
    method: "GET",
    url: "/mcp?x=1",
    headers: { authorization: "bearer secret", ...headers },
  });

  it("accepts hosts of this machine in any case, with or without the default port", () => {
    const open = { port: 80, token: "secret" };
    expect(checkRequest(request({ host: "localhost" }), open)).toBeUndefined();
    expect(checkRequest(request({ host: "LocalHost:80" }), open)).toBeUndefined();
    expect(checkRequest(request({ host: "localhost" }), { ...open, port: 81 })?.status).toBe(403);
    expect(checkRequest(request({}), open)?.status).toBe(403);
    expect(checkRequest(request({ host: "localhost.evil.example" }), open)?.status).toBe(403);
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
  ] as const)("gives a request from the origin %s the status %s", ([origin, status]) => {
    const open = { port: 7000, token: "secret" };
    expect(checkRequest(request({ host: "127.0.0.1:7000", origin }), open)?.status).toBe(status);
  });

  it("rejects an empty token", () => {
    const { headers } = request({ host: "localhost" });
    const empty = { ...headers, authorization: "Bearer " };
    expect(
      checkRequest({ method: "GET", url: "/mcp", headers: empty }, { port: 80, token: "s" }),
    ).toMatchObject({
      status: 401,
    });
  });
});
