/** What a hook has to say to the model. */
export interface HookText {
  /** The name of the hook. Contains nothing but letters, digits, `-` and `_`. */
  readonly hook: string;
  readonly event: string;
  /** The caller has escaped the tag, so that the text cannot close its frame. */
  readonly text: string;
}

/** The frame of what a hook printed. It is data, and says where it comes from. */
export function renderHookText({ hook, event, text }: HookText): string {
  return `<${HOOK_TAG} origin="hook" name="${hook}" event="${event}">\n${text}\n</${HOOK_TAG}>`;
}

/** Only caliban may write this tag; in a text of others it is escaped. */
export const HOOK_TAG = "hook-output";

const FRAME = new RegExp(`<${HOOK_TAG} origin="hook" [^>\\n]*>\\n([^]*?)\\n</${HOOK_TAG}>`, "g");

/** The texts of hooks in a note. */
export function hookTextsIn(note: string): readonly string[] {
  return Array.from(note.matchAll(FRAME), ([, text = ""]) => text);
}

/** What only the program wrote into a note. */
export function withoutHookTexts(note: string): string {
  return note.replaceAll(FRAME, "");
}
