import {
  type Component,
  matchesKey,
  parseKey,
  truncateToWidth,
  wrapTextWithAnsi,
} from "@earendil-works/pi-tui";
import { fitLines } from "./fit-lines.ts";
import type { Theme } from "./theme.ts";

/** One possible answer. */
export interface Choice<Answer> {
  readonly answer: Answer;
  readonly label: string;
  /** Letters that give it at once. */
  readonly keys: readonly string[];
}

export interface ChoiceDialogInput<Answer> {
  readonly theme: Theme;
  /** Harmless lines for a width: what is asked. */
  readonly body: (width: number) => readonly string[];
  readonly choices: readonly Choice<Answer>[];
  /** What Escape means. */
  readonly cancel: Answer;
  /** What Enter means before the person chose something else; the first one when left out. */
  readonly suggested?: Answer | undefined;
  readonly onAnswer: (answer: Answer) => void;
  readonly onChange: () => void;
}

/** A question with a few answers: by number, by letter, or by arrows and Enter. */
export function createChoiceDialog<Answer>(input: ChoiceDialogInput<Answer>): Component {
  const { theme, body, choices, cancel, onAnswer, onChange } = input;
  let selected = Math.max(
    0,
    choices.findIndex(({ answer }) => answer === input.suggested),
  );
  const move = (by: number): void => {
    selected = (selected + by + choices.length) % choices.length;
    onChange();
  };
  return {
    render: (width) => {
      const rows = choices.flatMap(({ label, keys }, index) => {
        const text = `${index + 1}. ${label}${keys[0] === undefined ? "" : ` (${keys[0]})`}`;
        const isSelected = index === selected;
        return wrapTextWithAnsi(text, Math.max(1, width - 2)).map(
          (line, part) =>
            `${isSelected && part === 0 ? theme.accent("❯ ") : "  "}${isSelected ? theme.bold(line) : line}`,
        );
      });
      const rule = theme.accent("─".repeat(width));
      const help = theme.dim(
        truncateToWidth("  ↑↓ and Enter, or the number or letter; Esc is no", width, "…"),
      );
      return fitLines([rule, ...body(width), ...rows, help, rule], width);
    },
    handleInput: (data) => {
      if (matchesKey(data, "up")) return move(-1);
      if (matchesKey(data, "down") || matchesKey(data, "tab")) return move(1);
      if (matchesKey(data, "escape")) return onAnswer(cancel);
      if (matchesKey(data, "enter")) {
        const choice = choices[selected];
        return choice === undefined ? undefined : onAnswer(choice.answer);
      }
      const typed = parseKey(data) ?? data;
      const chosen = choices.find(
        ({ keys }, index) => typed === String(index + 1) || keys.includes(typed.toLowerCase()),
      );
      if (chosen !== undefined) onAnswer(chosen.answer);
    },
    invalidate: () => undefined,
  };
}
