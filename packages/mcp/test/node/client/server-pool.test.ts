import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { messages, names, poolFixture, run, started, until } from "./pool-fixture.ts";

describe("the tools that a model is offered", () => {
  it("offers the tools of the last run without starting a server, and none on the first run", async () => {
    const fixture = await poolFixture();
    const first = fixture.pool();
    const input = { servers: [fixture.server("plain")], hasTiers: true };
    const { tools: none, diagnostics } = await first.offer(input);
    expect(none).toEqual([]);
    expect(diagnostics).toEqual([
      {
        server: "x",
        code: "TOOLS_NOT_LOADED",
        message: "tools not loaded yet; fetching in the background for the next session",
      },
    ]);
    expect(fixture.recorded()).toEqual([]);
    await first.start();
    expect(fixture.reported).toEqual(["x: 5 tools added"]);
    await first.close();
    const second = fixture.pool();
    const offered = await second.offer(input);
    expect(names(offered.tools)).toHaveLength(5);
    expect(offered.diagnostics).toEqual([]);
    expect(second.statuses()).toMatchObject([
      { kind: "known", label: "not connected; last used a moment ago" },
    ]);
    expect(starts(fixture.recorded())).toBe(1);
    expect((await run(offered.tools, "mcp__x__echo")).isError).toBeUndefined();
    expect(starts(fixture.recorded())).toBe(2);
  });

  it("offers the same bytes for the same records, whatever the order of the servers", async () => {
    const fixture = await poolFixture();
    await started(fixture, "plain");
    const one = fixture.server("plain");
    const two = fixture.server("duplicates", { name: "y" });
    const pool = fixture.pool();
    await pool.offer({ servers: [two], hasTiers: true });
    await pool.start();
    const bytes = async (servers: readonly (typeof one)[]): Promise<string> => {
      const { tools } = await fixture.pool().offer({ servers, hasTiers: true });
      return JSON.stringify(tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
    };
    expect(await bytes([one, two])).toBe(await bytes([two, one]));
  });

  it("keeps the offered tools while a server changes its list, and reports the change once", async () => {
    const fixture = await poolFixture();
    const pool = fixture.pool();
    const input = { servers: [fixture.server("changing")], hasTiers: true };
    await pool.offer(input);
    await pool.start();
    const { tools } = await pool.offer(input);
    fixture.reported.length = 0;
    const file = recordFile(fixture.directory);
    const stored = (): number => JSON.parse(readFileSync(file, "utf8")).list.tools.length;
    for (const count of [3, 5]) {
      await run(tools, "mcp__x__t0");
      await until(() => stored() === count);
    }
    expect(fixture.reported).toEqual(["x: 2 tools added"]);
    expect(names(tools)).toEqual(["mcp__x__t0"]);
    expect(pool.statuses()).toMatchObject([{ offeredTools: 1 }]);
    expect(names((await pool.offer(input)).tools)).toHaveLength(5);
  });

  it("stores a record readable by its owner only, and uses it for no other fingerprint", async () => {
    const fixture = await poolFixture();
    await started(fixture, "plain");
    const file = recordFile(fixture.directory);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(join(fixture.directory, "state/mcp")).mode & 0o777).toBe(0o700);
    const other = fixture.server("plain", { fingerprint: "another" });
    expect((await fixture.pool().offer({ servers: [other], hasTiers: true })).tools).toEqual([]);
  });

  it("reports a record that cannot be saved once per start, and uses the server all the same", async () => {
    const fixture = await poolFixture();
    writeFileSync(join(fixture.directory, "state"), "a file where a directory is needed");
    const pool = fixture.pool();
    await pool.offer({ servers: [fixture.server("plain")], hasTiers: true });
    await pool.start();
    await pool.restart();
    expect(pool.statuses()).toMatchObject([{ kind: "connected" }]);
    const unsaved = fixture.reported.filter((line) => line.includes("cannot save its tools"));
    expect(unsaved[0]).toMatch(
      /^x: cannot save its tools for the next session: [A-Z]+: .*state\/mcp\//,
    );
    expect(unsaved).toHaveLength(2);
  });

  it("reports a damaged record, offers nothing from it, and replaces it", async () => {
    const fixture = await poolFixture();
    const input = { servers: [fixture.server("plain")], hasTiers: true };
    await started(fixture, "plain");
    const file = recordFile(fixture.directory);
    const owner = `"workspaceRoot":"${fixture.directory}","fingerprint":"${input.servers[0]?.server.fingerprint}"`;
    for (const text of ["{", `{"version":1,${owner},"list":5}`, "[]", `{"version":7,${owner}}`]) {
      writeFileSync(file, text);
      const { tools, diagnostics } = await fixture.pool().offer(input);
      expect(tools).toEqual([]);
      expect(diagnostics[0]).toEqual({
        server: "x",
        code: "RECORD_DAMAGED",
        message: `${file} is damaged; asking for its tools again`,
      });
    }
    const pool = fixture.pool();
    await pool.offer(input);
    await pool.start();
    expect((await fixture.pool().offer(input)).tools).toHaveLength(5);
  });

  it("keeps offering the tools of a server that fails the next time, and shows the failure", async () => {
    const fixture = await poolFixture();
    const working = fixture.server("plain");
    await started(fixture, "plain");
    const { transport } = working.server;
    const broken = {
      ...working,
      server: {
        ...working.server,
        transport: { ...transport, command: "no-such-command" } as typeof transport,
      },
    };
    const pool = fixture.pool();
    await pool.offer({ servers: [broken], hasTiers: true });
    await pool.restart();
    expect(names((await pool.offer({ servers: [broken], hasTiers: true })).tools)).toHaveLength(5);
    const later = fixture.pool();
    await later.offer({ servers: [working], hasTiers: true });
    expect(later.statuses()).toMatchObject([
      {
        kind: "absent",
        label: "failed a moment ago: command not found: no-such-command",
        offeredTools: 5,
      },
    ]);
  });
});

