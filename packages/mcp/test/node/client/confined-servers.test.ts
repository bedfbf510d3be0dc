import { describe, expect, it } from "vitest";
import { poolFixture } from "./pool-fixture.ts";

it("confines the servers that a repository requests, and no others", async () => {
  const fixture = await poolFixture();
  const confined: string[] = [];
  const pool = fixture.pool({}, async (program) => {
    confined.push(program.args[1] ?? "");
    return { ...program, args: [...program.args, "confined"] };
  });
  const requested = { ...fixture.server("plain"), isRequested: true };
  const own = fixture.server("duplicates", { name: "y" });
  await pool.offer({ servers: [requested, own], hasTiers: false });
  await pool.start();
  expect(confined).toEqual(["plain"]);
  expect(pool.statuses().map(({ kind }) => kind)).toEqual(["connected", "connected"]);
});

it("refuses to start a requested server that must be confined and cannot be", async () => {
  const fixture = await poolFixture();
  const pool = fixture.pool({}, async () => ({ reason: "there is no sandbox" }));
  const requested = { ...fixture.server("plain"), isRequested: true };
  await pool.offer({ servers: [requested], hasTiers: false });
  await pool.start();
  expect(fixture.recorded()).toEqual([]);
  expect(fixture.reported).toEqual(["x: unavailable: there is no sandbox"]);
});

describe("a requested server whose sandbox cannot be set up", () => {
  const failing = (message: string) => ({
    command: "sh",
    args: ["-c", `echo "${message}" >&2; exit 1`],
  });
  // What bubblewrap prints if a socket that it hides is removed before it is mounted over.
  const VANISHED = "bwrap: Can't create file at /x.sock: No such file or directory";

  /** Starts a requested server whose first starts fail with these messages. */
  async function startWith(messages: readonly string[]) {
    const fixture = await poolFixture();
    const left = [...messages];
    const pool = fixture.pool({}, async (program) => {
      const message = left.shift();
      return message === undefined ? program : { ...program, ...failing(message) };
    });
    const requested = { ...fixture.server("plain"), isRequested: true };
    await pool.offer({ servers: [requested], hasTiers: false });
    await pool.start();
    return { kind: pool.statuses()[0]?.kind, left, reported: fixture.reported };
  }

  it("starts a server again when a hidden socket vanished during the setup of its sandbox", async () => {
    expect(await startWith([VANISHED])).toEqual({
      kind: "connected",
      left: [],
      reported: ["x: 5 tools added"],
    });
  });

  it("gives up on the sandbox of a server after the second setup", async () => {
    const { kind, left, reported } = await startWith([VANISHED, VANISHED, VANISHED]);
    expect({ kind, left: left.length, reported: reported.length }).toEqual({
      kind: "absent",
      left: 1,
      reported: 1,
    });
  });

  it("starts a server that ends at once only once more, as one from before 2026-07-28", async () => {
    const { kind, left, reported } = await startWith(Array(4).fill("no such module"));
    expect({ kind, left: left.length }).toEqual({ kind: "absent", left: 2 });
    expect(reported.join("\n").match(/no such module/g)).toHaveLength(1);
  });
});
