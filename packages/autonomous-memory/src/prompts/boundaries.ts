/** The tags that stand around data in a prompt. */
export const BOUNDARY_TAGS: readonly string[] = [
  "hand-edits",
  "memory-guidance",
  "memory-skills",
  "memory-summary",
  "previous-memory-md",
  "previous-memory-summary",
  "previous-skills",
  "raw-memories",
  "removed-sessions",
  "rollout-summaries",
  "session-transcript",
];

const UNSEEN = String.raw`[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
const BLANK = String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]*`;
const NAMES = BOUNDARY_TAGS.map((tag) => tag.split("").join(UNSEEN)).join("|");
// A run of blanks is taken whole or not at all: tried at every length, it would take quadratic time.
const OWN_TAG = `<(?=(?<first>${BLANK}))\\k<first>(?:/(?=(?<second>${BLANK}))\\k<second>)?(?=(?:${NAMES})(?![\\w-]))`;

/** Makes a text fit to stand between boundaries: the `<` of each of our tags becomes `&lt;`. Twice is as once. */
export function insideBoundary(text: string): string {
  const whole = text.toWellFormed();
  // The pattern takes milliseconds to make, which a start with a plain summary need not wait for.
  return whole.includes("<") ? escapedTags(whole) : whole;
}

function escapedTags(text: string): string {
  return text.replace(new RegExp(OWN_TAG, "giu"), (tag) => `&lt;${tag.slice(1)}`);
}
