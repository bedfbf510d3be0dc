import { StringDecoder } from "node:string_decoder";
import { createStreamMask } from "../secret-mask.ts";
import type { ToolWorkspace } from "../tool-workspace.ts";
import { createAnsiStripper } from "./strip-ansi.ts";

/** What a command has printed and no one has read yet. Of more than fits, the last part is kept. */
export interface NewOutput {
  readonly push: (bytes: Buffer) => void;
  readonly end: () => void;
  readonly peek: () => string;
  /** Returns the text, and starts again. */
  readonly take: () => { readonly text: string; readonly lines: number };
}

const MAX_CHARACTERS = 30_000;

export function createNewOutput({ env, secretVariables }: ToolWorkspace): NewOutput {
  const decoder = new StringDecoder("utf8");
  const stripper = createAnsiStripper();
  const mask = createStreamMask(secretVariables.map((name) => env[name]));
  let [text, dropped, lines] = ["", 0, 0];
  const add = (added: string): void => {
    lines += added.split("\n").length - 1;
    text += added;
    // Trimmed only now and then, because trimming copies the text.
    if (text.length > 2 * MAX_CHARACTERS) trim();
  };
  const trim = (): void => {
    const excess = Math.max(0, text.length - MAX_CHARACTERS);
    dropped += excess;
    text = text.slice(excess).toWellFormed();
  };
  return {
    push: (bytes) => add(mask.push(stripper.push(decoder.write(bytes)))),
    end: () => add(mask.push(stripper.push(decoder.end()) + stripper.end()) + mask.end()),
    peek: () => text,
    take: () => {
      trim();
      const note = dropped === 0 ? "" : `[… ${dropped} earlier characters left out …]\n`;
      const taken = { text: note + text, lines };
      [text, dropped, lines] = ["", 0, 0];
      return taken;
    },
  };
}
