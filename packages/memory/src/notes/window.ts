import { MAX_NOTE_TOKENS } from "./fit-text.ts";
import type { Judged, SaidTurn } from "./judged-turn.ts";
import type { TextSpan } from "./note-record.ts";

/** Sentences that are shown together. */
export type Window = readonly [Judged, ...Judged[]];

export function spanOf(window: Window): TextSpan {
  return { from: window[0].from, to: window.at(-1)?.to ?? window[0].to };
}

export function textOf({ text }: SaidTurn, window: Window): string {
  const { from, to } = spanOf(window);
  return text.slice(from, to);
}

/** Groups the sentences that settle something with their neighbors, as many as fit in a note. */
export function windowsOf(sentences: readonly Judged[], minStrength: number): readonly Window[] {
  const windows: Window[] = [];
  for (let next = 0; next < sentences.length;) {
    const at = sentences.findIndex(({ strength }, i) => i >= next && strength >= minStrength);
    const first = sentences[at];
    if (first === undefined) break;
    const begin = beginOf(sentences, { at, next });
    const start = sentences[begin] ?? first;
    let end = at;
    for (let i = at + 1; i < sentences.length; i++) {
      const sentence = sentences[i];
      if (sentence === undefined || !fits(start, sentence)) break;
      if (sentence.isQuestion || sentence.strength === 0) continue;
      end = i;
    }
    windows.push([start, ...sentences.slice(begin + 1, end + 1)]);
    next = end + 1;
  }
  return windows;
}

/** Where a window begins that contains a sentence: with what was said just before it, unless that is only talk. */
function beginOf(
  sentences: readonly Judged[],
  { at, next }: { readonly at: number; readonly next: number },
): number {
  const last = sentences[at];
  let begin = at;
  while (begin > next) {
    const before = sentences[begin - 1];
    const isPart = before !== undefined && (before.isQuestion || before.strength > 0);
    if (!isPart || last === undefined || !fits(before, last)) break;
    begin--;
  }
  return begin;
}

const MAX_CHARACTERS = MAX_NOTE_TOKENS * 4;

export function fits(first: Judged, last: Judged): boolean {
  const length = last.to - first.from;
  return length <= MAX_CHARACTERS;
}
