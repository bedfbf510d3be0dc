import type { TopicBackend } from "../../store/topic-backend.ts";
import { expectEqual } from "../expect-equal.ts";
import {
  committed,
  create,
  historyIds,
  readOne,
  recordOf,
  type BackendCases,
} from "./backend-fixtures.ts";

/** Cases about the exact text. */
export const TEXT_CASES: BackendCases = {
  "keeps every text exactly": async (createBackend) => {
    const { backend } = await createBackend();
    for (const [kind, text] of Object.entries(TEXTS)) {
      const before = await readOne(backend, "deploy");
      const changes = [{ name: "deploy", expected: before?.version ?? null, text }];
      await committed(backend, { changes });
      const read = await readOne(backend, "deploy");
      if (read?.text !== text) throw new Error(`a text with ${kind} is not kept exactly`);
    }
  },
  "keeps or refuses a text that not every store can keep": async (createBackend) => {
    for (const [kind, text] of Object.entries(DIFFICULT)) {
      const { backend } = await createBackend();
      await create(backend, { deploy: "old" });
      const isKept = await keeps(backend, text);
      const read = await readOne(backend, "deploy");
      if (read?.text === (isKept ? text : "old")) continue;
      throw new Error(
        isKept
          ? `a text with ${kind} is committed, but altered: refuse it with INVALID_TOPIC`
          : `a text with ${kind} is refused, but the entry was changed`,
      );
    }
  },
  "adds nothing to the history for a text that it refuses": async (createBackend) => {
    const { backend } = await createBackend();
    const changes = [
      { name: "good", expected: null, text: "good" },
      { name: "bad", expected: null, text: "a\0b" },
    ];
    const isKept = await isAccepted(backend.commit({ changes, record: recordOf("r-1") }));
    const found = [
      (await readOne(backend, "good"))?.text ?? null,
      (await historyIds(backend)).includes("r-1"),
    ];
    expectEqual(found, isKept ? ["good", true] : [null, false], "half of a commit was carried out");
  },
};

const TEXTS: Readonly<Record<string, string>> = {
  "CRLF line ends": "---\r\nname: x\r\n---\r\n\r\nbody\r\n",
  "a byte order mark": "\uFEFF---\nname: x\n---\n",
  "trailing spaces and no final newline": "line  \n\tindented \n\n\nlast ",
  "no characters": "",
  "quotes, backslashes and braces": String.raw`{"a":"\"b\\"} ',\' $1 {NULL} %s \u0041`,
  "the word NULL": "NULL",
  "control characters": "\u0001\u0008\u001B[0m\u007F\u0085\u2028",
  "decomposed and astral characters": "e\u0301 \u00E9 😀 𝒳 \u{10FFFF} \uFFFE",
  "300 KB": "0123456789äöü😀".repeat(20_000),
};

const DIFFICULT: Readonly<Record<string, string>> = {
  "a NUL character": "before\0after",
  "a lone surrogate": "before\uD800after",
  "a lone surrogate at the end": "before\uDBFF",
};

async function keeps(backend: TopicBackend, text: string): Promise<boolean> {
  const current = await readOne(backend, "deploy");
  const changes = [{ name: "deploy", expected: current?.version ?? null, text }];
  return await isAccepted(backend.commit({ changes }));
}

/** Whether it was committed. Any other failure than `INVALID_TOPIC` is a failure of the case. */
async function isAccepted(commit: Promise<unknown>): Promise<boolean> {
  try {
    await commit;
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "INVALID_TOPIC") return false;
    throw error;
  }
}
