import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReceivedRequest } from "../../../../../../test/support/model-server/received-request.ts";
import type { Machine } from "../../../fake-host.ts";
import { machineWithPast } from "../../../pipeline/past-sessions.ts";
import { SHIP, withModel } from "../../../pipeline/with-model.ts";

import { typing } from "./project-with-topics.ts";

const SAY = "remember that we deploy with pnpm ship";

async function rebuild({ caliban }: Pick<Machine, "caliban">): Promise<string> {
  const { exitCode, stdout } = await caliban("memory", "rebuild", "--now", "--recent");
  expect(exitCode).toBe(0);
  return stdout;
}

describe("what was forgotten does not return", () => {
  it.for([
    ["forget in a conversation", ["-p", "forget pnpm ship"]],
    ["an undo of the write", ["memory", "undo"]],
  ] as const)("stays out of learned memory after %s", async ([, words]) => {
    const at = await machineWithPast([]);
    await at.caliban("-p", SAY);
    expect((await at.caliban("memory", "list")).stdout).toContain("pnpm ship");
    expect((await at.caliban(...words)).exitCode).toBe(0);
    expect((await at.caliban("memory", "list")).stdout).not.toContain("pnpm ship");
    await rebuild(at);
    expect((await at.caliban("memory", "view")).stdout).not.toContain("ship");
    expect((await at.caliban("-p", "how do we deploy?")).stdout).not.toContain("pnpm ship");
    expect((await at.caliban("prompt")).stdout).not.toContain("pnpm ship");
  });

  it("leaves learned memory at once, and the next generation", async () => {
    const at = await machineWithPast([]);
    await at.caliban("-p", SAY);
    await at.caliban("-p", "always run the linter before a commit");
    await rebuild(at);
    expect((await at.caliban("memory", "view")).stdout).toContain("pnpm ship");
    await at.caliban("-p", "forget pnpm ship");
    const prompt = (await at.caliban("prompt")).stdout;
    expect(prompt).not.toContain("pnpm ship");
    expect(prompt).toContain("run the linter");
    expect((await at.caliban("memory", "search", "pnpm ship")).stdout).not.toContain("pnpm ship");
    expect(await rebuild(at)).toContain("forgotten statement");
    const { stdout } = await at.caliban("memory", "view");
    expect(stdout).not.toContain("ship");
    expect(stdout).toContain("run the linter");
  });

  it("finds the topic for a request in a sentence, and does not remove what only resembles it unseen", async () => {
    const at = await machineWithPast([]);
    await at.caliban("-p", SAY);
    const vague = ["memory", "forget", "the rule about weekly pnpm ship deploys", "--yes"];
    const refused = await at.caliban(...vague);
    expect(refused).toMatchObject({ exitCode: 1 });
    expect(refused.stderr).toContain('1 topic resembles "weekly pnpm ship deploys"');
    expect((await at.caliban("memory", "list")).stdout).toContain("pnpm ship");
    const exact = ["memory", "forget", "what I said about pnpm ship", "--yes"];
    expect((await at.caliban(...exact)).stdout).toContain("forgot ");
    expect((await at.caliban("memory", "list")).stdout).not.toContain("pnpm ship");
  });

  it("keeps a fact about the user forgotten with its own tombstones, and restores it", async () => {
    const at = await machineWithPast([]);
    await at.caliban("-p", "Remember that I prefer tabs in every project");
    expect((await at.caliban("memory", "forget", "tabs", "--user", "--yes")).exitCode).toBe(0);
    expect((await at.caliban("memory", "list", "--user")).stdout).not.toContain("tabs");
    const tombstones = join(at.home, ".local/share/caliban/user/forgotten.jsonl");
    expect((await readFile(tombstones, "utf8")).split("\n").length).toBeGreaterThan(1);
    const [, slug = ""] =
      /(prefer-\S+)/.exec((await at.caliban("memory", "restore", "--user")).stdout) ?? [];
    expect((await at.caliban("memory", "restore", slug, "--user")).exitCode).toBe(0);
    expect((await at.caliban("memory", "list", "--user")).stdout).toContain("tabs");
  });

  it("returns once the user says it again", async () => {
    const at = await machineWithPast([]);
    await at.caliban("-p", SAY);
    await at.caliban("-p", "forget pnpm ship");
    await at.caliban("-p", SAY);
    expect((await at.caliban("memory", "list")).stdout).toContain("pnpm ship");
    await rebuild(at);
    expect((await at.caliban("memory", "view")).stdout).toContain("pnpm ship");
  });

  it("stays out when a model rewords what it is shown", async () => {
    const at = await withModel(rewords, { past: [SHIP] });
    await rebuild(at);
    expect((await at.caliban("memory", "view")).stdout).toContain("pnpm ship");
    const forgotten = await at.caliban("memory", "forget", "pnpm ship", "--yes");
    expect(forgotten.exitCode).toBe(0);
    await rebuild(at);
    expect((await at.caliban("memory", "view")).stdout).not.toContain("pnpm ship");
    const file = await readFile(join(at.directory, "forgotten.jsonl"), "utf8");
    expect(file).not.toMatch(/pnpm|ship/i);
  });
});

