import { utf8Bytes } from "@caliban/common";
import { renderTopic, type StoredTopic } from "@caliban/memory";
import { describeText, splitTopic } from "../../anthropic/topic-text.ts";

/** A topic as a client sees it: its text without the header, to the last character. */
export interface TopicDocument {
  readonly content: string;
  readonly bytes: number;
}

export function documentOf(topic: Pick<StoredTopic, "text" | "topic">): TopicDocument {
  const content = splitTopic(topic).text;
  return { content, bytes: utf8Bytes(content) };
}

/** The file of a topic, and what its header says. */
export interface RenderedDocument {
  readonly file: string;
  readonly description: string;
  readonly type: NonNullable<StoredTopic["topic"]["type"]>;
}

export interface RenderInput {
  readonly name: string;
  /** The topic that is replaced. */
  readonly current: StoredTopic | undefined;
  readonly nowMs: number;
}

/** The file for a new content. The header of an existing topic stays; a description that was made from the text follows it. */
export async function renderDocument(
  content: string,
  { name, current, nowMs }: RenderInput,
): Promise<RenderedDocument> {
  const derived = describeText(content);
  const kept = current === undefined ? undefined : keptHeader(current);
  const { description = derived.description, type = derived.type, before } = kept ?? {};
  const updated = new Date(nowMs).toISOString();
  const values = { name, description, type, body: "", updated, origin: "other-agent" } as const;
  const rendered = await renderTopic(values, before);
  // Without the line end of the body, which is empty here.
  return { file: rendered.slice(0, -1) + content, description, type };
}

/** What stays of a header; nothing of a file without a valid one. */
interface KeptHeader extends Partial<Pick<RenderedDocument, "description" | "type">> {
  readonly before: string;
}

function keptHeader(current: StoredTopic): KeptHeader | undefined {
  const { header, text } = splitTopic(current);
  if (header === "") return undefined;
  const { description, type } = current.topic;
  const isDerived = description === "" || description === describeText(text).description;
  return {
    before: current.text,
    ...(isDerived ? {} : { description }),
    ...(type === undefined ? {} : { type }),
  };
}
