import type { MarkdownBlocks } from "./markdown-blocks.ts";

/** Writes the rows of tables. A table in a cell of another one is for layout and has no rows of its own. */
export interface TableRows {
  readonly openTable: () => void;
  readonly closeTable: () => void;
  readonly startRow: () => void;
  readonly startCell: () => void;
  readonly isInCell: () => boolean;
  readonly end: () => void;
}

export interface TableRowsInput {
  readonly blocks: MarkdownBlocks;
  /** Returns the text of the cell that ends, and starts again. */
  readonly takeText: () => string;
}

export function createTableRows({ blocks, takeText }: TableRowsInput): TableRows {
  let [depth, rows, isInCell] = [0, 0, false];
  let cells: string[] = [];
  const endCell = (): void => {
    if (!isInCell) return;
    isInCell = false;
    cells.push(takeText().replaceAll("\n", " ").replaceAll("|", "\\|"));
  };
  const endRow = (): void => {
    endCell();
    const row = cells;
    cells = [];
    if (row.every((cell) => cell === "")) return;
    if (row.length === 1) {
      blocks.push("paragraph", row.join(""));
      return;
    }
    blocks.push("row", renderRow(row));
    if (rows === 0) blocks.push("row", renderRow(row.map(() => "---")));
    rows += 1;
  };
  return {
    openTable: () => {
      depth += 1;
      if (depth === 1) rows = 0;
    },
    closeTable: () => {
      if (depth === 1) endRow();
      depth = Math.max(0, depth - 1);
    },
    startRow: () => {
      if (depth === 1) endRow();
    },
    startCell: () => {
      if (depth !== 1) return;
      endCell();
      isInCell = true;
    },
    isInCell: () => isInCell,
    end: endRow,
  };
}

function renderRow(cells: readonly string[]): string {
  return `| ${cells.join(" | ")} |`;
}
