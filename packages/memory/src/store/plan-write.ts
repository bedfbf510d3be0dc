import { MemoryError } from "../errors.ts";
import { renderTopic } from "../topics/render-topic.ts";
import { type FindSecrets, assertNoSecrets } from "./secrets.ts";
import { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "../topics/slug.ts";
import type { Conflict, StoredTopic, WriteTopicInput } from "./topic-store.ts";
import { isTopicType, TOPIC_TYPES, type TopicType } from "../topics/topic-type.ts";
import { utf8Bytes } from "@caliban/common";
import { normalizeText } from "../markdown/normalize.ts";
import { MAX_BODY_BYTES, MAX_DESCRIPTION_CHARACTERS } from "../topics/limits.ts";
import { oneLine } from "../topics/one-line.ts";

/** An input whose every part is proven. */
export interface CheckedWrite {
  readonly slug: TopicSlug;
  readonly description: string;
  readonly type: TopicType;
  readonly body: string;
}

/**
 * Proves what is to be written, before any lock is taken.
 * @throws MemoryError `INVALID_SLUG`, `INVALID_TOPIC` or `SECRET_FOUND`
 */
export async function checkWrite(
  input: WriteTopicInput,
  findSecrets: FindSecrets,
): Promise<CheckedWrite> {
  const slug = parseSlugToWrite(input);
  const description = parseDescription(input.description);
  const body = parseBody(input.body);
  const { type } = input;
  if (!isTopicType(type)) {
    const sentence = `the type ${JSON.stringify(type)} is none of ${TOPIC_TYPES.join(", ")}`;
    throw new MemoryError("INVALID_TOPIC", sentence);
  }
  if (input.allowSecrets !== true)
    await assertNoSecrets({ name: slug, description, body }, findSecrets);
  return { slug, description, type, body };
}

/** A topic that is there keeps its name, also one that would not be given today. */
function parseSlugToWrite({ name, ifMatch, replace }: WriteTopicInput): TopicSlug {
  return ifMatch === undefined && replace !== true ? parseNewTopicSlug(name) : parseTopicSlug(name);
}

/** The topic of a list that a name means: the same one, else one that differs in case only. */
export function findSameTopic(slug: TopicSlug, slugs: Iterable<TopicSlug>): TopicSlug | undefined {
  const key = slugKey(slug);
  let alike: TopicSlug | undefined;
  for (const other of slugs) {
    if (other === slug) return other;
    if (slugKey(other) === key) alike = other;
  }
  return alike;
}

/** Compare and swap: who has not seen what is there may not replace it. */
export function findConflict(
  current: StoredTopic | undefined,
  { ifMatch, replace }: Pick<WriteTopicInput, "ifMatch" | "replace">,
): Conflict | "missing" | undefined {
  if (replace === true) return undefined;
  if (current === undefined) return ifMatch === undefined ? undefined : "missing";
  if (ifMatch === undefined) return { kind: "conflict", reason: "exists", current };
  return ifMatch === current.hash ? undefined : { kind: "conflict", reason: "changed", current };
}

/** The text of the topic file, and what its index line says. */
export function renderWrite(
  checked: CheckedWrite,
  { author }: Pick<WriteTopicInput, "author">,
  { current, nowMs }: { readonly current: StoredTopic | undefined; readonly nowMs: number },
): string {
  const { description, type, body } = checked;
  return renderTopic(
    {
      name: current?.slug ?? checked.slug,
      description,
      type,
      body,
      updated: new Date(nowMs).toISOString(),
      session: author.session,
      after: author.after,
    },
    current?.text,
  );
}

/**
 * Proves that a description can stand in an index line. It is given back as it will be read, with single spaces.
 * @throws MemoryError `INVALID_TOPIC`
 */
export function parseDescription(text: string): string {
  const description = oneLine(text);
  if (description === "")
    throw invalid("the description is empty; say in one line what the topic holds");
  if (/[\p{Cc}\u2028\u2029]/u.test(text.trim())) {
    throw invalid(
      "the description must be one line without control characters; put the rest into the body",
    );
  }
  const { length } = Array.from(description);
  if (length > MAX_DESCRIPTION_CHARACTERS) {
    const sentence = `the description has ${length} characters, and at most ${MAX_DESCRIPTION_CHARACTERS} fit; shorten it, and put the rest into the body`;
    throw invalid(sentence);
  }
  return description;
}

/**
 * The body as it will be read back: LF line ends, no empty lines around it.
 * @throws MemoryError `INVALID_TOPIC`
 */
export function parseBody(text: string): string {
  const body = normalizeText(text.toWellFormed()).replace(/^\n+/, "").trimEnd();
  if (body.trim() === "") throw invalid("the body is empty; write down what is worth remembering");
  assertBodySize(body);
  return body;
}

/** @throws MemoryError `INVALID_TOPIC` */
export function assertBodySize(body: string): void {
  const bytes = utf8Bytes(body);
  if (bytes <= MAX_BODY_BYTES) return;
  const sentence = `the body has ${bytes} bytes, and at most ${MAX_BODY_BYTES} are kept; split it into topics of their own`;
  throw invalid(sentence);
}

function invalid(problem: string): MemoryError {
  return new MemoryError("INVALID_TOPIC", problem);
}
