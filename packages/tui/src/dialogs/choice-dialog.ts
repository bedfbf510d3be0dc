import { matchesKey, truncateToWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import { countPages, pageLines } from "./page-lines.ts";
import type { Theme } from "../theme.ts";
import { type Dialog, typedText } from "./typing-guard.ts";

/** One possible answer. */
export interface Choice<Answer> {
  readonly answer: Answer;
  readonly label: string;
  /** Letters that choose it directly. */
  readonly keys: readonly string[];
}

/** What is asked, in lines that are safe for a terminal. */
export interface DialogBody {
  readonly title: readonly string[];
  /** What it is about; split into pages where it is long. */
  readonly details: readonly string[];
  readonly end: readonly string[];
}

export interface ChoiceDialogInput<Answer> {
  readonly theme: Theme;
  readonly body: (width: number) => DialogBody;
  readonly choices: readonly Choice<Answer>[];
  /** What Escape means. */
  readonly cancel: Answer;
  /** What Enter means until the user selects something else; the first choice when left out. */
  readonly suggested?: Answer | undefined;
  /** The height of the terminal. */
  readonly rows: () => number;
  /** Whether the prompt contains text, so that letters go there. */
  readonly hasText: () => boolean;
  readonly onAnswer: (answer: Answer) => void;
  readonly onChange: () => void;
}

/** The status line, the footer and one line of transcript: a frame that is too high is redrawn all the time. */
const SURROUNDING_ROWS = 4;
const PROMPT_ROWS = 3;
const MIN_DETAIL_ROWS = 4;
/** The status line and the footer. */
const TIGHT_SURROUNDING_ROWS = 2;
const MIN_TIGHT_ROWS = 3;

/** A question with a few answers, chosen by number, by letter, or with the arrow keys and Enter. */
export function createChoiceDialog<Answer>(input: ChoiceDialogInput<Answer>): Dialog {
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
  const choiceFor = (text: string): Choice<Answer> | undefined =>
    choices.find(
      ({ keys }, index) => text === String(index + 1) || keys.includes(text.toLowerCase()),
    );
  return {
    isShortcut: (text) => choiceFor(text) !== undefined,
    setTyping: (value) => {
      isTyping = value;
    },
    render: (width) => {
      const rows = choiceRows(input, width, isTyping ? undefined : selected);
      const rule = theme.accent("─".repeat(width));
      const keys = isTyping ? TYPING : input.hasText() ? CHOOSING : IDLE;
      const help = theme.dim(truncateToWidth(`  ${keys}`, width, "…"));
      const { title, details, end } = body(width);
      const [above, below] = [
        [rule, ...title],
        [...end, ...rows, help, rule],
      ];
      const around = SURROUNDING_ROWS + (input.hasText() ? PROMPT_ROWS : 0);
      const maxRows = input.rows() - above.length - below.length - around;
      if (maxRows >= Math.min(details.length, MIN_DETAIL_ROWS)) {
        const page = pager.pageOf(details, { width, maxRows: Math.max(MIN_DETAIL_ROWS, maxRows) });
        return fitLines([...above, ...page, ...below], width);
      }
      const choice = choices[selected];
      const tight = { ...input, pager, width, choice, count: selected + 1, isTyping };
      return fitLines(tightLines([...title, ...details, ...end], tight), width);
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
      const chosen = choiceFor(typedText(data) ?? "");
      if (chosen !== undefined) onAnswer(chosen.answer);
    },
    invalidate: () => undefined,
  };
}

/** All answers, one below the other. */
function choiceRows<Answer>(
  { theme, choices }: ChoiceDialogInput<Answer>,
  width: number,
  selected: number | undefined,
): readonly string[] {
  return choices.flatMap(({ label, keys }, index) => {
    const text = `${index + 1}. ${label}${keys[0] === undefined ? "" : ` (${keys[0]})`}`;
    const isSelected = index === selected;
    return wrapTextWithAnsi(text, Math.max(1, width - 2)).map(
      (line, part) =>
        `${isSelected && part === 0 ? theme.accent("❯ ") : "  "}${isSelected ? theme.bold(line) : line}`,
    );
  });
}

interface TightInput<Answer> extends ChoiceDialogInput<Answer> {
  readonly pager: Pager;
  readonly width: number;
  /** The selected one, and its number. */
  readonly choice: Choice<Answer> | undefined;
  readonly count: number;
  readonly isTyping: boolean;
}

/** Where there is no room for all answers: a page of the question, and the selected answer. */
function tightLines<Answer>(
  question: readonly string[],
  { theme, choices, rows, hasText, pager, width, choice, count, isTyping }: TightInput<Answer>,
): readonly string[] {
  const answer = wrapTextWithAnsi(choice?.label ?? "", Math.max(1, width - 2)).slice(0, 2);
  const letters = choices.flatMap(({ keys }) => keys.slice(0, 1)).join(" ");
  const help = isTyping ? TYPING : `${count} of ${choices.length} ↑↓ · ${letters} · Esc: no`;
  const around = TIGHT_SURROUNDING_ROWS + (hasText() ? PROMPT_ROWS : 0);
  const maxRows = Math.max(MIN_TIGHT_ROWS, rows() - around - answer.length - 1);
  return [
    ...pager.pageOf(question, { width, maxRows }),
    ...answer.map((line, at) => `${at === 0 ? theme.accent("❯ ") : "  "}${theme.bold(line)}`),
    theme.dim(truncateToWidth(`  ${help}`, width, "…")),
  ];
}

interface Pager {
  readonly turn: (by: number) => void;
  readonly pageOf: (
    details: readonly string[],
    room: { readonly width: number; readonly maxRows: number },
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
      const { maxRows } = room;
      pages = countPages(details.length, maxRows);
      page = Math.min(page, pages - 1);
      const { lines, note, noteAt } = pageLines(details, { page, maxRows });
      if (note === "") return lines;
      return lines.toSpliced(
        noteAt,
        0,
        theme.accent(truncateToWidth(`  ${note}`, room.width, "…")),
      );
    },
  };
}

const IDLE = "↑↓ and Enter, or a number or letter · Esc: no";
const TYPING = "Enter queues your message · ↑↓ then Enter answers · Esc: no";
const CHOOSING = "↑↓ and Enter answer · typing continues your message · Esc: no";
