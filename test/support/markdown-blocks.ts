/** A fenced block of a Markdown text. */
export interface FencedBlock {
  readonly language: string;
  readonly code: string;
  readonly line: number;
}

/** Returns every fenced block, in order. */
export function fencedBlocks(markdown: string): readonly FencedBlock[] {
  return [...markdown.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map((match) => ({
    language: match[1] ?? "",
    code: match[2] ?? "",
    line: markdown.slice(0, match.index).split("\n").length,
  }));
}
