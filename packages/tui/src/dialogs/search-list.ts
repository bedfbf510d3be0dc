import { terminalSafe, terminalSafeLine } from "@caliban/common";
import { Input, matchesKey, SelectList, truncateToWidth } from "@earendil-works/pi-tui";
import { fitLines } from "../fit-lines.ts";
import type { Theme } from "../theme.ts";
import type { Dialog } from "./typing-guard.ts";

/** An item of a list to pick from. */
export interface PickItem {
  readonly value: string;
  readonly label: string;
  readonly description?: string;
  /** Shown below the list while the item is selected, and searched, too. */
  readonly preview?: string | undefined;
}

interface SearchListInput {
  readonly title: string;
  readonly items: readonly PickItem[];
  readonly theme: Theme;
  readonly rows: () => number;
  readonly onAnswer: (value: string | undefined) => void;
  readonly onChange: () => void;
}

const MAX_ROWS = 12;
const MAX_PREVIEW_ROWS = 4;
/** The lines around the list: borders, title, input, help and the footer. */
const OTHER_ROWS = 8;

/** A list that typing filters: every word must occur in an item. */
export function createSearchList(input: SearchListInput): Dialog {
  const { title, theme, rows, onAnswer, onChange } = input;
  const query = new Input();
  const items = input.items.map(toShown);
  let list = createList(items, input);
  const select = (): void => {
    const words = query.getValue().toLowerCase().split(/\s+/);
    const matches = items.filter(({ searched }) => words.every((word) => searched.includes(word)));
    list = createList(matches, input);
  };
  return {
    takesText: true,
    render: (width) => {
      query.focused = true;
      const preview = previewOf(items, list).map((line) =>
        theme.dim(truncateToWidth(`  ${line}`, width, "…")),
      );
      const help = theme.dim("type to filter · ↑↓ and Enter · Esc");
      const shown = [
        theme.bold(terminalSafeLine(title)),
        ...query.render(width),
        ...list.render(width),
      ];
      const isRoomy = rows() >= shown.length + preview.length + OTHER_ROWS;
      return fitLines([...shown, ...(isRoomy ? preview : []), help], width);
    },
    handleInput: (data) => {
      if (matchesKey(data, "enter")) return onAnswer(list.getSelectedItem()?.value);
      if (matchesKey(data, "escape")) return onAnswer(undefined);
      if (matchesKey(data, "up") || matchesKey(data, "down")) list.handleInput(data);
      // As in a shell: once more for the next match.
      else if (matchesKey(data, "ctrl+r")) list.handleInput(DOWN);
      else {
        const before = query.getValue();
        query.handleInput(data);
        if (query.getValue() !== before) select();
      }
      onChange();
    },
    invalidate: () => list.invalidate(),
  };
}

const DOWN = "\u001B[B";

interface ShownItem {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly preview: readonly string[];
  readonly searched: string;
}

function toShown({ value, label, description = "", preview = "" }: PickItem): ShownItem {
  return {
    value,
    label: terminalSafeLine(label),
    description: terminalSafeLine(description),
    preview: terminalSafe(preview).replaceAll("\t", "    ").split("\n").slice(0, MAX_PREVIEW_ROWS),
    searched: `${label}\n${description}\n${preview}`.toLowerCase(),
  };
}

function createList(
  items: readonly ShownItem[],
  { theme, rows }: Pick<SearchListInput, "theme" | "rows">,
): SelectList {
  const maxVisible = Math.max(1, Math.min(MAX_ROWS, rows() - OTHER_ROWS));
  return new SelectList(
    items.map(({ value, label, description }) => ({ value, label, description })),
    maxVisible,
    theme.select,
    { maxPrimaryColumnWidth: 48 },
  );
}

function previewOf(items: readonly ShownItem[], list: SelectList): readonly string[] {
  const selected = list.getSelectedItem()?.value;
  const preview = items.find(({ value }) => value === selected)?.preview ?? [];
  return preview.length === 1 && preview[0] === "" ? [] : preview;
}
