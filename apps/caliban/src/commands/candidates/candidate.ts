import { terminalSafeLine } from "@caliban/common";

/** Something that can be typed next on a command line. */
export interface Candidate {
  readonly name: string;
  /** One line that is safe on a terminal. */
  readonly doc: string;
}

/** Drops names that a terminal cannot show: they cannot be typed either. */
export function toCandidates(
  items: readonly { readonly name: string; readonly doc?: string | undefined }[],
): readonly Candidate[] {
  return items.flatMap(({ name, doc = "" }) =>
    terminalSafeLine(name) === name
      ? [{ name, doc: terminalSafeLine(doc.replaceAll(/\s+/g, " ")) }]
      : [],
  );
}
