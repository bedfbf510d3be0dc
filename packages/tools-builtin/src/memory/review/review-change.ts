import type { ToolContext, ToolResult } from "@caliban/agent-core";
import { type CommandMessage, terminalSafeLine, withCommands } from "@caliban/common";
import {
  type EnforcementSuggestion,
  isMemoryError,
  type ProposalReason,
  type ProposalRequest,
  type StoredTopic,
} from "@caliban/memory";
import type { MemoryToolContext } from "../memory-tool.ts";
import type { ProposedUserTopic } from "../user-scope.ts";
import type { MemoryOutputs } from "../schemas/memory-output.ts";
import { type Judgement, judgeChange } from "./judge-change.ts";

type Change = Pick<ProposalRequest, "action" | "topic">;

export interface ReviewInput {
  readonly context: ToolContext;
  readonly memory: MemoryToolContext;
  readonly enforce?: EnforcementSuggestion | undefined;
}

/** Finds where the text of a change comes from, and whether it waits for the user. */
export async function reviewChange(change: Change, input: ReviewInput): Promise<Judgement> {
  const { context, memory, enforce } = input;
  const { inbox, store, origin, scope } = memory;
  // Only the user's own words get here.
  if (scope === "user") return { origin: "user", reason: reasonToHold(memory, enforce) };
  const { seen = NOTHING_SEEN, recentCalls = [] } = context;
  const conversation = { seen, recentCalls, isOtherAgent: origin === "other-agent" };
  if (inbox === undefined) {
    return { origin: judgeChange({ change, replaced: [], ...conversation }).origin };
  }
  const current = await readIfAllowed(store, change.topic.name);
  const supersedes = "body" in change.topic ? (change.topic.supersedes ?? []) : [];
  const superseded = await Promise.all(supersedes.map((name) => readIfAllowed(store, name)));
  const replaced = [current, ...superseded].filter((topic) => topic !== undefined);
  const judged = judgeChange({ change, replaced, ...conversation });
  // The store reports the conflict, and writes nothing.
  if (current?.hash !== change.topic.ifMatch) return { origin: judged.origin };
  return { origin: judged.origin, reason: judged.reason ?? reasonToHold(memory, enforce) };
}

function reasonToHold(
  { inbox }: MemoryToolContext,
  enforce: EnforcementSuggestion | undefined,
): ProposalReason | undefined {
  if (inbox === undefined) return undefined;
  if (enforce !== undefined) return "ENFORCE";
  return inbox.holds === "all" ? "SETTING" : undefined;
}

const NOTHING_SEEN = { userTexts: [], results: [] };

/** What cannot be read here is reported by the change itself. */
async function readIfAllowed(
  store: MemoryToolContext["store"],
  name: string,
): Promise<StoredTopic | undefined> {
  try {
    return await store.read(name);
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    return undefined;
  }
}

const REASONS: Readonly<Record<ProposalReason, string>> = {
  INSTRUCTION: "it tells agents what to do, and the user did not say it",
  SECURITY: "it is about commands, addresses or safeguards, and the user did not say it",
  NOT_REQUESTED: "the user did not ask for it",
  CHANGES_TOPIC: "it would replace or delete what the user wants remembered",
  USER_SCOPE: "it is about the user, but not in the user's words",
  OTHER_AGENT: "another agent suggests it",
  ENFORCE: "only the user can set a rule",
  SETTING: "the user reviews every change",
  TEAM: "someone whom the user has not approved shared it",
  TEAM_CONFLICT: "the team has another text",
};

/** Puts a change into the inbox, and tells the user and the model. */
export async function proposeChange(
  request: ProposalRequest,
  { context, memory }: ReviewInput,
): Promise<ToolResult> {
  const { inbox, names } = memory;
  const { session, usedTools, notify } = context;
  if (inbox === undefined) throw new Error("a change can only wait in an inbox");
  const after = usedTools.length === 0 ? {} : { after: usedTools };
  const { id } = await inbox.propose({ ...request, session, ...after });
  const { action, topic } = request;
  const slug = topic.name;
  notify({ kind: "memory", ...noticeOf(request, memory) });
  const lines = [
    `Not ${action === "delete" ? "deleted" : "saved"} yet: ${names.memory} has a proposal for ${slug} (${id}), because ${REASONS[request.reason]}.`,
    "It waits for the user, and no session sees it until the user accepts it. This is not an error: do not repeat the call or save it in another way. Mention the proposal in a few words.",
  ];
  return { text: lines.join("\n"), data: dataOf(request, id), isTrusted: true };
}

/** Proposes a topic about the user that the user did not say. */
export async function proposeUserTopic(
  { author: _author, enforce, ...topic }: ProposedUserTopic,
  input: ReviewInput,
): Promise<ToolResult> {
  const action = topic.ifMatch === undefined ? "write" : "edit";
  const { seen = NOTHING_SEEN } = input.context;
  const origin = seen.results.length === 0 ? "agent" : "tool";
  const request = { action, topic, scope: "user", origin, reason: "USER_SCOPE" } as const;
  return await proposeChange({ ...request, ...(enforce && { enforce }) }, input);
}

function noticeOf(
  { action, topic }: ProposalRequest,
  { inbox, names }: MemoryToolContext,
): CommandMessage {
  const slug = terminalSafeLine(topic.name);
  const what =
    "body" in topic
      ? `${slug} (${topic.type}: ${terminalSafeLine(topic.description)})`
      : `to ${action} ${slug}`;
  const hint = inbox?.reviewHint;
  if (hint === undefined) return { message: `${names.memory}: proposed ${what}` };
  return withCommands`${names.memory}: proposed ${what}. To review it, run: ${hint}`;
}

/** Like the data of a change, so that clients that validate it understand it. */
function dataOf(
  { action, topic }: ProposalRequest,
  proposal: string,
): MemoryOutputs["WriteMemoryTopic"] | MemoryOutputs["DeleteMemoryTopic"] {
  const slug = topic.name;
  if (action === "delete") return { slug, proposal };
  return { slug, isNew: action === "write", hash: "", indexLine: "", proposal };
}
