import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createProcessGroup } from "../../src/node/process-group.ts";

/** A group whose signals fail as the system says, one after the other, and what was sent to it. */
function groupThat(...codes: readonly string[]) {
  const left = codes.values();
  const sent: unknown[] = [];
  const group = createProcessGroup({ pid: 4_000_000 }, (...call) => {
    sent.push(call);
    const { value: code } = left.next();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return true;
  });
  return { sent, group };
}

describe("a group of processes", () => {
  it("that is gone gets nothing any more: its number may be another's", async () => {
    const { sent, group } = groupThat("ESRCH");
    expect(await group.exitsWithin(0)).toBe(true);
    expect([group.signal("SIGTERM"), group.signal("SIGKILL")]).toEqual([false, false]);
    expect(sent).toEqual([[-4_000_000, 0]]);
  });

  it("of somebody else is there, though it takes no signal", async () => {
    const { group } = groupThat("EPERM", "EPERM");
    expect(group.signal("SIGTERM")).toBe(true);
    expect(await group.exitsWithin(0)).toBe(false);
  });

  it("that never began has ended", async () => {
    const group = createProcessGroup({ pid: undefined });
    expect(group.signal("SIGKILL")).toBe(false);
    expect(await group.exitsWithin(0)).toBe(true);
  });

  it("is ended with what it started", async () => {
    const child = spawn("sh", ["-c", "sleep 60 & echo ready; wait"], { detached: true });
    await once(child.stdout, "data");
    const group = createProcessGroup(child);
    expect(await group.exitsWithin(0)).toBe(false);
    expect(group.signal("SIGKILL")).toBe(true);
    expect(await group.exitsWithin(5_000)).toBe(true);
    expect(group.signal("SIGKILL")).toBe(false);
  });
});
