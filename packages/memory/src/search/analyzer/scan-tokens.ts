import { CLASS, classAt, type TextUnits, unitCount } from "./text-units.ts";

/** Receives the start and end of each token. */
export interface TokenVisitor {
  /** A word, or several that are connected as in a path or an identifier. */
  readonly onToken: (from: number, to: number) => void;
  /** A run of characters of a script without spaces: Chinese, Japanese, Korean, Thai and others. */
  readonly onCjkRun: (from: number, to: number) => void;
}

/** Visits the tokens of a folded text in one pass. */
export function scanTokens(text: TextUnits, { onToken, onCjkRun }: TokenVisitor): void {
  let at = 0;
  while (at < text.length) {
    const kind = classAt(text, at);
    const from = at;
    if (kind === CLASS.word) {
      at = tokenEnd(text, from);
      onToken(from, at);
    } else if (kind === CLASS.cjk) {
      at = classEnd(kind, text, from);
      onCjkRun(from, at);
    } else {
      at++;
    }
  }
}

/** A connector counts only between two words. */
function tokenEnd(text: TextUnits, from: number): number {
  let end = classEnd(CLASS.word, text, from);
  while (
    end + 1 < text.length &&
    classAt(text, end) === CLASS.connector &&
    classAt(text, end + 1) === CLASS.word
  ) {
    end = classEnd(CLASS.word, text, end + 1);
  }
  return end;
}

function classEnd(kind: number, text: TextUnits, from: number): number {
  const { units, length, classes } = text;
  let at = from;
  while (at < length) {
    const unit = units[at] ?? 0;
    if (unit < 0x80) {
      if (classes[unit] !== kind) return at;
      at++;
    } else {
      if (classAt(text, at) !== kind) return at;
      at += unitCount(unit);
    }
  }
  return length;
}
