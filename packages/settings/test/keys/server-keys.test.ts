import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateDiagnostics } from "../../src/file/locate-diagnostics.ts";
import { redactedTexts, redactedValue } from "../../src/keys/secret-texts.ts";
import { effectiveValue, resolveSettings } from "../../src/resolve/resolve.ts";
import { parse, patch, messageOf } from "../settings-text.ts";

const servers = (text: string): unknown => parse(text).values.get("mcp.servers")?.value;

const GITHUB = `# mine
[mcp.servers.github]
command = "npx" # from the registry
args = ["-y", "server-github"]
passEnv = ["GITHUB_TOKEN"]

[mcp.servers.github.env]
LOG = "off"

[mcp.servers.docs]
url = "https://example.com/mcp?project=1"
token_env = "DOCS_TOKEN"
tier = "memory"
memoryTool = "list_notes"
timeout_seconds = 5
`;

describe("[mcp.servers.<name>]", () => {
  it("parses every MCP server by name, in snake_case and camelCase", () => {
    expect(servers(GITHUB)).toEqual({
      github: {
        command: "npx",
        args: ["-y", "server-github"],
        pass_env: ["GITHUB_TOKEN"],
        env: { LOG: "off" },
      },
      docs: {
        url: "https://example.com/mcp?project=1",
        token_env: "DOCS_TOKEN",
        tier: "memory",
        memory_tool: "list_notes",
        timeout_seconds: 5,
      },
    });
    expect(parse(GITHUB)).toMatchObject({ errors: [], warnings: [] });
    expect(servers("mcp = { servers = { a = { command = 'x', enabled = false } } }")).toEqual({
      a: { command: "x", enabled: false },
    });
  });

  it.for([
    ["command = ''", "a string of 1 to 4096 characters"],
    ["command = ' '", "a string"],
    ['command = "a\\nb"', "without control characters"],
    ["command = ['npx']", "not a list"],
    ["args = 'x'", "a list of at most 256 strings"],
    ["args = [1]", "a list of at most 256 strings"],
    ['args = ["a\\u0000b"]', "a list of at most 256 strings"],
    ["env = ['A=b']", 'like { PORT = "8080" }'],
    ["env = { PORT = 8080 }", "not another value for PORT"],
    ["env = { 'a b' = 'x' }", 'not one named "a b"'],
    ["pass_env = 'GITHUB_TOKEN'", "a list of environment variable names"],
    ["pass_env = ['ghp-hunter2']", "a list of environment variable names"],
    ["token_env = 'hunter2-x'", "the name of an environment variable"],
    ["url = 'ftp://x'", "a URL like https://example.com/mcp"],
    ["url = 'https://me:hunter2@x/mcp'", "without user name"],
    ["url = 'https://x/mcp#a'", "fragment"],
    ["tier = 'auto'", 'must be "memory"'],
    ["enabled = 'no'", "true or false"],
    ["timeout_seconds = 0", "an integer from 1 to 3600"],
    ["timeout_seconds = 9999", "an integer from 1 to 3600"],
  ] as const)("rejects an MCP server with %s", ([line, expected]) => {
    const { errors } = parse(`[mcp.servers.x]\n${line}`);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(expected);
    expect(errors[0]?.segments).toEqual(["mcp", "servers", "x", line.split(" ")[0]]);
  });

  it.for(["token = 'hunter2'", "api_key = 'hunter2'", "pass_env = ['hunter2-x']"])(
    "does not repeat a possible secret in an MCP server: %s",
    (line) => {
      const { errors } = parse(`[mcp.servers.x]\ncommand = 'x'\n${line}`);
      expect(errors).toHaveLength(1);
      expect(JSON.stringify(errors)).not.toContain("hunter2");
    },
  );

  it.for([
    ["[mcp.servers.Github]\ncommand='x'", "lowercase"],
    ["[mcp.servers.'a.b']\ncommand='x'", "lowercase"],
    ["[mcp.servers.a__b]\ncommand='x'", "without two _ in a row"],
    ["[mcp.servers.a_]\ncommand='x'", "or one at an end"],
    ["[mcp.servers._a]\ncommand='x'", "or one at an end"],
    ["[mcp.servers.__proto__]\ncommand='x'", "lowercase"],
    [`[mcp.servers.${"a".repeat(33)}]\ncommand='x'`, "at most 32"],
    ["[mcp]\nservers = 'x'", "must be a table of named tables"],
    ["mcp = 'x'", "mcp is a table, not"],
    ["[mcp.servers]\ngithub = 'npx'", "mcp.servers.github is a table"],
    ["[mcp.servers]\ntoken = 'hunter2'", "token_env"],
    ["[mcp.servers.x]\npass_env=['A']\npassEnv=['B']", "set twice"],
  ] as const)("rejects the MCP settings %j", ([text, expected]) => {
    const { errors } = parse(text);
    expect(errors[0]?.message).toContain(expected);
    expect(JSON.stringify(errors)).not.toContain("hunter2");
  });

  it("accepts no two server names that can produce the same tool name", () => {
    const name = fc.stringMatching(/^[a_-]{1,4}$/);
    const isName = (server: string): boolean =>
      parse(`[mcp.servers.${server}]\ncommand='x'`).errors.length === 0;
    fc.assert(
      fc.property(name, name, name, name, (server, tool, other, otherTool) => {
        fc.pre(server !== other && isName(server) && isName(other));
        expect(`mcp__${server}__${tool}`).not.toBe(`mcp__${other}__${otherTool}`);
      }),
    );
  });

  it.for([
    ["command = 'x'\ncolour = 1", 3, "unknown setting mcp.servers.x.colour. Its keys are command"],
    ["command = 'x'\narg = ['y']", 3, "Did you mean args?"],
    ["args = ['y']", 1, "has neither command nor url"],
    ["command = 'x'\nurl = 'https://x'", 3, "has both command and url"],
    ["url = 'https://x'\ncwd = '/x'", 3, "cwd has no effect without command"],
    ["command = 'x'\ntokenEnv = 'T'", 3, "token_env has no effect without url"],
    ["command = 'x'\nmemory_tool = 'y'", 3, 'no effect without tier = "memory"'],
    ["command = 'x'\nenv = { A = '$' }\nargs = ['']", 0, ""],
    ["command = 'x'\nenv = { A = '${HOME}' }", 3, "variables are not expanded"],
    ["command = 'x'\nenv = { GH_TOKEN = 'hunter2' }", 3, 'pass_env = ["GH_TOKEN"]'],
    ["command = 'x'\nenv = { A = 'ghp_hunter2hunter2' }", 3, "looks like a secret"],
    ["command = 'x'\nargs = ['--token=hunter2']", 3, "contains what looks like a secret"],
    ["url = 'https://x/mcp?api_key=hunter2'", 2, "token_env"],
    ["enabled = false", 0, ""],
  ] as const)("warns with the line about the MCP server %j", async ([lines, line, expected]) => {
    const file = parse(`[mcp.servers.x]\n${lines}\n`);
    expect(file.errors).toEqual([]);
    const warnings = await locateDiagnostics(file.warnings, [file]);
    expect(warnings.map((warning) => warning.line)).toEqual(line === 0 ? [] : [line]);
    expect(warnings[0]?.message ?? "").toContain(expected);
    expect(JSON.stringify(warnings)).not.toContain("hunter2");
  });

  it("suggests mcp.servers for the names that other agents use", () => {
    expect(parse("[mcp_servers.x]\ncommand='x'").warnings[0]?.message).toContain("mcp.servers");
    expect(parse("[mcpServers.x]\ncommand='x'").warnings[0]?.message).toContain("mcp.servers");
  });
});

