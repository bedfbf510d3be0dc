import { EMPTY_EXTRACTION, type Extraction } from "../extraction/extraction.ts";
import { slugOf } from "../extraction/rollout-slug.ts";
import { startedWith, titleOf } from "../transcript/session-title.ts";
import type { TranscriptTurn } from "../transcript/transcript-turn.ts";
import type { HeldStatement, SessionReview } from "./session-review.ts";

export interface ReviewedExtraction {
  readonly extraction: Extraction;
  readonly held: readonly HeldStatement[];
}

type IsHeld = SessionReview["isHeld"];

/**
 * What can be learned from a model's answer about a session. A text that the session read may have asked the model to write
 * something, so lines that a review holds are left out. A summary without them starts with the user's first message.
 */
export function reviewExtraction(
  extraction: Extraction,
  turns: readonly TranscriptTurn[],
  isHeld: IsHeld,
): ReviewedExtraction {
  const blocks = splitBlocks(extraction.rawMemory).map((block) => reviewBlock(block, isHeld));
  const held = blocks.flatMap((block) => block.held ?? []);
  const rawMemory = blocks
    .flatMap((block) => block.text ?? [])
    .join("\n")
    .trim();
  if (rawMemory === "") return { extraction: EMPTY_EXTRACTION, held };
  const summary = reviewSummary(extraction.rolloutSummary, isHeld);
  const title = titleOf(turns);
  const { rolloutSlug } = extraction;
  const isNameHeld = isHeld((rolloutSlug ?? "").replaceAll("-", " "));
  return {
    extraction: {
      rawMemory,
      rolloutSummary: summary === "" ? startedWith(title) : summary,
      rolloutSlug: isNameHeld ? slugOf(title.split(" ").slice(0, 5).join(" ")) : rolloutSlug,
    },
    held,
  };
}

const KINDS = "preference|decision|constraint|procedure|pitfall|environment|correction";
const ITEM = new RegExp(
  String.raw`^(?<mark>\s*(?:[-*+]|\d{1,3}[.)])?\s*)(?:\[(?<kind>${KINDS})\]\s+)?(?<rest>.*)$`,
  "isu",
);
const FENCE = /^\s*(?:[-*+]\s+)?(?<fence>`{3,}|~{3,})/u;

/** Lines, and blocks of code as a whole. A block that is never closed reaches to the end. */
function splitBlocks(markdown: string): readonly string[] {
  const blocks: string[] = [];
  let open: string | undefined;
  for (const line of markdown.split("\n")) {
    const fence = FENCE.exec(line)?.groups?.["fence"];
    if (open === undefined) blocks.push(line);
    else blocks.push(`${blocks.pop() ?? ""}\n${line}`);
    if (open === undefined) open = fence;
    else if (fence?.startsWith(open) === true) open = undefined;
  }
  return blocks;
}

interface ReviewedBlock {
  readonly text?: string | undefined;
  readonly held?: HeldStatement | undefined;
}

function reviewBlock(block: string, isHeld: IsHeld): ReviewedBlock {
  const { mark = "", kind, rest = "" } = ITEM.exec(block)?.groups ?? {};
  const { text, evidence } = splitEvidence(rest);
  if (isHeld(text)) return { held: { text, kind: kind?.toLowerCase() } };
  if (evidence === undefined) return { text: block };
  const parts = evidence.split(";").filter((part) => isPlainPart(part) || !isHeld(part));
  const tail = parts.length === 0 ? "" : ` (${parts.map((part) => part.trim()).join("; ")})`;
  return { text: `${mark}${kind === undefined ? "" : `[${kind}] `}${text}${tail}` };
}

const MAX_EVIDENCE_CHARS = 2_000;

/** The brackets at the end of a line that name a session. They may quote text with brackets. */
function splitEvidence(line: string): {
  readonly text: string;
  readonly evidence?: string | undefined;
} {
  const whole = line.trimEnd();
  if (!whole.endsWith(")")) return { text: whole };
  let depth = 0;
  for (let at = whole.length - 1; at >= Math.max(0, whole.length - MAX_EVIDENCE_CHARS); at--) {
    if (whole[at] === ")") depth += 1;
    else if (whole[at] === "(") depth -= 1;
    if (depth > 0) continue;
    const evidence = whole.slice(at + 1, -1);
    if (!/\bsession\b/u.test(evidence)) break;
    return { text: whole.slice(0, at).trim(), evidence };
  }
  return { text: whole };
}

/** Where a statement comes from: `session 20261110-100000-aaaa, 2026-11-10`. */
function isPlainPart(part: string): boolean {
  return /^\s*(?:session:? [\w-]{1,100})?,?\s*(?:\d{4}-\d\d-\d\d)?\s*$/u.test(part);
}

const SENTENCE_END = /(?<=[.!?…])\s+|\n+/u;

function reviewSummary(summary: string, isHeld: IsHeld): string {
  return summary
    .split(SENTENCE_END)
    .filter((sentence) => sentence.trim() !== "" && !isHeld(sentence))
    .join(" ");
}
