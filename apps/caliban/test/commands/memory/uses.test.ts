import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type Machine, machine } from "../../fake-host.ts";

const topic = (slug: string): string =>
  `---\nname: ${slug}\ndescription: "about ${slug}"\nmetadata:\n  type: project\n---\n\nBody.\n`;
const MEMORY = ".local/share/caliban/projects/SLUG/memory";
const DEPLOY = "memory://topics/deploy";

/** A project with two topics, of which one was used, and some sessions after that. */
async function used(sessions: number, text?: string): Promise<Machine> {
  const here = await machine({
    [`${MEMORY}/deploy.md`]: topic("deploy"),
    [`${MEMORY}/tests.md`]: topic("tests"),
  });
  const lastMs = Date.parse("2026-11-13T12:00:00Z");
  const use = { shown: 2, followed: 1, ignored: 0, read: 0, found: 1, lastMs };
  const counts = { version: 1, sinceMs: 0, memories: { [DEPLOY]: use } };
  const directory = join(here.home, ".local/state/caliban/use");
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, `${here.slug}.json`), text ?? JSON.stringify(counts));
  const stored = join(here.home, ".local/share/caliban/projects", here.slug, "sessions");
  await mkdir(stored, { recursive: true });
  for (let at = 0; at < sessions; at++)
    await writeFile(join(stored, `20990101-0000${String(at).padStart(2, "0")}-aaaa.jsonl`), "");
  return here;
}

describe("memory that was used", () => {
  it("a use is listed by stats with how often and when", async () => {
    const { stdout } = await (await used(0)).caliban("memory", "stats");
    expect(stdout).toMatch(/deploy +3 days ago +shown 2 times, followed 1, ignored 0, found 1$/m);
  });

  it("a use is part of the JSON of stats", async () => {
    const { stdout } = await (await used(0)).caliban("memory", "stats", "--json");
    expect(JSON.parse(stdout)).toMatchObject({
      use: {
        memories: [
          { address: DEPLOY, shown: 2, followed: 1, lastUsed: "2026-11-13T12:00:00.000Z" },
        ],
      },
    });
  });

  it("a use is part of the JSON of list", async () => {
    const { stdout } = await (await used(0)).caliban("memory", "list", "--json");
    const { topics } = JSON.parse(stdout) as { readonly topics: readonly { slug: string }[] };
    const use = { used: 3, lastUsed: "2026-11-13T12:00:00.000Z", followed: 1, ignored: 0 };
    expect(topics.find(({ slug }) => slug === "deploy")).toMatchObject(use);
    const unused = topics.find(({ slug }) => slug === "tests");
    expect(unused).toMatchObject({ used: 0, followed: 0, ignored: 0 });
    expect(unused).not.toHaveProperty("lastUsed");
  });

  it("a use is reported as damaged if it cannot be read", async () => {
    const { exitCode, stderr } = await (await used(0, "{")).caliban("memory", "stats");
    expect(exitCode).toBe(0);
    expect(stderr).toContain("SLUG.json is damaged");
  });
});

describe("topics that many sessions did not use", () => {
  it("unused topics are proposed for removal by doctor, which is not a problem", async () => {
    const here = await used(55);
    const { exitCode, stdout } = await here.caliban("memory", "doctor");
    expect(stdout).toContain(
      "note: tests was not used in 55 sessions; if it is out of date: caliban memory rm tests\n",
    );
    expect(stdout).not.toContain("deploy was");
    const json = await here.caliban("memory", "doctor", "--json");
    expect(JSON.parse(json.stdout)).toMatchObject({ unused: ["tests"] });
    expect(exitCode).toBe(json.exitCode);
  });

  it("unused topics are not proposed after a few sessions", async () => {
    const { stdout } = await (await used(49)).caliban("memory", "doctor");
    expect(stdout).not.toContain("was not used");
  });
});
