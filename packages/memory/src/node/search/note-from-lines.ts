import { fitText } from "../../notes/fit-text.ts";
import type { Note, NoteRequest } from "../../notes/note.ts";
import type { TopicStore } from "../../store/topic-store.ts";
import {
  directoryTopics,
  recallFromStore,
  recallTopics,
  type RecallTopicsInput,
} from "./recall-topics.ts";

export interface NoteFromLinesInput {
  /** A store, or the directory of the files. */
  readonly topics: TopicStore | string;
  /** An index that is already loaded. */
  readonly index?: RecallTopicsInput["index"];
  /** Whether another topic replaces a topic. */
  readonly isSuperseded?: ((slug: string) => boolean) | undefined;
}

/** A topic that a message names, with its description. Needs no index, so that the first message does not wait for one. */
export async function noteFromLines(
  { trigger, isKnown, isReadable }: NoteRequest,
  { topics, index, isSuperseded = () => false }: NoteFromLinesInput,
): Promise<Note | undefined> {
  if (trigger.kind !== "message") return undefined;
  const input = {
    message: trigger.text,
    index,
    isKnown: (slug: string): boolean =>
      isKnown(addressOf(slug)) || !isReadable(addressOf(slug)) || isSuperseded(slug),
  };
  const recalled =
    typeof topics === "string"
      ? await recallTopics({ ...input, topics: directoryTopics(topics) })
      : await recallFromStore(topics, input);
  const topic = recalled.find(({ description }) => description !== "");
  if (topic === undefined) return undefined;
  const { slug, description } = topic;
  return {
    // Not scanned for secrets: the prompt has the same text, and loading the scanner would delay the first request.
    text: fitText(description),
    source: { kind: "topic", slug, address: addressOf(slug), atMs: undefined },
    why: { match: "words", score: 1, terms: [] },
  };
}

function addressOf(slug: string): string {
  return `memory://topics/${slug}`;
}
