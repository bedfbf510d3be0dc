import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { poolFixture, run, started, until } from "./pool-fixture.ts";

const isAlive = (pid: number): boolean => {
  try {
    // A process that has ended but was not waited for counts as gone.
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

/** The process ids that the fake servers recorded as `word pid`. */
const pids = (lines: readonly string[], word: "start" | "child"): readonly number[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => Number(line.split(" ")[1]));

describe("starting server processes", () => {
  it("starts servers in parallel, so that one that hangs delays no other", async () => {
    const fixture = await poolFixture();
    const pool = fixture.pool();
    const servers = [fixture.server("plain"), fixture.server("no-initialize", { name: "slow" })];
    await pool.offer({ servers, hasTiers: true });
    const starting = pool.start();
    await until(() => fixture.reported.length > 0);
    expect(pool.statuses()).toMatchObject([{ kind: "connected" }, { kind: "starting" }]);
    const { tools } = await pool.offer({ servers, hasTiers: true });
    expect((await run(tools, "mcp__x__echo")).isError).toBeUndefined();
    await pool.close();
    // Closing does not wait for the start, which would time out and be reported.
    await starting;
    expect(fixture.reported.filter((line) => line.startsWith("slow:"))).toEqual([]);
  });

  it("refuses to start a server that changed since it was approved", async () => {
    const fixture = await poolFixture();
    const pool = fixture.pool();
    const recheck = async () => "it changed since you approved it. Run: caliban mcp approve x";
    await pool.offer({ servers: [{ ...fixture.server("plain"), recheck }], hasTiers: true });
    await pool.start();
    expect(fixture.reported).toEqual([
      "x: unavailable: it changed since you approved it. Run: caliban mcp approve x",
    ]);
    expect(fixture.recorded()).toEqual([]);
  });

  it("starts nothing after the conversation ended during a restart", async () => {
    const fixture = await poolFixture();
    const { pool } = await started(fixture, "plain");
    const restarting = pool.restart();
    await pool.close();
    await restarting;
    expect(pids(fixture.recorded(), "start").filter(isAlive)).toEqual([]);
  });
});

describe("ending server processes", () => {
  it("ends a server by closing its input", async () => {
    const fixture = await poolFixture();
    const { pool } = await started(fixture, "plain", { closeMs: 20_000 });
    const [pid = 0] = pids(fixture.recorded(), "start");
    expect(isAlive(pid)).toBe(true);
    await pool.close();
    expect(isAlive(pid)).toBe(false);
    expect(fixture.recorded()).toContain("input ended");
    expect(fixture.reported).toHaveLength(1);
  });

  it("ends a server that ignores the end of its input with SIGTERM and SIGKILL", async () => {
    const fixture = await poolFixture();
    // Long enough for a busy machine to deliver both.
    const { pool } = await started(fixture, "stubborn", { closeMs: 1_000, terminateMs: 1_000 });
    await pool.close();
    expect(fixture.recorded().slice(-2)).toEqual(["input ended", "term"]);
    await until(() => !isAlive(pids(fixture.recorded(), "start")[0] ?? 0));
  });

  it("ends the processes that a server started", async () => {
    const fixture = await poolFixture();
    const { pool } = await started(fixture, "family");
    const [child = 0] = pids(fixture.recorded(), "child");
    expect(isAlive(child)).toBe(true);
    await pool.close();
    await until(() => !isAlive(child));
  });

  it("ends the processes of a server that exited on its own, every time", async () => {
    const fixture = await poolFixture();
    const { pool, tools } = await started(fixture, "family");
    await run(tools, "mcp__x__die");
    await run(tools, "mcp__x__die");
    await until(() => !pids(fixture.recorded(), "child").some(isAlive));
    await pool.close();
    expect(pids(fixture.recorded(), "child")).toHaveLength(2);
  });

  it("leaves no server behind when the program exits without closing the pool", async () => {
    const fixture = await poolFixture();
    const { server } = fixture.server("stubborn");
    const script = new URL("exit-without-closing.process.ts", import.meta.url).pathname;
    const options = ["--conditions=caliban:source", "--disable-warning=ExperimentalWarning"];
    const child = spawn(
      process.execPath,
      [...options, script, JSON.stringify(server), fixture.directory],
      { stdio: "inherit" },
    );
    await once(child, "exit");
    const [pid = 0] = pids(fixture.recorded(), "start");
    expect(pid).toBeGreaterThan(0);
    await until(() => !isAlive(pid));
  });
});
