import { CLASS, classAt, type TextUnits, unitsFrom } from "./text-units.ts";


/** Is told from where to where each of them goes. */
export interface TokenVisitor {
  /** A word, or several that are connected as in a path or an identifier. */
  readonly onToken: (from: number, to: number) => void;
  /** A run of characters of a script without spaces. */
  readonly onCjkRun: (from: number, to: number) => void;
}

/** Goes once through the words of a folded text. */
export function scanTokens(text: TextUnits, { onToken: onForm, onCjkRun: onRun }: TokenVisitor): void {
  let at = 0;
  while (at < text.length) {
    const kind = classAt(text, at);
    const from = at;
    if (kind === CLASS.word) {
      at = formEnd(text, from);
      onForm(from, at);
    } else if (kind === CLASS.unspaced) {
      at = endOf(kind, text, from);
      onRun(from, at);
    } else {
      at++;
    }
  }
}

/** A connector counts only between two words. */
function formEnd(text: TextUnits, from: number): number {
  let end = endOf(CLASS.word, text, from);
  while (
    end + 1 < text.length &&
    classAt(text, end) === CLASS.connector &&
    classAt(text, end + 1) === CLASS.word
  ) {
    end = endOf(CLASS.word, text, end + 1);
  }
  return end;
}

function endOf(kind: number, text: TextUnits, from: number): number {
  const { units, length, classes } = text;
  let at = from;
  while (at < length) {
    const unit = units[at] ?? 0;
    if (unit < 0x80) {
      if (classes[unit] !== kind) return at;
      at++;
    } else {
      if (classAt(text, at) !== kind) return at;
      at += unitsFrom(unit);
    }
  }
  return length;
}
