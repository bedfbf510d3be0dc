/** A part of a Markdown text that is kept or dropped as a whole, unless it is prose. */
interface Block {
  readonly kind: "prose" | "heading" | "other";
  /** What comes before the text of prose: an indent, and the mark of a list or a quotation. */
  readonly lead: string;
  readonly lines: readonly string[];
}

const FENCE = /^\s*(?:```|~~~)/;
const HEADING = /^\s{0,3}#{1,6}\s/;
const LEAD = /^\s*(?:(?:[-*+•]|\d{1,3}[.)])\s+|>\s?)*(?:\[[ xX]\]\s+)?/;
const LIST_OR_QUOTE = /^\s*(?:[-*+•]\s|\d{1,3}[.)]\s|>)/;
const RULE = /^\s*(?:[-*_]\s*){3,}$|^\s*\|?[\s:|-]+\|?\s*$/;

/** Ends with a full stop and continues with a new sentence. */
const SENTENCE_END =
  /(?<=[.!?…]["')\]`*]{0,3})(?<!\b(?:e\.g|i\.e|etc|vs|cf|approx|z\.B|bzw|p\.ex)\.)\s+|(?<=[。！？])/u;
/** The sessions that a line of learned memory cites. */
const CITATION = /\s*\([^()]*\bsession\b[^()]*\)\s*$/u;
/** The kind of a line of an extraction. */
const KIND = /^\[[\w -]{1,30}\]\s+/u;
/** Longer lines are data. */
const MAX_STATEMENT_CHARS = 2_000;

/** The statements of a Markdown text: sentences of prose, list items, rows of tables and lines of code. No headings. */
export function statementsOf(text: string): readonly string[] {
  return blocksOf(text).flatMap((block) =>
    block.kind === "prose" ? sentencesOf(textOf(block)).map(bareStatement) : [],
  );
}

/** Removes the statements that a predicate matches, given the sessions that their line cites, and the headings that nothing is left under. */
export function removeStatements(
  text: string,
  matches: (statement: string, cited: readonly string[]) => boolean,
): { readonly text: string; readonly removed: number } {
  let removed = 0;
  const kept = blocksOf(text).flatMap((block): readonly Block[] => {
    if (block.kind !== "prose") return [block];
    const sentences = sentencesOf(textOf(block));
    const cited = citedSessions(block);
    const left = sentences.filter((sentence) => !matches(bareStatement(sentence), cited));
    removed += sentences.length - left.length;
    if (left.length === sentences.length) return [block];
    // A citation alone is not a statement.
    if (left.every((sentence) => bareStatement(sentence) === "")) return [];
    return [{ ...block, lines: [`${block.lead}${left.join(" ")}`] }];
  });
  if (removed === 0) return { text, removed };
  const lines = withoutEmptySections(kept).flatMap((block) => block.lines);
  return { text: lines.join("\n").replaceAll(/\n{3,}/g, "\n\n"), removed };
}

/** A statement without what was added to it: its kind and the sessions it is from. */
function bareStatement(sentence: string): string {
  return sentence.replace(KIND, "").replace(CITATION, "").trim();
}

function citedSessions(block: Block): readonly string[] {
  const citation = CITATION.exec(textOf(block))?.[0] ?? "";
  return Array.from(citation.matchAll(/\bsession:? ([\w-]{1,100})/giu), ([, id = ""]) => id);
}

function textOf({ lead, lines }: Block): string {
  const [first = "", ...rest] = lines;
  return [first.slice(lead.length), ...rest].map((line) => line.trim()).join(" ");
}

function sentencesOf(text: string): readonly string[] {
  const citation = CITATION.exec(text)?.[0] ?? "";
  const sentences = text
    .slice(0, text.length - citation.length)
    .slice(0, MAX_STATEMENT_CHARS)
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== "");
  const last = sentences.pop();
  return last === undefined ? [] : [...sentences, `${last}${citation}`];
}

function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = [];
  let isFenced = false;
  let continues = false;
  for (const line of text.split(/\r?\n/)) {
    if (FENCE.test(line)) isFenced = !isFenced;
    const block = isFenced || FENCE.test(line) ? codeBlock(line) : textBlock(line);
    const isProse = !isFenced && block.kind === "prose";
    const last = blocks.at(-1);
    if (continues && isProse && last !== undefined && !LIST_OR_QUOTE.test(line)) {
      blocks.splice(-1, 1, { ...last, lines: [...last.lines, line] });
      continue;
    }
    blocks.push(block);
    continues = isProse && !line.includes("|");
  }
  return blocks;
}

function codeBlock(line: string): Block {
  const isOther = line.trim() === "" || FENCE.test(line);
  return { kind: isOther ? "other" : "prose", lead: "", lines: [line] };
}

function textBlock(line: string): Block {
  if (line.trim() === "" || RULE.test(line)) return { kind: "other", lead: "", lines: [line] };
  if (HEADING.test(line)) return { kind: "heading", lead: "", lines: [line] };
  return { kind: "prose", lead: LEAD.exec(line)?.[0] ?? "", lines: [line] };
}

/** Headings and fences without anything in them are dropped. */
function withoutEmptySections(blocks: readonly Block[]): readonly Block[] {
  const isEmptyFence = (at: number): boolean =>
    FENCE.test(blocks[at]?.lines[0] ?? "") && FENCE.test(blocks[at + 1]?.lines[0] ?? "");
  const unfenced = blocks.filter((_, at) => !isEmptyFence(at) && !isEmptyFence(at - 1));
  return unfenced.filter((block, at) => {
    if (block.kind !== "heading") return true;
    const level = levelOf(block);
    const next = unfenced.slice(at + 1).find(({ lines }) => lines.join("").trim() !== "");
    const isLeaf = next === undefined || (next.kind === "heading" && levelOf(next) <= level);
    return !isLeaf || level === 1;
  });
}

function levelOf({ lines }: Block): number {
  return /#+/.exec(lines[0] ?? "")?.[0].length ?? 0;
}
