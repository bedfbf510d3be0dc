import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { names, run, serverPlace, started, until } from "./server-place.ts";

const isAlive = (pid: number): boolean => {
  try {
    // A process that has ended but was not waited for is as good as gone.
    return process.kill(pid, 0) && !readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z ");
  } catch {
    return false;
  }
};

const numbers = (lines: readonly string[], word: string): readonly number[] =>
  lines.filter((line) => line.startsWith(`${word} `)).map((line) => Number(line.split(" ")[1]));

describe("the list that the model is offered", () => {
  it("is what was last known: nothing is started for it, and the first time it is empty and said", async () => {
    const place = await serverPlace();
    const first = place.session();
    const wish = { servers: [place.usable("plain")], hasTiers: true };
    expect(await first.take(wish)).toEqual({
      named: [],
      tools: [],
      warnings: [
        "mcp: x: its tools are not known yet; it is asked beside this session, and the next one has what it offers",
      ],
    });
    expect(place.noted()).toEqual([]);
    await first.start();
    expect(place.said).toEqual([
      "mcp: x: 5 tools are new; so it is from the next session on, or now with /mcp reload",
    ]);
    await first.close();
    const starts = numbers(place.noted(), "start").length;
    const second = place.session();
    const { tools, warnings } = await second.take(wish);
    expect(names(tools)).toHaveLength(5);
    expect(warnings).toEqual([]);
    expect(second.states()).toMatchObject([
      { kind: "known", words: "known since a moment ago, not connected" },
    ]);
    expect(numbers(place.noted(), "start")).toHaveLength(starts);
    expect((await run(tools, "mcp__x__echo")).isError).toBeUndefined();
    expect(numbers(place.noted(), "start")).toHaveLength(starts + 1);
  });

  it("is the same bytes for the same file, whatever the order of servers", async () => {
    const place = await serverPlace();
    await started(place, "plain");
    const one = place.usable("plain");
    const two = place.usable("duplicates", { name: "y" });
    const session = place.session();
    await session.take({ servers: [two], hasTiers: true });
    await session.start();
    const bytes = async (servers: (typeof one)[]): Promise<string> =>
      JSON.stringify(
        (await place.session().take({ servers, hasTiers: true })).tools.toSorted((a, b) =>
          a.name < b.name ? -1 : 1,
        ),
      );
    expect(await bytes([one, two])).toBe(await bytes([two, one]));
  });

  it("does not change when the server's does; that is said once, and taken up when it is built anew", async () => {
    const place = await serverPlace();
    const session = place.session();
    const wish = { servers: [place.usable("changing")], hasTiers: true };
    await session.take(wish);
    await session.start();
    const { tools } = await session.take(wish);
    place.said.length = 0;
    const file = join(
      place.directory,
      "state/mcp",
      readdirSync(join(place.directory, "state/mcp"))[0] ?? "",
    );
    const kept = (): number => JSON.parse(readFileSync(file, "utf8")).list.tools.length;
    for (const count of [3, 5]) {
      await run(tools, "mcp__x__t0");
      await until(() => kept() === count);
    }
    expect(place.said).toEqual([
      "mcp: x: 2 tools are new; so it is from the next session on, or now with /mcp reload",
    ]);
    expect(names(tools)).toEqual(["mcp__x__t0"]);
    expect(session.states()).toMatchObject([{ offeredTools: 1 }]);
    expect(names((await session.take(wish)).tools)).toHaveLength(5);
  });

  it("is kept for its owner alone, for one workspace and one way of starting it", async () => {
    const place = await serverPlace();
    await started(place, "plain");
    const directory = join(place.directory, "state/mcp");
    const [file = ""] = readdirSync(directory);
    expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
    expect(statSync(directory).mode & 0o777).toBe(0o700);
    const other = place.usable("plain", { fingerprint: "another" });
    expect((await place.session().take({ servers: [other], hasTiers: true })).tools).toEqual([]);
  });

  it("is said once where it cannot be kept, and the server is used all the same", async () => {
    const place = await serverPlace();
    writeFileSync(join(place.directory, "state"), "a file where a directory is needed");
    const session = place.session();
    await session.take({ servers: [place.usable("plain")], hasTiers: true });
    await session.start();
    await session.restart();
    expect(session.states()).toMatchObject([{ kind: "connected" }]);
    const kept = place.said.filter((line) => line.includes("cannot be kept for the next session"));
    expect(kept[0]).toMatch(/^mcp: x: what it offers .* the system says [A-Z]+ for .*state\/mcp\//);
    // A restart begins anew.
    expect(kept).toHaveLength(2);
  });

  it("is not known where the file is damaged, which is said and mended", async () => {
    const place = await serverPlace();
    const wish = { servers: [place.usable("plain")], hasTiers: true };
    await started(place, "plain");
    const directory = join(place.directory, "state/mcp");
    const file = join(directory, readdirSync(directory)[0] ?? "");
    for (const text of ["{", '{"version":1,"list":5}', "[]", '{"version":7}']) {
      writeFileSync(
        file,
        text
          .replace(
            "{",
            `{"workspaceRoot":"${place.directory}","fingerprint":"${wish.servers[0]?.server.fingerprint}",`,
          )
          .replace(",}", "}"),
      );
      const session = place.session();
      const { tools, warnings } = await session.take(wish);
      expect(tools).toEqual([]);
      expect(warnings[0]).toBe(`mcp: x: ${file} is damaged, and its tools are asked for anew`);
    }
    const session = place.session();
    await session.take(wish);
    await session.start();
    expect((await place.session().take(wish)).tools).toHaveLength(5);
  });

  it("stays known when the server is dead the next time, and what happened is shown", async () => {
    const place = await serverPlace();
    const usable = place.usable("plain");
    await started(place, "plain");
    const { transport } = usable.server;
    const dead = {
      ...usable,
      server: {
        ...usable.server,
        transport: { ...transport, command: "no-such-command" } as typeof transport,
      },
    };
    const session = place.session();
    await session.take({ servers: [dead], hasTiers: true });
    await session.restart();
    expect(names((await session.take({ servers: [dead], hasTiers: true })).tools)).toHaveLength(5);
    const later = place.session();
    await later.take({ servers: [usable], hasTiers: true });
    expect(later.states()).toMatchObject([
      {
        kind: "absent",
        words: "absent: skipped a moment ago: its command no-such-command is not found",
        offeredTools: 5,
      },
    ]);
  });
});

describe("the processes of servers", () => {
  it("start together, and one that hangs keeps nobody waiting but itself", async () => {
    const place = await serverPlace();
    const session = place.session({ startMs: 3_000 });
    const servers = [place.usable("plain"), place.usable("no-initialize", { name: "slow" })];
    await session.take({ servers, hasTiers: true });
    const starting = session.start();
    await until(() => place.said.length > 0);
    expect(session.states()).toMatchObject([{ kind: "connected" }, { kind: "starting" }]);
    const { tools } = await session.take({ servers, hasTiers: true });
    expect((await run(tools, "mcp__x__echo")).isError).toBeUndefined();
    const before = Date.now();
    await session.close();
    expect(Date.now() - before).toBeLessThan(2_000);
    await starting;
    expect(place.said.filter((line) => line.includes("slow:"))).toEqual([]);
  });

  it("are not started when what was approved is no longer what would be started", async () => {
    const place = await serverPlace();
    const session = place.session();
    const recheck = async () => "it changed since you approved it. caliban mcp approve x";
    await session.take({ servers: [{ ...place.usable("plain"), recheck }], hasTiers: true });
    await session.start();
    expect(place.said).toEqual([
      "mcp: x: absent, skipped: it changed since you approved it. caliban mcp approve x (/mcp)",
    ]);
    expect(place.noted()).toEqual([]);
  });

  it("end when the conversation does: by the end of their input first", async () => {
    const place = await serverPlace();
    const { session } = await started(place, "plain");
    const [pid = 0] = numbers(place.noted(), "start");
    expect(isAlive(pid)).toBe(true);
    await session.close();
    expect(isAlive(pid)).toBe(false);
    expect(place.noted()).toContain("left");
    expect(place.said).toHaveLength(1);
  });

  it("end by SIGTERM and SIGKILL where they do not want to, with whatever they started", async () => {
    const place = await serverPlace();
    const { session } = await started(place, "stubborn");
    await session.close();
    expect(place.noted().slice(-2)).toEqual(["left", "term"]);
    await until(() => !isAlive(numbers(place.noted(), "start")[0] ?? 0));
    const family = await serverPlace();
    const other = await started(family, "family");
    const [child = 0] = numbers(family.noted(), "child");
    expect(isAlive(child)).toBe(true);
    await other.session.close();
    await until(() => !isAlive(child));
  });

  it("that end by themselves leave nothing behind that they started, however often", async () => {
    const place = await serverPlace();
    const { session, tools } = await started(place, "family");
    await run(tools, "mcp__x__die");
    await run(tools, "mcp__x__die");
    await until(() => !numbers(place.noted(), "child").some(isAlive));
    await session.close();
    expect(numbers(place.noted(), "child")).toHaveLength(2);
  });

  it("are not started any more by a reload that the end of the conversation overtakes", async () => {
    const place = await serverPlace();
    const { session } = await started(place, "plain");
    const reloading = session.restart();
    await session.close();
    await reloading;
    expect(numbers(place.noted(), "start").filter(isAlive)).toEqual([]);
  });

  it("do not outlive a program that exits without a word", async () => {
    const place = await serverPlace();
    const { server } = place.usable("stubborn");
    const script = new URL("exit-at-once.process.ts", import.meta.url).pathname;
    const child = spawn(
      process.execPath,
      [
        "--conditions=caliban:source",
        "--disable-warning=ExperimentalWarning",
        script,
        JSON.stringify(server),
        place.directory,
      ],
      { stdio: "inherit" },
    );
    await once(child, "exit");
    const [pid = 0] = numbers(place.noted(), "start");
    expect(pid).toBeGreaterThan(0);
    await until(() => !isAlive(pid));
  });
});

describe("a tier of memory", () => {
  const tier = { tier: "memory" } as const;

  it("is listed and read on demand, with one tool of ours, and costs nothing before", async () => {
    const place = await serverPlace();
    const session = place.session();
    const { tools } = await session.take({
      servers: [place.usable("plain", tier)],
      hasTiers: true,
    });
    expect(names(tools)).toEqual(["mcp__x__memory"]);
    expect(tools[0]).toMatchObject({ permission: "mcp.x", isReadOnly: false });
    expect(session.memoryServers()).toEqual([
      { name: "x", state: "unknown", sentence: "not connected yet" },
    ]);
    expect(place.noted()).toEqual([]);
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
    await until(() => session.memoryServers()[0]?.memories === 1);
    expect(session.memoryServers()).toEqual([
      { name: "x", state: "connected", sentence: "connected", memories: 1 },
    ]);
  });

  it("lists no more than anybody reads, over however many pages, and counts the rest", async () => {
    const place = await serverPlace();
    const session = place.session();
    const servers = [place.usable("many-memories", tier)];
    const { tools } = await session.take({ servers, hasTiers: true });
    const { text } = await run(tools, "mcp__x__memory");
    expect(text.match(/^memo:/gm)).toHaveLength(200);
    expect(text).toContain("\n(100 more are not listed)\n");
  });

  it("is a tool of the server's own where one is named, and absent where there is no such tool", async () => {
    const place = await serverPlace();
    const servers = [place.usable("plain", { ...tier, memoryTool: "echo" })];
    const session = place.session();
    await session.take({ servers, hasTiers: true });
    await session.start();
    const { tools } = await session.take({ servers, hasTiers: true });
    expect(tools.find(({ name }) => name === "mcp__x__echo")?.description).toBe(
      "Memory that the server x keeps. Does echo.",
    );
    expect(names(tools)).not.toContain("mcp__x__memory");
    expect(session.memoryServers()).toMatchObject([{ state: "connected" }]);
    const missing = [place.usable("plain", { ...tier, memoryTool: "recall" })];
    await session.take({ servers: missing, hasTiers: true });
    await session.start();
    expect(session.memoryServers()).toEqual([
      { name: "x", state: "absent", sentence: "absent: skipped: it has no tool recall" },
    ]);
  });

  it("is none where memory is left out, and the tools stay", async () => {
    const place = await serverPlace();
    await started(place, "plain");
    const session = place.session();
    const { tools } = await session.take({
      servers: [place.usable("plain", tier)],
      hasTiers: false,
    });
    expect(names(tools)).toHaveLength(5);
    expect(session.memoryServers()).toEqual([]);
  });

  it("keeps its tool's name from the server's own", async () => {
    const place = await serverPlace();
    const session = place.session();
    const servers = [place.usable("no-resources", tier)];
    await session.take({ servers, hasTiers: true });
    await session.start();
    const { tools, warnings } = await session.take({ servers, hasTiers: true });
    expect((await run(tools, "mcp__x__memory")).text).toContain("(no memories)");
    const other = names(tools).find((name) => name !== "mcp__x__memory") ?? "";
    expect(warnings).toContain(`mcp: x: memory is ${other} here`);
    expect((await run(tools, other)).text).toContain("echo {}");
  });
});

describe("the end of a run without a screen", () => {
  it("tells of the servers that were asked and are silent, and of no other", async () => {
    const place = await serverPlace();
    await started(place, "plain");
    place.said.length = 0;
    const session = place.session();
    const silent = place.usable("no-initialize", { name: "y" });
    await session.take({ servers: [place.usable("plain"), silent], hasTiers: true });
    const asking = session.startUnknown();
    await until(() => numbers(place.noted(), "start").length === 2);
    session.noteSilence();
    const line = "mcp: y: absent, skipped: it did not answer while this run lasted (/mcp)";
    expect(place.said).toEqual([line]);
    await session.close();
    await asking;
  });

  it("says of none that it was silent once it was closed", async () => {
    const place = await serverPlace();
    const session = place.session();
    await session.take({ servers: [place.usable("no-initialize")], hasTiers: true });
    const asking = session.startUnknown();
    await until(() => numbers(place.noted(), "start").length === 1);
    await session.close();
    await asking;
    session.noteSilence();
    expect(place.said).toEqual([]);
  });
});
