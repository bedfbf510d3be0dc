import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { open, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  createFsTopicStore,
  type FsTopicStore,
} from "../packages/memory/src/node/topics/fs-topic-store.ts";
import { renderTopic } from "../packages/memory/src/topics/render-topic.ts";
import { parseNewTopicSlug } from "../packages/memory/src/topics/slug.ts";
import { renderIndexLine } from "../packages/memory/src/index-file/render-line.ts";
import { interleaveJobs } from "./interleave.ts";
import { type Measurement, timing as row } from "./measurement.ts";

const ROUNDS = 30;
const SIZES = [100, 10_000];

/** Compares writes with the bare file operations they consist of, and lists with a stat of each file. */
export async function benchTopics(): Promise<readonly Measurement[]> {
  const rows: Measurement[] = [];
  for (const count of SIZES) rows.push(...(await benchWrites(count)));
  rows.push(...(await benchLists(10_000)));
  return rows;
}

async function benchWrites(count: number): Promise<readonly Measurement[]> {
  const { bareMs, writeMs } = await timeWrites(count);
  return [
    row(`bare file operations of a write with ${count} topics`, bareMs, bareMs),
    row(`write with ${count} topics`, writeMs, bareMs),
  ];
}

/** The time of a write, divided by that of the bare file operations it consists of. */
export async function writeRatio(count: number): Promise<number> {
  const { bareMs, writeMs } = await timeWrites(count);
  return writeMs / bareMs;
}

async function timeWrites(
  count: number,
): Promise<{ readonly bareMs: number; readonly writeMs: number }> {
  const storePaths = createFilledStore(count);
  try {
    const store = openStore(storePaths);
    let round = 0;
    const write = async (): Promise<unknown> =>
      await store.write({
        name: `topic-${round++ % count}`,
        description: `another line ${round}`,
        type: "project",
        body: `Body ${round}.\n`.repeat(20),
        replace: true,
        author: { who: "agent" },
      });
    const bare = await createBareWriter(storePaths);
    const [bareMs = 0, writeMs = 0] = await interleaveJobs([bare, write], ROUNDS);
    return { bareMs, writeMs };
  } finally {
    rmSync(storePaths.home, { recursive: true });
  }
}

/** Appends to a history, and writes topic and index with a rename and a sync, without a lock or any checks. */
async function createBareWriter({ home, index }: TopicStorePaths): Promise<() => Promise<void>> {
  const directory = join(home, "bare");
  mkdirSync(directory);
  const topic = topicText("bare", 1);
  return async () => {
    const history = await open(join(directory, "history"), "a");
    await history.write(JSON.stringify({ before: topic, after: topic }));
    await history.sync();
    await replace(directory, "topic.md", topic);
    await replace(directory, "MEMORY.md", index);
    await history.write("done\n");
    await history.close();
  };
}

async function replace(directory: string, name: string, text: string): Promise<void> {
  const file = await open(join(directory, `${name}.tmp`), "w");
  await file.writeFile(text);
  await file.sync();
  await file.close();
  await rename(join(directory, `${name}.tmp`), join(directory, name));
  const parent = await open(directory, "r");
  await parent.sync();
  await parent.close();
}

/** The time of listing topics that are known, divided by that of a stat of each file. */
export async function listRatio(count: number): Promise<number> {
  const storePaths = createFilledStore(count);
  try {
    const { statMs, cachedMs } = await timeLists(storePaths, count);
    return cachedMs / statMs;
  } finally {
    rmSync(storePaths.home, { recursive: true });
  }
}

async function benchLists(count: number): Promise<readonly Measurement[]> {
  const storePaths = createFilledStore(count);
  try {
    const paths = pathsOf(storePaths, count);
    const { statMs, cachedMs } = await timeLists(storePaths, count);
    const [readMs, freshMs] = await interleaveJobs(
      [
        async () => paths.map((path) => readFileSync(path, "utf8").length),
        () => openStore(storePaths).list(),
      ],
      5,
    );
    return [
      row(`stat ${count} topics`, statMs, statMs),
      row(`list ${count} topics, cached`, cachedMs, statMs),
      row(`read ${count} topics`, readMs, readMs),
      row(`list ${count} topics, not cached`, freshMs, readMs),
    ];
  } finally {
    rmSync(storePaths.home, { recursive: true });
  }
}

async function timeLists(
  storePaths: TopicStorePaths,
  count: number,
): Promise<{ readonly statMs: number; readonly cachedMs: number }> {
  const cached = openStore(storePaths);
  await cached.list();
  const paths = pathsOf(storePaths, count);
  const [statMs = 0, cachedMs = 0] = await interleaveJobs(
    [async () => paths.map((path) => statSync(path).size), () => cached.list()],
    9,
  );
  return { statMs, cachedMs };
}

function pathsOf({ directory }: TopicStorePaths, count: number): readonly string[] {
  return Array.from({ length: count }, (_, n) => join(directory, `topic-${n}.md`));
}

interface TopicStorePaths {
  readonly home: string;
  readonly directory: string;
  readonly index: string;
}

function createFilledStore(count: number): TopicStorePaths {
  const home = realpathSync(mkdtempSync(join(tmpdir(), "caliban-bench-")));
  const directory = join(home, "memory");
  mkdirSync(directory);
  const names = Array.from({ length: count }, (_, n) => `topic-${n}`);
  names.forEach((name, n) => writeFileSync(join(directory, `${name}.md`), topicText(name, n)));
  const lines = names.map((name, n) =>
    renderIndexLine({
      slug: parseNewTopicSlug(name),
      type: "project",
      description: `what topic ${n} is about`,
    }),
  );
  const index = `# Memory index\n\n<!--\nA comment.\n-->\n\n${lines.join("\n")}\n`;
  writeFileSync(join(directory, "MEMORY.md"), index);
  return { home, directory, index };
}

function topicText(name: string, n: number): string {
  return renderTopic({
    name: parseNewTopicSlug(name),
    description: `what topic ${n} is about`,
    type: "project",
    body: "A line of text that says something about it.\n".repeat(12),
    updated: "2026-11-16T12:00:00.000Z",
  });
}

function openStore({ home, directory }: TopicStorePaths): FsTopicStore {
  return createFsTopicStore({ directory, historyDirectory: join(home, "history") });
}
