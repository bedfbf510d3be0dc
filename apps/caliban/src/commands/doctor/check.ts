/** What was looked at, how it is, and what to do about it. */
export interface Check {
  /** What it is about, such as `settings`. */
  readonly about: string;
  /** A note is worth knowing and nothing to mend. */
  readonly status: "ok" | "note" | "problem";
  readonly sentence: string;
  /** What to do next. */
  readonly remedy?: string;
}

/** All is well. */
export function ok(about: string, sentence: string): Check {
  return { about, status: "ok", sentence };
}

/** Nothing is wrong, but something may surprise. */
export function note(about: string, sentence: string, remedy?: string): Check {
  return { about, status: "note", sentence, ...(remedy === undefined ? {} : { remedy }) };
}

/** Something keeps caliban from working as it should. */
export function problem(about: string, sentence: string, remedy: string): Check {
  return { about, status: "problem", sentence, remedy };
}
