import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { titleOf } from "@caliban/sessions";
import { searchTerms } from "@caliban/memory/search";
import { describe, expect, it } from "vitest";
import { sessionsSource } from "@caliban/autonomous-memory/node";
import { message, openTestProject, said, started, formatTurns } from "./test-project.ts";

const [ONE, TWO] = ["20261110-100000-aaaa", "20261111-100000-bbbb"];
const file = (id: string): string => `sessions/${id}.jsonl`;

describe("sessionsSource", () => {
  it("finds past sessions by what was said, with a turn on each side", async () => {
    const here = await openTestProject();
    here.write(
      file(ONE),
      started(ONE) +
        said(
          "good morning",
          "hello",
          "why is the checkout slow",
          "the orders have no index",
          "thanks",
        ),
    );
    here.write(file(TWO), started(TWO) + said("write a poem", "roses are red"));
    const found = await here.find("slow checkout");
    const texts = ["hello", "[why is the checkout slow]", "the orders have no index"];
    expect(formatTurns(found)).toEqual(expect.arrayContaining(texts));
    expect(formatTurns(found)).not.toContain("roses are red");
    expect(found.sessions[0]).toMatchObject({
      session: ONE,
      agent: "caliban",
      title: `title of ${ONE}`,
      updatedMs: Date.parse("2026-11-10T10:00:00.000Z"),
    });
    expect(found.searched).toMatchObject({ sessions: 2, turns: 7 });
    expect(found.notes).toEqual([]);
  });

  it("finds neither the results of tools nor their input", async () => {
    const here = await openTestProject();
    const call = { type: "tool-call", id: "c", name: "Grep", input: { pattern: "flamingo" } };
    const results = [{ id: "c", name: "Grep", text: "a flamingo", isError: false }];
    here.write(
      file(ONE),
      started(ONE) +
        said("look for birds") +
        message({ role: "assistant", model: "a/b", parts: [call] }, 2) +
        message({ role: "tool", results }, 3),
    );
    expect((await here.find("flamingo")).sessions).toEqual([]);
    expect((await here.find("birds")).sessions).toHaveLength(1);
  });

  it("continues reading a session where it stopped before", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("the first question", "an answer"));
    const search = await here.open();
    await search.search({ query: "first" });
    here.append(file(ONE), message({ role: "user", text: "a second question" }, 3));
    const found = await search.search({ query: "second" });
    expect(formatTurns(found)).toContain("[a second question]");
    expect((await search.search({ query: "first" })).sessions).toHaveLength(1);
    expect(found.searched).toMatchObject({ sessions: 1, turns: 3 });
  });

  it.for([
    ["and nothing was added", ""],
    ["and something was added", message({ role: "user", text: "a second question" }, 3)],
  ] as const)("reads a session again after text was replaced, %s", async ([, added]) => {
    const here = await openTestProject();
    const path = join(here.home, file(ONE));
    here.write(file(ONE), started(ONE) + said("about an eagle", "a long answer ".repeat(20)));
    const search = await here.open();
    expect((await search.search({ query: "eagle" })).sessions).toHaveLength(1);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, text.replace("eagle", "raven") + added);
    utimesSync(path, 1, 1);
    expect((await search.search({ query: "eagle" })).sessions).toEqual([]);
    expect((await search.search({ query: "raven" })).sessions).toHaveLength(1);
  });

  it("numbers added turns after the earlier ones", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("one", "two", "three", "four"));
    const search = await here.open();
    await search.search({ query: "one" });
    here.append(file(ONE), message({ role: "user", text: "and pelicans" }, 5));
    const found = await search.search({ query: "pelicans" });
    expect(formatTurns(found)).toEqual(["four", "[and pelicans]"]);
  });

  it("searches the first 4,000 characters of a turn", async () => {
    const here = await openTestProject();
    const filler = "x ".repeat(1_990);
    here.write(file(ONE), started(ONE) + said(`${filler}penguin`, "yes"));
    here.write(file(TWO), started(TWO) + said(`${filler}${filler}pelican`, "yes"));
    expect((await here.find("penguin")).sessions).toHaveLength(1);
    expect((await here.find("pelican")).sessions).toEqual([]);
  });

  it("shows the name that the user gave a session, even a later one", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    const search = await here.open();
    const titles = async (): Promise<readonly string[]> =>
      (await search.search({ query: "penguins" })).sessions.map(({ title }) => title);
    expect(await titles()).toEqual([`title of ${ONE}`]);
    const named = { type: "name", at: "2026-11-10T11:00:00.000Z", name: "birds" };
    here.append(file(ONE), `${JSON.stringify(named)}\n`);
    expect(await titles()).toEqual(["birds"]);
  });

  it("reads a session again when its file was replaced", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    const search = await here.open();
    expect((await search.search({ query: "penguins" })).sessions).toHaveLength(1);
    here.write(file(ONE), started(ONE) + said("about pelicans instead", "yes"));
    expect((await search.search({ query: "penguins" })).sessions).toEqual([]);
    expect((await search.search({ query: "pelicans" })).sessions).toHaveLength(1);
  });

  it("forgets removed sessions", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    const search = await here.open();
    expect((await search.search({ query: "penguins" })).sessions).toHaveLength(1);
    const { exitCode } = await here.machine.caliban("sessions", "rm", ONE, "--force");
    expect(exitCode).toBe(0);
    expect(await search.search({ query: "penguins" })).toMatchObject({
      sessions: [],
      searched: { sessions: 0, turns: 0 },
    });
    expect((await here.find("penguins")).sessions).toEqual([]);
  });

  it("returns nothing for a session that is removed while it is read", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    const { home } = here.machine;
    const source = sessionsSource({
      sessionsDirectory: join(here.home, "sessions"),
      sources: [],
      env: {},
      home,
      workspaceRoot: join(home, "app"),
      searchTerms,
    });
    const entries = await source.list();
    const entry = entries.find(({ key }) => key === ONE) ?? { key: "", fingerprint: "" };
    const read = await source.read(entry, undefined);
    const id = read?.documents[0]?.id ?? "";
    expect(await source.show(id)).toMatchObject({ text: "about penguins" });
    rmSync(join(here.home, file(ONE)));
    expect([await source.read(entry, undefined), await source.show(id)]).toEqual([
      undefined,
      undefined,
    ]);
  });

  it("finds messages once that a session carried over from another", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    here.write(
      file(TWO),
      started(TWO, { continues: ONE, carried: 2 }) +
        said("about penguins", "yes", "and about pelicans", "no"),
    );
    expect((await here.find("penguins")).sessions.map(({ session }) => session)).toEqual([ONE]);
    expect((await here.find("pelicans")).searched).toMatchObject({ turns: 4 });
  });

  it("leaves out sessions that opted out of learning, and counts them in every process", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE, { learn: false }) + said("about penguins", "yes"));
    here.write(file(TWO), started(TWO) + said("about pelicans", "yes"));
    const note = "1 session is not searched because of --no-learn or --no-memory.";
    for (const query of ["penguins", "pelicans"]) {
      const { sessions, notes } = await here.find(query);
      expect([sessions.length, notes]).toEqual([query === "penguins" ? 0 : 1, [note]]);
    }
    rmSync(join(here.home, file(ONE)));
    expect((await here.find("penguins")).notes).toEqual([]);
  });

  it("forgets a session when a later process opts out of learning", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    const search = await here.open();
    expect((await search.search({ query: "penguins" })).sessions).toHaveLength(1);
    const resumed = { type: "resumed", at: "", cwd: "", model: "", version: "", learn: false };
    here.append(file(ONE), `${JSON.stringify(resumed)}\n`);
    const found = await search.search({ query: "penguins" });
    expect([found.sessions, found.notes.length]).toEqual([[], 1]);
  });

  it("leaves out the running session until it is over", async () => {
    const here = await openTestProject();
    let running: string | undefined = ONE;
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    here.write(file(TWO), started(TWO) + said("about penguins too", "yes"));
    const search = await here.open(() => running);
    const sessions = async (): Promise<readonly string[]> =>
      (await search.search({ query: "penguins" })).sessions.map(({ session }) => session);
    expect(await sessions()).toEqual([TWO]);
    running = TWO;
    expect(await sessions()).toEqual([ONE]);
    running = undefined;
    expect((await sessions()).toSorted()).toEqual([ONE, TWO]);
  });

  it("shows turns without secrets and control characters", async () => {
    const here = await openTestProject();
    const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const text = `deploy with ${token}\u001B[31m red \u202E\0 \uD800 end`;
    here.write(file(ONE), started(ONE, { title: text }) + said(text, "done"));
    const found = JSON.stringify((await here.find("deploy")).sessions);
    expect(found).toContain("secret removed");
    expect(found).not.toContain(token.slice(4));
    // oxlint-disable-next-line no-control-regex -- finding control characters is the purpose
    expect(found).not.toMatch(/[\u0000\u001B\u202E]|\\u001b|\\u0000|\\ud800/i);
    expect(found).not.toContain("[31m");
  });

  it("shows no half of a secret where a long text is cut", async () => {
    const here = await openTestProject();
    const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const text = `${"x ".repeat(1985)} deploy ${token}`;
    here.write(file(ONE), started(ONE, { title: "t" }) + said(text, "done"));
    expect(JSON.stringify(await here.find("deploy"))).not.toContain("ghp_");
  });

  it("shows titles without any part of a secret", async () => {
    const here = await openTestProject();
    const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
    const first = `deploy the staging with the key ${token} and then tell me what you saw`;
    const title = titleOf(first);
    expect(title).toContain("ghp_a1B2");
    here.write(file(ONE), started(ONE, { title }) + said(first, "done"));
    // Only the cut title exists here; its text is in another session.
    here.write(file(TWO), started(TWO, { title }) + said("deploy something else", "done"));
    const { sessions } = await here.find("deploy");
    expect(sessions.map((each) => each.title).toSorted()).toEqual([
      "deploy the staging with the key [secret removed: GitHub token] and…",
      "deploy the staging with the key…",
    ]);
  });

  it("finds the other lines of a session with a 50 MB line, and reports that line", async () => {
    const here = await openTestProject();
    const long = message({ role: "user", text: "x".repeat(50 * 1024 * 1024) }, 3);
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    here.append(file(ONE), long);
    here.append(file(ONE), message({ role: "user", text: "and pelicans" }, 4));
    const found = await here.find("pelicans");
    expect(formatTurns(found).slice(-2)).toEqual(["yes", "[and pelicans]"]);
    const notes = ["1 line of a past session is not searched because it is longer than 1 MiB."];
    expect(found.notes).toEqual(notes);
    here.append(file(ONE), message({ role: "user", text: "and herons" }, 5));
    expect((await here.find("herons")).notes).toEqual(notes);
  });

  it("finds sessions next to a damaged file, a link and a directory", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    here.write(file(TWO), `\0\0{{{\n[]\n${said("about pelicans")}`);
    symlinkSync("/etc/hostname", join(here.home, file("20261112-100000-cccc")));
    mkdirSync(join(here.home, file("20261112-100000-dddd")));
    const found = await here.find("penguins pelicans");
    expect(found.sessions).toHaveLength(2);
    expect(found.notes.toSorted()).toEqual([
      "Session 20261112-100000-cccc is not searched: cannot open its file: it is a symbolic link.",
      "Session 20261112-100000-dddd is not searched: its file is not a regular file.",
    ]);
  });

  it("reports an unreadable directory without its path", async () => {
    const here = await openTestProject();
    mkdirSync(here.home, { recursive: true });
    symlinkSync("sessions", join(here.home, "sessions"));
    expect((await here.find("penguins")).notes).toEqual([
      "Could not check the sessions: cannot read their directory: system error ELOOP.",
    ]);
  });

  it("ignores sessions without messages", async () => {
    const here = await openTestProject();
    here.write(file(ONE), started(ONE));
    here.write(file(TWO), "");
    expect(await here.find("penguins")).toMatchObject({
      sessions: [],
      searched: { sessions: 0 },
      notes: [],
    });
  });

  it("keeps the time of each turn, so that older ones can be excluded", async () => {
    const here = await openTestProject();
    const [old, young] = ["2026-11-01T00:00:00.000Z", "2026-11-09T00:00:00.000Z"];
    here.write(
      file(ONE),
      started(ONE) +
        message({ role: "user", text: "penguins of old" }, 1, old) +
        message({ role: "user", text: "something else" }, 2, old) +
        message({ role: "user", text: "young penguins" }, 3, young),
    );
    const sinceMs = Date.parse("2026-11-05T00:00:00.000Z");
    const found = await here.find({ query: "penguins", sinceMs });
    expect(formatTurns(found)).toContain("[young penguins]");
    expect(found.sessions.map(({ updatedMs }) => updatedMs)).toEqual([Date.parse(young)]);
  });
});

