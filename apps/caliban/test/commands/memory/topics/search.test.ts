import { existsSync } from "node:fs";
import { terminalSafe } from "@caliban/common";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../../fake-host.ts";
import { openTestProject, said, started } from "../../../project/search/test-project.ts";

const ID = "20261110-100000-aaaa";

function topic(description: string, body: string, type = "project"): string {
  return `---\nname: x\ndescription: ${JSON.stringify(description)}\nmetadata:\n  type: ${type}\n  updated: 2026-11-14T12:00:00.000Z\n---\n\n${body}\n`;
}

/** A project with three topics and a session. */
async function openProject(): Promise<Machine> {
  const here = await openTestProject();
  here.write("memory/deploy.md", topic("run migrations first", "First the migrations."));
  here.write(
    "memory/tabs.md",
    topic("prefers tabs \u202E", "Tabs, \u001B[31malways tabs. \u001B[0m", "user"),
  );
  here.write("memory/tokyo.md", topic("东京", "我们使用东京服务器进行部署。", "reference"));
  here.write(
    `sessions/${ID}.jsonl`,
    started(ID) +
      said(
        "where does the billing run?",
        "Migrations of billing run on db-2.",
        "thank you",
        "Gladly.",
      ),
  );
  return here.machine;
}

const scoreless = (text: string): string => text.replaceAll(/score \d+\.\d\d/g, "score N");

