import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { locateProblems } from "../src/locate-problems.ts";
import { resolveSettings } from "../src/resolve.ts";
import { presentableTexts, presentableValue } from "../src/secret-texts.ts";
import { effectiveValue } from "../src/setting-path.ts";
import { parse, patch, refusalOf } from "./settings-text.ts";

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
  it("gives every server by its name, in either spelling", () => {
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
    ["command = ''", "a text of 1 to 4096 characters"],
    ["command = ' '", "a text"],
    ['command = "a\\nb"', "without control characters"],
    ["command = ['npx']", "not a list"],
    ["args = 'x'", "a list of at most 256 texts"],
    ["args = [1]", "a list of at most 256 texts"],
    ['args = ["a\\u0000b"]', "a list of at most 256 texts"],
    ["env = ['A=b']", 'like { PORT = "8080" }'],
    ["env = { PORT = 8080 }", "not what is no text for PORT"],
    ["env = { 'a b' = 'x' }", 'not one called "a b"'],
    ["pass_env = 'GITHUB_TOKEN'", "a list of names"],
    ["pass_env = ['ghp-hunter2']", "a list of names"],
    ["token_env = 'hunter2-x'", "the name of an environment variable"],
    ["url = 'ftp://x'", "a URL like https://example.com/mcp"],
    ["url = 'https://me:hunter2@x/mcp'", "without user name"],
    ["url = 'https://x/mcp#a'", "fragment"],
    ["tier = 'auto'", 'must be "memory"'],
    ["enabled = 'no'", "true or false"],
    ["timeout_seconds = 0", "a whole number from 1 to 3600"],
    ["timeout_seconds = 9999", "a whole number from 1 to 3600"],
  ] as const)("refuses %s", ([line, expected]) => {
    const { errors } = parse(`[mcp.servers.x]\n${line}`);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(expected);
    expect(errors[0]?.segments).toEqual(["mcp", "servers", "x", line.split(" ")[0]]);
  });

  it.for(["token = 'hunter2'", "api_key = 'hunter2'", "pass_env = ['hunter2-x']"])(
    "does not repeat what may be a secret in a wrong place: %s",
    (line) => {
      const { errors } = parse(`[mcp.servers.x]\ncommand = 'x'\n${line}`);
      expect(errors).toHaveLength(1);
      expect(JSON.stringify(errors)).not.toContain("hunter2");
    },
  );

  it.for([
    ["[mcp.servers.Github]\ncommand='x'", "lower-case"],
    ["[mcp.servers.'a.b']\ncommand='x'", "lower-case"],
    ["[mcp.servers.a__b]\ncommand='x'", "no two _ side by side"],
    ["[mcp.servers.a_]\ncommand='x'", "none at an end"],
    ["[mcp.servers._a]\ncommand='x'", "none at an end"],
    ["[mcp.servers.__proto__]\ncommand='x'", "lower-case"],
    [`[mcp.servers.${"a".repeat(33)}]\ncommand='x'`, "at most 32"],
    ["[mcp]\nservers = 'x'", "must be a table of tables"],
    ["mcp = 'x'", "mcp is a table of settings"],
    ["[mcp.servers]\ngithub = 'npx'", "mcp.servers.github is a table"],
    ["[mcp.servers]\ntoken = 'hunter2'", "token_env"],
    ["[mcp.servers.x]\npass_env=['A']\npassEnv=['B']", "given twice"],
  ] as const)("refuses %j", ([text, expected]) => {
    const { errors } = parse(text);
    expect(errors[0]?.message).toContain(expected);
    expect(JSON.stringify(errors)).not.toContain("hunter2");
  });

  it("lets no two names make the same name of a tool", () => {
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
    ["command = 'x'\ncolour = 1", 3, "unknown setting mcp.servers.x.colour. It may have command"],
    ["command = 'x'\narg = ['y']", 3, "Did you mean args?"],
    ["args = ['y']", 1, "has neither command nor url"],
    ["command = 'x'\nurl = 'https://x'", 3, "has both command and url"],
    ["url = 'https://x'\ncwd = '/x'", 3, "cwd has no effect without command"],
    ["command = 'x'\ntokenEnv = 'T'", 3, "token_env has no effect without url"],
    ["command = 'x'\nmemory_tool = 'y'", 3, 'no effect without tier = "memory"'],
    ["command = 'x'\nenv = { A = '$' }\nargs = ['']", 0, ""],
    ["command = 'x'\nenv = { A = '${HOME}' }", 3, "variables are not put in"],
    ["command = 'x'\nenv = { GH_TOKEN = 'hunter2' }", 3, 'pass_env = ["GH_TOKEN"]'],
    ["command = 'x'\nenv = { A = 'ghp_hunter2hunter2' }", 3, "looks like a secret"],
    ["command = 'x'\nargs = ['--token=hunter2']", 3, "holds what looks like a secret"],
    ["url = 'https://x/mcp?api_key=hunter2'", 2, "token_env"],
    ["enabled = false", 0, ""],
  ] as const)("says with the line what is odd about %j", async ([lines, line, expected]) => {
    const file = parse(`[mcp.servers.x]\n${lines}\n`);
    expect(file.errors).toEqual([]);
    const warnings = await locateProblems(file.warnings, [file]);
    expect(warnings.map((warning) => warning.line)).toEqual(line === 0 ? [] : [line]);
    expect(warnings[0]?.message ?? "").toContain(expected);
    expect(JSON.stringify(warnings)).not.toContain("hunter2");
  });

  it("tells those who come from elsewhere what it is called", () => {
    expect(parse("[mcp_servers.x]\ncommand='x'").warnings[0]?.message).toContain("mcp.servers");
    expect(parse("[mcpServers.x]\ncommand='x'").warnings[0]?.message).toContain("mcp.servers");
  });
});

