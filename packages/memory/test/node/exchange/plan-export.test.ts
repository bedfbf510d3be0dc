import { readdir, readFile, symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { writeFiles } from "../../../../../test/support/write-files.ts";
import { type ExportPlan, planExport } from "../../../src/node/exchange/plan-export.ts";
import { openTopicStore } from "../../../src/node/open-topic-store.ts";

/** Plans an export from a repository whose links lead out of it. */
async function planWithLinks(): Promise<{ readonly home: string; readonly plan: ExportPlan }> {
  const home = await temporaryDirectory();
  await writeFiles(home, {
    "app/.git/HEAD": "",
    "app/docs/AGENTS.md": "# Ours\n",
    "memory/a.md": "A\n",
    "private/.bashrc": "mine\n",
  });
  await symlink("../private/.bashrc", join(home, "app/AGENTS.md"));
  await symlink("../private/later.md", join(home, "app/dangling.md"));
  await symlink("../private", join(home, "app/linked"));
  await symlink("docs/AGENTS.md", join(home, "app/inside.md"));
  const topics = await openTopicStore({
    workspace: join(home, "app"),
    env: {},
    platform: "linux",
    home,
    directory: join(home, "memory"),
  });
  return { home, plan: await planExport(topics) };
}

describe("planExport", () => {
  it.for(["AGENTS.md", "dangling.md", "linked/.bashrc", "linked/new.md"])(
    "never writes a document out of the workspace through the link %s",
    async (name) => {
      const { home, plan } = await planWithLinks();
      const updated = await plan.updateAgentsMd(join(home, "app", name));
      expect(updated).toMatchObject({ kind: "refused", problem: { code: "OUTSIDE_WORKSPACE" } });
      expect(await readdir(join(home, "private"))).toEqual([".bashrc"]);
      expect(await readFile(join(home, "private/.bashrc"), "utf8")).toBe("mine\n");
    },
  );

  it("writes a document through a link to another file of the workspace", async () => {
    const { home, plan } = await planWithLinks();
    expect(await plan.updateAgentsMd(join(home, "app/inside.md"))).toMatchObject({
      kind: "written",
    });
    expect(await readFile(join(home, "app/docs/AGENTS.md"), "utf8")).toContain("# Ours");
  });

  it("writes no directory out of the workspace, even through a link made after the plan", async () => {
    const { home, plan } = await planWithLinks();
    const linked = plan.toDirectory(join(home, "app/linked"));
    const later = plan.toDirectory(join(home, "app/later"));
    await symlink("../private", join(home, "app/later"));
    const codes = [linked?.files, await linked?.write(), await later?.write()].map((files) =>
      files?.map(({ problem }) => problem?.code),
    );
    expect(codes).toEqual(Array.from({ length: 3 }, () => ["OUTSIDE_WORKSPACE"]));
    expect(await readdir(join(home, "private"))).toEqual([".bashrc"]);
  });
});
