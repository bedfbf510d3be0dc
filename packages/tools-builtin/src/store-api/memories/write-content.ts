import { type Author, isMemoryError, MemoryError, type StoredTopic } from "@caliban/memory";
import { withVisibleLines } from "../../anthropic/visible-lines.ts";
import { documentPath } from "../documents/document-path.ts";
import { renderDocument } from "../documents/topic-document.ts";
import type { ApiAnswer } from "../request/api-answer.ts";
import type { ApiClient } from "../request/api-request.ts";
import type { OpenedStore } from "../served-store.ts";
import { proposeMemory, reasonToHold } from "./review-memory.ts";

export interface ContentWrite {
  readonly name: string;
  readonly content: string;
  /** The topic to replace; `undefined` creates one. */
  readonly current: StoredTopic | undefined;
  readonly client: ApiClient;
  readonly nowMs: number;
}

/** What became of a write. After a conflict, the caller looks at the topic again. */
export type WrittenContent =
  | { readonly kind: "written"; readonly topic: StoredTopic }
  | { readonly kind: "held"; readonly answer: ApiAnswer }
  | { readonly kind: "conflict" };

/** Writes the content of a memory, if the topic is still the one that was read. */
export async function writeContent(
  { name, content, current, client, nowMs }: ContentWrite,
  opened: OpenedStore,
): Promise<WrittenContent> {
  const { file, description, type } = await renderDocument(content, { name, current, nowMs });
  const ifMatch = current?.hash;
  const topic = { name, description, type, body: content, ifMatch };
  const action = current === undefined ? "write" : "edit";
  const reason = await reasonToHold({ action, topic }, opened, current);
  if (reason !== undefined) {
    const path = documentPath(name);
    const held = await proposeMemory({ action, topic, reason, path }, opened, client);
    return { kind: "held", answer: held };
  }
  // A memory may be empty, and one that the user wrote without a header can be changed.
  const allowMalformed = content.trim() === "" || (current?.topic.problems.length ?? 0) > 0;
  try {
    const edit = { name, text: file, ifMatch, allowMalformed, author: authorOf(client) };
    const result = await opened.store.edit(edit);
    if (result.kind !== "edited") return { kind: "conflict" };
    const { change, isNew } = result;
    opened.identities.wrote(result.topic, { change, isNew });
    return { kind: "written", topic: result.topic };
  } catch (error) {
    if (!isMemoryError(error) || error.code !== "SECRET_FOUND") throw error;
    const hidden = file.slice(0, file.length - content.length).split("\n").length - 1;
    const message = withVisibleLines(error.message, hidden);
    throw new MemoryError("SECRET_FOUND", message, { cause: error });
  }
}

/** What a client removed, it may write again; what the user forgot, it may not. */
export function authorOf({ name }: ApiClient): Author {
  return { who: "agent", agent: name, session: `serve:${name}`, origin: "other-agent" };
}
