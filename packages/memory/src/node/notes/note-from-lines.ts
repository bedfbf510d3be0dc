import { fitText } from "../../notes/fit-text.ts";
import type { Note, NoteRequest } from "../../notes/note.ts";
import type { TopicStore } from "../../store/topic-store.ts";
import { directoryTopics, recallFromStore, recallTopics } from "../search/recall-topics.ts";

/** The note for a message before an index is loaded: a topic that the message names, with its description. */
export async function noteFromLines(
  { trigger, isKnown, isReadable }: NoteRequest,
  topics: TopicStore | string,
): Promise<Note | undefined> {
  if (trigger.kind !== "message") return undefined;
  const input = {
    message: trigger.text,
    isKnown: (slug: string): boolean => isKnown(addressOf(slug)) || !isReadable(addressOf(slug)),
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
