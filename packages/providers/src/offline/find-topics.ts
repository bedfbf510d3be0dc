import type { Step } from "./prompt-facts.ts";
import { call, type Move } from "./move.ts";
import { closeForms, coverage, queryOf, wideForms, type WordForms } from "./search-words.ts";
import { type FoundPassage, type FoundTopic, readHits, readPassages } from "./tool-answers.ts";

/** A hit, and the share of the wanted words that it shows. */
export interface JudgedTopic extends FoundTopic {
  readonly share: number;
}

/** A piece of a past session, judged as a note is. */
interface JudgedPassage extends FoundPassage {
  readonly share: number;
}

/** Where a search stands: the next call, the tool's refusal, or what was found, best first. */
export type Search =
  | { readonly kind: "next"; readonly move: Move }
  | { readonly kind: "refused"; readonly text: string }
  | {
      readonly kind: "found";
      readonly topics: readonly JudgedTopic[];
      readonly passages: readonly JudgedPassage[];
      readonly forms: readonly WordForms[];
    };

export interface SearchInput {
  readonly words: string;
  readonly steps: readonly Step[];
  /** What a hit must hold of the words to be good enough not to look again with others. */
  readonly leastShare: number;
}

/** Looks for the words as they are, and once more with others that mean nearly the same. */
export function searchMemory({ words, steps, leastShare }: SearchInput): Search {
  const searches = steps.filter(({ name }) => name === "MemorySearch");
  const last = searches.at(-1);
  const close = closeForms(words);
  if (close.length === 0) return { kind: "found", topics: [], passages: [], forms: close };
  if (last === undefined) return { kind: "next", move: search(close) };
  if (last.isError) return { kind: "refused", text: last.text };
  const wide = wideForms(words);
  const forms = searches.length === 1 ? close : wide;
  const topics = judged(last.text, forms);
  const passages = judgedPassages(last.text, forms);
  const isGood = [...topics, ...passages].some(({ share }) => share >= leastShare);
  if (!isGood && searches.length === 1 && queryOf(wide) !== queryOf(close)) {
    return { kind: "next", move: search(wide) };
  }
  return { kind: "found", topics, passages, forms };
}

function search(forms: readonly WordForms[]): Move {
  return call("MemorySearch", { query: queryOf(forms) });
}

function judged(text: string, forms: readonly WordForms[]): readonly JudgedTopic[] {
  return readHits(text)
    .map((hit) => {
      const shown = `${hit.slug} ${hit.description} ${hit.snippet}`;
      return Object.assign({ share: coverage(forms, shown) }, hit);
    })
    .toSorted((one, other) => other.share - one.share || other.score - one.score);
}

/** What stands together counts together: a question and its answer share the words. */
function judgedPassages(text: string, forms: readonly WordForms[]): readonly JudgedPassage[] {
  return readPassages(text)
    .map((passage) => {
      const shown = passage.turns.map((turn) => turn.text).join(" ");
      return Object.assign({ share: coverage(forms, shown) }, passage);
    })
    .toSorted((one, other) => other.share - one.share);
}
