import { utimesSync } from "node:fs";
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseSessionId } from "@caliban/sessions";
import { createSessionWriter } from "@caliban/sessions/node";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../fake-host.ts";

const ONE = "20261116-100000-aaaa";
const TWO = "20261116-110000-bbbb";
const START = (id: string, more: object = {}): string =>
  JSON.stringify({
    type: "session-start",
    v: 1,
    id,
    at: "2026-11-16T10:00:00.000Z",
    workspace: "/app",
    cwd: "/app",
    model: "offline/rehearsal",
    version: "1.2.3",
    title: "How do we deploy?",
    ...more,
  });
const MESSAGE = JSON.stringify({
  type: "message",
  id: "m1",
  at: "2026-11-16T10:00:00.000Z",
  message: { role: "user", text: "How do we deploy? \u001b[31m" },
});

async function withSessions(): Promise<Machine & { readonly directory: string }> {
  const at = await machine({
    [`.local/share/caliban/projects/SLUG/sessions/${ONE}.jsonl`]: `${START(ONE)}\n${MESSAGE}\n{"type":"mess`,
    [`.local/share/caliban/projects/SLUG/sessions/${TWO}.jsonl`]: `${START(TWO, { name: "ship\u001b]0;x\u0007" })}\n`,
  });
  const directory = join(at.home, ".local/share/caliban/projects", at.slug, "sessions");
  for (const [id, hour] of [
    [ONE, 10],
    [TWO, 11],
  ] as const) {
    const time = Date.parse(`2026-11-16T${hour}:00:00Z`) / 1000;
    utimesSync(join(directory, `${id}.jsonl`), time, time);
  }
  return { ...at, directory };
}

describe("caliban sessions", () => {
  it("lists sessions newest first, with escaped titles", async () => {
    const { caliban } = await withSessions();
    expect(await caliban("sessions")).toEqual({
      exitCode: 0,
      stdout: `  ${TWO}  1 h ago              ship\\u{1b}]0;x\\u{7}: How do we deploy?
  ${ONE}  2 h ago  1 exchange  How do we deploy?
`,
      stderr: "",
    });
    const limited = await caliban("sessions", "--limit", "1");
    expect(limited.stdout).toContain("… and 1 more; show them with --limit");
    expect((await caliban("sessions", "--limit", "none")).exitCode).toBe(2);
    const { sessions } = JSON.parse((await caliban("sessions", "--json")).stdout) as {
      readonly sessions: readonly object[];
    };
    expect(sessions).toMatchObject([
      { id: TWO, title: "How do we deploy?" },
      { id: ONE, messageCount: 1 },
    ]);
  });

  it("names the directory of the sessions when there are none, without creating it", async () => {
    const { caliban, home } = await machine();
    expect(await caliban("sessions")).toMatchObject({
      exitCode: 0,
      stdout: "no sessions yet in ~/.local/share/caliban/projects/SLUG/sessions\n",
    });
    expect(await readdir(home)).toEqual(["app"]);
  });

  it("fails without a home directory", async () => {
    const at = (await machine()).with({ env: {}, home: undefined });
    expect(await at.caliban("sessions")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("set HOME"),
    });
  });
});

