import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { SelectList, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import type { SlashPerson } from "../../../../apps/caliban/src/commands/chat/slash/slash-person.ts";
import { fitLines } from "../fit-lines.ts";
import type { Screen } from "../screen/screen.ts";

/** Asks the person in the place of the prompt. */
export function createScreenPerson(
  screen: Screen,
  { onInterrupt }: Pick<SlashPerson, "onInterrupt">,
): SlashPerson {
  const { theme } = screen;
  return {
    lend: screen.lend,
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
          end: wrapTextWithAnsi(theme.bold(terminalSafeLine(question)), width),
        }),
        choices: [
          { answer: true, label: "Yes", keys: ["y"] },
          { answer: false, label: "No", keys: ["n"] },
        ],
      }),
    pick: async (title, items) =>
      await screen.occupy<string | undefined>({
        cancel: undefined,
        make: (onAnswer, onChange) => {
          const list = new SelectList(
            items.map(({ value, label, description = "" }) => ({
              value,
              label: terminalSafeLine(label),
              description: terminalSafeLine(description),
            })),
            Math.max(3, Math.min(12, screen.rows() - 6)),
            theme.select,
            { maxPrimaryColumnWidth: 48 },
          );
          list.onSelect = ({ value }) => onAnswer(value);
          list.onCancel = () => onAnswer(undefined);
          list.onSelectionChange = onChange;
          return {
            render: (width) =>
              fitLines([theme.bold(terminalSafeLine(title)), ...list.render(width)], width),
            handleInput: (data) => list.handleInput(data),
            invalidate: () => list.invalidate(),
          };
        },
      }),
  };
}

function bodyLines(text: string, width: number): readonly string[] {
  if (text === "") return [];
  return terminalSafe(text.trimEnd())
    .replaceAll("\t", "    ")
    .split("\n")
    .flatMap((line) => (line === "" ? [""] : wrapTextWithAnsi(line, width)));
}
