import type { TopicBackend } from "../../store/topic-backend.ts";
import { expectEqual } from "../expect-equal.ts";
import {
  create,
  historyIds,
  readMany,
  readOne,
  recordOf,
  type BackendCases,
  type OpenedBackend,
} from "./backend-fixtures.ts";

/** Cases about writers and readers at the same time. */
export const RACE_CASES: BackendCases = {
  "commits exactly one of several writers with the same version": async (createBackend) => {
    const writers = await openWriters(await createBackend());
    const [backend] = writers;
    for (const text of ["first", "second", null, "third"]) {
      const before = await readOne(backend, "deploy");
      const expected = before?.version ?? null;
      const commits = writers.map(async (writer, number) => {
        const unique = text === null ? null : `${text} by ${number}`;
        const record = recordOf(`${text}-${number}`);
        const changes = [{ name: "deploy", expected, text: unique }];
        return (await writer.commit({ changes, record })).kind === "committed" ? [number] : [];
      });
      const winners = (await Promise.all(commits)).flat();
      await expectOneWinner(backend, { text, winners });
    }
  },
  "loses no change of writers that try again after a conflict": async (createBackend) => {
    const writers = await openWriters(await createBackend());
    await create(writers[0], { counter: "0" });
    await Promise.all(
      writers.map(async (writer) => {
        for (let times = 0; times < 3; times += 1) {
          await change(writer, ["counter"], ([count = 0]) => [count + 1]);
        }
      }),
    );
    expectEqual(
      (await readOne(writers[0], "counter"))?.text,
      String(writers.length * 3),
      "an acknowledged change was overwritten: the backend has no isolation",
    );
  },
  "never shows a part of a commit": async (createBackend) => {
    const writers = await openWriters(await createBackend());
    const [backend] = writers;
    const names = ["a", "b", "c"];
    await create(backend, { a: "10", b: "10", c: "10" });
    let isWriting = true;
    const reading = readWhile(backend, { names, isWriting: () => isWriting });
    // Overlapping sets: each commit moves one unit, so every read has the same total.
    const pairs = [
      ["a", "b"],
      ["b", "c"],
      ["c", "a"],
    ];
    const writing = writers.map(async (writer, number) => {
      for (const pair of [...pairs.slice(number % 3), ...pairs.slice(0, number % 3)]) {
        await change(writer, pair, ([from = 0, to = 0]) => [from - 1, to + 1]);
      }
    });
    const written = Promise.all(writing).finally(() => {
      isWriting = false;
    });
    await Promise.all([reading, written]);
    expectEqual(
      total(await readMany(backend, names)),
      30,
      "concurrent commits lost a part of another",
    );
  },
};

type Writers = readonly [TopicBackend, ...TopicBackend[]];

/** Eight writers over four instances. */
async function openWriters({ backend, reopen }: OpenedBackend): Promise<Writers> {
  const open = reopen ?? (async () => backend);
  const others = [await open(), await open(), await open()];
  return [backend, ...others, backend, ...others];
}

async function expectOneWinner(
  backend: TopicBackend,
  { text, winners }: { readonly text: string | null; readonly winners: readonly number[] },
): Promise<void> {
  if (winners.length > 1) {
    throw new Error(
      `${winners.length === 2 ? "two" : String(winners.length)} writers with the same version were both committed: the backend has no isolation`,
    );
  }
  const [winner] = winners;
  if (winner === undefined) throw new Error("no writer with the current version was committed");
  const entry = await readOne(backend, "deploy");
  expectEqual(
    entry?.text ?? null,
    text === null ? null : `${text} by ${winner}`,
    "the text is not that of the writer that was committed",
  );
  const ids = await historyIds(backend);
  expectEqual(
    ids.filter((id) => id.startsWith(`${text}-`)),
    [`${text}-${winner}`],
    "the history does not have exactly the change that was committed",
  );
}

/** Changes numbers, again after every conflict. */
async function change(
  backend: TopicBackend,
  names: readonly string[],
  compute: (numbers: readonly number[]) => readonly number[],
): Promise<void> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
    const entries = new Map((await readMany(backend, names)).map((entry) => [entry.name, entry]));
    const numbers = compute(names.map((name) => Number(entries.get(name)?.text)));
    const changes = names.map((name, position) => ({
      name,
      expected: entries.get(name)?.version ?? null,
      text: String(numbers[position]),
    }));
    if ((await backend.commit({ changes })).kind === "committed") return;
  }
  throw new Error("a writer that tries again after every conflict is never committed");
}

const MAX_ATTEMPTS = 1000;

async function readWhile(
  backend: TopicBackend,
  { names, isWriting }: { readonly names: readonly string[]; readonly isWriting: () => boolean },
): Promise<void> {
  while (isWriting()) {
    const entries = await readMany(backend, names);
    expectEqual(total(entries), 30, "a reader saw a part of a commit: commits are torn");
    // Lets writers without any input and output run.
    await new Promise((resolve) => {
      setTimeout(resolve, 0);
    });
  }
}

function total(entries: readonly { readonly text: string }[]): number {
  return entries.reduce((sum, { text }) => sum + Number(text), 0);
}
