import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { McpTransport } from "../../../src/client/mcp-server.ts";
import { requestFor, resolveRequests } from "./request-fixture.ts";

const root = "/w/app";
const transportOf = (...given: Parameters<typeof requestFor>): McpTransport =>
  requestFor(...given).server.transport;

describe("a server in the user's own settings", () => {
  it("gives a server what its settings say, and a small environment", () => {
    const env = {
      PATH: "/bin",
      HOME: "/home/me",
      LANG: "C",
      TERM: "xterm",
      SHELL: "() { evil; }",
      ANTHROPIC_API_KEY: "hunter2",
      GITHUB_TOKEN: "mine",
      OTHER: "x",
    };
    const own = {
      github: {
        command: "npx",
        args: ["-y", "~/x", "a~/b"],
        env: { LOG: "off", LANG: "en" },
        pass_env: ["GITHUB_TOKEN", "ABSENT"],
        tier: "memory",
        memory_tool: "notes",
      },
    } as const;
    const { servers, unusable } = resolveRequests({}, { root, env, own });
    expect(unusable).toEqual([]);
    expect(servers).toMatchObject([
      {
        isRequested: false,
        timeoutSeconds: 60,
        notes: ["ABSENT is not set, so the server runs without it"],
        server: {
          name: "github",
          source: "~/s.toml",
          tier: "memory",
          memoryTool: "notes",
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
      },
    ]);
    expect(servers[0]?.server.transport).toEqual({
      kind: "stdio",
      command: "npx",
      args: ["-y", "/home/me/x", "a~/b"],
      cwd: root,
      env: {
        PATH: "/bin",
        HOME: "/home/me",
        LANG: "en",
        TERM: "xterm",
        GITHUB_TOKEN: "mine",
        LOG: "off",
      },
    });
  });

  it("lets a server of the user's own get a key, start anywhere, and be turned off", () => {
    const env = { ANTHROPIC_API_KEY: "mine" };
    const own = {
      a: { command: "x", cwd: "~/elsewhere", pass_env: ["ANTHROPIC_API_KEY"] },
      b: { command: "x", enabled: false },
      c: {},
    };
    const { servers, unusable } = resolveRequests({}, { root, env, own });
    expect(servers[0]?.server.transport).toMatchObject({ cwd: "/home/me/elsewhere", env });
    expect(unusable).toMatchObject([
      { name: "b", isOff: true },
      { name: "c", isOff: false, reason: "it has neither command nor url" },
    ]);
  });
});

it.for([
  ["npx", "npx"],
  ["./bin/server", "/w/app/bin/server"],
  ["bin/server", "/w/app/bin/server"],
  ["/usr/bin/node", "/usr/bin/node"],
  ["~/bin/server", "/home/me/bin/server"],
  ["../other/server", "/w/other/server"],
] as const)("resolves the command %s to %s", ([command, expected]) => {
  expect(transportOf({ command, cwd: "sub" }, { root })).toMatchObject({
    command: expected,
    cwd: "/w/app/sub",
  });
});

describe("the url of a server", () => {
  it.for([
    "https://example.com/mcp?a=1",
    "http://localhost:1/mcp",
    "http://127.0.0.1/",
    "http://[::1]:2/",
  ])("accepts the url %s", (url) =>
    expect(transportOf({ url }, { root })).toEqual({ kind: "http", url, headers: {} }),
  );

  it.for([
    "http://example.com/mcp",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
  ])("rejects plain http to another machine: %s", (url) => {
    const both = resolveRequests({ a: { url } }, { root, own: { b: { url } } });
    expect(both.servers).toEqual([]);
    expect(both.unusable.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("use https"),
      expect.stringContaining("use https"),
    ]);
  });

  it("sends the token of a variable, and reports a missing or invalid one without showing it", () => {
    const config = { url: "https://x/mcp", token_env: "DOCS_TOKEN" };
    expect(transportOf(config, { root, env: { DOCS_TOKEN: " abc\n" } })).toMatchObject({
      headers: { Authorization: "Bearer abc" },
    });
    expect(requestFor(config, { root })).toMatchObject({
      notes: ["DOCS_TOKEN is not set, so the server runs without it"],
      passedVariables: ["DOCS_TOKEN"],
      server: { transport: { headers: {} } },
    });
    const { unusable } = resolveRequests({ a: config }, { root, env: { DOCS_TOKEN: "a b" } });
    expect(unusable[0]?.reason).toContain("DOCS_TOKEN contains characters that no token has");
    expect(unusable[0]?.reason).not.toContain("a b");
  });
});