describe("a server that is a memory tier", () => {
  const tier = { tier: "memory" } as const;

  it("lists and reads memories with one tool, and starts the server only when the tool is called", async () => {
    const fixture = await poolFixture();
    const pool = fixture.pool();
    const servers = [fixture.server("plain", tier)];
    const { tools } = await pool.offer({ servers, hasTiers: true });
    expect(names(tools)).toEqual(["mcp__x__memory"]);
    expect(tools[0]).toMatchObject({ permission: "mcp.x", isReadOnly: false });
    expect(pool.memoryServers()).toEqual([
      { name: "x", state: "unknown", message: "not connected yet" },
    ]);
    expect(fixture.recorded()).toEqual([]);
    expect((await run(tools, "mcp__x__memory")).text).toContain(
      "\nmemo://deploy deploy: how we deploy\n",
    );
    expect((await run(tools, "mcp__x__memory", { uri: "memo://deploy" })).text).toContain(
      "\nwith pnpm ship\n",
    );
    expect(await run(tools, "mcp__x__memory", { uri: "memo://none" })).toMatchObject({
      text: expect.stringContaining("no such memory"),
      isError: true,
    });
    expect(await run(tools, "mcp__x__memory", { uri: 5 })).toMatchObject({ isError: true });
    await until(() => pool.memoryServers()[0]?.memories === 1);
    expect(pool.memoryServers()).toEqual([
      { name: "x", state: "connected", message: "connected", memories: 1 },
    ]);
  });

  it("lists at most 200 memories over all pages, and counts the rest", async () => {
    const fixture = await poolFixture();
    const servers = [fixture.server("many-memories", tier)];
    const { tools } = await fixture.pool().offer({ servers, hasTiers: true });
    const { text } = await run(tools, "mcp__x__memory");
    expect(text.match(/^memo:/gm)).toHaveLength(200);
    expect(text).toContain("\n(100 more not listed)\n");
  });

  it("uses the server's own memory tool if the settings name one, and reports a missing one", async () => {
    const fixture = await poolFixture();
    const servers = [fixture.server("plain", { ...tier, memoryTool: "echo" })];
    const pool = fixture.pool();
    await pool.offer({ servers, hasTiers: true });
    await pool.start();
    const { tools } = await pool.offer({ servers, hasTiers: true });
    expect(tools.find(({ name }) => name === "mcp__x__echo")?.description).toBe(
      "Memory of the server x. Does echo.",
    );
    expect(names(tools)).not.toContain("mcp__x__memory");
    expect(pool.memoryServers()).toMatchObject([{ state: "connected" }]);
    const missing = [fixture.server("plain", { ...tier, memoryTool: "recall" })];
    await pool.offer({ servers: missing, hasTiers: true });
    await pool.start();
    expect(pool.memoryServers()).toEqual([
      { name: "x", state: "absent", message: "unavailable: has no tool recall" },
    ]);
  });

  it("offers the server's tools but no memory tool when memory is off", async () => {
    const fixture = await poolFixture();
    await started(fixture, "plain");
    const pool = fixture.pool();
    const servers = [fixture.server("plain", tier)];
    const { tools } = await pool.offer({ servers, hasTiers: false });
    expect(names(tools)).toHaveLength(5);
    expect(pool.memoryServers()).toEqual([]);
  });

  it("renames a server's tool that has the name of the memory tool", async () => {
    const fixture = await poolFixture();
    const pool = fixture.pool();
    const servers = [fixture.server("no-resources", tier)];
    await pool.offer({ servers, hasTiers: true });
    await pool.start();
    const { tools, diagnostics } = await pool.offer({ servers, hasTiers: true });
    expect((await run(tools, "mcp__x__memory")).text).toContain("(no memories)");
    const other = names(tools).find((name) => name !== "mcp__x__memory") ?? "";
    expect(messages(diagnostics)).toContain(`x: memory is available as ${other}`);
    expect((await run(tools, other)).text).toContain("echo {}");
  });
});

describe("the end of an unattended run", () => {
  it("reports the servers that were asked and have not answered, and no others", async () => {
    const fixture = await poolFixture();
    await started(fixture, "plain");
    fixture.reported.length = 0;
    const pool = fixture.pool();
    const unresponsive = fixture.server("no-initialize", { name: "y" });
    await pool.offer({ servers: [fixture.server("plain"), unresponsive], hasTiers: true });
    const starting = pool.startDue();
    await until(() => starts(fixture.recorded()) === 2);
    pool.recordTimeouts();
    expect(fixture.reported).toEqual(["y: unavailable: did not answer during this run"]);
    await pool.close();
    await starting;
  });

  it("reports no closed server as unresponsive", async () => {
    const fixture = await poolFixture();
    const pool = fixture.pool();
    await pool.offer({ servers: [fixture.server("no-initialize")], hasTiers: true });
    const starting = pool.startDue();
    await until(() => starts(fixture.recorded()) === 1);
    await pool.close();
    await starting;
    pool.recordTimeouts();
    expect(fixture.reported).toEqual([]);
  });
});

function starts(lines: readonly string[]): number {
  return lines.filter((line) => line.startsWith("start ")).length;
}

function recordFile(directory: string): string {
  const records = join(directory, "state/mcp");
  return join(records, readdirSync(records)[0] ?? "");
}
