import { diffLines, splitLines } from "@caliban/common";

/** A line of a diff; `gap` is where lines were left out. */
export interface DiffRow {
  readonly kind: "same" | "removed" | "added" | "gap";
  readonly text: string;
}

const CONTEXT_LINES = 3;

/** The changed lines between two texts. `null` means that there was no text. */
export function diffRows(before: string | null, after: string | null): readonly DiffRow[] {
  const hunks = diffLines(splitLines(before ?? ""), splitLines(after ?? ""), CONTEXT_LINES);
  let end = 0;
  return hunks.flatMap(({ line, lead, before: removed, after: added, tail }) => {
    const gap: readonly DiffRow[] = line - 1 > end ? [{ kind: "gap", text: `line ${line}` }] : [];
    end = line - 1 + lead.length + added.length + tail.length;
    return gap.concat(
      lead.map((text) => ({ kind: "same", text })),
      removed.map((text) => ({ kind: "removed", text })),
      added.map((text) => ({ kind: "added", text })),
      tail.map((text) => ({ kind: "same", text })),
    );
  });
}
