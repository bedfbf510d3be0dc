import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../../fake-host.ts";
import { DEPLOY, FLAGS, MEMORY, typing, withTopics, write } from "./project-with-topics.ts";

const USER = ".local/share/caliban/user/memory";
const TABS = DEPLOY.replace("name: deploy", "name: tabs")
  .replace("run migrations first", "prefers tabs")
  .replace("First the migrations; see [[flags]].", "Tabs, always.");

async function withUserTopics(files: Readonly<Record<string, string>> = {}): Promise<Machine> {
  return await withTopics({ [`${USER}/tabs.md`]: TABS, ...files });
}

describe("caliban memory with --user", () => {
  it("lists, shows and searches the topics about the user, and no others", async () => {
    const { caliban } = await withUserTopics();
    expect((await caliban("memory", "list", "--user")).stdout).toBe(
      "  tabs  project  2 days ago  prefers tabs\n",
    );
    expect((await caliban("memory", "list")).stdout).not.toContain("tabs");
    expect((await caliban("memory", "show", "tabs", "--user")).stdout).toContain("Tabs, always.");
    const found = await caliban("memory", "search", "tabs", "migrations", "--user", "--json");
    const { topics } = JSON.parse(found.stdout) as { topics: readonly { address: string }[] };
    expect(topics.map(({ address }) => address)).toEqual(["memory://user/topics/tabs"]);
  });

  it("says where a topic is that the project does not have", async () => {
    const { caliban } = await withUserTopics();
    expect(await caliban("memory", "show", "tabs")).toMatchObject({
      exitCode: 3,
      stderr: 'caliban: no topic "tabs". There is one about you in every project; add --user\n',
    });
  });

  it("finds the topics about the user in a search of the project, and marks them", async () => {
    const { caliban } = await withUserTopics();
    const { stdout } = await caliban("memory", "search", "tabs");
    expect(stdout).toContain("tabs (project, every project, ");
  });

  it("prints the path, and what an address refers to", async () => {
    const { caliban } = await withUserTopics();
    expect((await caliban("memory", "path", "--user")).stdout).toBe(`~/${USER}\n`);
    const texts = await Promise.all([
      caliban("memory", "read", "memory://user/topics/tabs"),
      caliban("memory", "read", "memory://topics/tabs", "--user"),
    ]);
    for (const { stdout } of texts) expect(stdout).toContain("Tabs, always.");
    expect((await caliban("memory", "read", "memory://user/index")).stdout).toContain("tabs.md");
    expect((await caliban("memory", "read", "memory://user/topics")).stdout).toBe(
      "tabs (project): prefers tabs\n",
    );
    expect(await caliban("memory", "read", "memory://user/topics/gone")).toMatchObject({
      exitCode: 3,
      stderr: expect.stringContaining("Read memory://user/topics for a list") as string,
    });
  });

  it("writes, renames, removes and undoes, with commands that name the option", async () => {
    const start = typing(await machine(), "Prefers tabs.\n");
    const { caliban, home } = start;
    expect((await caliban(...write("tabs", "--user"))).stdout).toMatch(/^saved tabs\n/);
    expect((await caliban(...write("tabs", "--user"))).stderr).toContain(
      "edit it with: caliban memory edit tabs --user",
    );
    expect((await caliban("memory", "mv", "tabs", "indent", "--user")).stdout).toContain("indent");
    const { stdout } = await caliban("memory", "rm", "indent", "--force", "--user");
    expect(stdout).toMatch(/caliban memory undo \w+ --user\n$/);
    const [, id = ""] = /undo (\w+)/.exec(stdout) ?? [];
    expect((await caliban("memory", "undo", id, "--user")).stdout).toMatch(/undo \w+ --user\n$/);
    expect((await caliban("memory", "log", "--user")).stdout.split("\n")).toHaveLength(5);
    expect((await caliban("memory", "log")).exitCode).toBe(3);
    expect((await caliban("memory", "rebuild-index", "--user")).exitCode).toBe(0);
    expect((await caliban("memory", "doctor", "--user")).stdout).toBe("no problems found\n");
    expect(existsSync(join(home, ".local/share/caliban/projects"))).toBe(false);
  });

  it("refuses to write a text that names the workspace", async () => {
    const start = typing(await machine(), "Build in ~/app first.\n");
    expect(await start.caliban(...write("build", "--user"))).toEqual({
      exitCode: 2,
      stdout: "",
      stderr:
        'caliban: memory about you holds in every project, and the text names this one: "~/app"; leave that out, or omit --user\n',
    });
    expect((await start.caliban(...write("build"))).exitCode).toBe(0);
  });

  it("imports and exports", async () => {
    const { caliban, home } = await machine({ "notes/tabs.md": TABS });
    const imported = await caliban("memory", "import", join(home, "notes"), "--user", "--yes");
    expect(imported.stdout).toMatch(/caliban memory undo \w+ --user\n$/);
    const exported = await caliban("memory", "export", "--to", "agents-md", "--user");
    expect(exported.stdout).toContain("Tabs, always.");
    expect((await caliban("memory", "export", "--to", "agents-md")).exitCode).toBe(3);
  });

  it("reads but does not write when memory about the user is off, even by the repository", async () => {
    const start = typing(
      await withUserTopics({ "app/.caliban/settings.toml": "[memory]\nuser = false\n" }),
      "x\n",
    );
    expect((await start.caliban("memory", "list", "--user")).stdout).toContain("tabs");
    const refused = await start.caliban(...write("new", "--user"));
    expect(refused).toMatchObject({ exitCode: 2, stdout: "" });
    expect(refused.stderr).toMatch(/memory about you is turned off by .*settings\.toml/);
    expect((await start.caliban("memory")).stdout).toContain(
      `  user     ~/${USER}/MEMORY.md (skipped: User memory is turned off.)\n`,
    );
    expect((await start.caliban("prompt")).stdout).not.toContain("prefers tabs");
    expect((await start.caliban("memory", "search", "tabs")).exitCode).toBe(3);
  });

  it.for([["--bare"], ["--no-memory"]])(
    "leaves it out of the prompt with %s",
    async ([flag = ""]) => {
      const { caliban } = await withUserTopics();
      expect((await caliban("prompt")).stdout).toContain("prefers tabs");
      expect((await caliban("prompt", flag)).stdout).not.toContain("prefers tabs");
    },
  );

  it("leaves it out of the prompt with the kill switch", async () => {
    const start = await withUserTopics();
    const env = { HOME: start.home, CALIBAN_DISABLE_AUTO_MEMORY: "1" };
    expect((await start.with({ env }).caliban("prompt")).stdout).not.toContain("prefers tabs");
  });
});

