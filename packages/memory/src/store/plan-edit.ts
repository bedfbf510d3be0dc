import { utf8Bytes } from "@caliban/common";
import type { MemoryError } from "../errors.ts";
import { MAX_DESCRIPTION_CHARACTERS, MAX_TOPIC_BYTES } from "../topics/limits.ts";
import { oneLine } from "../topics/one-line.ts";
import { parseTopic, type TopicProblem } from "../topics/parse-topic.ts";
import { renderTopic } from "../topics/render-topic.ts";
import { parseNewTopicSlug, parseTopicSlug, type TopicSlug } from "../topics/slug.ts";
import { checkFields } from "./check-fields.ts";
import { assertBodySize, findConflict, invalidTopic, parseBody } from "./plan-write.ts";
import { assertNoSecrets, type FindSecrets } from "./secrets.ts";
import type { EditTopicInput, EditTopicResult, StoredTopic } from "./topic-store.ts";

/** A validated edit. */
export interface CheckedEdit {
  readonly slug: TopicSlug;
  readonly text: string;
}

/**
 * Validates the text of a whole file before any lock is taken.
 * @throws MemoryError `INVALID_SLUG`, `INVALID_TOPIC` or `SECRET_FOUND`
 */
export async function checkEdit(
  input: EditTopicInput,
  { findSecrets, nowMs }: { readonly findSecrets: FindSecrets; readonly nowMs: number },
): Promise<CheckedEdit> {
  const { name, ifMatch, allowSecrets } = input;
  const slug = ifMatch === undefined ? parseNewTopicSlug(name) : parseTopicSlug(name);
  assertFileSize(input.text);
  const text = completeHeader(slug, input, nowMs);
  if (input.allowMalformed !== true) assertWellFormed(text, slug);
  if (allowSecrets !== true) {
    const parts = ifMatch === undefined ? { name: slug, file: text } : { file: text };
    await assertNoSecrets(parts, findSecrets);
  }
  return { slug, text };
}

/** The result of an edit that writes nothing; `undefined` if there is something to write. */
export function checkEditTarget(
  current: StoredTopic | undefined,
  { slug, text }: CheckedEdit,
  { ifMatch }: EditTopicInput,
): EditTopicResult | undefined {
  if (current !== undefined && ifMatch !== undefined && current.text === text) {
    return { kind: "unchanged", slug: current.slug };
  }
  const conflict = findConflict(current, { ifMatch });
  return conflict === "missing" ? { kind: "missing", slug } : conflict;
}

/** Sets the time of an edit, unless the user changed it: someone who edits a topic has just verified it. */
export function withUpdatedTime(
  current: StoredTopic | undefined,
  { text }: CheckedEdit,
  { action = "edit", nowMs }: Pick<EditTopicInput, "action"> & { readonly nowMs: number },
): string {
  const updated = current?.topic.updated;
  if (updated === undefined || action !== "edit" || parseTopic(text).updated !== updated)
    return text;
  // The same time may also occur earlier, in another key or in a text.
  const key = text.search(/(?:^|[{,])[ \t]*["']?updated["']?[ \t]*:/m);
  const at = text.indexOf(updated, Math.max(key, 0));
  const time = new Date(nowMs).toISOString();
  return at === -1 ? text : text.slice(0, at) + time + text.slice(at + updated.length);
}

/** A file must not become too large to be read again. */
function assertFileSize(text: string): void {
  const bytes = utf8Bytes(text);
  if (bytes <= MAX_TOPIC_BYTES) return;
  throw invalidTopic(
    `the file has ${bytes} bytes; the limit is ${MAX_TOPIC_BYTES}. Split it into several topics`,
  );
}

/** Adds the header keys that are missing. Existing keys, comments and their order are kept. */
function completeHeader(
  slug: TopicSlug,
  { text, fallbackType, author }: EditTopicInput,
  nowMs: number,
): string {
  const wellFormed = text.toWellFormed();
  if (fallbackType === undefined) return wellFormed;
  const { problems, ...topic } = parseTopic(wellFormed);
  const problem = problems.find(({ code }) => !COMPLETABLE.has(code));
  if (problem !== undefined) throw malformed(problem);
  const body = parseBody(topic.body);
  return renderTopic(
    {
      name: slug,
      description: topic.description === "" ? firstLine(body) : topic.description,
      type: topic.type ?? fallbackType,
      body,
      updated: new Date(nowMs).toISOString(),
      session: author.session,
      after: author.after,
      origin: author.origin,
    },
    wellFormed,
  );
}

const COMPLETABLE: ReadonlySet<TopicProblem["code"]> = new Set([
  "NO_HEADER",
  "NO_DESCRIPTION",
  "NO_TYPE",
]);

/** The first line with letters or digits in it, without the `#` of a heading. */
function firstLine(body: string): string {
  const lines = body.split("\n").map((line) => oneLine(line.replace(/^\s*#+(?=\s|$)/, "")));
  const first =
    lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines.find((line) => line !== "");
  const characters = Array.from(first ?? oneLine(body));
  return characters.length <= MAX_DESCRIPTION_CHARACTERS
    ? characters.join("")
    : `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}

function assertWellFormed(text: string, slug: TopicSlug): void {
  const { problems, body, ...header } = parseTopic(text);
  const [problem] = problems;
  if (problem !== undefined) throw malformed(problem);
  if (body.trim() === "") throw invalidTopic("the file has no text below its header");
  assertBodySize(body);
  checkFields(header, slug);
}

function malformed({ line, message }: TopicProblem): MemoryError {
  return invalidTopic(`line ${line}: ${message}`);
}
