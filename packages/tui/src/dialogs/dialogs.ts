import type { Component, Container, TUI } from "@earendil-works/pi-tui";
import { type ChoiceDialogInput, createChoiceDialog } from "./choice-dialog.ts";
import type { Theme } from "../theme.ts";
import { type Answerable, type PromptEditor, typedBeside } from "./typing-guard.ts";

/** A question that takes the place of the prompt until it is answered. */
interface Question<Answer> extends Pick<
  ChoiceDialogInput<Answer>,
  "body" | "choices" | "cancel" | "suggested"
> {
  /** Whether the person did nothing to bring it up, so that they may be typing something else. */
  readonly isUnexpected?: boolean;
}

/** Something else in the place of the prompt, such as a list to pick from. */
interface Occupant<Answer> {
  readonly cancel: Answer;
  readonly isUnexpected?: boolean;
  readonly make: (onAnswer: (answer: Answer) => void, onChange: () => void) => Answerable;
}

export interface Dialogs {
  readonly ask: <Answer>(question: Question<Answer>) => Promise<Answer>;
  readonly occupy: <Answer>(occupant: Occupant<Answer>) => Promise<Answer>;
  /** Answers the open question with its no; false when none is open. */
  readonly cancelDialog: () => boolean;
  readonly hasDialog: () => boolean;
  /** Answers the open question, and every one that comes, with its no. */
  readonly closeDialogs: () => void;
  /** What typing goes to. */
  readonly focused: () => Component;
}

interface DialogsInput {
  readonly tui: TUI;
  readonly place: Container;
  readonly editor: PromptEditor;
  readonly theme: Theme;
  readonly rows: () => number;
  readonly now: () => number;
}

/** One question at a time; a second one waits until the first is answered. What was being typed stays. */
export function createDialogs(input: DialogsInput): Dialogs {
  const { tui, place, editor, theme, rows, now } = input;
  let open: { readonly component: Component; readonly cancel: () => void } | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let isClosed = false;
  place.addChild(editor);

  const onChange = (): void => tui.requestRender();
  const hasText = (): boolean => editor.getText() !== "";
  const show = (component: Component): void => {
    place.clear();
    place.addChild(component);
    tui.setFocus(component);
    tui.requestRender();
  };
  const occupyNow = async <Answer>(occupant: Occupant<Answer>): Promise<Answer> => {
    const { cancel, isUnexpected = false, make } = occupant;
    if (isClosed) return cancel;
    return await new Promise((resolve) => {
      const answer = (value: Answer): void => {
        // A key that came with the answer must not answer what comes next.
        if (open?.component !== component) return;
        open = undefined;
        show(editor);
        resolve(value);
      };
      const dialog = make(answer, onChange);
      const component = typedBeside({ dialog, editor, now, isUnexpected, onChange });
      open = { component, cancel: () => answer(cancel) };
      show(component);
    });
  };
  const occupy = async <Answer>(occupant: Occupant<Answer>): Promise<Answer> => {
    const mine = last.then(() => occupyNow(occupant));
    // One that broke must not keep the next from being asked.
    last = mine.catch(() => undefined);
    return await mine;
  };
  return {
    occupy,
    ask: async ({ isUnexpected = false, ...question }) =>
      await occupy({
        cancel: question.cancel,
        isUnexpected,
        make: (onAnswer) =>
          createChoiceDialog({ ...question, theme, rows, hasText, onAnswer, onChange }),
      }),
    cancelDialog: () => {
      const isOpen = open !== undefined;
      open?.cancel();
      return isOpen;
    },
    closeDialogs: () => {
      isClosed = true;
      open?.cancel();
    },
    hasDialog: () => open !== undefined,
    focused: () => open?.component ?? editor,
  };
}
