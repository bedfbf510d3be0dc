/** Tags around memory, instructions and the output of hooks in prompts, ours and those of other agents. */
const FRAMES: readonly string[] = [
  "global-claude-md",
  "project-claude-md",
  "project-rule",
  "auto-memory-index",
  "auto-memory",
  "memory-guidance",
  "memory-note",
  "hook-output",
  "system-reminder",
  "user_instructions",
  "skill",
];
const TAG = new RegExp(String.raw`<(/?)(${FRAMES.join("|")})(?=[\s/>])[^<>]{0,2048}>`, "gi");
// Codex passes instruction files as a user message.
const CODEX_INSTRUCTIONS =
  /# AGENTS\.md instructions for [^\n]{1,2048}\n\s{0,8}<INSTRUCTIONS>[\s\S]*?(?:<\/INSTRUCTIONS>|$)/g;
// As shown by a search over the whole repository: `./CLAUDE.md:12: …`.
const INSTRUCTION_LINES =
  /^[^\s:]{0,512}(?<![\w-])(?:CLAUDE(?:\.local)?|AGENTS|GEMINI|\.caliban|SKILL|MEMORY)\.md[:-]\d{1,9}[:-][^\n]*(?:\n|$)/gim;

/** Which ends of a text were truncated. */
export interface CutEnds {
  readonly isCutAtStart?: boolean;
  readonly isCutAtEnd?: boolean;
}

/**
 * Removes everything inside memory tags, and lines of instruction files in search results, so that memory does not feed on
 * itself. A tag without its counterpart is a mention, unless the counterpart may have been truncated.
 */
export function removeMemoryBlocks(text: string, ends: CutEnds = {}): string {
  const unframed = removeFrames(text, ends);
  return unframed.includes(".md") || unframed.includes(".MD")
    ? unframed.replaceAll(INSTRUCTION_LINES, "")
    : unframed;
}

function removeFrames(text: string, ends: CutEnds): string {
  if (!text.includes("<")) return text;
  const plain = text.includes("<INSTRUCTIONS>") ? text.replaceAll(CODEX_INSTRUCTIONS, "") : text;
  const parts: string[] = [];
  let kept = 0;
  for (const { start, end } of blocksIn(plain, ends)) {
    parts.push(plain.slice(kept, start));
    kept = end;
  }
  return kept === 0 ? plain : parts.join("") + plain.slice(kept);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

// The positions of opening tags are grouped by name; a single list would have to be searched for each closing tag.
function blocksIn(text: string, { isCutAtStart, isCutAtEnd }: CutEnds): readonly Span[] {
  const blocks: Span[] = [];
  const opened = new Map<string, number[]>();
  const add = (start: number, end: number): void => {
    while ((blocks.at(-1)?.start ?? -1) >= start) blocks.pop();
    blocks.push({ start, end });
  };
  const isOpen = (start: number): boolean => start >= (blocks.at(-1)?.end ?? 0);
  for (const match of text.matchAll(TAG)) {
    const name = (match[2] ?? "").toLowerCase();
    const starts = opened.get(name) ?? [];
    opened.set(name, starts);
    if (match[1] === "") {
      starts.push(match.index);
      continue;
    }
    const end = match.index + match[0].length;
    const start = lastStart(starts, blocks.at(-1));
    if (start !== undefined) add(start, end);
    else if (isCutAtStart === true) add(0, end);
  }
  const unclosed = [...opened.values()].flat().filter(isOpen);
  if (isCutAtEnd === true && unclosed.length > 0) {
    add(
      unclosed.reduce((least, start) => Math.min(least, start)),
      text.length,
    );
  }
  return blocks;
}

/** The position of the innermost opening tag; tags inside the last block were removed with it. */
function lastStart(starts: number[], block: Span = { start: 0, end: 0 }): number | undefined {
  while (isInside(starts.at(-1), block)) starts.pop();
  return starts.pop();
}

function isInside(at: number | undefined, { start, end }: Span): boolean {
  return at !== undefined && at > start && at < end;
}
