import { matchesKey, truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import { countPages, pageLines } from "./page-lines.ts";
import type { Theme } from "../theme.ts";
import { type Answerable, typedText } from "./typing-guard.ts";

/** One possible answer. */
export interface Choice<Answer> {
  readonly answer: Answer;
  readonly label: string;
  /** Letters that give it at once. */
  readonly keys: readonly string[];
}

/** What is asked, in harmless lines. */
export interface DialogBody {
  readonly title: readonly string[];
  /** What it is about; turned over page by page where it is long. */
  readonly details: readonly string[];
  readonly end: readonly string[];
}

export interface ChoiceDialogInput<Answer> {
  readonly theme: Theme;
  readonly body: (width: number) => DialogBody;
  readonly choices: readonly Choice<Answer>[];
  /** What Escape means. */
  readonly cancel: Answer;
  /** What Enter means before the person chose something else; the first one when left out. */
  readonly suggested?: Answer | undefined;
  /** Lines of the terminal. */
  readonly rows: () => number;
  /** Whether the person has something in the prompt, where letters go then. */
  readonly hasText: () => boolean;
  readonly onAnswer: (answer: Answer) => void;
  readonly onChange: () => void;
}

/** The work that goes on and the footer, and one line of what was before: a picture that is too high is drawn anew all the time. */
const ROWS_AROUND = 4;
const ROWS_OF_PROMPT = 3;
const LEAST_DETAILS = 4;

/** A question with a few answers: by number, by letter, or by arrows and Enter. */
export function createChoiceDialog<Answer>(input: ChoiceDialogInput<Answer>): Answerable {
  const { theme, body, choices, cancel, onAnswer, onChange } = input;
  let selected = Math.max(
    0,
    choices.findIndex(({ answer }) => answer === input.suggested),
  );
  let isTyping = false;
  const pager = createPager(input);
  const move = (by: number): void => {
    selected = (selected + by + choices.length) % choices.length;
    onChange();
  };
  const chosenBy = (text: string): Choice<Answer> | undefined =>
    choices.find(
      ({ keys }, index) => text === String(index + 1) || keys.includes(text.toLowerCase()),
    );
  return {
    isShortcut: (text) => chosenBy(text) !== undefined,
    setTyping: (value) => {
      isTyping = value;
    },
    render: (width) => {
      const rows = choices.flatMap(({ label, keys }, index) => {
        const text = `${index + 1}. ${label}${keys[0] === undefined ? "" : ` (${keys[0]})`}`;
        const isSelected = index === selected && !isTyping;
        return wrapTextWithAnsi(text, Math.max(1, width - 2)).map(
          (line, part) =>
            `${isSelected && part === 0 ? theme.accent("❯ ") : "  "}${isSelected ? theme.bold(line) : line}`,
        );
      });
      const rule = theme.accent("─".repeat(width));
      const keys = isTyping ? TYPING : input.hasText() ? CHOOSING : IDLE;
      const help = theme.dim(truncateToWidth(`  ${keys}`, width, "…"));
      const { title, details, end } = body(width);
      const [above, below] = [
        [rule, ...title],
        [...end, ...rows, help, rule],
      ];
      const around = ROWS_AROUND + (input.hasText() ? ROWS_OF_PROMPT : 0);
      const most = input.rows() - above.length - below.length - around;
      return fitLines([...above, ...pager.pageOf(details, { width, most }), ...below], width);
    },
    handleInput: (data) => {
      if (matchesKey(data, "up")) return move(-1);
      if (matchesKey(data, "down") || matchesKey(data, "tab")) return move(1);
      if (matchesKey(data, "pageUp")) return pager.turn(-1);
      if (matchesKey(data, "pageDown") || matchesKey(data, "ctrl+o")) return pager.turn(1);
      if (matchesKey(data, "escape")) return onAnswer(cancel);
      if (matchesKey(data, "enter")) {
        const choice = choices[selected];
        return choice === undefined ? undefined : onAnswer(choice.answer);
      }
      const chosen = chosenBy(typedText(data) ?? "");
      if (chosen !== undefined) onAnswer(chosen.answer);
    },
    invalidate: () => undefined,
  };
}

interface Pager {
  readonly turn: (by: number) => void;
  readonly pageOf: (
    details: readonly string[],
    room: { readonly width: number; readonly most: number },
  ) => readonly string[];
}

function createPager({
  theme,
  onChange,
}: Pick<ChoiceDialogInput<unknown>, "theme" | "onChange">): Pager {
  let page = 0;
  let pages = 1;
  return {
    turn: (by) => {
      page = (page + by + pages) % pages;
      onChange();
    },
    pageOf: (details, room) => {
      const most = Math.max(LEAST_DETAILS, room.most);
      pages = countPages(details.length, most);
      page = Math.min(page, pages - 1);
      const { lines, note, noteAt } = pageLines(details, { page, most });
      if (note === "") return lines;
      return lines.toSpliced(
        noteAt,
        0,
        theme.accent(truncateToWidth(`  ${note}`, room.width, "…")),
      );
    },
  };
}

const IDLE = "↑↓ and Enter, or the number or letter; Esc is no";
const TYPING = "Enter queues what you typed; ↑↓ then Enter answers; Esc is no";
const CHOOSING = "↑↓ and Enter answer; what you type goes below; Esc is no";
