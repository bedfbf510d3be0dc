import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";
import { createProcessGroup } from "../../src/node/process-group.ts";

/** A group whose signals fail with these codes one after another, and the signals sent to it. */
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

describe("createProcessGroup", () => {
  it("never signals a process group that is gone, because its number may be reused", async () => {
    const { sent, group } = groupThat("ESRCH");
    expect(await group.exitsWithin(0)).toBe(true);
    expect([group.signal("SIGTERM"), group.signal("SIGKILL")]).toEqual([false, false]);
    expect(sent).toEqual([[-4_000_000, 0]]);
  });

  it("reports a process group of another user as running although it cannot be signalled", async () => {
    const { group } = groupThat("EPERM", "EPERM");
    expect(group.signal("SIGTERM")).toBe(true);
    expect(await group.exitsWithin(0)).toBe(false);
  });

  it("reports a process group that never started as exited", async () => {
    const group = createProcessGroup({ pid: undefined });
    expect(group.signal("SIGKILL")).toBe(false);
    expect(await group.exitsWithin(0)).toBe(true);
  });

  it("kills a process together with its children", async () => {
    const child = spawn("sh", ["-c", "sleep 60 & echo ready; wait"], { detached: true });
    await once(child.stdout, "data");
    const group = createProcessGroup(child);
    expect(await group.exitsWithin(0)).toBe(false);
    expect(group.signal("SIGKILL")).toBe(true);
    expect(await group.exitsWithin(5_000)).toBe(true);
    expect(group.signal("SIGKILL")).toBe(false);
  });
});
