import { type Component, decodeKittyPrintable, matchesKey, parseKey } from "@earendil-works/pi-tui";

/** A question, and the letters that answer it at once. */
export interface Answerable extends Component {
  readonly isShortcut?: (text: string) => boolean;
  /** Told before it is drawn: whether Enter goes to what is typed, so that no answer is marked as the one it gives. */
  readonly setTyping?: (isTyping: boolean) => void;
}

/** What is typed goes there when it is no answer. */
export interface PromptEditor extends Component {
  focused: boolean;
  readonly getText: () => string;
  readonly isShowingAutocomplete: () => boolean;
}

interface TypedBesideInput {
  readonly dialog: Answerable;
  readonly editor: PromptEditor;
  readonly now: () => number;
  /** Whether the person did nothing to bring it up, so that they may be typing something else. */
  readonly isUnexpected: boolean;
  readonly onChange: () => void;
}

/** Who is typing a sentence pauses for less. */
const PAUSE_MS = 500;
/** A letter that is followed by another one sooner is the beginning of a word. */
const ALONE_MS = 200;

/**
 * A question above the prompt. A letter answers only when it stands alone: after a pause, before a pause, and while nothing
 * is typed in the prompt. All other text goes into the prompt, and so does Enter behind it.
 */
export function typedBeside(input: TypedBesideInput): Component {
  const { dialog, editor } = input;
  const { isTyping, keys } = createKeys(input);
  return {
    render: (width) => {
      editor.focused = isTyping();
      dialog.setTyping?.(isTyping());
      const below = editor.getText() === "" ? [] : editor.render(width);
      return [...dialog.render(width), ...below];
    },
    handleInput: (data) => {
      const text = typedText(data);
      if (text !== undefined) return keys.typed(data, text);
      if (keys.isSettled(data)) return;
      if (isTyping() && editor.isShowingAutocomplete()) return keys.toEditor(data);
      if (matchesKey(data, "enter")) return keys.entered(data);
      if (isOneOf(data, ["up", "down"])) return keys.moved(data);
      if (isOneOf(data, ["escape", "pageUp", "pageDown", "ctrl+o"])) {
        return dialog.handleInput?.(data);
      }
      if (isTyping()) return keys.toEditor(data);
      if (matchesKey(data, "tab")) keys.moved(data);
    },
    invalidate: () => dialog.invalidate(),
  };
}

interface BesideKeys {
  readonly toEditor: (data: string) => void;
  readonly typed: (data: string, text: string) => void;
  /** Puts a letter that waited where it belongs; true when the key was a part of it. */
  readonly isSettled: (data: string) => boolean;
  readonly entered: (data: string) => void;
  readonly moved: (data: string) => void;
}

function createKeys(input: TypedBesideInput): {
  readonly isTyping: () => boolean;
  readonly keys: BesideKeys;
} {
  const { dialog, editor, now, onChange } = input;
  const openAt = input.isUnexpected ? now() + PAUSE_MS : 0;
  let calmAt = openAt;
  /** Whether the last key went through the answers, although something is typed. */
  let isChoosing = false;
  let pending: { readonly data: string; readonly timer: NodeJS.Timeout } | undefined;
  const isTyping = (): boolean => editor.getText() !== "" && !isChoosing;
  const answer = (data: string): void => dialog.handleInput?.(data);
  const takePending = (): string | undefined => {
    clearTimeout(pending?.timer);
    const data = pending?.data;
    pending = undefined;
    return data;
  };
  const toEditor = (data: string): void => {
    calmAt = now() + PAUSE_MS;
    editor.handleInput?.(data);
    onChange();
  };
  const typed = (data: string, text: string): void => {
    isChoosing = false;
    const before = takePending();
    if (before !== undefined) toEditor(before);
    const isCalm = now() >= calmAt && editor.getText() === "";
    if (!isCalm || dialog.isShortcut?.(text) !== true) return toEditor(data);
    const timer = setTimeout(() => {
      pending = undefined;
      answer(data);
    }, ALONE_MS);
    pending = { data, timer };
  };
  const isSettled = (data: string): boolean => {
    const letter = takePending();
    if (letter === undefined) return false;
    // Who types a letter and Enter means the letter.
    const isMeant = matchesKey(data, "enter");
    (isMeant ? answer : toEditor)(letter);
    return isMeant;
  };
  const entered = (data: string): void => {
    if (isTyping()) return toEditor(data);
    if (isChoosing || now() >= calmAt) answer(data);
  };
  const moved = (data: string): void => {
    if (now() < openAt) return;
    const isUnmarked = isTyping() && dialog.setTyping !== undefined;
    isChoosing = true;
    // The first arrow shows where the mark is: nobody can move what is not to be seen.
    if (isUnmarked) return onChange();
    answer(data);
  };
  return { isTyping, keys: { toEditor, typed, isSettled, entered, moved } };
}

/** What a key or a paste puts into a text; `undefined` for a key that puts nothing there. */
export function typedText(data: string): string | undefined {
  if (data.startsWith("\u001B[200~")) return data;
  // oxlint-disable-next-line no-control-regex -- keys are told from text by them
  if (!/[\u0000-\u001F\u007F]/.test(data)) return data;
  const key = parseKey(data)?.replace(/^shift\+/, "");
  return decodeKittyPrintable(data) ?? (key?.length === 1 ? key : undefined);
}

function isOneOf(
  data: string,
  keys: readonly ("up" | "down" | "escape" | "pageUp" | "pageDown" | "ctrl+o")[],
): boolean {
  return keys.some((key) => matchesKey(data, key));
}
