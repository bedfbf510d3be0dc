import { MemoryError } from "../../errors.ts";
import { assertBodyFits } from "../../topic/check-topic.ts";
import { type FindSecrets, refuseSecrets } from "../../topic/secret-gate.ts";
import { parseTopicSlug, type TopicSlug } from "../../topic/slug.ts";
import type { Author, Conflict } from "../../topic/store.ts";
import { storedTopic } from "../../topic/stored-topic.ts";
import { type ParsedTopic, parseTopic } from "../../topic/topic.ts";
import { sha256Hex } from "../sha256-hex.ts";
import type { StoreAccess } from "./store-access.ts";
import { readTopicFile } from "./topic-files.ts";

export interface EditTopicInput {
  readonly name: string;
  /** The whole file, as a person left it. */
  readonly text: string;
  /** The hash of the file that the person began with. */
  readonly ifMatch: string;
  readonly allowSecrets?: boolean;
  /** Takes a file with a broken header as it is. */
  readonly allowMalformed?: boolean;
  readonly author: Author;
  /** What the history calls it. */
  readonly action?: "edit" | "fix";
}

export type EditTopicResult =
  | { readonly kind: "edited"; readonly slug: TopicSlug; readonly change: string }
  | { readonly kind: "unchanged"; readonly slug: TopicSlug }
  | Conflict
  | { readonly kind: "missing"; readonly slug: TopicSlug };

interface EditedStore {
  readonly access: StoreAccess;
  readonly findSecrets: FindSecrets;
  readonly now: () => number;
}

/**
 * Takes over what a person made of a topic file.
 * @throws MemoryError `INVALID_TOPIC` or `SECRET_FOUND`; the store is then as it was
 */
export async function editTopic(
  { access, findSecrets, now }: EditedStore,
  request: EditTopicInput,
): Promise<EditTopicResult> {
  const { text, ifMatch, allowSecrets, author, action = "edit" } = request;
  const slug = parseTopicSlug(request.name);
  if (request.allowMalformed !== true) assertUsable(text);
  if (allowSecrets !== true) await refuseSecrets({ file: text }, findSecrets);
  return await access.write(async ({ directory, commit }): Promise<EditTopicResult> => {
    const file = await readTopicFile(directory, slug);
    if (file === undefined) return { kind: "missing", slug };
    if (file.text === text) return { kind: "unchanged", slug };
    const current = storedTopic(file, sha256Hex);
    if (current.hash !== ifMatch) return { kind: "conflict", reason: "changed", current };
    const after = action === "edit" ? withNewTime(current.topic, text, now()) : text;
    const files = [{ slug, before: file.text, after }];
    const { change } = await commit({ action, author, files });
    return { kind: "edited", slug, change };
  });
}

/** A person who mends a note has looked at it: unless they set a time themselves, it is as old as their edit. */
function withNewTime({ updated }: ParsedTopic, text: string, nowMs: number): string {
  if (updated === undefined || parseTopic(text).updated !== updated) return text;
  return text.replace(updated, new Date(nowMs).toISOString());
}

function assertUsable(text: string): void {
  const { problems, body } = parseTopic(text);
  const [problem] = problems;
  if (problem !== undefined) {
    throw new MemoryError("INVALID_TOPIC", `line ${problem.line}: ${problem.sentence}`);
  }
  if (body.trim() === "") {
    throw new MemoryError("INVALID_TOPIC", "the file has no text below its header");
  }
  assertBodyFits(body);
}
