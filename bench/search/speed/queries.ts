import type { Meeting } from "../meetings.ts";
import { significantTokens, tokenize } from "../words.ts";

/** The questions about the meetings, as sentences and as keywords. */
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
      significantTokens(query)
        .slice(-1 - (at % 2))
        .join(" "),
    ),
    questions: all.filter((query) => {
      const { length } = tokenize(query);
      return length >= 8 && length <= 12;
    }),
  };
}
