import { type Component, decodeKittyPrintable, matchesKey, parseKey } from "@earendil-works/pi-tui";

/** A question, and the letters that answer it directly. */
export interface Dialog extends Component {
  readonly isShortcut?: (text: string) => boolean;
  /** Whether all keys belong to the dialog, because it asks for a text. */
  readonly takesText?: boolean;
  /** Called before each frame: while Enter goes to the prompt, no answer may be marked as selected. */
  readonly setTyping?: (isTyping: boolean) => void;
}

/** Where text goes that does not answer the question. */
export interface PromptEditor extends Component {
  focused: boolean;
  readonly getText: () => string;
  readonly setText: (text: string) => void;
  readonly isShowingAutocomplete: () => boolean;
}

interface TypingGuardInput {
  readonly dialog: Dialog;
  readonly editor: PromptEditor;
  readonly now: () => number;
  /** Whether the question appeared on its own, so that the user may be typing something else. */
  readonly isUnexpected: boolean;
  readonly onChange: () => void;
}

/** Longer than any pause within a sentence. */
const PAUSE_MS = 500;
/** A letter followed by another one sooner is the start of a word. */
const SINGLE_KEY_MS = 200;

/**
 * Shows a question above the prompt, and keeps half-typed messages from answering it. A letter answers only on its own:
 * after a pause, before a pause, and while the prompt is empty. All other text goes into the prompt, and so does the Enter
 * after it. A letter on its own that was typed before the user can have seen the question is dropped: it was meant for a
 * question, and must not become a message.
 */
export function guardTyping(input: TypingGuardInput): Component {
  const { dialog, editor } = input;
  if (dialog.takesText === true) return dialog;
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
      if (keys.settlesPending(data)) return;
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

/** A letter that waits for what comes after it. */
interface PendingLetter {
  readonly data: string;
  /** Whether it was typed before the user can have seen the question. */
  readonly isEarly: boolean;
  readonly timer: ReturnType<typeof setTimeout>;
}

interface GuardedKeys {
  readonly toEditor: (data: string) => void;
  readonly typed: (data: string, text: string) => void;
  /** Delivers a letter that was held back; true when this key belongs to it. */
  readonly settlesPending: (data: string) => boolean;
  readonly entered: (data: string) => void;
  readonly moved: (data: string) => void;
}

function createKeys(input: TypingGuardInput): {
  readonly isTyping: () => boolean;
  readonly keys: GuardedKeys;
} {
  const { dialog, editor, now, onChange } = input;
  const readyAt = input.isUnexpected ? now() + PAUSE_MS : 0;
  let calmAt = readyAt;
  /** Whether the last key moved through the answers although the prompt contains text. */
  let isChoosing = false;
  const isTyping = (): boolean => editor.getText() !== "" && !isChoosing;
  const answer = (data: string): void => dialog.handleInput?.(data);
  const { hold, take: takePending } = createPending(answer);
  const toEditor = (data: string): void => {
    calmAt = now() + PAUSE_MS;
    editor.handleInput?.(data);
    onChange();
  };
  const typed = (data: string, text: string): void => {
    isChoosing = false;
    const earlier = takePending();
    if (earlier !== undefined) toEditor(earlier.data);
    const isEarly = now() < readyAt;
    const isCalm = (isEarly && earlier === undefined) || now() >= calmAt;
    const isAlone = isCalm && editor.getText() === "";
    if (!isAlone || dialog.isShortcut?.(text) !== true) return toEditor(data);
    hold(data, isEarly);
  };
  const settlesPending = (data: string): boolean => {
    const letter = takePending();
    if (letter === undefined) return false;
    // A letter followed by Enter is meant as the answer.
    const isEnter = matchesKey(data, "enter");
    if (letter.isEarly) return isEnter;
    (isEnter ? answer : toEditor)(letter.data);
    return isEnter;
  };
  const entered = (data: string): void => {
    if (isTyping()) return toEditor(data);
    if (isChoosing || now() >= calmAt) answer(data);
  };
  const moved = (data: string): void => {
    if (now() < readyAt) return;
    const isUnmarked = isTyping() && dialog.setTyping !== undefined;
    isChoosing = true;
    // The first arrow key only shows the selection, which was hidden until now.
    if (isUnmarked) return onChange();
    answer(data);
  };
  const typedBefore = editor.getText();
  if (input.isUnexpected && dialog.isShortcut?.(typedBefore) === true) {
    editor.setText("");
    hold(typedBefore, true);
  }
  return { isTyping, keys: { toEditor, typed, settlesPending, entered, moved } };
}

/** Holds a letter back until it is clear whether it stands alone. An early one never answers. */
function createPending(answer: (data: string) => void): {
  readonly hold: (data: string, isEarly: boolean) => void;
  readonly take: () => PendingLetter | undefined;
} {
  let pending: PendingLetter | undefined;
  return {
    hold: (data, isEarly) => {
      const timer = setTimeout(() => {
        pending = undefined;
        if (!isEarly) answer(data);
      }, SINGLE_KEY_MS);
      pending = { data, isEarly, timer };
    },
    take: () => {
      const letter = pending;
      clearTimeout(letter?.timer);
      pending = undefined;
      return letter;
    },
  };
}

/** The text that a key or a paste inserts; `undefined` for a key that inserts nothing. */
export function typedText(data: string): string | undefined {
  if (data.startsWith("\u001B[200~")) return data;
  // oxlint-disable-next-line no-control-regex -- control characters distinguish keys from text
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
