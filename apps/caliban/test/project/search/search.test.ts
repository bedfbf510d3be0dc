import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { describe, expect, it } from "vitest";
import { openProjectSearch } from "../../../src/project/search.ts";
import { openTestProject, said, started } from "./test-project.ts";

const ID = "20261110-100000-aaaa";
const TOPIC =
  "---\nname: Birds\ndescription: What is known of birds.\n---\n\nPenguins do not fly.\n";

describe("openProjectSearch", () => {
  it("finds topics and sessions together, and stores a private index", async () => {
    const here = await openTestProject();
    here.write("memory/birds.md", TOPIC);
    here.write(`sessions/${ID}.jsonl`, started(ID) + said("about penguins", "yes"));
    const found = await here.find("penguins");
    expect([found.topics.length, found.sessions.length]).toEqual([1, 1]);
    expect(statSync(here.snapshot).mode & 0o777).toBe(0o600);
    const again = await here.find("penguins");
    expect(again).toEqual(found);
  });

  it("reads and creates nothing before the first search", async () => {
    const here = await openTestProject();
    await here.open();
    expect(existsSync(here.snapshot)).toBe(false);
    expect(existsSync(here.home)).toBe(false);
  });

  it("finds the same after the index was deleted or damaged", async () => {
    const here = await openTestProject();
    here.write(`sessions/${ID}.jsonl`, started(ID) + said("about penguins", "yes"));
    const found = await here.find("penguins");
    rmSync(here.snapshot);
    expect(await here.find("penguins")).toEqual(found);
    writeFileSync(here.snapshot, "no index");
    chmodSync(here.snapshot, 0o600);
    expect(await here.find("penguins")).toEqual(found);
  });

  it("continues sessions from a stored index where they ended", async () => {
    const here = await openTestProject();
    here.write(`sessions/${ID}.jsonl`, started(ID) + said("about penguins", "yes"));
    await here.find("penguins");
    here.append(`sessions/${ID}.jsonl`, said("", "", "and pelicans").slice(said("", "").length));
    const { sessions, searched } = await here.find("pelicans");
    expect([sessions.length, searched.turns]).toEqual([1, 3]);
  });

  it("reports the missing home directory", async () => {
    const here = await openTestProject();
    const host = { ...here.machine.host, env: {}, home: undefined };
    const project = await openProject({ ...NO_OPTIONS, host });
    await expect(openProjectSearch({ project }).search({ query: "x" })).rejects.toMatchObject({
      code: "NO_MEMORY_DIRECTORY",
      message: expect.stringContaining("HOME"),
    });
  });
});
