import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { McpTransport } from "../../../src/client/mcp-server.ts";
import { resolveWishes, wishFor } from "./request-place.ts";

const root = "/w/app";
const transportOf = (...given: Parameters<typeof wishFor>): McpTransport =>
  wishFor(...given).server.transport;

describe("a server of the person's own", () => {
  it("is what its settings say, with a small environment", () => {
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
    const { servers, unusable } = resolveWishes({}, { root, env, own });
    expect(unusable).toEqual([]);
    expect(servers).toMatchObject([
      {
        isWish: false,
        timeoutSeconds: 60,
        notes: ["ABSENT is not set, so it goes without"],
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

  it("may be handed a key, be started anywhere, and be turned off", () => {
    const env = { ANTHROPIC_API_KEY: "mine" };
    const own = {
      a: { command: "x", cwd: "~/elsewhere", pass_env: ["ANTHROPIC_API_KEY"] },
      b: { command: "x", enabled: false },
      c: {},
    };
    const { servers, unusable } = resolveWishes({}, { root, env, own });
    expect(servers[0]?.server.transport).toMatchObject({ cwd: "/home/me/elsewhere", env });
    expect(unusable).toMatchObject([
      { name: "b", isOff: true },
      { name: "c", isOff: false, reason: "it has neither command nor url" },
    ]);
  });
});

describe("a command", () => {
  it.for([
    ["npx", "npx"],
    ["./bin/server", "/w/app/bin/server"],
    ["bin/server", "/w/app/bin/server"],
    ["/usr/bin/node", "/usr/bin/node"],
    ["~/bin/server", "/home/me/bin/server"],
    ["../other/server", "/w/other/server"],
  ] as const)("%s is %s", ([command, expected]) => {
    expect(transportOf({ command, cwd: "sub" }, { root })).toMatchObject({
      command: expected,
      cwd: "/w/app/sub",
    });
  });
});

describe("a url", () => {
  it.for([
    "https://example.com/mcp?a=1",
    "http://localhost:1/mcp",
    "http://127.0.0.1/",
    "http://[::1]:2/",
  ])("may be %s", (url) =>
    expect(transportOf({ url }, { root })).toEqual({ kind: "http", url, headers: {} }),
  );

  it.for([
    "http://example.com/mcp",
    "http://localhost.example.com/",
    "http://127.0.0.1.example.com/",
  ])("may not be %s, where anybody can read along", (url) => {
    const both = resolveWishes({ a: { url } }, { root, own: { b: { url } } });
    expect(both.servers).toEqual([]);
    expect(both.unusable.map(({ reason }) => reason)).toEqual([
      expect.stringContaining("use https"),
      expect.stringContaining("use https"),
    ]);
  });

  it("is sent the token that a variable holds, and says when there is none", () => {
    const settings = { url: "https://x/mcp", token_env: "DOCS_TOKEN" };
    expect(transportOf(settings, { root, env: { DOCS_TOKEN: " abc\n" } })).toMatchObject({
      headers: { Authorization: "Bearer abc" },
    });
    expect(wishFor(settings, { root })).toMatchObject({
      notes: ["DOCS_TOKEN is not set, so it goes without"],
      passedVariables: ["DOCS_TOKEN"],
      server: { transport: { headers: {} } },
    });
    const { unusable } = resolveWishes({ a: settings }, { root, env: { DOCS_TOKEN: "a b" } });
    expect(unusable[0]?.reason).toContain("DOCS_TOKEN holds characters that no token has");
    expect(unusable[0]?.reason).not.toContain("a b");
  });
});

describe("what a repository wishes for", () => {
  it.for([
    [{ pass_env: ["ANTHROPIC_API_KEY"] }, "asks for ANTHROPIC_API_KEY"],
    [{ pass_env: ["A", "gemini_api_key"] }, "asks for gemini_api_key"],
    [{ pass_env: ["MY_MODEL_KEY"] }, "asks for MY_MODEL_KEY"],
    [{ cwd: ".." }, "outside the workspace"],
    [{ cwd: "/w/app-2" }, "outside the workspace"],
    [{ cwd: "~" }, "outside the workspace"],
    [{ args: ["x".repeat(4000)] }, "more than a person can be asked to judge"],
    [{ url: "https://x" }, "both command and url"],
  ] as const)("is refused with %j", ([settings, expected]) => {
    const { servers, unusable } = resolveWishes({ a: { command: "x", ...settings } }, { root });
    expect(servers).toEqual([]);
    expect(unusable).toMatchObject([{ name: "a", isWish: true, isOff: false }]);
    expect(unusable[0]?.reason).toContain(expected);
  });

  it("may not have a provider's key sent to a server of its choice", () => {
    const { servers } = resolveWishes(
      { a: { url: "https://evil.example", token_env: "OPENAI_API_KEY" } },
      { root, env: { OPENAI_API_KEY: "hunter2" } },
    );
    expect(servers).toEqual([]);
  });

  it("never has a provider's key in its environment, whatever it says", () => {
    const variable = fc.constantFrom("ANTHROPIC_API_KEY", "MY_MODEL_KEY", "GITHUB_TOKEN", "PATH");
    const wish = fc.record(
      {
        pass_env: fc.array(variable, { maxLength: 3 }),
        env: fc.dictionary(variable, fc.constant("theirs"), { maxKeys: 2 }),
      },
      { requiredKeys: [] },
    );
    const env = { ANTHROPIC_API_KEY: "hunter2", MY_MODEL_KEY: "hunter2", GITHUB_TOKEN: "t" };
    fc.assert(
      fc.property(wish, (settings) => {
        const { servers } = resolveWishes({ a: { command: "x", ...settings } }, { root, env });
        expect(JSON.stringify(servers)).not.toContain("hunter2");
      }),
    );
  });

  it("is another one with every part that is another", () => {
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
      wishFor({ ...whole, ...change }, { root }).server.fingerprint;
    const all = [{}, ...changes].map(fingerprint);
    expect(new Set(all).size).toBe(all.length);
    expect(fingerprint({})).toBe(all[0]);
  });

  it("is the same in another terminal", () => {
    const settings = { command: "x", pass_env: ["P"] };
    const fingerprint = (env: Readonly<Record<string, string>>): string =>
      wishFor(settings, { root, env }).server.fingerprint;
    expect(fingerprint({ TERM: "xterm", P: "1" })).toBe(fingerprint({ TERM: "vt100", PATH: "/x" }));
  });
});
