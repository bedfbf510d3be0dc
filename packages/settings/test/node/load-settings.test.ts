import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../test/support/temporary-directory.ts";
import { withoutPrivileges } from "../../../../test/support/without-privileges.ts";
import { writeFiles } from "../../../../test/support/write-files.ts";
import { loadSettings, type LoadSettingsInput } from "../../src/node/load-settings.ts";

const USER = "home/.config/caliban/settings.toml";
const PROJECT = "app/.caliban/settings.toml";
const LOCAL = "app/.caliban/settings.local.toml";

async function machine(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<LoadSettingsInput & { readonly path: (name: string) => string }> {
  const root = await temporaryDirectory();
  await writeFiles(root, files);
  const home = join(root, "home");
  return {
    env: {},
    platform: "linux",
    home,
    workspaceRoot: join(root, "app"),
    path: (name) => join(root, name),
  };
}

describe("loadSettings", () => {
  it("loadSettings returns the defaults when there is no file", async () => {
    const { values, warnings } = await loadSettings(await machine({}));
    expect(values["memory.cap_tokens_combined"]).toBe(32_000);
    expect(warnings).toEqual([]);
  });

  it("loadSettings merges the three files", async () => {
    const input = await machine({
      [USER]: "[memory]\ncap_tokens_auto = 100\n",
      [PROJECT]: "[memory]\ncap_tokens_auto = 50\nauto = false\n",
      [LOCAL]: "[memory]\ncap_tokens_auto = 70\n",
    });
    const { values, trusted, effective } = await loadSettings(input);
    expect(values).toMatchObject({ "memory.cap_tokens_auto": 50, "memory.auto": false });
    expect(trusted).toMatchObject({ "memory.cap_tokens_auto": 100, "memory.auto": true });
    expect(effective.find(({ key }) => key === "memory.cap_tokens_auto")?.origins).toEqual([
      { source: "project", where: input.path(PROJECT) },
    ]);
  });

  it("loadSettings reports the line of an unknown key", async () => {
    const input = await machine({ [USER]: "# hi\n[memory]\n  auot = true\n" });
    expect((await loadSettings(input)).warnings).toEqual([
      {
        code: "UNKNOWN_KEY",
        path: input.path(USER),
        line: 3,
        column: 3,
        message: "unknown setting memory.auot. Did you mean memory.auto?",
      },
    ]);
  });

  it("loadSettings names a missing argument", async () => {
    // @ts-expect-error -- a caller without types
    await expect(loadSettings({ env: {}, platform: "linux" })).rejects.toThrow(
      'loadSettings: "workspaceRoot" is required',
    );
    // @ts-expect-error -- a caller without types
    await expect(loadSettings()).rejects.toThrow('loadSettings: "env" is required');
  });
});

const BIG = new Uint8Array(10 * 1024 * 1024).fill("#".charCodeAt(0));

const BROKEN: readonly (readonly [string, string | Uint8Array, object])[] = [
  ["broken TOML", "[memory]\nauto = \n", { code: "SYNTAX", line: 2, column: 8 }],
  [
    "an invalid choice",
    "[memory]\n\n  write = 'never'\n",
    {
      code: "WRONG_TYPE",
      line: 3,
      column: 3,
      message: expect.stringContaining(
        'memory.write must be "auto", "allow", "inbox", "ask" or "off", not the string "never".',
      ),
    },
  ],
  ["a wrong type", "# hi\n[memory]\nauto = 'x'\n", { code: "WRONG_TYPE", line: 3, column: 1 }],
  [
    "10 MB",
    BIG,
    {
      code: "FILE_UNREADABLE",
      message: expect.stringContaining("10485760 bytes; the limit is 1 MiB"),
    },
  ],
  [
    "a byte that is not UTF-8",
    Uint8Array.of(0x23, 0x0a, 0xff, 0x0a),
    {
      code: "FILE_UNREADABLE",
      line: 2,
      column: 1,
      message: expect.stringContaining("not valid UTF-8"),
    },
  ],
];

describe("the user's file", () => {
  it.for(BROKEN)(
    "loadSettings rejects a user file with %s and reports the position",
    async ([, content, problem]) => {
      const input = await machine({ [USER]: content });
      await expect(loadSettings(input)).rejects.toMatchObject({
        name: "SettingsError",
        problems: [{ path: input.path(USER), ...problem }],
      });
    },
  );

  it("loadSettings does not silently ignore a user file that is a directory", async () => {
    const input = await machine({ [`${USER}/x`]: "" });
    await expect(loadSettings(input)).rejects.toThrow(
      `${input.path(USER)}: cannot read the settings: it is not a regular file.`,
    );
  });

  it.skipIf(process.platform === "win32")(
    "loadSettings does not silently ignore a user file that cannot be opened",
    async () => {
      const input = await machine({ [USER]: "" });
      await chmod(input.path("."), 0o755);
      await chmod(input.path(USER), 0o000);
      await expect(withoutPrivileges(() => loadSettings(input))).rejects.toThrow(
        "permission denied",
      );
    },
  );

  it("loadSettings reports every invalid value and variable at once", async () => {
    const input = await machine({ [USER]: "[memory]\nauto = 1\ncap_tokens_auto = 'x'\n" });
    const env = { CALIBAN_MEMORY_BUDGET_TOKENS: "lots" };
    await expect(loadSettings({ ...input, env })).rejects.toMatchObject({
      problems: [{ line: 2 }, { line: 3 }, { variable: "CALIBAN_MEMORY_BUDGET_TOKENS" }],
    });
  });
});

describe("a project file", () => {
  it.for(BROKEN)(
    "loadSettings reports and ignores a project file with %s",
    async ([, content, problem]) => {
      const input = await machine({
        [USER]: "[memory]\ncap_tokens_auto = 100\n",
        [PROJECT]: content,
        [LOCAL]: "[memory]\ncap_tokens_auto = 70\n",
      });
      const { values, warnings } = await loadSettings(input);
      expect(values["memory.cap_tokens_auto"]).toBe(70);
      expect(warnings).toEqual([
        expect.objectContaining({ path: input.path(PROJECT), ...problem }),
      ]);
      expect(warnings[0]?.message).toContain("The whole file is ignored until this is fixed.");
    },
  );

  it("loadSettings returns the servers that a repository requests, each with its file", async () => {
    const input = await machine({
      [USER]: "[mcp.servers.mine]\ncommand = 'x'\n",
      [PROJECT]: "[mcp.servers.a]\ncommand = 'x'\n[mcp.servers.mine]\ncommand = 'evil'\n",
      [LOCAL]: "[mcp.servers.b]\nurl = 'https://x'\n",
    });
    const { values, requestedServers, warnings } = await loadSettings(input);
    expect(values["mcp.servers"]).toEqual({ mine: { command: "x" } });
    expect(requestedServers).toEqual([
      { name: "a", settings: { command: "x" }, path: input.path(PROJECT) },
      { name: "b", settings: { url: "https://x" }, path: input.path(LOCAL) },
    ]);
    expect(warnings).toMatchObject([
      { code: "NOT_FOR_PROJECTS", path: input.path(PROJECT), line: 3, column: 1 },
    ]);
  });

  it("loadSettings returns no requested servers of an invalid project file", async () => {
    const broken = "[mcp.servers.a]\ncommand = 'x'\n[mcp.servers.b]\ncommand = 3\n";
    const { requestedServers, warnings } = await loadSettings(await machine({ [PROJECT]: broken }));
    expect(requestedServers).toEqual([]);
    expect(warnings).toMatchObject([{ line: 4, message: /The whole file is ignored/ }]);
  });

  it("loadSettings ignores a whole project file when one value is invalid", async () => {
    const input = await machine({ [PROJECT]: "[memory]\nauto = false\ncap_tokens_auto = 'x'\n" });
    expect((await loadSettings(input)).values["memory.auto"]).toBe(true);
  });

  it("a project file can deny tools but not allow them", async () => {
    const input = await machine({
      [USER]: "[permissions]\nallow = ['memory.*']\n",
      [PROJECT]: "[permissions]\nallow = ['*']\ndeny = ['Bash']\n",
    });
    const { values, warnings } = await loadSettings(input);
    expect(values["permissions.allow"]).toEqual(["memory.*"]);
    expect(values["permissions.deny"]).toEqual(["Bash"]);
    expect(warnings).toEqual([
      expect.objectContaining({ code: "NOT_FOR_PROJECTS", path: input.path(PROJECT), line: 2 }),
    ]);
  });

  it("loadSettings reports the line of a setting that a project file cannot set", async () => {
    const input = await machine({ [LOCAL]: "\n[memory]\ndirectory = '/etc'\n" });
    expect((await loadSettings(input)).warnings).toEqual([
      expect.objectContaining({
        code: "NOT_FOR_PROJECTS",
        path: input.path(LOCAL),
        line: 3,
        column: 1,
      }),
    ]);
  });
});