describe("caliban sessions export", () => {
  it("prints a session as Markdown and reports damage", async () => {
    const { caliban, with: changed } = await withSessions();
    const { exitCode, stdout, stderr } = await caliban("sessions", "export", "20261116-10");
    expect(exitCode).toBe(0);
    expect(stdout).toContain("## You\n\n> How do we deploy? \u001b[31m\n");
    expect(stderr).toContain("skipped line 3: truncated");
    const seen = await changed({ isTerminal: true }).caliban("sessions", "export", ONE);
    expect(seen.stdout).not.toContain("\u001b");
  });

  it("writes a new private file and never replaces one", async () => {
    const { caliban, home } = await withSessions();
    const first = await caliban("sessions", "export", ONE, "--output", "talk.md");
    expect(first).toMatchObject({ exitCode: 0, stdout: "wrote ~/app/talk.md\n" });
    const path = join(home, "app/talk.md");
    const text = await readFile(path, "utf8");
    expect(text).toMatch(/^# How do we deploy\?\n/);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const second = await caliban("sessions", "export", TWO, "--output", "~/app/talk.md");
    expect(second).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("already exists"),
    });
    expect(await readFile(path, "utf8")).toBe(text);
  });

  it("writes no session through a link of the repository that leads out of the workspace", async () => {
    const { caliban, home } = await withSessions();
    await mkdir(join(home, "private"));
    await symlink("../private", join(home, "app/link"));
    const { exitCode, stderr } = await caliban("sessions", "export", ONE, "--output", "link/a.md");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining("outside the workspace") as string,
    });
    expect(await readdir(join(home, "private"))).toEqual([]);
  });

  it("exits with 3 for an unknown session and with 2 for an ambiguous one", async () => {
    const { caliban } = await withSessions();
    expect(await caliban("sessions", "export", "../../x")).toMatchObject({ exitCode: 3 });
    const several = await caliban("sessions", "export", "2026");
    expect(several).toMatchObject({ exitCode: 2, stderr: expect.stringContaining(ONE) });
    expect((await caliban("sessions", "export")).exitCode).toBe(2);
  });
});

describe("caliban sessions rm", () => {
  it("asks before removing a session and keeps it when the user declines", async () => {
    const { caliban, with: changed, directory } = await withSessions();
    expect(await caliban("sessions", "rm", ONE)).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining("--force"),
    });
    const asked: string[] = [];
    const answering = (answer: boolean): Machine =>
      changed({
        isInteractive: () => true,
        confirm: async (question) => asked.push(question) > 0 && answer,
      });
    expect((await answering(false).caliban("sessions", "rm", ONE)).exitCode).toBe(1);
    expect(await readdir(directory)).toHaveLength(2);
    expect((await answering(true).caliban("sessions", "rm", ONE)).stdout).toBe(`removed ${ONE}\n`);
    expect(asked).toEqual(Array(2).fill(`Permanently remove session ${ONE}?`));
    expect(await readdir(directory)).toEqual([`${TWO}.jsonl`]);
    expect((await caliban("sessions", "rm", "zzzz", "--force")).exitCode).toBe(3);
    expect((await caliban("sessions", "rm", TWO, "--force", "--json")).exitCode).toBe(0);
    expect(await readdir(directory)).toEqual([]);
  });

  it("removes the checkpoints of a session with it, or only them", async () => {
    const { caliban, home, directory } = await withSessions();
    const checkpoints = join(home, ".local/state/caliban/checkpoints");
    for (const id of [ONE, TWO]) {
      await mkdir(join(checkpoints, id, "objects"), { recursive: true });
      await writeFile(join(checkpoints, id, "objects", "a".repeat(64)), "secret");
    }
    const rm = async (...more: readonly string[]) =>
      await caliban("sessions", "rm", ONE, "--force", ...more);
    expect((await rm("--checkpoints", "--json")).stdout).toBe(
      `${JSON.stringify({ kind: "checkpoints-removed", id: ONE, checkpointBytes: 6 }, undefined, 2)}\n`,
    );
    expect((await rm("--checkpoints")).stdout).toBe(`${ONE} has no checkpoints\n`);
    expect(await readdir(checkpoints)).toEqual([TWO]);
    expect(await readdir(directory)).toHaveLength(2);
    expect((await caliban("sessions", "rm", TWO, "--force")).exitCode).toBe(0);
    expect(await readdir(checkpoints)).toEqual([]);
  });

  it("refuses to remove a session that is being written", async () => {
    const { caliban, directory } = await withSessions();
    const id = parseSessionId("20261116-120000-cccc");
    const writer = createSessionWriter({
      id,
      directory: async () => directory,
      facts: { workspace: "/app", cwd: "/app", model: "a/b", version: "1" },
      now: () => 0,
      onFailure: (sentence) => expect.fail(sentence),
    });
    await writer.open();
    writer.append({ type: "message", message: { role: "user", text: "a" } });
    expect(await caliban("sessions", "rm", id, "--force")).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining("in use by another process"),
    });
    await writer.close();
    expect((await caliban("sessions", "rm", id, "--force")).exitCode).toBe(0);
  });
});
