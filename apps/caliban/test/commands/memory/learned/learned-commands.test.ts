import { existsSync } from "node:fs";
import { readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { NO_OPTIONS } from "../../../../src/command.ts";
import { openLearned } from "../../../../src/commands/memory/learned/open-learned.ts";
import { collectStats } from "../../../../src/commands/memory/learned/stats.ts";
import { machine } from "../../../fake-host.ts";
import {
  ENABLED,
  machineWithPast,
  type PastSession,
  writeSessions,
} from "../../../pipeline/past-sessions.ts";

const SHIP: PastSession = {
  id: "20261110-100000-aaaa",
  said: "Always deploy with pnpm ship, never by hand.",
};
const VITEST: PastSession = {
  id: "20261111-100000-bbbb",
  said: "We use vitest for the tests in this repository.",
};
const STATE = ".local/state/caliban/memories.sqlite";

describe("caliban memory with learning off", () => {
  it("creates nothing on disk, and says how to enable learning", async () => {
    const { caliban, home } = await machine();
    const turnOn = "enable it with: caliban settings set memories.enabled true";
    const stats = await caliban("memory", "stats");
    expect(stats).toMatchObject({ exitCode: 0, stderr: "" });
    expect(stats.stdout).toContain(`off: memories.enabled is false; ${turnOn}`);
    expect(stats.stdout).toMatch(/^last run +never$/m);
    const view = await caliban("memory", "view");
    expect(view).toMatchObject({
      exitCode: 0,
      stdout: "",
      stderr: expect.stringContaining(turnOn),
    });
    expect(await caliban("memory", "retry")).toMatchObject({
      exitCode: 0,
      stdout: "nothing to retry: no failed or waiting jobs\n",
    });
    expect(await caliban("memory", "clear")).toMatchObject({
      exitCode: 0,
      stdout: "nothing to clear\n",
    });
    expect(await caliban("memory", "undo", "--generation")).toMatchObject({ exitCode: 3 });
    expect(await readdir(home)).toEqual(["app"]);
  });

  it.for([["rebuild"], ["rebuild", "--now"], ["enqueue"], ["enqueue", "--now"]])(
    "rejects %s and says why",
    async (words) => {
      const { caliban, home } = await machineWithPast([SHIP], "");
      const refused = await caliban("memory", ...words);
      expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
      expect(refused.stderr).toContain("memories.enabled true");
      expect(existsSync(join(home, STATE))).toBe(false);
    },
  );

  it.for([
    [["--bare"], "disabled by --bare"],
    [["--no-memory"], "disabled by --no-memory"],
  ] as const)("reports that learning is off with %j", async ([flags, reason]) => {
    const { caliban } = await machineWithPast([SHIP]);
    const refused = await caliban(...flags, "memory", "rebuild", "--now");
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(reason) });
  });

  it("reports that learning is off by environment variable", async () => {
    const at = await machineWithPast([SHIP]);
    const env = { HOME: at.home, CALIBAN_DISABLE_AUTO_MEMORY: "1" };
    const { stdout } = await at.with({ now: Date.now, env }).caliban("memory", "stats");
    expect(stdout).toContain("disabled by CALIBAN_DISABLE_AUTO_MEMORY");
  });

  it("fails without a home directory", async () => {
    const at = (await machine()).with({ env: {}, home: undefined });
    expect(await at.caliban("memory", "stats")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("set HOME"),
    });
  });
});

