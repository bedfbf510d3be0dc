import { createInlineText, fenceFor, type InlineKind } from "./inline-text.ts";
import { createMarkdownBlocks, type MarkdownBlocks } from "./markdown-blocks.ts";
import { createTableRows, type TableRows } from "./table-rows.ts";

/** Writes Markdown from the parts of a document. Parts that are never closed end with the block around them. */
export interface MarkdownWriter extends Structure {
  readonly text: (text: string) => void;
  /** Ends a paragraph. In a cell of a table, it only separates words. */
  readonly endBlock: () => void;
  readonly lineBreak: () => void;
  /** The next paragraph is a heading. 0: it is not. */
  readonly heading: (level: number) => void;
  readonly openInline: (kind: InlineKind, target?: string) => void;
  readonly closeInline: (kind: InlineKind) => void;
  readonly openCode: (language: string) => void;
  readonly closeCode: () => void;
  readonly end: () => string;
}

export function createMarkdownWriter(): MarkdownWriter {
  const [inline, blocks] = [createInlineText(), createMarkdownBlocks()];
  const table = createTableRows({ blocks, takeText: inline.take });
  let headingLevel = 0;
  let code: { readonly language: string; text: string } | undefined;
  const endBlock = (): void => {
    inline.closeAll();
    if (table.isInCell()) {
      inline.append(" ");
      return;
    }
    const text = inline.take();
    if (text === "") return;
    const heading = `${"#".repeat(headingLevel)} ${text.replaceAll("\n", " ")}`;
    blocks.push(blocks.isInList() ? "item" : "paragraph", headingLevel === 0 ? text : heading);
    headingLevel = 0;
  };
  const closeCode = (): void => {
    const block = renderCode(code?.text ?? "", code?.language ?? "");
    code = undefined;
    if (block !== "") blocks.push("paragraph", block);
  };
  const append = (text: string, inlineText: string): void => {
    if (code === undefined) inline.append(inlineText);
    else code.text += text;
  };
  return {
    ...createStructure({ blocks, table, endBlock }),
    text: (text) => append(text, text.replaceAll(/\s+/g, " ")),
    endBlock,
    lineBreak: () => append("\n", table.isInCell() ? " " : "\n"),
    heading: (level) => {
      endBlock();
      headingLevel = level;
    },
    openInline: (kind, target) => {
      if (code === undefined) inline.open(kind, target);
    },
    closeInline: inline.close,
    openCode: (language) => {
      endBlock();
      if (!table.isInCell()) code ??= { language, text: "" };
    },
    closeCode,
    end: () => {
      closeCode();
      table.end();
      endBlock();
      return blocks.join();
    },
  };
}

/** What begins or ends something larger than a paragraph. */
interface Structure extends Omit<TableRows, "isInCell" | "end"> {
  readonly rule: () => void;
  readonly openList: (isOrdered: boolean) => void;
  readonly closeList: () => void;
  readonly startItem: () => void;
  readonly openQuote: () => void;
  readonly closeQuote: () => void;
}

interface StructureInput {
  readonly blocks: MarkdownBlocks;
  readonly table: TableRows;
  readonly endBlock: () => void;
}

/** Lists and quotes in a cell are only text. */
function createStructure({ blocks, table, endBlock }: StructureInput): Structure {
  const unlessInCell = (action: () => void): void => {
    endBlock();
    if (!table.isInCell()) action();
  };
  return {
    rule: () => unlessInCell(() => blocks.push("paragraph", "---")),
    openList: (isOrdered) => unlessInCell(() => blocks.openList(isOrdered)),
    closeList: () => unlessInCell(blocks.closeList),
    startItem: () => unlessInCell(blocks.startItem),
    openQuote: () => unlessInCell(blocks.openQuote),
    closeQuote: () => unlessInCell(blocks.closeQuote),
    openTable: () => {
      endBlock();
      table.openTable();
    },
    closeTable: table.closeTable,
    startRow: () => {
      table.startRow();
      endBlock();
    },
    startCell: () => {
      endBlock();
      table.startCell();
    },
  };
}

function renderCode(text: string, language: string): string {
  const body = text.replace(/^\n/, "").trimEnd();
  const fence = fenceFor(body, 3);
  return body === "" ? "" : `${fence}${language}\n${body}\n${fence}`;
}
