import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createProcessGroup } from "../../src/node/process-group.ts";

/** A group whose signals fail as the system says, one after the other; what was sent is counted. */
function groupThat(...codes: readonly string[]) {
  const left = codes.values();
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    const { value: code } = left.next();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return true;
  });
  onTestFinished(() => kill.mockRestore());
  return { kill, group: createProcessGroup({ pid: 4_000_000 }) };
}

describe("a group of processes", () => {
  it("that is gone gets nothing any more: its number may be another's", async () => {
    const { kill, group } = groupThat("ESRCH");
    expect(await group.endsWithin(0)).toBe(true);
    expect([group.signal("SIGTERM"), group.signal("SIGKILL")]).toEqual([false, false]);
    expect(kill.mock.calls).toEqual([[-4_000_000, 0]]);
  });

  it("of somebody else is there, though it takes no signal", async () => {
    const { group } = groupThat("EPERM", "EPERM");
    expect(group.signal("SIGTERM")).toBe(true);
    expect(await group.endsWithin(0)).toBe(false);
  });

  it("that never began has ended", async () => {
    const group = createProcessGroup({ pid: undefined });
    expect(group.signal("SIGKILL")).toBe(false);
    expect(await group.endsWithin(0)).toBe(true);
  });
});
