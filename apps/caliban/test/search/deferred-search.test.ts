import { existsSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { join } from "node:path";
import { findWorkspace } from "@caliban/memory/node";
import { loadSettings } from "@caliban/settings/node";
import { expect, it } from "vitest";
import { type DeferredSearch, deferredSearch } from "../../src/search/deferred-search.ts";
import { type ProjectPlace, projectPlace } from "./project-place.ts";

interface Deferred {
  readonly place: ProjectPlace;
  /** Another home may be put in its place. */
  readonly host: { env: {}; platform: string; home: string | undefined };
  readonly search: DeferredSearch;
}

async function deferred(): Promise<Deferred> {
  const place = await projectPlace();
  place.write("memory/birds.md", "---\nname: birds\ndescription: x\n---\n\nPenguins.\n");
  const host = { env: {}, platform: "linux", home: place.machine.home };
  const workspace = await findWorkspace(join(host.home, "app"));
  const settings = await loadSettings({ ...host, workspaceRoot: workspace.root });
  return { place, host, search: deferredSearch({ host, session: { workspace, settings } }) };
}

it("is opened once, and tried again where that failed", async () => {
  const { place, host, search } = await deferred();
  host.home = undefined;
  await expect(search.open()).rejects.toMatchObject({ code: "NO_MEMORY_DIRECTORY" });
  host.home = place.machine.home;
  const { memory } = await search.open();
  expect((await memory.search({ query: "penguins" })).topics).toHaveLength(1);
  expect((await search.open()).memory).toBe(memory);
});

it("reads no more when it is stopped", async () => {
  const { search } = await deferred();
  const { memory } = await search.open();
  search.stop();
  await setTimeout();
  expect((await memory.search({ query: "penguins" })).searched.topics).toBe(0);
});

it("prepares nothing that it was stopped before", async () => {
  const { place, search } = await deferred();
  search.prepare();
  search.stop();
  await setTimeout(500);
  expect(existsSync(place.snapshot)).toBe(false);
});
