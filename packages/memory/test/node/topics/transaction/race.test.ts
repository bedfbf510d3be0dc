import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { parseIndexLines } from "../../../../src/index-file/index-lines.ts";
import { parseTopic } from "../../../../src/topics/parse-topic.ts";
import { storeHome } from "../store-home.ts";
import { RUNTIME } from "../../../../../../test/support/runtime.ts";

const run = promisify(execFile);
const WRITER = join(import.meta.dirname, "write-many.process.ts");
const FULL = process.env["FULL"] === "1";
const [WRITERS, SHARED_WRITES, OWN_TOPICS] = FULL ? [8, 200, 50] : [8, 25, 6];

it(
  "loses no write of eight processes that write shared and own topics",
  { timeout: 240_000 },
  async () => {
    const home = await storeHome();
    const writers = await Promise.all(
      Array.from({ length: WRITERS }, (_, writer) =>
        run(RUNTIME, [
          "--conditions=caliban:source",
          WRITER,
          home.directory,
          home.historyDirectory,
          ...[writer, SHARED_WRITES, OWN_TOPICS].map(String),
        ]),
      ),
    );
    const successes = writers.flatMap(({ stdout }) => JSON.parse(stdout) as readonly string[]);
    const store = home.open();
    const changes = await store.log();
    const recorded = changes.flatMap(({ files }) =>
      files.map(({ slug, after }) => `${slug}: ${parseTopic(after ?? "").body}`),
    );
    // The history contains every successful write and nothing else.
    expect(recorded.toSorted()).toEqual(successes.toSorted());
    expect(successes.length).toBeGreaterThan(WRITERS * OWN_TOPICS);
    const names = (await home.names()).filter((name) => name !== "MEMORY.md");
    expect(names.length).toBe(50 + WRITERS * OWN_TOPICS);
    const index = await readFile(join(home.directory, "MEMORY.md"), "utf8");
    expect(
      parseIndexLines(index)
        .map(({ slug }) => `${slug}.md`)
        .toSorted(),
    ).toEqual(names);
    for (const name of names) {
      const { body, problems } = parseTopic(await home.text(name));
      expect(problems).toEqual([]);
      const last = changes.find(({ files }) => files[0]?.slug === name.slice(0, -3));
      expect({ name, body }).toEqual({ name, body: parseTopic(last?.files[0]?.after ?? "").body });
    }
  },
);