describe("settings set mcp.servers.<name>.<key>", () => {
  it("settings set adds, changes and removes keys of MCP servers and keeps the rest", () => {
    expect(patch("", "mcp.servers.github.command", "npx")).toBe(
      '[mcp.servers.github]\ncommand = "npx"\n',
    );
    expect(patch("", "mcp.servers.x.args", "-y", "a b")).toBe(
      '[mcp.servers.x]\nargs = ["-y","a b"]\n',
    );
    expect(patch("", "mcp.servers.x.env", "A=b=c", 'Q="')).toBe(
      '[mcp.servers.x]\nenv = { A = "b=c", Q = "\\"" }\n',
    );
    expect(patch("", "mcp.servers.x.enabled", "off")).toBe("[mcp.servers.x]\nenabled = false\n");
    expect(patch(GITHUB, "mcp.servers.github.command", "uvx")).toBe(
      GITHUB.replace('"npx"', '"uvx"'),
    );
    expect(patch(GITHUB, "mcp.servers.github.pass_env")).toBe(
      GITHUB.replace('passEnv = ["GITHUB_TOKEN"]\n', ""),
    );
    expect(servers(patch(GITHUB, "mcp.servers.docs.timeoutSeconds", "9"))).toMatchObject({
      github: { command: "npx" },
      docs: { timeout_seconds: 9, tier: "memory" },
    });
  });

  it.for([
    "mcp = { servers = { a = { command = 'x' } } }\n",
    "[mcp]\nservers = { a = { command = 'x' } }\n",
    "mcp.servers = { a = { command = 'x' } }\n",
    "[mcp.servers]\na = { command = 'x' }\n",
    "[mcp.servers.a]\ncommand = 'x'\n",
  ])("settings set adds an MCP server next to %j", (text) => {
    expect(servers(patch(text, "mcp.servers.b.command", "y"))).toEqual({
      a: { command: "x" },
      b: { command: "y" },
    });
  });

  it.for([
    ["mcp.servers.x.token", "hunter2", /token_env/],
    ["mcp.servers.x.pass_env", "hunter2-x", /environment variable names/],
    ["mcp.servers.x.env", "hunter2", /variables like PORT=8080/],
    ["mcp.servers.X.command", "npx", /lowercase/],
    ["mcp.servers.x.colour", "red", /Its keys are command/],
    ["mcp.servers.x", "red", /Name a key of one server/],
    ["mcp.servers", "red", /Name a key of one server/],
    ["mcp.servers.x.env.A", "red", /Name a key of one server/],
  ] as const)("settings set rejects %s", ([key, word, expected]) => {
    const message = messageOf(key, word);
    expect(message).toMatch(expected);
    expect(message).not.toContain("hunter2");
  });

  it("effectiveValue reads one key of an MCP server", () => {
    const { effective } = resolveSettings({
      environment: new Map(),
      user: parse(GITHUB),
      projects: [],
    });
    const value = (key: string): unknown => effectiveValue(effective, key);
    expect(value("mcp.servers.github.command")).toEqual({ value: "npx" });
    expect(value("mcp.servers.github.args")).toEqual({ value: ["-y", "server-github"] });
    expect(value("mcp.servers.github.env")).toEqual({ value: { LOG: "off" } });
    expect(value("mcp.servers.missing.env")).toEqual({ value: undefined });
    expect(value("mcp.servers.github")).toMatchObject({ code: "UNKNOWN_KEY" });
  });
});

