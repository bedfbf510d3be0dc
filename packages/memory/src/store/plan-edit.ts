import { utf8Bytes } from "@caliban/common";
import { MemoryError } from "../errors.ts";
import { assertBodySize, parseBody } from "./plan-write.ts";
import { MAX_DESCRIPTION_CHARACTERS, MAX_TOPIC_BYTES } from "../topics/limits.ts";
import { oneLine } from "../topics/one-line.ts";
import { findConflict } from "./plan-write.ts";
import { renderTopic } from "../topics/render-topic.ts";
import { type FindSecrets, assertNoSecrets } from "./secrets.ts";
import { parseNewTopicSlug, parseTopicSlug, type TopicSlug } from "../topics/slug.ts";
import type { EditTopicInput, EditTopicResult, StoredTopic } from "./topic-store.ts";
import { parseTopic, type TopicProblem } from "../topics/parse-topic.ts";

/** An edit whose every part is proven. */
export interface CheckedEdit {
  readonly slug: TopicSlug;
  readonly text: string;
}

/**
 * Proves the text of a whole file, before any lock is taken.
 * @throws MemoryError `INVALID_SLUG`, `INVALID_TOPIC` or `SECRET_FOUND`
 */
export async function checkEdit(
  input: EditTopicInput,
  { findSecrets, nowMs }: { readonly findSecrets: FindSecrets; readonly nowMs: number },
): Promise<CheckedEdit> {
  const { name, ifMatch, allowSecrets } = input;
  const slug = ifMatch === undefined ? parseNewTopicSlug(name) : parseTopicSlug(name);
  assertReadable(input.text);
  const text = wholeText(slug, input, nowMs);
  if (input.allowMalformed !== true) assertUsable(text);
  if (allowSecrets !== true) {
    const parts = ifMatch === undefined ? { name: slug, file: text } : { file: text };
    await assertNoSecrets(parts, findSecrets);
  }
  return { slug, text };
}

/** Why nothing is to be written; `undefined` when something is. */
export function checkEditTarget(
  current: StoredTopic | undefined,
  { slug, text }: CheckedEdit,
  { ifMatch }: EditTopicInput,
): EditTopicResult | undefined {
  if (current !== undefined && ifMatch !== undefined && current.text === text) {
    return { kind: "unchanged", slug: current.slug };
  }
  const refused = findConflict(current, { ifMatch });
  return refused === "missing" ? { kind: "missing", slug } : refused;
}

/** Who mends a note has looked at it: unless they set a time themselves, it is as old as their edit. */
export function withUpdatedTime(
  current: StoredTopic | undefined,
  { text }: CheckedEdit,
  { action = "edit", nowMs }: Pick<EditTopicInput, "action"> & { readonly nowMs: number },
): string {
  const updated = current?.topic.updated;
  if (updated === undefined || action !== "edit" || parseTopic(text).updated !== updated)
    return text;
  // The same time may stand before it, in another key or in words.
  const key = text.search(/(?:^|[{,])[ \t]*["']?updated["']?[ \t]*:/m);
  const at = text.indexOf(updated, Math.max(key, 0));
  const time = new Date(nowMs).toISOString();
  return at === -1 ? text : text.slice(0, at) + time + text.slice(at + updated.length);
}

/** What is written must be readable again. */
function assertReadable(text: string): void {
  const bytes = utf8Bytes(text);
  if (bytes <= MAX_TOPIC_BYTES) return;
  const sentence = `the file has ${bytes} bytes, and at most ${MAX_TOPIC_BYTES} are read; split it into topics of their own`;
  throw invalid(sentence);
}

/** The text with a header that says all that one must. Keys, comments and order of its own header stay. */
function wholeText(
  slug: TopicSlug,
  { text, fallbackType, author }: EditTopicInput,
  nowMs: number,
): string {
  const wellFormed = text.toWellFormed();
  if (fallbackType === undefined) return wellFormed;
  const { problems, ...topic } = parseTopic(wellFormed);
  const problem = problems.find(({ code }) => !FILLED_IN.has(code));
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
    },
    wellFormed,
  );
}

const FILLED_IN: ReadonlySet<TopicProblem["code"]> = new Set([
  "NO_HEADER",
  "NO_DESCRIPTION",
  "NO_TYPE",
]);

/** The first line that says something, without the marks of a heading. */
function firstLine(body: string): string {
  const lines = body.split("\n").map((line) => oneLine(line.replace(/^\s*#+(?=\s|$)/, "")));
  const told =
    lines.find((line) => /[\p{L}\p{N}]/u.test(line)) ?? lines.find((line) => line !== "");
  const characters = Array.from(told ?? oneLine(body));
  return characters.length <= MAX_DESCRIPTION_CHARACTERS
    ? characters.join("")
    : `${characters.slice(0, MAX_DESCRIPTION_CHARACTERS - 1).join("")}…`;
}

function assertUsable(text: string): void {
  const { problems, body } = parseTopic(text);
  const [problem] = problems;
  if (problem !== undefined) throw malformed(problem);
  if (body.trim() === "") throw invalid("the file has no text below its header");
  assertBodySize(body);
}

function malformed({ line, message: sentence }: TopicProblem): MemoryError {
  return invalid(`line ${line}: ${sentence}`);
}

function invalid(sentence: string): MemoryError {
  return new MemoryError("INVALID_TOPIC", sentence);
}
