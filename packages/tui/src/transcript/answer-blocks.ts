/** A reference to a link may come before or after it, so such a text cannot be split. */
const LINK_DEFINITION = /^ {0,3}\[[^\]\n]+\]:\s/m;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const LIST_ITEM = /^(?:[-+*]|\d{1,9}[.)])(?:\s|$)/;

/**
 * Splits Markdown into blocks that can be rendered one by one. More text changes only the last one, so that a growing
 * answer is not rendered from its beginning each time.
 */
export function answerBlocks(text: string): readonly string[] {
  if (LINK_DEFINITION.test(text)) return [text];
  const blocks: string[] = [];
  let block: string[] = [];
  let fence: string | undefined;
  let isAfterBlank = false;
  for (const line of text.split("\n")) {
    if (fence === undefined && isAfterBlank && startsBlock(line, block)) {
      blocks.push(block.join("\n").trimEnd());
      block = [];
    }
    fence = fenceAfter(line, fence);
    isAfterBlank = line.trim() === "";
    if (!isAfterBlank || block.length > 0) block.push(line);
  }
  const last = block.join("\n");
  return last.trim() === "" ? blocks : [...blocks, last];
}

function startsBlock(line: string, block: readonly string[]): boolean {
  if (block.length === 0 || line.trim() === "" || /^\s/.test(line)) return false;
  // An item after a blank line continues the list.
  return !LIST_ITEM.test(line) || !LIST_ITEM.test(block[0] ?? "");
}

/** The fence that is open after a line. */
function fenceAfter(line: string, open: string | undefined): string | undefined {
  const found = FENCE.exec(line)?.[1];
  if (open === undefined || found === undefined) return open ?? found;
  const closes = found.startsWith(open) && line.trim() === found;
  return closes ? undefined : open;
}
