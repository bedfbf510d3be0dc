import { terminalSafeLine, utf8Bytes } from "@caliban/common";
import { errorCode } from "@caliban/common/node";
import { newIndex } from "../../index-file/edit-index.ts";
import { repairFromTopics } from "../../index-file/repair-from-topics.ts";
import { stripComments } from "../../markdown/comments.ts";
import { normalizeText } from "../../markdown/normalize.ts";
import type { Candidate } from "../../prompt/candidates.ts";
import { STORE_INDEX } from "../../prompt/render-receipt.ts";
import type { ReadFile } from "../../prompt/prepare.ts";
import type { NotLoaded } from "../../prompt/receipt.ts";
import type { TopicStore } from "../../store/topic-store.ts";

/** What the prompt needs of a store. */
export type PromptStore = Pick<TopicStore, "storedIndex" | "list">;

/** A session must start even if the server of the store is down. */
const TIMEOUT_MS = 500;

const INDEX: Candidate = { tier: "auto", kind: "index", path: STORE_INDEX };

/** Reads the index of a store that is not in files, with a line for every topic. */
export async function readStoreIndex(store: PromptStore, autoMemory: boolean): Promise<ReadFile> {
  if (!autoMemory) return notLoaded("skipped", "TURNED_OFF", "Auto-memory is turned off.");
  try {
    return await withinLimit(readIndex(store));
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    const reason = error instanceof Error ? terminalSafeLine(error.message) : "";
    return notLoaded(
      "skipped",
      "UNREADABLE",
      `The topics cannot be loaded: ${reason.replace(/\.$/, "")}.`,
    );
  }
}

async function readIndex(store: PromptStore): Promise<ReadFile> {
  const [stored, { topics }] = await Promise.all([store.storedIndex(), store.list()]);
  if (stored === undefined && topics.length === 0)
    return notLoaded("missing", "ABSENT", "There are no topics yet.");
  const { text } = repairFromTopics(
    stored === undefined ? newIndex() : normalizeText(stored),
    topics,
  );
  const source = stripComments(text).text;
  return { candidate: INDEX, source, fileBytes: utf8Bytes(text), topicCount: topics.length };
}

async function withinLimit(reading: Promise<ReadFile>): Promise<ReadFile> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<ReadFile>((resolve) => {
    const message = `The topics cannot be loaded: the store did not answer within ${TIMEOUT_MS} ms.`;
    timer = setTimeout(() => resolve(notLoaded("skipped", "UNREADABLE", message)), TIMEOUT_MS);
  });
  try {
    return await Promise.race([reading, limit]);
  } finally {
    clearTimeout(timer);
    // An answer that comes too late, or never, is not needed any more.
    reading.catch(() => undefined);
  }
}

function notLoaded(
  status: NotLoaded["status"],
  code: NotLoaded["code"],
  message: string,
): ReadFile {
  return { candidate: INDEX, notLoaded: { status, code, message } };
}
