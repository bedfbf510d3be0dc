import { chmodSync, existsSync, rmSync, statSync, writeFileSync } from "node:fs";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject } from "../../../src/project/project.ts";
import { describe, expect, it } from "vitest";
import { openProjectSearch } from "../../../src/project/search/open-search.ts";
import { openTestProject, said, started } from "./test-project.ts";

const ID = "20261110-100000-aaaa";
const TOPIC =
  "---\nname: Birds\ndescription: What is known of birds.\n---\n\nPenguins do not fly.\n";

describe("openProjectSearch", () => {
  it("finds topics and sessions together, and stores a private index", async () => {
    const place = await openTestProject();
    place.write("memory/birds.md", TOPIC);
    place.write(`sessions/${ID}.jsonl`, started(ID) + said("about penguins", "yes"));
    const found = await place.find("penguins");
    expect([found.topics.length, found.sessions.length]).toEqual([1, 1]);
    expect(statSync(place.snapshot).mode & 0o777).toBe(0o600);
    const again = await place.find("penguins");
    expect(again).toEqual(found);
  });

  it("reads and creates nothing before the first search", async () => {
    const place = await openTestProject();
    await place.open();
    expect(existsSync(place.snapshot)).toBe(false);
    expect(existsSync(place.home)).toBe(false);
  });

  it("finds the same after the index was deleted or damaged", async () => {
    const place = await openTestProject();
    place.write(`sessions/${ID}.jsonl`, started(ID) + said("about penguins", "yes"));
    const found = await place.find("penguins");
    rmSync(place.snapshot);
    expect(await place.find("penguins")).toEqual(found);
    writeFileSync(place.snapshot, "no index");
    chmodSync(place.snapshot, 0o600);
    expect(await place.find("penguins")).toEqual(found);
  });

  it("continues sessions from a stored index where they ended", async () => {
    const place = await openTestProject();
    place.write(`sessions/${ID}.jsonl`, started(ID) + said("about penguins", "yes"));
    await place.find("penguins");
    place.append(`sessions/${ID}.jsonl`, said("", "", "and pelicans").slice(said("", "").length));
    const { sessions, searched } = await place.find("pelicans");
    expect([sessions.length, searched.turns]).toEqual([1, 3]);
  });

  it("reports the missing home directory", async () => {
    const place = await openTestProject();
    const host = { ...place.machine.host, env: {}, home: undefined };
    const project = await openProject({ ...NO_OPTIONS, host });
    await expect(openProjectSearch({ project })).rejects.toMatchObject({
      code: "NO_MEMORY_DIRECTORY",
      message: expect.stringContaining("HOME"),
    });
  });
});
