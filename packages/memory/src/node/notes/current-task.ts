import type { NoteIndex } from "../../notes/note-index.ts";
import type { NoteRequest } from "../../notes/note.ts";
import { noStanding, type StandingOf, standingsIn } from "../../notes/standing.ts";
import type { SearchIndex } from "../../search/engine/search-index.ts";
import { type MessageWords, parseMessage } from "../../search/recall/message-words.ts";

const MAX_FOUND = 50;

/** Searches for the task, once for all calls of a turn. */
export function createStandings(): (
  index: NoteIndex,
  request: NoteRequest,
  search: SearchIndex | undefined,
) => StandingOf {
  let last:
    | { readonly query: string; readonly version: number; readonly standingOf: StandingOf }
    | undefined;
  return (index, { trigger, message = "" }, search) => {
    const query = trigger.kind === "message" ? trigger.text : message;
    if (search === undefined || query.trim() === "") return noStanding;
    const version = index.version();
    if (last?.query !== query || last.version !== version) {
      const standingOf = standingsIn(search.search(query, { limit: MAX_FOUND }));
      last = { query, version, standingOf };
    }
    return last.standingOf;
  };
}

/** Remembers the last message, because every call of a turn is about the same one. */
export function createSentences(): (message: string) => MessageWords["sentences"] {
  let last: (Pick<MessageWords, "sentences"> & { readonly message: string }) | undefined;
  return (message) => {
    if (last?.message !== message) last = { message, sentences: parseMessage(message).sentences };
    return last.sentences;
  };
}
