import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../fake-host.ts";

/** The same user in another project. */
async function elsewhere(start: Machine): Promise<Machine> {
  const cwd = join(start.home, "other");
  await mkdir(join(cwd, ".git/objects"), { recursive: true });
  return start.with({ cwd });
}

describe("memory about the user with the offline model", () => {
  it("knows in another project what the user said for every project", async () => {
    const here = await machine();
    const there = await elsewhere(here);
    const saved = await here.caliban("-p", "Remember that I prefer tabs in every project");
    expect(saved.stdout).toContain("for every project; show it with");
    expect(saved.stderr).toContain("user memory: saved prefer-tabs-every-project (user: ");
    const answer = await there.caliban("-p", "what indentation do I prefer?");
    expect(answer.stdout).toBe(
      "I prefer tabs in every project\n\n(from your memory for every project: prefer-tabs-every-project, today)\n",
    );
    expect((await there.caliban("-p", "list")).stdout).toBe(
      "About you, in every project:\n\n- prefer-tabs-every-project (user: I prefer tabs in every project)\n",
    );
    expect((await there.caliban("prompt")).stdout).toContain('scope="user"');
    expect((await there.caliban("-p", "forget that I prefer tabs")).stdout).toMatch(
      /^Forgotten: prefer-tabs-every-project\.\n\n\(undo with `caliban memory undo \w+ --user`\)\n$/,
    );
    expect((await here.caliban("memory", "list", "--user")).stdout).toMatch(/^no topics yet/);
  });

  it.for([
    "remember: always, everywhere call me Ada",
    "remember that I use fish in all my repos",
    "remember to keep answers short across all projects",
    "remember that I write British English, no matter which project",
  ])("takes %j for every project", async (message) => {
    const here = await machine();
    await here.caliban("-p", message);
    expect((await here.caliban("memory", "list", "--user", "--json")).stdout).toContain("slug");
    expect((await here.caliban("memory", "list")).stdout).toMatch(/^no topics yet/);
  });

  it.for([
    "remember that we deploy with pnpm ship",
    "remember that every project file is in src",
    "remember that the all-projects page is slow",
  ])("takes %j for this project", async (message) => {
    const here = await machine();
    await here.caliban("-p", message);
    expect((await here.caliban("memory", "list", "--user")).stdout).toMatch(/^no topics yet/);
  });

  it("adds to what it knows", async () => {
    const here = await machine();
    await here.caliban("-p", "remember that I like cats in every project");
    const again = await here.caliban("-p", "remember that I like cats in every project!");
    expect(again.stdout).toContain("I knew that already");
  });

  it("saves for the project when memory about the user is off", async () => {
    const here = await machine({ ".config/caliban/settings.toml": "[memory]\nuser = false\n" });
    await here.caliban("-p", "Remember that I prefer tabs in every project");
    expect((await here.caliban("memory", "list")).stdout).toContain("tabs");
    expect((await here.caliban("memory", "list", "--user")).stdout).toMatch(/^no topics yet/);
  });
});
