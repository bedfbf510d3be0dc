import { describe, expect, it } from "vitest";
import { names, type PoolFixture, poolFixture, run, started, until } from "./pool-fixture.ts";

const recorded = (fixture: PoolFixture, word: string): readonly string[] =>
  fixture.recorded().filter((line) => line.startsWith(word));

describe("the revision of the protocol that a server speaks", () => {
  it("speaks 2026-07-28 with a server that speaks nothing else, and hears of new tools", async () => {
    const fixture = await poolFixture();
    const { tools } = await started(fixture, "modern");
    expect(names(tools)).toContain("mcp__x__echo");
    expect((await run(tools, "mcp__x__echo", { text: "hi" })).text).toContain('echo {"text":"hi"}');
    const envelope = fixture.recorded().find((line) => line.startsWith("envelope")) ?? "";
    expect(envelope).toContain('"io.modelcontextprotocol/protocolVersion":"2026-07-28"');
    await until(() => fixture.reported.length > 1);
    expect(fixture.reported).toEqual(["x: 1 tool added", "x: 2 tools added"]);
    expect(fixture.recorded()).toContain('listen {"toolsListChanged":true}');
    expect(recorded(fixture, "initialize")).toEqual([]);
  });

  it("initializes an older server that knows no other way", async () => {
    const fixture = await poolFixture();
    const { tools } = await started(fixture, "plain");
    expect((await run(tools, "mcp__x__echo")).isError).toBeUndefined();
  });

  it.for(["silent-probe", "garbage-discover"])(
    "initializes a server whose answer to the question for its revision is %s",
    async (mode) => {
      const fixture = await poolFixture();
      const { tools } = await started(fixture, mode, { startMs: 3_000 });
      expect((await run(tools, "mcp__x__echo")).isError).toBeUndefined();
    },
  );

  it("starts a server once more that ends when it is asked for its revision", async () => {
    const fixture = await poolFixture();
    const { tools } = await started(fixture, "exits-at-probe");
    expect((await run(tools, "mcp__x__echo")).isError).toBeUndefined();
    expect(recorded(fixture, "start")).toHaveLength(2);
    expect(fixture.reported).toEqual(["x: 5 tools added"]);
  });

  it("passes no question of a server on to the user", async () => {
    const fixture = await poolFixture();
    const { tools } = await started(fixture, "modern-asks");
    const result = await run(tools, "mcp__x__echo");
    expect(result.isError).toBe(true);
    expect(result.text).toContain(
      "answered tools/call with a question to the user, which caliban does not pass on",
    );
    expect(result.text).not.toContain("password");
  });

  it("reports a server that lists no tools although it says that it has some", async () => {
    const fixture = await poolFixture();
    await started(fixture, "modern-lies");
    expect(fixture.reported).toEqual(["x: rejected tools/list (-32601): Method not found"]);
  });
});
