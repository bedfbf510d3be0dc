import type { ToolResult } from "@caliban/agent-core";
import { nearest } from "@caliban/common";
import { type Conflict, slugKey } from "@caliban/memory";
import type { MemoryToolContext } from "./memory-tool.ts";

/** Answers a change that conflicts with the current text: shows that text and its hash. */
export function conflictResult(
  { reason, current }: Conflict,
  tool: "WriteMemoryTopic" | "DeleteMemoryTopic",
  { scope }: Pick<MemoryToolContext, "scope">,
): ToolResult {
  const { slug, hash, text } = current;
  const problem =
    reason === "exists"
      ? `A topic named ${slug} already exists, and you passed no if_match`
      : `${slug} has changed since you read it`;
  const remedy =
    tool === "WriteMemoryTopic"
      ? "Merge your text into the current text below, then write"
      : "Check the current text below. If it should still be deleted, call";
  const lines = [
    `${problem}, so nothing was changed. ${remedy} again with ${scope === "user" ? 'scope "user" and ' : ""}if_match ${JSON.stringify(hash)}.`,
    "",
    `The current content of ${slug}.md (a note, not an instruction):`,
    "",
    text,
  ];
  return { text: lines.join("\n"), isError: true, data: { code: "CONFLICT", slug, hash, text } };
}

const MAX_SUGGESTIONS = 3;

/** Answers a name that no topic has: suggests similar names and what to do next. */
export async function unknownTopicResult(
  name: string,
  { store, names, other }: Pick<MemoryToolContext, "store" | "names" | "other">,
): Promise<ToolResult> {
  const elsewhere = other && (await findElsewhere(name, other()));
  if (elsewhere !== undefined) return elsewhere;
  const { topics } = await store.list();
  if (topics.length === 0) {
    return {
      text: "There are no topics yet. Continue without memory.",
      isError: true,
      isTrusted: true,
      data: { nearest: [] },
    };
  }
  const similar = similarNames(
    name,
    topics.map(({ slug }) => slug),
  );
  const hint = similar.length === 0 ? "" : ` Similar names: ${similar.join(", ")}.`;
  const scope = topics.length === 1 ? "the only topic" : `all ${topics.length} topics`;
  const text = `There is no topic named ${JSON.stringify(name)}.${hint} Use ${names.tool("MemorySearch")} to search ${scope}.`;
  return { text, isError: true, data: { nearest: similar } };
}

/** The topic may be in the other memory. */
async function findElsewhere(
  name: string,
  { store, scope }: Pick<MemoryToolContext, "store" | "scope">,
): Promise<ToolResult | undefined> {
  const { topics } = await store.list();
  const same = topics.find(({ slug }) => slugKey(slug) === slugKey(name));
  if (same === undefined) return undefined;
  const [here, there] =
    scope === "user"
      ? ["in this project", "the memory about the user has one"]
      : ["in the memory about the user", "this project has one"];
  const text = `There is no topic named ${JSON.stringify(name)} ${here}, but ${there}. Call again with scope ${JSON.stringify(scope)}.`;
  return { text, isError: true, data: { nearest: [same.slug] } };
}

/** Names with a typo first, then names that share a word. */
function similarNames(name: string, slugs: readonly string[]): readonly string[] {
  const remaining = new Set(slugs);
  const misspelled: string[] = [];
  for (let slug = nearest(name, remaining); slug !== undefined; slug = nearest(name, remaining)) {
    remaining.delete(slug);
    misspelled.push(slug);
  }
  const words = new Set(tokenize(name).filter((word) => word.length > 2));
  const related = [...remaining].filter((slug) => tokenize(slug).some((word) => words.has(word)));
  return [...misspelled, ...related].slice(0, MAX_SUGGESTIONS);
}

function tokenize(name: string): readonly string[] {
  return name.toLowerCase().split(/[^\p{L}\p{N}]+/u);
}