describe("caliban memory rebuild --now", () => {
  it("reads due sessions, and reports progress and what it skipped", async () => {
    const { caliban, directory } = await machineWithPast([
      SHIP,
      VITEST,
      { id: "20261112-100000-cccc", said: "Always use tabs.", hoursAgo: 1 },
      { id: "20260901-100000-dddd", said: "Always use spaces.", hoursAgo: 24 * 60 },
      { id: "20261113-100000-eeee", said: "Never tell anyone.", learn: false },
    ]);
    const { exitCode, stdout, stderr } = await caliban("memory", "rebuild", "--now");
    expect(exitCode).toBe(0);
    expect(stdout).toContain(
      "read 2 sessions; new sessions use generation 1 (caliban memory view)\n",
    );
    expect(stdout).toContain(
      "not read: 1 active within the last 12 hours, 1 older than 30 days, 1 excluded (--no-learn or --no-memory) (--recent includes recent sessions)\n",
    );
    expect(stderr).toMatch(/caliban: 2 of 2 sessions · \d+ tokens · \d+ s\n/);
    const memory = await readFile(join(directory, "autonomous/generations/1/MEMORY.md"), "utf8");
    expect(memory).toContain("pnpm ship");
    expect(memory).not.toMatch(/tabs|spaces|anyone/);

    const view = await caliban("memory", "view");
    expect(view.stdout).toMatch(
      /^<memory-guidance path="memory:\/\/root">\n[^]*pnpm ship[^]*<\/memory-guidance>\n$/,
    );
    const prompt = await caliban("prompt");
    expect(prompt.stdout).toContain(view.stdout.trim());
    expect(JSON.parse((await caliban("memory", "view", "--json")).stdout)).toMatchObject({
      block: view.stdout.trimEnd(),
      status: "loaded",
      remark: "",
    });

    const recent = await caliban("memory", "rebuild", "--now", "--recent");
    expect(recent.stdout).toContain("read 1 session;");
    expect((await caliban("memory", "view")).stdout).toContain("tabs");
  });

  it("shows one changing line on a terminal", async () => {
    const at = await machineWithPast([SHIP]);
    const lines: string[] = [];
    const progressLine = () => (line: string) => void lines.push(line);
    const { stderr } = await at
      .with({ now: Date.now, progressLine })
      .caliban("memory", "rebuild", "--now");
    expect(stderr).toBe("");
    expect(lines).toContainEqual(expect.stringMatching(/^1 of 1 sessions · 0 tokens · \d+ s$/));
    expect(lines.at(-1)).toBe("");
  });

  it("reports that there is nothing new, and rejects --recent without --now", async () => {
    const { caliban } = await machineWithPast([]);
    const nothing = await caliban("memory", "rebuild", "--now");
    expect(nothing).toMatchObject({ exitCode: 0 });
    expect(nothing.stdout).toContain("nothing new to learn; memory is still empty\n");
    expect(await caliban("memory", "rebuild", "--recent")).toMatchObject({ exitCode: 2 });
  });

  it("fails without a model, and keeps the reason for stats", async () => {
    const settings = `${ENABLED}\n[models]\ndefault = "anthropic/claude-sonnet-5-5"\n`;
    const { caliban } = await machineWithPast([SHIP], settings);
    const failed = await caliban("memory", "rebuild", "--now");
    expect(failed).toMatchObject({ exitCode: 1 });
    expect(failed.stderr).toContain(
      "no model available to read sessions: anthropic requires an API key",
    );
    const stats = await caliban("memory", "stats");
    expect(stats.stdout).toMatch(/^learning +on, but no model available: anthropic/m);
    expect(stats.stdout).toMatch(/^last run +now, skipped: no model available$/m);
    const { checks } = JSON.parse((await caliban("doctor", "--json")).stdout) as {
      readonly checks: readonly { readonly about: string }[];
    };
    expect(checks.find(({ about }) => about === "learning")).toMatchObject({
      status: "problem",
      remedy: expect.stringMatching(/^Set ANTHROPIC_API_KEY, or/),
    });
  });
});

describe("caliban memory rebuild", () => {
  it("schedules a rebuild with the next conversation", async () => {
    const { caliban } = await machineWithPast([SHIP]);
    expect(await caliban("memory", "enqueue")).toMatchObject({
      exitCode: 0,
      stdout:
        "nothing has been learned yet; past sessions will be read when the next conversation starts on a terminal. To read them now: caliban memory rebuild --now\n",
    });
    expect((await caliban("memory", "stats")).stdout).toContain(
      "memory will be updated by the next run",
    );
  });
});

describe("caliban memory clear", () => {
  it("asks first, removes what was learned, and never learns it again", async () => {
    const at = await machineWithPast([SHIP, VITEST]);
    const { caliban, directory } = at;
    await caliban("memory", "rebuild", "--now");
    expect(await caliban("memory", "clear")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("add --force"),
    });
    const questions: string[] = [];
    const asked = at.with({
      now: Date.now,
      isInteractive: () => true,
      confirm: async (question) => {
        questions.push(question);
        return false;
      },
    });
    expect(await asked.caliban("memory", "reset")).toMatchObject({ exitCode: 1, stdout: "" });
    expect(questions).toEqual([expect.stringContaining("of this project?")]);
    expect((await caliban("memory", "view")).stdout).toContain("pnpm ship");
    expect(await caliban("memory", "clear", "--force")).toMatchObject({
      exitCode: 0,
      stdout: "removed learned memory; 2 sessions will not be read again\n",
    });
    expect((await caliban("memory", "view")).stdout).toBe("");
    const { stdout: cleared } = await caliban("memory", "stats");
    expect(cleared).toMatch(/^update +memory was cleared$/m);
    expect(cleared).toMatch(/^memory +nothing learned since it was cleared; /m);
    const again = await caliban("memory", "rebuild", "--now");
    expect(again.stdout).toContain("nothing new to learn");
    expect(again.stdout).toContain("not read: 2 cleared");
    expect((await readdir(join(directory, "sessions"))).length).toBe(2);
    await writeSessions(join(directory, "sessions"), [
      { id: "20261114-100000-ffff", said: "Always use yarn." },
    ]);
    expect((await caliban("memory", "rebuild", "--now")).stdout).toContain("read 1 session;");
    expect((await caliban("memory", "view")).stdout).not.toContain("pnpm ship");
  });
});