describe("a server that a repository requests", () => {
  it.for([
    [{ pass_env: ["ANTHROPIC_API_KEY"] }, "requests ANTHROPIC_API_KEY"],
    [{ pass_env: ["A", "gemini_api_key"] }, "requests gemini_api_key"],
    [{ pass_env: ["MY_MODEL_KEY"] }, "requests MY_MODEL_KEY"],
    [{ cwd: ".." }, "outside the workspace"],
    [{ cwd: "/w/app-2" }, "outside the workspace"],
    [{ cwd: "~" }, "outside the workspace"],
    [{ args: ["x".repeat(4000)] }, "too many to review"],
    [{ url: "https://x" }, "both command and url"],
  ] as const)("refuses a requested server with %j", ([config, expected]) => {
    const { servers, unusable } = resolveRequests({ a: { command: "x", ...config } }, { root });
    expect(servers).toEqual([]);
    expect(unusable).toMatchObject([{ name: "a", isRequested: true, isOff: false }]);
    expect(unusable[0]?.reason).toContain(expected);
  });

  it("refuses to send a provider's key to a requested server", () => {
    const { servers } = resolveRequests(
      { a: { url: "https://evil.example", token_env: "OPENAI_API_KEY" } },
      { root, env: { OPENAI_API_KEY: "hunter2" } },
    );
    expect(servers).toEqual([]);
  });

  it("never puts a provider's key into the environment of a requested server", () => {
    const variable = fc.constantFrom("ANTHROPIC_API_KEY", "MY_MODEL_KEY", "GITHUB_TOKEN", "PATH");
    const request = fc.record(
      {
        pass_env: fc.array(variable, { maxLength: 3 }),
        env: fc.dictionary(variable, fc.constant("theirs"), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    );
    const env = { ANTHROPIC_API_KEY: "hunter2", MY_MODEL_KEY: "hunter2", GITHUB_TOKEN: "t" };
    fc.assert(
      fc.property(request, (config) => {
        const { servers } = resolveRequests({ a: { command: "x", ...config } }, { root, env });
        expect(JSON.stringify(servers)).not.toContain("hunter2");
      }),
    );
  });

  it("changes the fingerprint when any part of the settings changes", () => {
    const whole = {
      command: "x",
      args: ["a", "b"],
      env: { A: "1" },
      pass_env: ["P"],
      cwd: "sub",
      tier: "memory",
      memory_tool: "m",
      timeout_seconds: 5,
    } as const;
    const changes = [
      { command: "y" },
      { args: ["a b"] },
      { args: ["b", "a"] },
      { env: { A: "2" } },
      { env: { B: "1" } },
      { pass_env: ["Q"] },
      { cwd: "." },
      { tier: undefined },
      { memory_tool: "n" },
      { timeout_seconds: 6 },
    ];
    const fingerprint = (change: object): string =>
      requestFor({ ...whole, ...change }, { root }).server.fingerprint;
    const all = [{}, ...changes].map(fingerprint);
    expect(new Set(all).size).toBe(all.length);
    expect(fingerprint({})).toBe(all[0]);
  });

  it("keeps the fingerprint that older versions stored approvals for", () => {
    const config = { command: "node", args: ["server.js"], env: { A: "1" }, pass_env: ["P"] };
    expect(requestFor(config, { root }).server.fingerprint).toBe(
      "2b772c46b41759500fd8bdfbc237e0d2b8ffd344a65220c7d33fec73db1e00d0",
    );
  });

  it("computes the same fingerprint in every terminal", () => {
    const config = { command: "x", pass_env: ["P"] };
    const fingerprint = (env: Readonly<Record<string, string>>): string =>
      requestFor(config, { root, env }).server.fingerprint;
    expect(fingerprint({ TERM: "xterm", P: "1" })).toBe(fingerprint({ TERM: "vt100", PATH: "/x" }));
  });
});