describe("sessions of other agents", () => {
  const uuid = "0a1b2c3d-0000-4000-8000-000000000001";
  const write = (path: string, records: readonly object[]): void => {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, records.map((record) => `${JSON.stringify(record)}\n`).join(""));
  };
  const claude = (cwd: string, text: string): readonly object[] => [
    { type: "user", sessionId: uuid, cwd, timestamp: AT_CLAUDE, message: { content: text } },
  ];
  const AT_CLAUDE = "2026-11-08T00:00:00.000Z";

  it("searches sessions of other agents that the user allows to read", async () => {
    const here = await openTestProject('[memories]\nsources = ["claude", "codex"]\n');
    const { home } = here.machine;
    const app = join(home, "app");
    const encoded = app.replaceAll(/[^A-Za-z\d]/g, "-");
    write(join(home, ".claude/projects", encoded, `${uuid}.jsonl`), claude(app, "about penguins"));
    const rollout = (name: string, cwd: string, text: string): void => {
      const content = [{ type: "input_text", text }];
      const path = join(home, ".codex/sessions/2026/11/08", `rollout-2026-11-08-${name}.jsonl`);
      write(path, [
        { timestamp: AT_CLAUDE, type: "session_meta", payload: { id: name, cwd } },
        {
          timestamp: AT_CLAUDE,
          type: "response_item",
          payload: { type: "message", role: "user", content },
        },
      ]);
      utimesSync(path, 1, 1);
    };
    rollout("0a1b2c3d-0000-4000-8000-000000000002", app, "penguins for codex");
    rollout("0a1b2c3d-0000-4000-8000-000000000003", "/elsewhere", "penguins elsewhere");
    const { sessions, searched, notes } = await here.find("penguins");
    expect(
      sessions.map(({ agent, session, title }) => `${agent} ${session} ${title}`).toSorted(),
    ).toEqual([
      `claude claude-${uuid} about penguins`,
      "codex codex-0a1b2c3d-0000-4000-8000-000000000002 penguins for codex",
    ]);
    expect([searched.sessions, notes]).toEqual([2, []]);
    expect(sessions[0]?.updatedMs).toBe(Date.parse(AT_CLAUDE));
  });

  it("reports unreadable sessions of other agents without the home directory", async () => {
    const here = await openTestProject('[memories]\nsources = ["claude", "codex"]\n');
    const { home } = here.machine;
    const encoded = join(home, "app").replaceAll(/[^A-Za-z\d]/g, "-");
    mkdirSync(join(home, ".claude/projects", encoded, `${uuid}.jsonl`), { recursive: true });
    writeFileSync(join(home, ".codex"), "no directory");
    const { notes } = await here.find("penguins");
    expect(notes.join(" ")).toContain("~/.claude/projects/");
    expect(notes.join(" ")).not.toContain(`${home}/`);
  });

  it("uses the newer of two files of the same session", async () => {
    const here = await openTestProject('[memories]\nsources = ["codex"]\n');
    const { home } = here.machine;
    const rollout = (directory: string, text: string, mtime: number): void => {
      const content = [{ type: "input_text", text }];
      const path = join(home, ".codex", directory, `rollout-2026-11-08-${uuid}.jsonl`);
      write(path, [
        {
          timestamp: AT_CLAUDE,
          type: "session_meta",
          payload: { id: uuid, cwd: join(home, "app") },
        },
        {
          timestamp: AT_CLAUDE,
          type: "response_item",
          payload: { type: "message", role: "user", content },
        },
      ]);
      utimesSync(path, mtime, mtime);
    };
    rollout("sessions/2026/11/08", "penguins of old", 1_000);
    rollout("archived_sessions", "young penguins", 2_000);
    const { sessions } = await here.find("penguins");
    expect(sessions.map(({ title }) => title)).toEqual(["young penguins"]);
    rollout("sessions/2026/11/08", "penguins of today", 3_000);
    const { sessions: later } = await here.find("penguins");
    expect(later.map(({ title }) => title)).toEqual(["penguins of today"]);
  });

  it("reports compressed sessions that cannot be read", async () => {
    const here = await openTestProject('[memories]\nsources = ["codex"]\n');
    here.write(file(ONE), started(ONE) + said("about penguins", "yes"));
    const path = join(here.machine.home, ".codex/sessions", `rollout-1-${uuid}.jsonl.zst`);
    write(path, []);
    const { sessions, notes } = await here.find("penguins");
    expect([sessions.length, notes]).toEqual([
      1,
      ["skipped 1 compressed session of Codex, which cannot be read."],
    ]);
  });

  it("ignores sessions of other agents by default", async () => {
    const here = await openTestProject("");
    const app = join(here.machine.home, "app");
    const encoded = app.replaceAll(/[^A-Za-z\d]/g, "-");
    const path = join(here.machine.home, ".claude/projects", encoded, `${uuid}.jsonl`);
    write(path, claude(app, "about penguins"));
    expect((await here.find("penguins")).sessions).toEqual([]);
  });
});