describe("settings set mcp.servers.<name>.<key>", () => {
  it("writes a new table, changes one value and takes one out, and keeps the rest", () => {
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
  ])("adds a server however the others are written: %j", (text) => {
    expect(servers(patch(text, "mcp.servers.b.command", "y"))).toEqual({
      a: { command: "x" },
      b: { command: "y" },
    });
  });

  it.for([
    ["mcp.servers.x.token", "hunter2", /token_env/],
    ["mcp.servers.x.pass_env", "hunter2-x", /names of environment variables/],
    ["mcp.servers.x.env", "hunter2", /variables like PORT=8080/],
    ["mcp.servers.X.command", "npx", /lower-case/],
    ["mcp.servers.x.colour", "red", /It may have command/],
    ["mcp.servers.x", "red", /name a key of one server/],
    ["mcp.servers", "red", /name a key of one server/],
    ["mcp.servers.x.env.A", "red", /name a key of one server/],
  ] as const)("refuses %s", ([key, word, expected]) => {
    const message = refusalOf(key, word);
    expect(message).toMatch(expected);
    expect(message).not.toContain("hunter2");
  });

  it("is read one key at a time", () => {
    const { effective } = resolveSettings({
      environment: new Map(),
      user: parse(GITHUB),
      projects: [],
    });
    const value = (key: string): unknown => effectiveValue(effective, key);
    expect(value("mcp.servers.github.command")).toEqual({ value: "npx" });
    expect(value("mcp.servers.github.args")).toEqual({ value: ["-y", "server-github"] });
    expect(value("mcp.servers.github.env")).toEqual({ value: { LOG: "off" } });
    expect(value("mcp.servers.nobody.env")).toEqual({ value: undefined });
    expect(value("mcp.servers.github")).toMatchObject({ code: "UNKNOWN_KEY" });
  });
});