/** Learns in its own words whatever it reads about pnpm ship. */
function rewords({ text }: ReceivedRequest): { readonly text: string } {
  const line = text.includes("pnpm ship")
    ? "- Releases go out through `pnpm ship` (session 20261110-100000-aaaa, 2026-11-10)"
    : "";
  if (text.includes("rollout_slug"))
    return {
      text: JSON.stringify({ rollout_summary: line, rollout_slug: null, raw_memory: line }),
    };
  const memory = `# Memory\n\n- Something else is known.\n${line}\n`;
  return { text: JSON.stringify({ memory_md: memory, memory_summary: memory, skills: [] }) };
}

describe("caliban memory forget", () => {
  it("finds the topic by what it says, asks, and removes it", async () => {
    const at = await machineWithPast([]);
    await at.caliban("-p", SAY);
    const refused = await at.caliban("memory", "forget", "pnpm", "ship");
    expect(refused).toMatchObject({ exitCode: 2, stderr: expect.stringContaining("pass --yes") });
    const { stdout } = await at.caliban("memory", "forget", "pnpm", "ship", "--yes");
    expect(stdout).toMatch(/^forgot \S*ship\S*\. .*Restore it with: caliban memory restore /);
    expect((await at.caliban("memory", "list")).stdout).not.toContain("pnpm ship");
  });

  it("lists several candidates instead of choosing one", async () => {
    const at = await machineWithPast([]);
    await write(at, "deploy", "We deploy with pnpm ship.");
    await write(at, "vpn", "The command pnpm ship needs the VPN.");
    const several = await at.caliban("memory", "forget", "pnpm ship", "--yes");
    expect(several.exitCode).toBe(1);
    expect(several.stdout).toBe("deploy: about deploy\nvpn: about vpn\n");
    expect((await at.caliban("memory", "forget", "deploy", "--yes")).exitCode).toBe(0);
    expect((await at.caliban("memory", "list")).stdout).toContain("vpn");
  });

  it("says so when nothing is known", async () => {
    const at = await machineWithPast([]);
    expect(await at.caliban("memory", "forget", "blue green", "--yes")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining('nothing is remembered about "blue green"'),
    });
  });
});

