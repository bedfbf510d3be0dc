import { searchTerms } from "../search/analyzer/query-terms.ts";
import { mentionedPaths, pathTerms } from "./path-terms.ts";
import { type Sentence, splitSentences } from "./sentences.ts";
import { settling, type Settling } from "./settles.ts";

/** A turn of a conversation. */
export interface SaidTurn {
  /** The part of its document's id after `#`. */
  readonly at: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly atMs: number | undefined;
  /** Whether the agent may repeat what a tool returned. Such text is never shown. */
  readonly isTainted: boolean;
  /** The files that tools used since the turn before. */
  readonly touched: readonly string[];
}

/** A sentence and what it does. */
export interface Judged extends Sentence, Settling {}

export interface JudgedTurn extends SaidTurn {
  readonly sentences: readonly Judged[];
  readonly terms: readonly string[];
}

export function judgeTurn(turn: SaidTurn): JudgedTurn {
  const sentences = splitSentences(turn.text).map((sentence) =>
    Object.assign(settling(sentence.text), sentence),
  );
  const paths = [...turn.touched, ...mentionedPaths(turn.text)];
  const terms = [...searchTerms(turn.text), ...paths.flatMap(pathTerms)];
  return { ...turn, sentences, terms };
}