describe("caliban memory undo --generation", () => {
  it("restores the previous generation, and --all clears every project", async () => {
    const { caliban, directory } = await machineWithPast([SHIP]);
    await caliban("memory", "rebuild", "--now");
    await writeSessions(join(directory, "sessions"), [VITEST]);
    await caliban("memory", "rebuild", "--now");
    expect((await caliban("memory", "view")).stdout).toContain("vitest");
    expect(await caliban("memory", "undo", "--generation")).toMatchObject({
      exitCode: 0,
      stdout:
        "new sessions use generation 1 again (caliban memory view). To build a new one from all sessions: caliban memory rebuild\n",
    });
    expect((await caliban("memory", "view")).stdout).not.toContain("vitest");
    expect(await caliban("memory", "undo", "--generation")).toMatchObject({ exitCode: 3 });
    const all = await caliban("memory", "clear", "--all", "--force", "--json");
    expect(JSON.parse(all.stdout)).toEqual({
      cleared: [{ project: "SLUG", hadMemory: true, sessionsLeftOut: 2 }],
    });
    expect(existsSync(join(directory, "autonomous/current"))).toBe(false);
  });
});

describe("caliban memory stats: the current generation", () => {
  it("shows when the generation was written and restored", async () => {
    const { caliban, directory, host } = await machineWithPast([SHIP]);
    await caliban("memory", "rebuild", "--now");
    expect((await caliban("memory", "stats")).stdout).toMatch(
      /^memory +generation 1, written now, in ~\//m,
    );
    await writeSessions(join(directory, "sessions"), [VITEST]);
    await caliban("memory", "rebuild", "--now");
    await caliban("memory", "undo", "--generation");
    const made = new Date(Date.now() - 2 * 86_400_000);
    await utimes(join(directory, "autonomous/generations/1/generation.json"), made, made);
    expect((await caliban("memory", "stats")).stdout).toMatch(
      /^memory +generation 1, written 2 days ago and restored now, in ~\//m,
    );
    const invocation = { ...NO_OPTIONS, host };
    const facts = await collectStats(invocation, await openLearned(invocation));
    expect(facts).toMatchObject({
      current: { generation: 1, exists: true, madeAtMs: made.getTime() },
      directory: join(directory, "autonomous"),
    });
    expect(Number.isInteger(facts.current?.sinceMs)).toBe(true);
  });

  it("rejects a number, and says when the generation is not in the prompt", async () => {
    const { caliban, directory, home } = await machineWithPast([SHIP]);
    await caliban("memory", "rebuild", "--now");
    await writeSessions(join(directory, "sessions"), [VITEST]);
    await caliban("memory", "rebuild", "--now");
    expect(await caliban("memory", "undo", "--generation", "7")).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(
        "--generation takes no id; it always goes back by one generation",
      ),
    });
    await writeFile(join(home, ".config/caliban/settings.toml"), "");
    expect((await caliban("memory", "undo", "--generation")).stdout).toMatch(
      /^generation 1 is current again, but not in the prompt: memories\.enabled is false/,
    );
  });

  it("reports a missing generation", async () => {
    const { caliban, directory } = await machineWithPast([SHIP]);
    await caliban("memory", "rebuild", "--now");
    expect((await caliban("doctor")).stdout).toMatch(/^✓ learning /m);
    await rm(join(directory, "autonomous/generations/1"), { recursive: true });
    expect((await caliban("memory", "stats")).stdout).toMatch(
      /^memory +generation 1 does not exist, so new sessions do not get it/m,
    );
    expect((await caliban("doctor")).stdout).toMatch(/^✗ learning .*generation 1 does not exist/m);
  });
});

describe("caliban memory stats with an unusable state file", () => {
  it("reports it, as doctor does", async () => {
    const { caliban, home } = await machineWithPast([SHIP]);
    await caliban("memory", "enqueue");
    const { DatabaseSync } = await import("node:sqlite");
    const database = new DatabaseSync(join(home, STATE));
    database.exec("PRAGMA user_version = 999");
    database.close();
    const stats = await caliban("memory", "stats");
    expect(stats).toMatchObject({ exitCode: 1, stdout: "" });
    expect(stats.stderr).toMatch(
      /^caliban: .*memories\.sqlite was written by a newer version of caliban/,
    );
    expect((await caliban("doctor")).stdout).toMatch(/^✗ learning .*memories\.sqlite/m);
  });
});
