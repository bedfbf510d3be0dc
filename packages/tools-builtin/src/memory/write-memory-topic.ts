import type { ToolContext, ToolResult } from "@caliban/agent-core";
import { terminalSafeLine } from "@caliban/common";
import { type Applies, isMemoryError, sanitize, type WriteTopicResult } from "@caliban/memory";
import type { MemoryToolContext, MemoryToolDefinition } from "./memory-tool.ts";
import { sanitizeLine } from "./sanitize-line.ts";
import type { MemoryInputs } from "./schemas/memory-input.ts";
import { conflictResult } from "./topic-refusals.ts";

export const WRITE_MEMORY_TOPIC: MemoryToolDefinition<"WriteMemoryTopic"> = {
  name: "WriteMemoryTopic",
  description:
    "Save a memory topic and its line in the index. To change an existing topic, read it first and pass its hash as if_match.",
  permission: "memory.write",
  isReadOnly: false,
  hasScope: true,
  execute: async (input, context, memory) => {
    const { countChange, names, authorOf, scope, refuseChange } = memory;
    const { session, notify } = context;
    const { if_match: ifMatch, applies, enforce, ...given } = input;
    const topic = { ...given, ...(applies === undefined ? {} : { applies: toApplies(applies) }) };
    await countChange({ session, text: topic.body });
    const author = authorOf(context, "user");
    const refusal = await refuseChange?.({ kind: "write", ...topic, ifMatch, author }, context);
    if (refusal !== undefined) return refusal;
    const { reviewChange, proposeChange } = await import("./review/review-change.ts");
    const action = ifMatch === undefined ? "write" : "edit";
    const change = { action, topic: { ...topic, ifMatch } } as const;
    const { origin, reason } = await reviewChange(change, { context, memory, enforce });
    const drafted = await draftFields(input, context, memory);
    if (reason !== undefined) {
      const source = { scope, origin, reason, ...(enforce === undefined ? {} : { enforce }) };
      const proposed = { ...change, topic: { ...change.topic, ...drafted } };
      return await proposeChange({ ...proposed, ...source }, { context, memory });
    }
    const write = { ...topic, ifMatch, author: authorOf(context, origin) };
    const { result, kept } = await writeWithDraft(write, drafted, memory);
    if (result.kind === "written") {
      const verb = result.isNew ? "saved" : "changed";
      const slug = terminalSafeLine(result.slug);
      const about = `${topic.type}: ${terminalSafeLine(topic.description)}`;
      notify({ kind: "memory", message: `${names.memory}: ${verb} ${slug} (${about})` });
    }
    return toResult(result, { names, scope, applies: kept.applies });
  },
};

function toApplies({
  paths = [],
  commands = [],
}: NonNullable<MemoryInputs["WriteMemoryTopic"]["applies"]>): Applies {
  return { paths, commands };
}

type Written = Parameters<MemoryToolContext["store"]["write"]>[0];
type DraftedFields = Pick<Written, "applies" | "evidence">;

/** What the write adds by itself: what a new topic applies to, and the lines of files that support it. */
async function draftFields(
  input: MemoryInputs["WriteMemoryTopic"],
  { recentCalls = [] }: ToolContext,
  { findEvidence, scope }: MemoryToolContext,
): Promise<DraftedFields> {
  // Files and commands of this project do not describe memory for every project.
  if (scope === "user") return {};
  const text = `${input.description}\n${input.body}`;
  const isNew = input.if_match === undefined && input.applies === undefined;
  const applies =
    isNew && recentCalls.length > 0
      ? (await import("./draft-applies.ts")).draftApplies(text, recentCalls)
      : undefined;
  const evidence = (await findEvidence?.(text)) ?? [];
  return {
    ...(applies === undefined ? {} : { applies }),
    // Without new evidence, a topic keeps what it has.
    ...(evidence.length === 0 ? {} : { evidence }),
  };
}

/** A draft must not be the reason why a topic is refused. */
async function writeWithDraft(
  write: Written,
  drafted: DraftedFields,
  { store }: MemoryToolContext,
): Promise<{ readonly result: WriteTopicResult; readonly kept: DraftedFields }> {
  try {
    return { result: await store.write({ ...write, ...drafted }), kept: drafted };
  } catch (error) {
    const isRefused =
      isMemoryError(error) && (error.code === "INVALID_TOPIC" || error.code === "SECRET_FOUND");
    if (!isRefused || Object.keys(drafted).length === 0) throw error;
    return { result: await store.write(write), kept: {} };
  }
}

function toResult(
  result: WriteTopicResult,
  {
    names,
    scope,
    applies,
  }: Pick<MemoryToolContext, "names" | "scope"> & { readonly applies?: Applies | undefined },
): ToolResult {
  if (result.kind === "conflict") return conflictResult(result, "WriteMemoryTopic", { scope });
  const where = scope === "user" ? " in user memory" : "";
  if (result.kind === "missing") {
    const text = `The topic ${result.slug} no longer exists, so nothing was changed. To create it again, call ${names.tool("WriteMemoryTopic")} without if_match.`;
    return { text, isError: true, data: { code: "MISSING" } };
  }
  const { slug, isNew, hash, indexLine, warning, change } = result;
  const lines = [
    `${isNew ? "Saved the new topic" : "Changed the topic"} ${slug}${where}; its hash is ${hash}.`,
    // Someone else may have written the title of the line.
    `Index line: ${sanitize(terminalSafeLine(indexLine))}`,
    "A prompt that starts with the index shows this line from the next session on.",
    ...(applies === undefined ? [] : [draftedLine(applies)]),
    ...(warning === undefined ? [] : [warning]),
  ];
  const data = { slug, isNew, hash, indexLine, warning, change };
  return { text: lines.join("\n"), data, isTrusted: true };
}

/** The model can correct a draft only if it knows it. */
function draftedLine({ paths, commands }: Applies): string {
  return `It applies to ${[...paths, ...commands].map((pattern) => sanitizeLine(pattern, 200)).join(", ")}. Pass applies to change that.`;
}