describe("MCP servers in a project file", () => {
  const resolve = (
    own: string,
    ...projects: readonly string[]
  ): ReturnType<typeof resolveSettings> =>
    resolveSettings({
      environment: new Map(),
      user: parse(own, "/own"),
      projects: projects.map((text, index) => parse(text, `/project-${index}`)),
    });

  it("treats an MCP server in a project file as a request, without a warning", () => {
    const { values, effective, requestedServers, warnings } = resolve(
      "",
      "[mcp.servers.a]\ncommand = 'x'",
    );
    expect(values["mcp.servers"]).toEqual({});
    expect(effective.find(({ key }) => key === "mcp.servers")?.origins).toEqual([
      { source: "default" },
    ]);
    expect(requestedServers).toEqual([
      { name: "a", settings: { command: "x" }, path: "/project-0" },
    ]);
    expect(warnings).toEqual([]);
  });

  it("ignores a requested MCP server with the name of the user's own server and reports it", () => {
    const { values, requestedServers, warnings } = resolve(
      "[mcp.servers.a]\ncommand = 'mine'",
      "[mcp.servers.a]\ncommand = 'evil'\n[mcp.servers.b]\ncommand = 'x'",
    );
    expect(values["mcp.servers"]).toEqual({ a: { command: "mine" } });
    expect(requestedServers.map(({ name }) => name)).toEqual(["b"]);
    expect(warnings).toMatchObject([
      {
        code: "NOT_FOR_PROJECTS",
        path: "/project-0",
        segments: ["mcp", "servers", "a"],
        message: "mcp.servers.a is ignored in a project file: you have a server with that name.",
      },
    ]);
  });

  it("silently ignores a requested MCP server that the user disabled", () => {
    const off = "[mcp.servers.a]\nenabled = false";
    expect(resolve(off, "[mcp.servers.a]\ncommand = 'x'")).toMatchObject({
      requestedServers: [],
      warnings: [],
    });
  });

  it("lets the local project file replace a requested MCP server of the same name", () => {
    const first = "[mcp.servers.a]\ncommand = 'x'\n[mcp.servers.b]\ncommand = 'x'";
    expect(resolve("", first, "[mcp.servers.a]\ncommand = 'y'").requestedServers).toEqual([
      { name: "a", settings: { command: "y" }, path: "/project-1" },
      { name: "b", settings: { command: "x" }, path: "/project-0" },
    ]);
  });

  it("limits the number of MCP servers that a repository can request", () => {
    const many = Array.from({ length: 18 }, (_, index) => `[mcp.servers.s${index}]\ncommand='x'`);
    const { requestedServers, warnings } = resolve("", many.join("\n"));
    expect(requestedServers).toHaveLength(16);
    expect(warnings.map(({ segments }) => segments?.at(-1))).toEqual(["s16", "s17"]);
  });

  it("never adds a requested MCP server to the settings", () => {
    const name = fc.constantFrom("a", "b", "c");
    const line = fc.constantFrom("command = 'x'", "url = 'https://x'", "enabled = true");
    const table = fc.uniqueArray(fc.tuple(name, line), { selector: ([key]) => key, maxLength: 3 });
    const written = table.map((rows) =>
      rows.map(([key, value]) => `[mcp.servers.${key}]\n${value}\n`).join(""),
    );
    fc.assert(
      fc.property(written, written, written, (own, project, local) => {
        const { values, requestedServers } = resolve(own, project, local);
        expect(values["mcp.servers"]).toEqual(resolve(own).values["mcp.servers"]);
        const names = requestedServers.map((server) => server.name);
        for (const requested of names) expect(values["mcp.servers"]).not.toHaveProperty(requested);
        expect(new Set(names).size).toBe(names.length);
      }),
    );
  });
});

describe("redactedValue", () => {
  it("redactedValue hides everything that looks like a secret", () => {
    const shown = redactedValue({
      a: {
        command: "npx",
        args: ["-y", "--api-key=hunter2", "ghp_hunter2hunter2", "--port=1"],
        env: { GITHUB_TOKEN: "hunter2", LOG: "off" },
        pass_env: ["GITHUB_TOKEN"],
        url: "https://x/mcp?token=hunter2",
        enabled: true,
      },
    });
    expect(shown).toEqual({
      a: {
        command: "npx",
        args: ["-y", "--api-key=(not shown)", "(not shown)", "--port=1"],
        env: { GITHUB_TOKEN: "(not shown)", LOG: "off" },
        pass_env: ["GITHUB_TOKEN"],
        url: "https://x/mcp?(not shown)",
        enabled: true,
      },
    });
    expect(redactedTexts(["https://x/mcp?project=1"])).toEqual(["https://x/mcp?project=1"]);
  });

  it("redactedValue shows the name of a variable, which is not a secret", () => {
    const table = { x: { base_url: "http://localhost:1/v1", api_key_env: "MY_KEY" } };
    expect(redactedValue(table)).toEqual(table);
  });
});