describe("a file of the repository", () => {
  const resolve = (
    own: string,
    ...projects: readonly string[]
  ): ReturnType<typeof resolveSettings> =>
    resolveSettings({
      environment: new Map(),
      user: parse(own, "/own"),
      projects: projects.map((text, index) => parse(text, `/project-${index}`)),
    });

  it("only wishes for a server, without a warning", () => {
    const { values, effective, wishes, warnings } = resolve("", "[mcp.servers.a]\ncommand = 'x'");
    expect(values["mcp.servers"]).toEqual({});
    expect(effective.find(({ key }) => key === "mcp.servers")?.origins).toEqual([
      { source: "default" },
    ]);
    expect(wishes).toEqual([{ name: "a", settings: { command: "x" }, where: "/project-0" }]);
    expect(warnings).toEqual([]);
  });

  it("never takes the name of a server of the person's own, and is told", () => {
    const { values, wishes, warnings } = resolve(
      "[mcp.servers.a]\ncommand = 'mine'",
      "[mcp.servers.a]\ncommand = 'evil'\n[mcp.servers.b]\ncommand = 'x'",
    );
    expect(values["mcp.servers"]).toEqual({ a: { command: "mine" } });
    expect(wishes.map(({ name }) => name)).toEqual(["b"]);
    expect(warnings).toMatchObject([
      {
        code: "NOT_FOR_PROJECTS",
        where: "/project-0",
        segments: ["mcp", "servers", "a"],
        message: "mcp.servers.a is ignored here: you have a server of that name.",
      },
    ]);
  });

  it("is not heard, without a word, where the person turned that name off", () => {
    const off = "[mcp.servers.a]\nenabled = false";
    expect(resolve(off, "[mcp.servers.a]\ncommand = 'x'")).toMatchObject({
      wishes: [],
      warnings: [],
    });
  });

  it("is replaced by the local one, name by name", () => {
    const first = "[mcp.servers.a]\ncommand = 'x'\n[mcp.servers.b]\ncommand = 'x'";
    expect(resolve("", first, "[mcp.servers.a]\ncommand = 'y'").wishes).toEqual([
      { name: "a", settings: { command: "y" }, where: "/project-1" },
      { name: "b", settings: { command: "x" }, where: "/project-0" },
    ]);
  });

  it("may wish for so many servers only", () => {
    const many = Array.from({ length: 18 }, (_, index) => `[mcp.servers.s${index}]\ncommand='x'`);
    const { wishes, warnings } = resolve("", many.join("\n"));
    expect(wishes).toHaveLength(16);
    expect(warnings.map(({ segments }) => segments?.at(-1))).toEqual(["s16", "s17"]);
  });

  it("adds nothing to the settings, whatever it says", () => {
    const name = fc.constantFrom("a", "b", "c");
    const line = fc.constantFrom("command = 'x'", "url = 'https://x'", "enabled = true");
    const table = fc.uniqueArray(fc.tuple(name, line), { selector: ([key]) => key, maxLength: 3 });
    const written = table.map((rows) =>
      rows.map(([key, value]) => `[mcp.servers.${key}]\n${value}\n`).join(""),
    );
    fc.assert(
      fc.property(written, written, written, (own, project, local) => {
        const { values, wishes } = resolve(own, project, local);
        expect(values["mcp.servers"]).toEqual(resolve(own).values["mcp.servers"]);
        for (const wish of wishes) expect(values["mcp.servers"]).not.toHaveProperty(wish.name);
        expect(new Set(wishes.map((wish) => wish.name)).size).toBe(wishes.length);
      }),
    );
  });
});

describe("what is shown of a value", () => {
  it("has no secret in it", () => {
    const shown = presentableValue({
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
    expect(presentableTexts(["https://x/mcp?project=1"])).toEqual(["https://x/mcp?project=1"]);
  });

  it("names the variable of a provider, which is no secret", () => {
    const table = { x: { base_url: "http://localhost:1/v1", api_key_env: "MY_KEY" } };
    expect(presentableValue(table)).toEqual(table);
  });
});
