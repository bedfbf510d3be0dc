import type { ToolContext, ToolResult } from "@caliban/agent-core";
import type { MemoryNames } from "./memory-names.ts";
import { findForeignText, isAboutSame } from "./own-words.ts";
import { sanitizeLine } from "./sanitize-line.ts";
import { MEMORY_INPUT_SCHEMAS } from "./schemas/memory-input-schemas.ts";
import type { ProposedUserTopic, UserChange, UserScope } from "./user-scope.ts";

export interface UserChangeContext extends UserScope, Pick<ToolContext, "userText" | "usedTools"> {
  readonly names: MemoryNames;
  /** Proposes a topic to the user, if there is an inbox. */
  readonly propose?: ((topic: ProposedUserTopic) => Promise<ToolResult>) | undefined;
}

type Write = UserChange & { readonly kind: "write" };

/**
 * Decides whether the model may change memory about the user: it holds in every project, so the text must be the user's own
 * words and must not be about this workspace. Anything else is proposed to the user, or refused.
 */
export async function refuseUserChange(
  change: UserChange,
  context: UserChangeContext,
): Promise<ToolResult | undefined> {
  return change.kind === "delete"
    ? await refuseDeletion(change.name, context)
    : await refuseWrite(change, context);
}

const MAX_SHOWN = 120;

async function refuseWrite(
  change: Write,
  context: UserChangeContext,
): Promise<ToolResult | undefined> {
  const mentions = await context.findMentions?.(`${change.description}\n${change.body}`);
  if (mentions !== undefined && mentions.length > 0) {
    const named = mentions.map((words) => JSON.stringify(sanitizeLine(words, MAX_SHOWN)));
    return refused(
      "NAMES_WORKSPACE",
      `memory about the user holds in every project, and this text names this workspace: ${named.join(", ")}. Leave that out, or use scope "project".`,
    );
  }
  const reason = await whyNotSaid(change, context);
  if (reason === undefined) return undefined;
  if (context.propose === undefined) {
    const remedy = `Save it in their words, use scope "project", or ask the user to say it.`;
    return refused("NOT_USER_WORDS", `${reason} ${remedy}`);
  }
  const { kind: _, ...topic } = change;
  return await context.propose(topic);
}

async function whyNotSaid(change: Write, context: UserChangeContext): Promise<string | undefined> {
  const { userText = "", store } = context;
  if (userText.trim() === "") {
    return "memory about the user is written only from the user's own words, and no message of theirs is known here.";
  }
  const saved = change.ifMatch === undefined ? undefined : await store.read(change.name);
  const foreign = findForeignText({
    ...change,
    userText,
    savedText: saved?.text,
    isTainted: isTainted(context),
  });
  if (foreign === undefined) return undefined;
  const shown = JSON.stringify(sanitizeLine(foreign, MAX_SHOWN));
  return `memory about the user is written only from the user's own words, and their last message does not say ${shown}.`;
}

/** Text of others may want the user's rules gone. A deletion can be undone, so that a name is enough. */
async function refuseDeletion(
  name: string,
  context: UserChangeContext,
): Promise<ToolResult | undefined> {
  if (!isTainted(context)) return undefined;
  const { userText = "", store } = context;
  const found = await store.read(name);
  const about = `${name.replaceAll("-", " ")} ${found?.topic.description ?? ""}`;
  if (found === undefined || isAboutSame(about, userText)) return undefined;
  return refused(
    "NOT_USER_WORDS",
    "the user's last message does not mention this topic, and other text was read since. Ask the user first.",
  );
}

/** Whether the model read something since the user's message other than its own memory. */
function isTainted({ usedTools, names }: Pick<UserChangeContext, "usedTools" | "names">): boolean {
  const own = new Set(Object.keys(MEMORY_INPUT_SCHEMAS).map((name) => names.rename(name)));
  return usedTools.some((tool) => !own.has(tool));
}

function refused(code: string, reason: string): ToolResult {
  return { text: `Nothing was changed: ${reason}`, isError: true, data: { code } };
}
