import { execFile } from "node:child_process";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { temporaryDirectory } from "../../../../../test/support/temporary-directory.ts";
import { openTopicStore } from "../../../src/node/open-topic-store.ts";
import { topic } from "./topic-input.ts";

const run = promisify(execFile);
const WRITER = join(import.meta.dirname, "write-user.process.ts");

async function openFrom(home: string, project: string): ReturnType<typeof openTopicStore> {
  const workspace = join(home, project);
  await mkdir(workspace, { recursive: true });
  const env = { HOME: home, CALIBAN_AUTO_MEMORY_DIRECTORY: join(home, "elsewhere") };
  return await openTopicStore({ workspace, env, scope: "user" });
}

describe("the store of topics about the user", () => {
  it("every project uses the same one, with its own index, history and undo", async () => {
    const home = await temporaryDirectory();
    const [one, other] = [await openFrom(home, "one"), await openFrom(home, "other")];
    expect(one.store.scope).toBe("user");
    await one.store.write(topic("tabs", "Prefers tabs."));
    expect((await other.store.read("tabs"))?.topic.body).toBe("Prefers tabs.");
    expect(await readdir(join(home, ".local/share/caliban"))).toEqual(["user"]);
    const user = join(home, ".local/share/caliban/user");
    expect((await readdir(user)).toSorted()).toEqual(["history", "memory"]);
    expect((await readdir(join(user, "memory"))).toSorted()).toEqual(["MEMORY.md", "tabs.md"]);
    await other.store.undo({ author: { who: "person" } });
    expect(await one.store.read("tabs")).toBeUndefined();
  });

  it.skipIf(process.platform === "win32")("only the user can read it", async () => {
    const home = await temporaryDirectory();
    const { store } = await openFrom(home, "app");
    await store.write(topic("tabs", "Prefers tabs."));
    const user = join(home, ".local/share/caliban/user");
    const modeOf = async (path: string): Promise<number> =>
      (await stat(join(user, path))).mode & 0o777;
    expect(await Promise.all(["", "memory", "history"].map(modeOf))).toEqual([0o700, 0o700, 0o700]);
    expect(await modeOf("memory/tabs.md")).toBe(0o600);
  });

  it(
    "loses no write of processes that work in different projects at once",
    { timeout: 60_000 },
    async () => {
      const home = await temporaryDirectory();
      const projects = ["one", "two", "three"].map((name) => join(home, name));
      for (const project of projects) await mkdir(project);
      const writers = await Promise.all(
        projects.map((project) =>
          run(process.execPath, ["--conditions=caliban:source", WRITER, home, project, "12"]),
        ),
      );
      const successes = writers.flatMap(({ stdout }) => JSON.parse(stdout) as readonly string[]);
      const { store } = await openFrom(home, "one");
      const recorded = (await store.log()).flatMap(({ files }) => files.map(({ slug }) => slug));
      expect([...recorded].toSorted()).toEqual(successes.toSorted());
      const { topics, problems } = await store.list();
      expect(problems).toEqual([]);
      expect(topics).toHaveLength(5 + 3 * 12);
      expect(await store.storedIndex()).toBe(await store.index());
    },
  );
});
