import { expect, it } from "vitest";
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
