import { tokensToBytes, utf8Bytes } from "@caliban/common";
import type { ConsolidatedMemory } from "../../generation/memory.ts";
import type { ConsolidationTask } from "../../consolidation/consolidation-task.ts";
import { isoDay } from "../../consolidation/render-extractions.ts";
import { lineKey, parseLine, parseRawMemory, SECTIONS } from "./memory-line.ts";
import {
  type DocumentChanges,
  indexHandEdits,
  mergeDocument,
  citesOnlyRemoved,
} from "./merge-document.ts";

const SUMMARY_TOKENS = 1_000;
const NOTHING = "Nothing is remembered of earlier sessions yet.";

/** The previous memory with the new lines, and without what only removed sessions support. Idempotent. */
export function consolidateByRules({
  previous,
  added,
  removed,
}: ConsolidationTask): ConsolidatedMemory {
  const before = previous?.memoryMd ?? "";
  const isGenerated = isMadeByRules(before);
  const changes: DocumentChanges = {
    // A model has already rephrased older lines, so they are not added again.
    added: added
      .filter(({ isNew }) => isNew || isGenerated)
      .flatMap(({ rawMemory, threadId, updatedAtMs }) =>
        parseRawMemory(rawMemory, { session: threadId, day: isoDay(updatedAtMs) }),
      ),
    removedSessions: new Set(removed.map(({ threadId }) => threadId)),
    handEdits: previous?.handEdits ?? [],
  };
  const memoryMd = mergeDocument(before, changes);
  const own = foundLines(memoryMd);
  const known = new Set([...own, ...foundLines(before)].map(({ key }) => key));
  const others = otherLines(previous?.memorySummary ?? "", changes, known);
  const sections = renderSections(own);
  const memorySummary = [others, sections].filter((part) => part !== "").join("\n\n") || NOTHING;
  return { memoryMd, memorySummary: `${memorySummary}\n`, skills: previous?.skills ?? [] };
}

/** Whether the document contains only our own sections. */
function isMadeByRules(document: string): boolean {
  const headings = document.split("\n").filter((line) => line.startsWith("## "));
  const hasOwn = document.trim() === "" || headings.length > 0;
  return hasOwn && headings.every((line) => Object.hasOwn(SECTIONS, line.slice(3).trimEnd()));
}

interface FoundLine {
  readonly line: string;
  readonly key: string;
  readonly section: string;
  /** The day of its newest session; without one, the user wrote it, and it goes first. */
  readonly day: string;
}

/** The list items under our sections. */
function foundLines(document: string): readonly FoundLine[] {
  let section = "";
  return document.split("\n").flatMap((line) => {
    if (/^#{1,2} /u.test(line)) section = line.replace(/^#+ /u, "").trimEnd();
    const parsed = Object.hasOwn(SECTIONS, section) ? parseLine(line) : undefined;
    if (parsed === undefined) return [];
    const day = parsed.evidence[0]?.day ?? "9999-12-31";
    return [{ line, key: lineKey(parsed.text), section, day }];
  });
}

/** The lines of a summary that the user or a model wrote, which are kept. */
function otherLines(
  summary: string,
  { removedSessions, handEdits }: DocumentChanges,
  known: ReadonlySet<string>,
): string {
  const { removedKeys } = indexHandEdits(handEdits);
  return summary
    .split("\n")
    .filter((line) => {
      if (line.trim() === NOTHING || citesOnlyRemoved(line, removedSessions)) return false;
      if (line.startsWith("## ")) return !Object.hasOwn(SECTIONS, line.slice(3).trimEnd());
      const text = parseLine(line)?.text;
      const key = text === undefined ? undefined : lineKey(text);
      return key === undefined || (!known.has(key) && !removedKeys.has(key));
    })
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

/** The newest lines that fit, by section. */
function renderSections(lines: readonly FoundLine[]): string {
  let bytesLeft = tokensToBytes(SUMMARY_TOKENS);
  const newest = lines
    .toSorted((one, other) => (one.day === other.day ? 0 : one.day < other.day ? 1 : -1))
    .filter(({ line }) => {
      bytesLeft -= utf8Bytes(line) + 1;
      return bytesLeft >= 0;
    });
  return Object.keys(SECTIONS)
    .flatMap((section) => {
      const own = newest.filter((found) => found.section === section).map(({ line }) => line);
      return own.length === 0 ? [] : [`## ${section}\n\n${own.join("\n")}`];
    })
    .join("\n\n");
}