describe("caliban memory move", () => {
  it("moves a topic to the user and back, and records both sides", async () => {
    const { caliban, home } = await withTopics();
    expect(await caliban("memory", "move", "deploy", "--to", "user")).toEqual({
      exitCode: 0,
      stdout:
        "moved deploy to your own memory. Move it back with: caliban memory move deploy --to project\n",
      stderr: "",
    });
    expect(await readFile(join(home, USER, "deploy.md"), "utf8")).toBe(DEPLOY);
    expect((await caliban("memory", "show", "deploy")).exitCode).toBe(3);
    expect((await caliban("memory", "log")).stdout).toMatch(
      /remove {2}deploy \(to memory:\/\/user\/topics\/deploy\)/,
    );
    expect((await caliban("memory", "log", "--user")).stdout).toMatch(
      /write {2}deploy \(from memory:\/\/topics\/deploy\)/,
    );
    expect((await caliban("memory", "move", "deploy", "--to", "user")).stdout).toBe(
      "deploy is already in your own memory\n",
    );
    await caliban("memory", "move", "deploy", "--to", "project");
    expect((await caliban("memory", "show", "deploy")).exitCode).toBe(0);
    expect((await caliban("memory", "list", "--user")).stdout).toMatch(/^no topics yet/);
  });

  it("finishes a move that was killed after the first half", async () => {
    const { caliban } = await withTopics({ [`${USER}/deploy.md`]: DEPLOY });
    expect((await caliban("memory", "move", "deploy", "--to", "user")).stdout).toMatch(/^moved /);
    expect((await caliban("memory", "show", "deploy", "--user")).exitCode).toBe(0);
    expect((await caliban("memory", "show", "deploy")).exitCode).toBe(3);
  });

  it("reports a topic of the same name with another text, and moves nothing", async () => {
    const { caliban } = await withTopics({ [`${USER}/deploy.md`]: TABS });
    expect(await caliban("memory", "move", "deploy", "--to", "user")).toEqual({
      exitCode: 1,
      stdout: "",
      stderr:
        "caliban: your own memory already has a topic deploy with another text, so nothing was moved. Compare with: caliban memory show deploy --user, or rename this one with: caliban memory mv deploy <new>\n",
    });
    expect((await caliban("memory", "show", "deploy")).exitCode).toBe(0);
  });

  it("shows the words that name the workspace", async () => {
    const { caliban, home } = await withTopics({
      [`${MEMORY}/build.md`]: FLAGS.replace("see [[flags]]", "in ~/app, from acme/shop"),
    });
    await writeFile(
      join(home, "app/.git/config"),
      '[remote "origin"]\n\turl = git@github.com:acme/shop.git\n',
    );
    const { exitCode, stderr } = await caliban("memory", "move", "build", "--to", "user");
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr:
        'caliban: build names this workspace: "~/app", "acme/shop"; your own memory holds in every project. Remove that with: caliban memory edit build\n',
    });
  });

  it("requires a target, and a topic that exists", async () => {
    const { caliban } = await withTopics();
    expect((await caliban("memory", "move", "deploy")).stderr).toContain("--to is required");
    expect(await caliban("memory", "move", "deploy", "--to", "team")).toMatchObject({
      exitCode: 2,
      stderr: 'caliban: --to must be user or project, not "team"\n',
    });
    expect((await caliban("memory", "move", "gone", "--to", "user")).exitCode).toBe(3);
  });
});
