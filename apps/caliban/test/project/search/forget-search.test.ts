import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import {
  openTestProject,
  type TestProject,
  said,
  started,
  writeGeneration,
} from "./test-project.ts";

const ID = "20261110-100000-aaaa";
const OTHER = "20261110-100000-bbbb";
const topic = (body: string): string =>
  `---\nname: x\ndescription: a topic\nmetadata:\n  type: project\n---\n\n${body}\n`;

/** Which of the words occur in any file of the state directory. */
function left({ machine }: TestProject, ...words: readonly string[]): readonly string[] {
  const state = join(machine.home, ".local/state/caliban");
  const paths = readdirSync(state, { recursive: true, encoding: "utf8" })
    .map((name) => join(state, name))
    .filter((path) => statSync(path).isFile());
  const texts = paths.map((path) => readFileSync(path, "latin1"));
  return words.filter((word) => texts.some((text) => text.includes(word)));
}

describe("forgetSearch", () => {
  let here: TestProject;
  beforeEach(async () => {
    here = await openTestProject();
    here.write("memory/vault.md", topic("the zebrasecret"));
    here.write("memory/birds.md", topic("penguin"));
    here.write(`sessions/${ID}.jsonl`, started(ID) + said("my yaksecret", "yes"));
    here.write(`sessions/${OTHER}.jsonl`, started(OTHER) + said("about walrus", "yes"));
    writeGeneration(here, { "MEMORY.md": "# Notes\n\n## Habits\n\nGnusecret is used.\n" });
    await here.find("penguin");
  });

  it.for([
    ["zebrasecret", ["memory", "rm", "vault", "--purge", "--force"]],
    ["yaksecret", ["sessions", "rm", ID, "--force"]],
    ["gnusecret", ["memory", "clear", "--force"]],
  ] as const)("leaves no erased word in the search index: %s", async ([word, command]) => {
    const { machine, snapshot } = here;
    expect(left(here, word)).toEqual([word]);
    const unfinished = join(dirname(snapshot), `.${machine.slug}.idx.0-1.tmp`);
    writeFileSync(unfinished, word);
    const foreign = join(dirname(snapshot), "other.idx");
    writeFileSync(foreign, "another project");
    expect(await machine.caliban(...command)).toMatchObject({ exitCode: 0, stderr: "" });
    expect(left(here, word)).toEqual([]);
    expect(existsSync(foreign)).toBe(true);
    expect((await here.find("penguin")).topics).toHaveLength(1);
    expect(left(here, word, "penguin")).toEqual(["penguin"]);
  });

  it("leaves no word of an edited topic in the index after the next search", async () => {
    expect(left(here, "zebrasecret")).toEqual(["zebrasecret"]);
    here.write("memory/vault.md", topic("nothing more"));
    await here.find("penguin");
    expect(left(here, "zebrasecret", "penguin")).toEqual(["penguin"]);
  });

  it("forgets the index of every project when projects share topics", async () => {
    const { machine, snapshot } = here;
    const config = join(machine.home, ".config/caliban/settings.toml");
    const shared = join(machine.home, "shared");
    mkdirSync(shared);
    writeFileSync(join(shared, "vault.md"), topic("the zebrasecret"));
    writeFileSync(config, `[memory]\ndirectory = ${JSON.stringify(shared)}\n`);
    const other = join(dirname(snapshot), "other.idx");
    writeFileSync(other, "zebrasecret");
    const removed = await machine.caliban("memory", "rm", "vault", "--purge", "--force");
    expect(removed).toMatchObject({ exitCode: 0 });
    expect(left(here, "zebrasecret")).toEqual([]);
  });
});
