/** A note that MemorySearch found. */
export interface FoundTopic {
  readonly slug: string;
  readonly age: string;
  readonly score: number;
  readonly description: string;
  readonly snippet: string;
}

/** A piece of a past session that MemorySearch found. */
export interface FoundPassage {
  readonly session: string;
  readonly day: string;
  readonly age: string;
  readonly turns: readonly PassageTurn[];
}

export interface PassageTurn {
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly isHit: boolean;
}

/** What ReadMemoryTopic answers. */
export interface ReadTopic {
  readonly slug: string;
  readonly hash: string;
  readonly body: string;
}

/** What a write that was refused shows of the topic that is there. */
export interface ConflictingTopic {
  readonly hash: string;
  readonly description: string;
  readonly body: string;
}

const DAY_AND_AGE = /(?:undated|(\d{4}-\d\d-\d\d), ([^()]+?))/.source;
const HIT = new RegExp(
  `^- (.+?) \\((?:user|feedback|project|reference|untyped), ${DAY_AND_AGE}, score ([\\d.]+)\\)(?:: (.*))?(?:\\n {2}(.*))?$`,
  "gm",
);

/** The notes, best first. No text of a note can pose as one: descriptions and snippets have one line each. */
export function readHits(text: string): readonly FoundTopic[] {
  return [...text.matchAll(HIT)].map(
    ([, slug = "", , age = "of unknown age", score = "", description = "", snippet = ""]) => ({
      slug,
      age,
      score: Number(score),
      description,
      snippet: withoutMarks(snippet),
    }),
  );
}

const PASSAGE = new RegExp(
  `^- session (\\S+) \\((?:[a-z-]+, )?${DAY_AND_AGE}, score [\\d.]+\\): .*((?:\\n {2}[> ] (?:user|assistant): .*)+)$`,
  "gm",
);
const TURN = /^ {2}([> ]) (user|assistant): (.*)$/gm;

/** What was said in past sessions, best first; each turn has one line. */
export function readPassages(text: string): readonly FoundPassage[] {
  return [...text.matchAll(PASSAGE)].map(
    ([, session = "", day = "undated", age = "", turns = ""]) => ({
      session,
      day,
      age,
      turns: [...turns.matchAll(TURN)].map(([, mark, role, said = ""]) => ({
        role: role === "user" ? "user" : "assistant",
        text: withoutMarks(said),
        isHit: mark === ">",
      })),
    }),
  );
}

function withoutMarks(text: string): string {
  return text.replaceAll("**", "");
}

/** A whole topic, or `undefined` when the text is something else. */
export function readTopic(text: string): ReadTopic | undefined {
  const [, slug, header, body] =
    /^(.+?) \(\w+\), written .*\n([\s\S]*?)\n\n([\s\S]*)$/.exec(text) ?? [];
  const hash = /^hash: ([0-9a-f]{12})$/m.exec(header ?? "")?.[1];
  if (slug === undefined || hash === undefined) return undefined;
  return { slug, hash, body: (body ?? "").trim() };
}

/** The topic in whose way a write was, or `undefined` when it was refused for another reason. */
export function readConflict(text: string): ConflictingTopic | undefined {
  const [, hash, file] =
    /^.*\bif_match "([0-9a-f]{12})"\.\n\nThe whole of .*\n\n([\s\S]*)$/.exec(text) ?? [];
  if (hash === undefined || file === undefined) return undefined;
  const [, header = "", body = file] = /^---\r?\n([\s\S]*?)\n---\r?\n([\s\S]*)$/.exec(file) ?? [];
  const description = /^description: *(.*)$/m.exec(header)?.[1] ?? "";
  return { hash, description: withoutQuotes(description.trim()), body: body.trim() };
}

function withoutQuotes(value: string): string {
  if (!/^(["']).*\1$/.test(value)) return value;
  return value.slice(1, -1).replaceAll('\\"', '"').replaceAll("''", "'");
}

/** The slug of a topic that was saved or changed. */
export function savedSlug(text: string): string | undefined {
  return /^(?:Saved the new|Changed the) topic (.+); its hash is /.exec(text)?.[1];
}

/** The command that brings a deleted topic back. */
export function undoCommand(text: string): string {
  return /(caliban memory undo \S+)\s*$/.exec(text)?.[1] ?? "caliban memory undo";
}
