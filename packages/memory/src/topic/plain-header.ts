import { isPlainText, splitFrontMatter } from "@caliban/common/front-matter";
import { normalizeText } from "../markdown/normalize.ts";
import type { Topic } from "./render-topic.ts";
import { scanHeader } from "./scan-header.ts";

/** A header as we write it, without the YAML library: what goes into one, all of it plain. */
export type HeaderValues = Omit<Topic, "name" | "type" | "body"> & {
  readonly name: string;
  readonly type: string;
};

const SESSION = /^[0-9a-f]{8}-[0-9a-f-]{27}$/;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const WORD = /^[A-Za-z][\w-]*$/;
// Nothing that the library would write in another way, and single spaces.
const PLAIN_DESCRIPTION = /^[^\p{Cc}\p{Cf}\p{Z}\p{Cs}\\"]+(?: [^\p{Cc}\p{Cf}\p{Z}\p{Cs}\\"]+)*$/u;

/** The header that the library would write, in a fraction of its time; `undefined` when it might write another. */
export function plainHeader(values: HeaderValues): string | undefined {
  if (!isPlain(values)) return undefined;
  const { name, description, type, session, updated, after = [] } = values;
  return [
    `name: ${name}\n`,
    `description: "${description}"\n`,
    "metadata:\n  node_type: memory\n",
    `  type: ${type}\n`,
    ...(session === undefined ? [] : [`  session: ${session}\n`]),
    ...(updated === undefined ? [] : [`  updated: ${updated}\n`]),
    ...(after.length === 0 ? [] : [`  after: [${after.join(", ")}]\n`]),
  ].join("");
}

function isPlain({ name, description, session, updated, after = [] }: HeaderValues): boolean {
  return (
    isPlainWord(name) &&
    PLAIN_DESCRIPTION.test(description) &&
    (session === undefined || SESSION.test(session)) &&
    (updated === undefined || TIME.test(updated)) &&
    after.every(isPlainWord)
  );
}

function isPlainWord(word: string): boolean {
  return WORD.test(word) && isPlainText(word);
}

/** Whether a file has a header of ours and nothing else in it, so that it can be written anew. */
export function hasPlainHeader(file: string): boolean {
  const text = normalizeText(file);
  const split = splitFrontMatter(text);
  const data = split.kind === "header" ? scanHeader(text) : undefined;
  if (split.kind !== "header" || data === undefined) return false;
  const metadata: unknown = data["metadata"];
  const values = { ...data, ...(typeof metadata === "object" ? metadata : {}) };
  const texts = (key: string): string | undefined => {
    const value: unknown = Reflect.get(values, key);
    return typeof value === "string" ? value : undefined;
  };
  const after: unknown = Reflect.get(values, "after");
  const header = plainHeader({
    name: texts("name") ?? "",
    description: texts("description") ?? "",
    type: texts("type") ?? "",
    session: texts("session"),
    updated: texts("updated"),
    after: Array.isArray(after) ? after.map(String) : [],
  });
  return header === split.header;
}
