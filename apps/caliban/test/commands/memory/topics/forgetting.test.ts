import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { ReceivedRequest } from "../../../../../../test/support/model-server/received-request.ts";
import type { Machine } from "../../../fake-host.ts";
import { machineWithPast } from "../../../pipeline/past-sessions.ts";
import { SHIP, withModel } from "../../../pipeline/with-model.ts";

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
