import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { MemoryError } from "@caliban/memory";
import { expect, it } from "vitest";
import {
  type DeferredSearch,
  deferredSearch,
} from "../../../src/project/search/deferred-search.ts";
import { NO_OPTIONS } from "../../../src/command.ts";
import { openProject, type Project } from "../../../src/project/project.ts";
import { type TestProject, openTestProject } from "./test-project.ts";

interface Deferred {
  readonly here: TestProject;
  readonly project: Project;
  readonly search: DeferredSearch;
}

async function deferred(): Promise<Deferred> {
  const here = await openTestProject();
  here.write("memory/birds.md", "---\nname: birds\ndescription: x\n---\n\nPenguins.\n");
  const project = await openProject({ ...NO_OPTIONS, host: here.machine.host });
  return { here, project, search: deferredSearch({ project }) };
}

it("opens the search once, and tries again after a failure", async () => {
  const { project } = await deferred();
  let hasHome = false;
  const topics: Project["topics"] = async () => {
    if (!hasHome) throw new MemoryError("NO_MEMORY_DIRECTORY", "no home directory");
    return await project.topics();
  };
  const search = deferredSearch({ project: { ...project, topics } });
  await expect(search.open()).rejects.toMatchObject({ code: "NO_MEMORY_DIRECTORY" });
  hasHome = true;
  const { memory } = await search.open();
  expect((await memory.search({ query: "penguins" })).topics).toHaveLength(1);
  expect((await search.open()).memory).toBe(memory);
});

it("reads nothing more once the search is stopped", async () => {
  const { search } = await deferred();
  const { memory } = await search.open();
  search.stop();
  await setTimeout();
  expect((await memory.search({ query: "penguins" })).searched.topics).toBe(0);
});

it("prepares nothing when it is stopped first", async () => {
  const { here, search } = await deferred();
  search.prepare();
  search.stop();
  await setTimeout(500);
  expect(existsSync(here.snapshot)).toBe(false);
});
