import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeHome } from "../../../../../test/support/write-files.ts";
import { findWorkspace } from "../../../src/node/project/workspace.ts";
import { openProjectHome, type ProjectHome } from "../../../src/node/project/home.ts";

async function open(home: string, forWriting: boolean): Promise<ProjectHome | undefined> {
  const workspace = await findWorkspace(join(home, "app"));
  const env = { HOME: home, PATH: process.env["PATH"] };
  return await openProjectHome({ env, platform: "linux", home, workspace, forWriting });
}

it("creates nothing before it is prepared, and then records the project once", async () => {
  const home = await temporaryDirectory();
  const { slug } = await writeHome(home, {});
  const opened = await open(home, true);
  expect(opened?.home).toBe(join(home, ".local/share/caliban/projects", slug));
  expect(await readdir(home)).toEqual(["app"]);
  await opened?.prepare();
  await opened?.prepare();
  expect((await stat(opened?.home ?? "")).mode & 0o777).toBe(0o700);
  const record = await readFile(join(opened?.home ?? "", "project.json"), "utf8");
  expect(JSON.parse(record)).toMatchObject({ path: join(home, "app") });
  expect((await open(home, false))?.home).toBe(opened?.home);
});

it("rejects a home that another project took in the meantime", async () => {
  const home = await temporaryDirectory();
  const { slug } = await writeHome(home, {});
  const opened = await open(home, true);
  const path = join(home, "other");
  await writeHome(home, {
    [`.local/share/caliban/projects/${slug}/project.json`]: JSON.stringify({
      path,
      rootCommits: [],
      remotes: [],
    }),
  });
  await expect(opened?.prepare()).rejects.toMatchObject({ code: "STORE_BUSY" });
});

it("returns no project home when no home directory is known", async () => {
  const home = await temporaryDirectory();
  await writeHome(home, {});
  const workspace = await findWorkspace(join(home, "app"));
  const nowhere = { env: {}, platform: "linux", home: undefined, workspace };
  expect(await openProjectHome(nowhere)).toBeUndefined();
});
