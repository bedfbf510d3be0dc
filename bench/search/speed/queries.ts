import type { Meeting } from "../meetings.ts";
import { tellingWords, wordsOf } from "../words.ts";

/** What people asked about the meetings, as questions and as the words they would type. */
export interface Queries {
  /** One or two words each. */
  readonly keywords: readonly string[];
  /** Eight to twelve words each. */
  readonly questions: readonly string[];
}

export function queriesOf(meetings: readonly Meeting[]): Queries {
  const all = meetings.flatMap(({ questions }) => questions.map(({ query }) => query));
  return {
    keywords: all.map((query, at) =>
      tellingWords(query)
        .slice(-1 - (at % 2))
        .join(" "),
    ),
    questions: all.filter((query) => {
      const { length } = wordsOf(query);
      return length >= 8 && length <= 12;
    }),
  };
}
