import { CLASS, classOf, classOfUnit } from "./character-class.ts";

export interface FormVisitor {
  /** A word, or several that are connected as in a path or an identifier. */
  readonly onForm: (form: string) => void;
  /** A run of characters of a script without spaces. */
  readonly onRun: (run: string) => void;
}

/** Goes once through the words of a folded text. */
export function scanForms(text: string, { onForm, onRun }: FormVisitor): void {
  // Of the form or run under way; none where `start` is -1. A connector counts only between two words.
  let start = -1;
  let end = -1;
  let isRun = false;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    const isPair = unit >= 0xd8_00 && unit < 0xdc_00 && at + 1 < text.length;
    const kind = isPair ? classOf(text.slice(at, at + 2)) : classOfUnit(unit);
    const isUnspaced = kind === CLASS.unspaced;
    if (start !== -1 && (isUnspaced || kind === CLASS.word) && isUnspaced === isRun) {
      end = at + (isPair ? 2 : 1);
    } else if (start === -1 || kind !== CLASS.connector || isRun || end !== at) {
      if (start !== -1) (isRun ? onRun : onForm)(text.slice(start, end));
      start = isUnspaced || kind === CLASS.word ? at : -1;
      end = at + (isPair ? 2 : 1);
      isRun = isUnspaced;
    }
    if (isPair) at++;
  }
  if (start !== -1) (isRun ? onRun : onForm)(text.slice(start, end));
}
