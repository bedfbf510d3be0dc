import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { listProjects } from "../../../src/node/project/list-projects.ts";

it("lists every project that has a home, with its path if that was recorded", async () => {
  const home = await temporaryDirectory();
  const environment = { env: { HOME: home }, platform: "linux" };
  expect(listProjects(environment)).toEqual([]);
  const projects = join(home, ".local/share/caliban/projects");
  await mkdir(join(projects, "b-shop"), { recursive: true });
  await mkdir(join(projects, "a-app"));
  const record = { path: "/src/shop", rootCommits: [], remotes: [] };
  await writeFile(join(projects, "b-shop/project.json"), JSON.stringify(record));
  expect(listProjects(environment)).toEqual([
    { name: "a-app", home: join(projects, "a-app"), path: undefined },
    { name: "b-shop", home: join(projects, "b-shop"), path: "/src/shop" },
  ]);
});
