import { createQueue } from "@caliban/common";
import type { Component, Container, TUI } from "@earendil-works/pi-tui";
import { type ChoiceDialogInput, createChoiceDialog } from "./choice-dialog.ts";
import type { Theme } from "../theme.ts";
import { type Dialog, guardTyping, type PromptEditor } from "./typing-guard.ts";

/** A question that replaces the prompt until it is answered. */
interface Question<Answer> extends Pick<
  ChoiceDialogInput<Answer>,
  "body" | "choices" | "cancel" | "suggested"
> {
  /** Whether the question appeared on its own, so that the user may be typing something else. */
  readonly isUnexpected?: boolean;
}

/** Another component that replaces the prompt, such as a list to pick from. */
interface CustomDialog<Answer> {
  readonly cancel: Answer;
  readonly isUnexpected?: boolean;
  readonly create: (onAnswer: (answer: Answer) => void, onChange: () => void) => Dialog;
}

export interface Dialogs {
  readonly ask: <Answer>(question: Question<Answer>) => Promise<Answer>;
  readonly open: <Answer>(dialog: CustomDialog<Answer>) => Promise<Answer>;
  /** Answers the open question with its cancel value; false when none is open. */
  readonly cancelDialog: () => boolean;
  readonly hasDialog: () => boolean;
  /** Answers the open question, and every later one, with its cancel value. */
  readonly closeDialogs: () => void;
  /** Whether a question is open that appeared on its own. */
  readonly hasUnexpected: () => boolean;
  /** Calls back when a question appears or goes. */
  readonly onDialog: (listener: () => void) => void;
  /** The component that receives keys. */
  readonly focused: () => Component;
}

interface DialogsInput {
  readonly tui: TUI;
  readonly container: Container;
  readonly editor: PromptEditor;
  readonly theme: Theme;
  readonly rows: () => number;
  readonly now: () => number;
}

interface OpenDialog {
  readonly component: Component;
  readonly isUnexpected: boolean;
  readonly cancel: () => void;
}

/** Shows one question at a time; a second one waits until the first is answered. A half-typed message is kept. */
export function createDialogs(input: DialogsInput): Dialogs {
  const { tui, container, editor, theme, rows, now } = input;
  let current: OpenDialog | undefined;
  const listeners = new Set<() => void>();
  const setCurrent = (dialog: OpenDialog | undefined): void => {
    current = dialog;
    show(dialog?.component ?? editor);
    for (const listener of listeners) listener();
  };
  const enqueue = createQueue();
  let isClosed = false;
  container.addChild(editor);

  const onChange = (): void => tui.requestRender();
  const hasText = (): boolean => editor.getText() !== "";
  const show = (component: Component): void => {
    container.clear();
    container.addChild(component);
    tui.setFocus(component);
    tui.requestRender();
  };
  const openNow = async <Answer>(custom: CustomDialog<Answer>): Promise<Answer> => {
    const { cancel, isUnexpected = false, create } = custom;
    if (isClosed) return cancel;
    return await new Promise((resolve) => {
      const answer = (value: Answer): void => {
        // A key pressed together with the answer must not answer the next question.
        if (current?.component !== component) return;
        setCurrent(undefined);
        resolve(value);
      };
      const dialog = create(answer, onChange);
      const component = guardTyping({ dialog, editor, now, isUnexpected, onChange });
      setCurrent({ component, isUnexpected, cancel: () => answer(cancel) });
    });
  };
  const openNext = async <Answer>(custom: CustomDialog<Answer>): Promise<Answer> =>
    await enqueue(() => openNow(custom));
  return {
    open: openNext,
    ask: async ({ isUnexpected = false, ...question }) =>
      await openNext({
        cancel: question.cancel,
        isUnexpected,
        create: (onAnswer) =>
          createChoiceDialog({ ...question, theme, rows, hasText, onAnswer, onChange }),
      }),
    cancelDialog: () => {
      const isOpen = current !== undefined;
      current?.cancel();
      return isOpen;
    },
    closeDialogs: () => {
      isClosed = true;
      current?.cancel();
    },
    hasDialog: () => current !== undefined,
    hasUnexpected: () => current?.isUnexpected === true,
    onDialog: (listener) => void listeners.add(listener),
    focused: () => current?.component ?? editor,
  };
}
