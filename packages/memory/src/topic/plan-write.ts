import { MemoryError } from "../errors.ts";
import { parseBody, parseDescription } from "./check-topic.ts";
import { renderTopic } from "./render-topic.ts";
import { type FindSecrets, refuseSecrets } from "./secret-gate.ts";
import { parseNewTopicSlug, parseTopicSlug, slugKey, type TopicSlug } from "./slug.ts";
import type { Conflict, StoredTopic, WriteTopicInput } from "./store.ts";
import { isTopicType, TOPIC_TYPES, type TopicType } from "./topic-type.ts";

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
    await refuseSecrets({ name: slug, description, body }, findSecrets);
  return { slug, description, type, body };
}

/** A topic that is there keeps its name, also one that would not be given today. */
function parseSlugToWrite({ name, ifMatch, replace }: WriteTopicInput): TopicSlug {
  return ifMatch === undefined && replace !== true ? parseNewTopicSlug(name) : parseTopicSlug(name);
}

/** The topic of a list that a name means: the same one, else one that differs in case only. */
export function sameTopic(slug: TopicSlug, slugs: Iterable<TopicSlug>): TopicSlug | undefined {
  const key = slugKey(slug);
  let alike: TopicSlug | undefined;
  for (const other of slugs) {
    if (other === slug) return other;
    if (slugKey(other) === key) alike = other;
  }
  return alike;
}

/** Compare and swap: who has not seen what is there may not replace it. */
export function refusal(
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
