import { utf8Bytes } from "@caliban/common";
import { MemoryError } from "../errors.ts";
import { normalizeText } from "../markdown/normalize.ts";
import { MAX_BODY_BYTES, MAX_DESCRIPTION_CHARACTERS } from "../topics/limits.ts";
import { oneLine } from "../topics/one-line.ts";
import { renderTopic } from "../topics/render-topic.ts";
import { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "../topics/slug.ts";
import { isTopicType, TOPIC_TYPES, type TopicType } from "../topics/topic-type.ts";
import { checkFields, textsOfFields, type WrittenFields } from "./check-fields.ts";
import { assertNoSecrets, type FindSecrets } from "./secrets.ts";
import type { Conflict, StoredTopic, WriteTopicInput } from "./topic-store.ts";

/** A validated write. */
export interface CheckedWrite extends WrittenFields {
  readonly slug: TopicSlug;
  readonly description: string;
  readonly type: TopicType;
  readonly body: string;
}

/**
 * Validates a write before any lock is taken.
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
    throw invalidTopic(
      `unknown type ${JSON.stringify(type)}; use one of ${TOPIC_TYPES.join(", ")}`,
    );
  }
  const fields = checkFields(input, slug);
  if (input.allowSecrets !== true) {
    const parts = { name: slug, description, body, ...textsOfFields(fields) };
    await assertNoSecrets(parts, findSecrets);
  }
  return { slug, description, type, body, ...fields };
}

/** An existing topic keeps its name, even one that would not be valid for a new topic. */
export function parseSlugToWrite({ name, ifMatch, replace }: WriteTopicInput): TopicSlug {
  return ifMatch === undefined && replace !== true ? parseNewTopicSlug(name) : parseTopicSlug(name);
}

/**
 * Validates a description for an index line and returns it with single spaces.
 * @throws MemoryError `INVALID_TOPIC`
 */
export function parseDescription(text: string): string {
  const description = oneLine(text);
  if (description === "")
    throw invalidTopic("the description is empty; summarize the topic in one line");
  if (/[\p{Cc}\u2028\u2029]/u.test(text.trim())) {
    throw invalidTopic(
      "the description must be one line without control characters; put the rest into the body",
    );
  }
  const { length } = Array.from(description);
  if (length > MAX_DESCRIPTION_CHARACTERS) {
    throw invalidTopic(
      `the description has ${length} characters; the limit is ${MAX_DESCRIPTION_CHARACTERS}. Shorten it, and put the rest into the body`,
    );
  }
  return description;
}

/**
 * Validates a body and returns it with LF line ends and without empty lines around it.
 * @throws MemoryError `INVALID_TOPIC`
 */
export function parseBody(text: string): string {
  const body = normalizeText(text.toWellFormed()).replace(/^\n+/, "").trimEnd();
  if (body.trim() === "")
    throw invalidTopic("the body is empty; write down what is worth remembering");
  assertBodySize(body);
  return body;
}

/** @throws MemoryError `INVALID_TOPIC` */
export function assertBodySize(body: string): void {
  const bytes = utf8Bytes(body);
  if (bytes <= MAX_BODY_BYTES) return;
  throw invalidTopic(
    `the body has ${bytes} bytes; the limit is ${MAX_BODY_BYTES}. Split it into several topics`,
  );
}

export function invalidTopic(message: string): MemoryError {
  return new MemoryError("INVALID_TOPIC", message);
}

/** The topic that a name refers to: the one with exactly this name, otherwise one that differs only in case. */
export function findSameTopic(slug: TopicSlug, slugs: Iterable<TopicSlug>): TopicSlug | undefined {
  const key = slugKey(slug);
  let similar: TopicSlug | undefined;
  for (const other of slugs) {
    if (other === slug) return other;
    if (slugKey(other) === key) similar = other;
  }
  return similar;
}

/** Compare and swap: a writer that has not seen the current topic may not replace it. */
export function findConflict(
  current: StoredTopic | undefined,
  { ifMatch, replace }: Pick<WriteTopicInput, "ifMatch" | "replace">,
): Conflict | "missing" | undefined {
  if (replace === true) return undefined;
  if (current === undefined) return ifMatch === undefined ? undefined : "missing";
  if (ifMatch === undefined) return { kind: "conflict", reason: "exists", current };
  return ifMatch === current.hash ? undefined : { kind: "conflict", reason: "changed", current };
}

/** The text of the topic file. */
export function renderWrite(
  checked: CheckedWrite,
  { author }: Pick<WriteTopicInput, "author">,
  { current, nowMs }: { readonly current: StoredTopic | undefined; readonly nowMs: number },
): string {
  const { slug, ...content } = checked;
  return renderTopic(
    {
      ...content,
      name: current?.slug ?? slug,
      updated: new Date(nowMs).toISOString(),
      session: author.session,
      after: author.after,
      origin: author.origin,
    },
    current?.text,
  );
}
