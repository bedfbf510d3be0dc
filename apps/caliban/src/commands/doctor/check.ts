/** The result of one check. */
export interface Check {
  /** The subject, such as `settings`. */
  readonly about: string;
  /** Replaces the subject in text output. JSON output contains `about`, which other programs rely on. */
  readonly label?: string;
  /** A note is worth knowing, but nothing is broken. */
  readonly status: "ok" | "note" | "problem";
  readonly message: string;
  /** What to do next. */
  readonly remedy?: string;
}

export function ok(about: string, message: string): Check {
  return { about, status: "ok", message };
}

/** Nothing is wrong, but something may surprise the user. */
export function note(about: string, message: string, remedy?: string): Check {
  return { about, status: "note", message, ...(remedy === undefined ? {} : { remedy }) };
}

/** Something keeps caliban from working as it should. */
export function problem(about: string, message: string, remedy: string): Check {
  return { about, status: "problem", message, remedy };
}