describe("caliban memory restore", () => {
  it("lists what can be restored, brings a topic back, and lets it be learned again", async () => {
    const at = await machineWithPast([]);
    expect(await at.caliban("memory", "restore")).toMatchObject({ exitCode: 3 });
    await write(at, "deploy", "We deploy with pnpm ship.");
    await at.caliban("memory", "rm", "deploy", "--force");
    expect((await at.caliban("memory", "restore")).stdout).toMatch(/deploy +about deploy\n$/);
    expect((await at.caliban("memory", "restore", "deploy")).stdout).toBe("restored deploy\n");
    expect((await at.caliban("memory", "show", "deploy")).stdout).toContain("pnpm ship");
    await at.caliban("-p", "always deploy with pnpm ship");
    await rebuild(at);
    expect((await at.caliban("memory", "view")).stdout).toContain("pnpm ship");
  });

  it("lists and opens only the tombstones of the scope that it restores", async () => {
    const at = await machineWithPast([]);
    const texts = { project: "Indent with spaces here.", user: "Prefers tabs for indentation." };
    const flags = { project: [], user: ["--user"] } as const;
    for (const scope of ["project", "user"] as const) {
      const { caliban } = typing(at, `${texts[scope]}\n`);
      const about = ["--type", "project", "--description", texts[scope]];
      await caliban("memory", "write", "indent", ...about, ...flags[scope]);
      await at.caliban("memory", "rm", "indent", "--force", "--purge", ...flags[scope]);
    }
    const forgotten = async (scope: keyof typeof flags): Promise<readonly string[]> => {
      const { stdout } = await at.caliban("memory", "restore", "--json", ...flags[scope]);
      const listed = JSON.parse(stdout) as { forgotten: readonly { id: string }[] };
      return listed.forgotten.map(({ id }) => id);
    };
    const before = { project: await forgotten("project"), user: await forgotten("user") };
    expect([before.project.length, before.user.length]).toEqual([1, 1]);
    expect(before.project).not.toEqual(before.user);
    await at.caliban("memory", "restore", before.project[0] ?? "", "--user");
    expect(await forgotten("project")).toEqual(before.project);
    await at.caliban("memory", "restore", before.user[0] ?? "");
    expect(await forgotten("user")).toEqual(before.user);
    await at.caliban("memory", "restore", before.user[0] ?? "", "--user");
    expect([await forgotten("project"), await forgotten("user")]).toEqual([before.project, []]);
  });

  it("cannot restore a purged topic, of which no text is left", async () => {
    const at = await machineWithPast([]);
    await write(at, "deploy", "We deploy with pnpm ship.");
    await at.caliban("memory", "rm", "deploy", "--purge", "--force");
    const refused = await at.caliban("memory", "restore", "deploy");
    expect(refused.exitCode).toBe(3);
    expect(refused.stderr).toContain("it was purged, so it cannot be restored");
    const id = /memory restore ([0-9a-f]{8})/.exec(refused.stderr)?.[1] ?? "";
    expect((await at.caliban("memory", "restore", id)).stdout).toBe(
      "1 forgotten statement may be learned again\n",
    );
  });
});

describe("caliban memory import", () => {
  it("leaves out what was forgotten, says when, and imports it on request", async () => {
    const at = await machineWithPast([]);
    await write(at, "deploy", "We deploy with pnpm ship.");
    await at.caliban("memory", "rm", "deploy", "--force");
    const source = join(at.home, "notes");
    await mkdir(source);
    await writeFile(join(source, "shipping.md"), "Deployments run via `pnpm ship`.\n");
    await writeFile(join(source, "tests.md"), "Use vitest for tests.\n");
    const first = await at.caliban("memory", "import", source, "--yes");
    expect(first.stdout).toMatch(/left out +shipping .*\(forgotten on \d{4}-\d\d-\d\d\)/);
    expect(first.stdout).toContain("Import them with --include-forgotten");
    expect((await at.caliban("memory", "list")).stdout).not.toContain("shipping");
    await at.caliban("memory", "import", source, "--include-forgotten", "--yes");
    expect((await at.caliban("memory", "list")).stdout).toContain("shipping");
  });
});

async function write(at: Machine, name: string, body: string): Promise<void> {
  const words = ["memory", "write", name, "--type", "project", "--description", `about ${name}`];
  const written = await at.with({ now: Date.now, readInput: async () => body }).caliban(...words);
  expect(written.exitCode).toBe(0);
}
