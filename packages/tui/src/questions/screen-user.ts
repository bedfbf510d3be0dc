import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { createSearchList, type PickItem } from "../dialogs/search-list.ts";
import type { Screen } from "../screen/screen.ts";

/** How a running command talks to the user. */
export interface ScreenUser {
  /** Asks below a text that belongs to the question; anything but yes is no. */
  readonly confirm: (question: string, text?: string) => Promise<boolean>;
  /** Offers a few choices below a text that belongs to the question; `undefined` if none is made. */
  readonly choose: (
    question: string,
    items: readonly PickItem[],
    text?: string,
  ) => Promise<string | undefined>;
  readonly pick: (title: string, items: readonly PickItem[]) => Promise<string | undefined>;
  /** Shows the progress of a command that takes a while. */
  readonly progress: (line: string) => void;
  /** Calls back when the user interrupts the command; returns how to stop listening. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Leaves the terminal to something else until it is done. */
  readonly suspend: <Result>(action: () => Promise<Result>) => Promise<Result>;
}

/** Asks the user in place of the prompt. */
export function createScreenUser(
  screen: Screen,
  { onInterrupt }: Pick<ScreenUser, "onInterrupt">,
): ScreenUser {
  return {
    suspend: screen.suspend,
    onInterrupt,
    progress: (line) => {
      const { work } = screen.state();
      if (work === undefined) return;
      screen.update({ work: { ...work, progress: line === "" ? undefined : line } });
    },
    confirm: async (question, text = "") =>
      await screen.ask({
        cancel: false,
        suggested: false,
        body: (width) => ({
          title: [],
          details: bodyLines(text, width),
          end: wrapTextWithAnsi(screen.theme.bold(terminalSafeLine(question)), width),
        }),
        choices: [
          { answer: true, label: "Yes", keys: ["y"] },
          { answer: false, label: "No", keys: ["n"] },
        ],
      }),
    choose: async (question, items, text = "") =>
      await screen.ask<string | undefined>({
        cancel: undefined,
        // The last one changes nothing.
        suggested: items.at(-1)?.value,
        body: (width) => ({
          title: [],
          details: bodyLines(text, width),
          end: wrapTextWithAnsi(screen.theme.bold(terminalSafeLine(question)), width),
        }),
        choices: items.map(({ value, label }) => ({
          answer: value,
          label: terminalSafeLine(label),
          keys: [label.charAt(0).toLowerCase()],
        })),
      }),
    pick: async (title, items) => await pick(screen, title, items),
  };
}

async function pick(
  screen: Screen,
  title: string,
  items: readonly PickItem[],
): Promise<string | undefined> {
  const { theme, rows } = screen;
  return await screen.open<string | undefined>({
    cancel: undefined,
    create: (onAnswer, onChange) =>
      createSearchList({ title, items, theme, rows, onAnswer, onChange }),
  });
}

function bodyLines(text: string, width: number): readonly string[] {
  if (text === "") return [];
  return terminalSafe(text.trimEnd())
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, width)));
}
