import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { writeFiles } from "../../../../../../test/support/write-files.ts";
import type { Host } from "../../../../src/host.ts";
import { openLearned, withStore } from "../../../../src/commands/memory/learned/open-learned.ts";
import { NO_OPTIONS } from "../../../../src/command.ts";
import { machineWithPast } from "../../../pipeline/past-sessions.ts";
import { withModel } from "../../../pipeline/with-model.ts";

describe("caliban memory retry", () => {
  it("retries jobs that were given up", async () => {
    const at = await machineWithPast([]);
    const { location } = await openLearned({ ...NO_OPTIONS, host: at.host });
    const { project } = location;
    await withStore(
      location,
      ({ admin, consolidations }) => {
        admin.enqueue(project, Date.now());
        const lease = { worker: "w", token: "t", leaseMs: 60_000 };
        const turn = consolidations.claim(project, Date.now(), lease);
        if (turn.kind !== "claimed") throw new Error(turn.kind);
        const retryAtMs = Date.now() + 3_600_000;
        const why = { errorClass: "permanent", message: "No." } as const;
        consolidations.finish(turn.claim, { kind: "failed", ...why, retryAtMs }, Date.now());
      },
      { create: true },
    );
    expect((await at.caliban("memory", "retry")).stdout).toMatch(/^1 job will be retried /);
    await withStore(location, ({ consolidations }) => {
      const lease = { worker: "w", token: "u", leaseMs: 60_000 };
      expect(consolidations.claim(project, Date.now(), lease).kind).toBe("claimed");
    });
  });
});

describe("caliban memory clear --all", () => {
  it("removes learned memory that the state does not know of", async () => {
    const { caliban, home } = await machineWithPast([]);
    const projects = join(home, ".local/share/caliban/projects");
    await writeFiles(projects, {
      "far-away/autonomous/current": "1\n",
      "far-away/autonomous/generations/1/MEMORY.md": "Use tabs.\n",
      "notes-only/memory/MEMORY.md": "- tabs\n",
    });
    const { stdout } = await caliban("memory", "clear", "--all", "--force", "--json");
    expect(JSON.parse(stdout)).toEqual({
      cleared: [{ project: "far-away", hadMemory: true, sessionsLeftOut: 0 }],
    });
    expect(existsSync(join(projects, "far-away/autonomous/generations/1"))).toBe(false);
    expect(existsSync(join(projects, "notes-only/memory/MEMORY.md"))).toBe(true);
  });
});

describe("caliban memory rebuild --now", () => {
  it("exits with 130 when it is interrupted", async () => {
    const at = await withModel(() => ({ hang: true }));
    const listeners: Parameters<Host["onInterrupt"]>[0][] = [];
    const onInterrupt: Host["onInterrupt"] = (listener) => {
      listeners.push(listener);
      return () => undefined;
    };
    const waiting = at.with({ now: Date.now, onInterrupt }).caliban("memory", "rebuild", "--now");
    await expect.poll(at.requests, { timeout: 10_000 }).toBe(1);
    for (const listener of listeners) listener("SIGINT");
    expect(await waiting).toMatchObject({
      exitCode: 130,
      stderr: expect.stringContaining("interrupted by you"),
    });
  });
});
