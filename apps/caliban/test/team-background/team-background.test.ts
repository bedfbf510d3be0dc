import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { rename } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { NO_OPTIONS } from "../../src/command.ts";
import { startTeamMemory, syncAfterSession } from "../../src/team-background/team-background.ts";
import {
  bareRepository,
  teamMember,
  type TeamMember,
} from "../commands/memory/team/team-machine.ts";

interface Started {
  readonly lines: readonly string[];
  /** What was started in a process of its own. */
  readonly spawned: () => Promise<string>;
}

/** Records what is started, instead of starting it. */
function recording(member: TeamMember): {
  readonly member: TeamMember["with"];
  readonly marker: string;
} {
  const [marker, script] = [join(member.home, "spawned.txt"), join(member.home, "record.mjs")];
  writeFileSync(
    script,
    `import { appendFileSync } from "node:fs";\nappendFileSync(${JSON.stringify(marker)}, process.argv.slice(2).join(" ") + "\\n");\n`,
  );
  const program = [process.execPath, script];
  return { member: (changes) => member.with({ program, ...changes }), marker };
}

async function start(
  member: TeamMember,
  flags: Partial<typeof NO_OPTIONS> = {},
  cwd = join(member.home, "app"),
): Promise<Started> {
  const { member: withProgram, marker } = recording(member);
  const { host } = withProgram({ cwd });
  const lines: string[] = [];
  await startTeamMemory({
    invocation: { ...NO_OPTIONS, ...flags, host },
    say: (line) => void lines.push(line),
  });
  return { lines, spawned: async () => await textOf(marker) };
}

/** A process takes a moment to start. */
async function textOf(path: string): Promise<string> {
  for (let tries = 0; tries < 200 && !existsSync(path); tries++) await delay(25);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

async function joined(): Promise<{ readonly ada: TeamMember; readonly origin: string }> {
  const origin = await bareRepository();
  const ada = await teamMember("ada", origin);
  expect((await ada.caliban("memory", "team", "init", "origin", "--yes")).exitCode).toBe(0);
  return { ada, origin };
}

describe("team memory in the background", () => {
  it("starts nothing unless memory.team.auto is on, and then a sync that asks nothing", async () => {
    const { ada } = await joined();
    const marker = join(ada.home, "spawned.txt");
    expect((await start(ada)).lines).toEqual([]);
    expect(existsSync(marker)).toBe(false);
    await ada.caliban("settings", "set", "memory.team.auto", "true");
    const { spawned, lines } = await start(ada);
    expect(lines).toEqual([]);
    expect(await spawned()).toBe("memory team sync --background\n");
  });

  it.for([{ bare: true }, { memory: false }])("starts nothing with %j", async (flags) => {
    const { ada } = await joined();
    await ada.caliban("settings", "set", "memory.team.auto", "true");
    const host = Object.defineProperty({ ...ada.with({}).host }, "program", {
      get: () => expect.fail("a process is started"),
    });
    const invocation = { ...NO_OPTIONS, ...flags, host };
    await startTeamMemory({ invocation, say: (line) => expect.fail(line) });
    await syncAfterSession(invocation);
  });

  it("syncs after a session, too", async () => {
    const { ada } = await joined();
    await ada.caliban("settings", "set", "memory.team.auto", "true");
    const { member, marker } = recording(ada);
    await syncAfterSession({ ...NO_OPTIONS, host: member({}).host });
    expect(await textOf(marker)).toBe("memory team sync --background\n");
  });

  it("never is the first to contact a remote", async () => {
    const origin = await bareRepository();
    const ada = await teamMember("ada", origin);
    await rename(origin, `${origin}.away`);
    expect((await ada.caliban("memory", "team", "init", "origin", "--yes")).exitCode).toBe(1);
    await rename(`${origin}.away`, origin);
    const quiet = await ada.caliban("memory", "team", "sync", "--background");
    expect(quiet).toEqual({ exitCode: 0, stdout: "", stderr: "" });
    expect((await ada.caliban("memory", "team")).stdout).toContain("last sync  never");
    const asked = await ada.caliban("memory", "team", "sync");
    expect(asked.stderr).toContain('cannot ask "Contact it now?"');
  });

  it("reports once that the remote cannot be reached, and again after it was", async () => {
    const { ada, origin } = await joined();
    await rename(origin, `${origin}.away`);
    await ada.caliban("memory", "team", "sync", "--background");
    expect((await start(ada)).lines).toEqual([expect.stringContaining("cannot be synced: ")]);
    await ada.caliban("memory", "team", "sync", "--background");
    expect((await start(ada)).lines).toEqual([]);
    await rename(`${origin}.away`, origin);
    await ada.caliban("memory", "team", "sync");
    expect((await start(ada)).lines).toEqual([]);
    await rename(origin, `${origin}.away`);
    await ada.caliban("memory", "team", "sync");
    expect((await start(ada)).lines).toHaveLength(1);
  });

  it("connects a second clone, and mentions a fork once", async () => {
    const { ada, origin } = await joined();
    const [second, fork] = [join(ada.home, "second"), join(ada.home, "fork")];
    for (const clone of [second, fork])
      ada.git(ada.home, "clone", "--quiet", "--branch", "main", origin, clone);
    ada.git(fork, "remote", "set-url", "origin", await bareRepository("fork"));
    expect((await start(ada, {}, second)).lines).toEqual([
      expect.stringContaining("this checkout shares the team memory of"),
    ]);
    expect((await start(ada, {}, second)).lines).toEqual([]);
    expect((await start(ada, {}, fork)).lines).toEqual([
      expect.stringContaining("this looks like a fork of a repository with team memory"),
    ]);
    expect((await start(ada, {}, fork)).lines).toEqual([]);
    expect((await ada.at(fork).caliban("memory", "team")).exitCode).toBe(3);
  });
});