describe("caliban memory search", () => {
  it("lists topics and past sessions with ages and marked matches", async () => {
    const here = await openProject();
    const { stdout, stderr, exitCode } = await here.caliban("memory", "search", "migration");
    expect({ stderr, exitCode }).toEqual({ stderr: "", exitCode: 0 });
    expect(scoreless(stdout)).toBe(`\
Topics
  deploy (project, 2026-11-14, 2 days ago, score N): run migrations first
    First the **migrations**.

Past sessions
  ${ID} (2026-11-10, 6 days ago, score N): title of ${ID}
      user: where does the billing run?
    > assistant: **Migrations** of billing run on db-2.
      user: thank you
`);
  });

  it("lists a superseded topic after the one that supersedes it", async () => {
    const here = await openTestProject();
    here.write("memory/old-deploy.md", topic("deploy to staging", "Deploy with make deploy."));
    here.write(
      "memory/ship.md",
      topic("the ship tool", "Use ship.").replace(
        "metadata:",
        'supersedes: ["old-deploy"]\nmetadata:',
      ),
    );
    const { stdout } = await here.machine.caliban("memory", "search", "deploy");
    expect(
      scoreless(stdout)
        .split("\n")
        .filter((line) => /^ {2}\w/.test(line)),
    ).toEqual([
      "  ship (project, 2026-11-14, 2 days ago, score N): the ship tool",
      "  old-deploy (project, 2026-11-14, 2 days ago, score N, superseded by ship): deploy to staging",
    ]);
    const { stdout: json } = await here.machine.caliban("memory", "search", "deploy", "--json");
    expect(JSON.parse(json)).toMatchObject({
      topics: [{ name: "ship" }, { supersededBy: "ship" }],
    });
  });

  it("shows the parts of each score with --why", async () => {
    const here = await openProject();
    const { stdout } = await here.caliban("memory", "search", "billing migrations", "--why");
    expect(stdout.replaceAll(/\d\.\d\d/g, "N")).toContain(
      '    score: "migrations" N (description, text)\n',
    );
    expect(stdout.replaceAll(/\d\.\d\d/g, "N")).toMatch(
      /^ {4}score: .*"migrations" N \(text\).* \+ turns around it N/m,
    );
    const json = await here.caliban("memory", "search", "migrations", "--why", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({
      topics: [{ why: [{ part: "term", term: "migrations", fields: ["description", "text"] }] }],
      sessions: [{ why: [{ part: "term" }, { part: "session" }] }],
    });
    const plain = await here.caliban("memory", "search", "migrations", "--json");
    expect(plain.stdout).not.toContain('"why"');
  });

  it("shows matches in bold on a terminal and escapes everything else", async () => {
    const here = (await openProject()).with({ isTerminal: true, hasBold: true });
    const { stdout } = await here.caliban("memory", "search", "tabs");
    const own = stdout.replaceAll("\u001B[1m", "<").replaceAll("\u001B[22m", ">");
    expect(own).toContain("): prefers tabs \\u{202e}\n");
    expect(own).toContain("    <Tabs>, \\u{1b}[31malways <tabs>. \\u{1b}[0m\n");
    expect(own).toBe(terminalSafe(own));
    const plain = await here.with({ hasBold: false }).caliban("memory", "search", "tabs");
    expect(plain.stdout).toContain("**Tabs**, \\u{1b}[31malways **tabs**.");
  });

  it("stores its index for the next search before it ends", async () => {
    const here = await openTestProject();
    here.write("memory/deploy.md", topic("run migrations first", "First the migrations."));
    await here.machine.caliban("memory", "search", "migrations");
    expect(existsSync(here.snapshot)).toBe(true);
  });

  it("escapes a query that was not found", async () => {
    const here = await openProject();
    const query = "kites\u009B5n\u202E";
    const { stderr } = await here.caliban("memory", "search", query);
    expect(stderr).toContain("nothing found");
    expect(stderr).toBe(terminalSafe(stderr));
    const { stdout } = await here.caliban("memory", "search", query, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ query });
    expect(stdout).toBe(terminalSafe(stdout));
  });

  it("finds words in scripts without spaces", async () => {
    const { stdout } = await (await openProject()).caliban("memory", "search", "服务器");
    expect(stdout).toContain("我们使用东京**服务器**进行部署。");
  });

  it.for([
    [["migrations", "--kind", "topics"], ["deploy"], 0],
    [["migrations", "--kind", "sessions"], [], 1],
    [["migrations", "--type", "project"], ["deploy"], 0],
    [["migrations", "tabs", "--limit", "1", "--kind", "topics"], ["tabs"], 0],
    [["migrations", "--since", "5d"], ["deploy"], 0],
    [["migrations", "--since", "2026-11-10"], ["deploy"], 1],
  ] as const)(
    "applies the filters of %j: finds %j and %i passages",
    async ([words, names, count]) => {
      const { stdout, exitCode } = await (
        await openProject()
      ).caliban("memory", "search", ...words, "--json");
      const found = JSON.parse(stdout) as {
        readonly topics: readonly { readonly name: string }[];
        readonly sessions: readonly object[];
      };
      expect(exitCode).toBe(0);
      expect(found.topics.map(({ name }) => name)).toEqual(names);
      expect(found.sessions).toHaveLength(count);
    },
  );

  it("prints JSON of the same shape, whatever was found", async () => {
    const here = await openProject();
    const { stdout } = await here.caliban("memory", "search", "billing", "migrations", "--json");
    const found = JSON.parse(stdout) as Readonly<Record<string, readonly object[]>>;
    expect(Object.keys(found)).toEqual(["query", "topics", "sessions", "searched", "notes"]);
    expect(found).toMatchObject({
      query: "billing migrations",
      searched: { topics: 3, sessions: 1, turns: 4 },
      notes: [],
    });
    expect(Object.keys(found["topics"]?.[0] ?? {}).toSorted()).toEqual(
      "address age description kind name score snippet type updated".split(" "),
    );
    expect(found["topics"]?.[0]).toMatchObject({
      kind: "topic",
      name: "deploy",
      address: "memory://topics/deploy",
      type: "project",
      snippet: { text: "First the migrations.", marks: [[10, 20]] },
      updated: "2026-11-14T12:00:00.000Z",
      age: "2 days ago",
    });
    expect(Object.keys(found["sessions"]?.[0] ?? {}).toSorted()).toEqual(
      "age agent score session title turns updated".split(" "),
    );
    const none = await here.caliban("memory", "search", "zebra", "--json");
    expect(none.exitCode).toBe(3);
    expect(JSON.parse(none.stdout)).toEqual({
      query: "zebra",
      topics: [],
      sessions: [],
      searched: { topics: 3, sessions: 1, turns: 4 },
      notes: [],
    });
  });

  it("exits with 3 when nothing is found, and reports what was searched and what to try", async () => {
    const here = await openProject();
    expect(await here.caliban("memory", "search", "zebra")).toEqual({
      exitCode: 3,
      stdout: "",
      stderr:
        'caliban: nothing found for "zebra" in 3 topics and 4 turns of 1 past session; try other or fewer words\n',
    });
    const narrow = await here.caliban("memory", "search", "zebra", "--since", "1d");
    expect(narrow.stderr).toContain("fewer words, or leave out --since\n");
    const kind = await here.caliban("memory", "search", "zebra", "--kind", "topics");
    expect(kind.stderr).toContain("in 3 topics; try other or fewer words, or leave out --kind\n");
    const words = await here.caliban("memory", "search", "what", "is", "the");
    expect(words.exitCode).toBe(3);
    expect(words.stderr).toMatch(
      /^caliban: The query has only very common words[^]*\ncaliban: nothing found/,
    );
  });

  it("creates nothing when there is nothing to search", async () => {
    const here = await machine();
    const { exitCode, stderr } = await here.caliban("memory", "search", "zebra");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 3,
      stderr: "caliban: nothing to search yet: no topics, and no past sessions of this project\n",
    });
    expect(existsSync(`${here.home}/.local/share`)).toBe(false);
  });

  it.for([
    [[" "], "nothing to search for"],
    [["x", "--kind", "notes"], '--kind must be topics, sessions or all, not "notes"'],
    [["x", "--type", "note"], '--type must be user, feedback, project or reference, not "note"'],
    [["x", "--type", "user", "--kind", "sessions"], "only topics have a type"],
    [["x", "--limit", "0"], '--limit must be an integer from 1 to 1000, not "0"'],
    [["x", "--limit", "1001"], "--limit must be"],
    [["x", "--since", "soon"], "--since must be a day (2026-10-01)"],
    [["x", "--since", "2026-11-17"], "in the past (UTC)"],
    [["x", "--since", "99999-01-01"], "--since must be"],
  ] as const)("exits with 2 for %j and reports what is allowed", async ([words, message]) => {
    const { exitCode, stdout, stderr } = await (
      await openProject()
    ).caliban("memory", "search", ...words);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: "" });
    expect(stderr).toContain(message);
  });

  it.for([
    ["a million characters", "migrations ".repeat(100_000)],
    ["characters of patterns and queries", "migrations (.*)+$ '; DROP TABLE topics; -- %_ \\"],
    ["NUL and half a character", "migrations\0\uD800"],
  ] as const)("accepts a query of %s", async ([, query]) => {
    const { exitCode, stdout } = await (
      await openProject()
    ).caliban("memory", "search", "--", query);
    expect(exitCode).toBe(0);
    expect(stdout).toContain("First the **migrations**.");
  });

  it.for(["--bare", "--no-memory"])("searches with %s and writes nothing", async (flag) => {
    const here = await openProject();
    const { stdout } = await here.caliban(flag, "memory", "search", "migrations");
    expect(stdout).toContain("deploy (project");
    expect(existsSync(`${here.home}/.local/state`)).toBe(false);
    await here.caliban("memory", "search", "migrations");
    expect(existsSync(`${here.home}/.local/state/caliban/search`)).toBe(true);
  });

  it("searches when auto-memory is turned off", async () => {
    const here = await openProject();
    const off = here.with({ env: { ...here.host.env, CALIBAN_DISABLE_AUTO_MEMORY: "1" } });
    expect((await off.caliban("memory", "search", "migrations")).stdout).toContain(
      "deploy (project",
    );
  });
});
