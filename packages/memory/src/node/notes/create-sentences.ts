import { type MessageWords, parseMessage } from "../../search/recall/message-words.ts";

/** Remembers the last message, because every call of a turn is about the same one. */
export function createSentences(): (message: string) => MessageWords["sentences"] {
  let last: (Pick<MessageWords, "sentences"> & { readonly message: string }) | undefined;
  return (message) => {
    if (last?.message !== message) last = { message, sentences: parseMessage(message).sentences };
    return last.sentences;
  };
}
