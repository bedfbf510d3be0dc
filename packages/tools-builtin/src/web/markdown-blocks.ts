/** Blocks of the same kind follow each other without an empty line, except paragraphs. */
type BlockKind = "paragraph" | "item" | "row";

/** The blocks of a document, indented by the lists and quotes around them. */
export interface MarkdownBlocks {
  readonly push: (kind: BlockKind, text: string) => void;
  readonly openList: (isOrdered: boolean) => void;
  readonly closeList: () => void;
  /** The next block is an item of the innermost list. */
  readonly startItem: () => void;
  readonly openQuote: () => void;
  readonly closeQuote: () => void;
  readonly isInList: () => boolean;
  readonly join: () => string;
}

interface Block {
  readonly kind: BlockKind;
  readonly text: string;
}

/** Deeper ones look the same, so that the text stays in proportion to the page. */
const MAX_DEPTH = 8;

export function createMarkdownBlocks(): MarkdownBlocks {
  const blocks: Block[] = [];
  const lists: { readonly isOrdered: boolean; items: number }[] = [];
  let [marker, quotes] = ["", 0];
  return {
    push: (kind, text) => {
      const indent = "  ".repeat(Math.min(lists.length, MAX_DEPTH));
      const lead = "> ".repeat(Math.min(quotes, MAX_DEPTH));
      const first = marker === "" ? indent : `${indent.slice(2)}${marker}`;
      marker = "";
      const lines = text
        .split("\n")
        .map((line, at) => `${lead}${at === 0 ? first : indent}${line}`);
      blocks.push({ kind, text: lines.join("\n") });
    },
    openList: (isOrdered) => void lists.push({ isOrdered, items: 0 }),
    closeList: () => {
      lists.pop();
      marker = "";
    },
    startItem: () => {
      const list = lists.at(-1);
      if (list === undefined) return;
      list.items += 1;
      marker = list.isOrdered ? `${list.items}. ` : "- ";
    },
    openQuote: () => {
      quotes += 1;
    },
    closeQuote: () => {
      quotes = Math.max(0, quotes - 1);
    },
    isInList: () => lists.length > 0,
    join: () => blocks.map((block, at) => separator(block, blocks[at - 1]) + block.text).join(""),
  };
}

function separator({ kind }: Block, previous: Block | undefined): string {
  if (previous === undefined) return "";
  return kind !== "paragraph" && previous.kind === kind ? "\n" : "\n\n";
}
