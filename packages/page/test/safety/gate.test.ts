import { createRateLimit, type RequestHead } from "@caliban/common/http";
import { describe, expect, it } from "vitest";
import { checkHead } from "../../src/safety/gate.ts";
import { renderDocument } from "../../src/safety/page-document.ts";

const GATE = { port: 4000, isToken: (given: string) => given === "secret" };
const HEADERS = { host: "127.0.0.1:4000", authorization: "Bearer secret" };

function check(head: Partial<RequestHead>): string {
  const result = checkHead({ method: "GET", path: "/api/topics", headers: HEADERS, ...head }, GATE);
  return result.kind === "refused" ? String(result.status) : result.kind;
}

describe("checkHead", () => {
  it.for([
    ["the API with its token", {}, "api"],
    ["the IPv6 address", { headers: { ...HEADERS, host: "[::1]:4000" } }, "api"],
    [
      "its own origin",
      { headers: { ...HEADERS, origin: "http://127.0.0.1:4000", "sec-fetch-site": "same-origin" } },
      "api",
    ],
    [
      "the document without a token",
      { path: "/", headers: { host: "127.0.0.1:4000" } },
      "document",
    ],
    [
      "the document from a file",
      { path: "/", headers: { host: "127.0.0.1:4000", "sec-fetch-site": "cross-site" } },
      "document",
    ],
    ["no host", { headers: { authorization: "Bearer secret" } }, "403"],
    ["two hosts", { headers: { ...HEADERS, host: ["127.0.0.1:4000", "evil"] } }, "403"],
    ["another host", { headers: { ...HEADERS, host: "evil.example:4000" } }, "403"],
    ["a host without the port", { headers: { ...HEADERS, host: "127.0.0.1" } }, "403"],
    ["another origin", { headers: { ...HEADERS, origin: "https://127.0.0.1:4000" } }, "403"],
    ["a page of another site", { headers: { ...HEADERS, "sec-fetch-site": "cross-site" } }, "403"],
    [
      "another server on this machine",
      { headers: { ...HEADERS, "sec-fetch-site": "same-site" } },
      "403",
    ],
    ["no token", { headers: { host: "127.0.0.1:4000" } }, "401"],
    ["another scheme", { headers: { ...HEADERS, authorization: "Basic secret" } }, "401"],
    ["another path", { path: "/favicon.ico" }, "404"],
    [
      "a form",
      {
        method: "POST",
        headers: { ...HEADERS, "content-type": "application/x-www-form-urlencoded" },
      },
      "415",
    ],
    [
      "a large body",
      {
        method: "POST",
        headers: { ...HEADERS, "content-type": "application/json", "content-length": "2000000" },
      },
      "413",
    ],
    [
      "JSON",
      {
        method: "POST",
        headers: { ...HEADERS, "content-type": "application/json; charset=utf-8" },
      },
      "api",
    ],
  ] as const)("answers %s", ([, head, expected]) => {
    expect(check(head)).toBe(expected);
  });

  it("accepts the host without a port where browsers leave it out", () => {
    const head = { method: "GET", path: "/", headers: { host: "127.0.0.1" } };
    expect(checkHead(head, { ...GATE, port: 80 }).kind).toBe("document");
  });
});

describe("createRateLimit", () => {
  it("allows a burst, then as many as time brings", () => {
    let now = 0;
    const allow = createRateLimit({ burst: 2, perSecond: 1, nowMs: () => now });
    const first = [allow(), allow(), allow()];
    now = 1_000;
    const later = [allow(), allow()];
    now = 100_000;
    expect([first, later, [allow(), allow(), allow()]]).toEqual([
      [true, true, false],
      [true, false],
      [true, true, false],
    ]);
  });
});

describe("renderDocument", () => {
  const client = { script: "run()", style: "a{}" };

  it("keeps stored data inside its element", () => {
    const stored = JSON.stringify({ a: "</script><script>alert(1)</script><!--" });
    const { html } = renderDocument({ client, sha256: () => "hash", stored });
    expect(html.match(/<script/g)).toHaveLength(2);
    const [, data = ""] = /id="stored">(.*)<\/script>/.exec(html) ?? [];
    expect(JSON.parse(data)).toEqual(JSON.parse(stored));
  });

  it("refuses a client that would end its own element", () => {
    const broken = { ...client, script: '"</script>"' };
    expect(() => renderDocument({ client: broken, sha256: () => "hash" })).toThrow("closing tag");
  });
});
