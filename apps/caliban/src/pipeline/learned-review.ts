import type { RecentCall, SeenResult } from "@caliban/agent-core";
import type { HeldStatement, OpenSessionReview, SessionReview } from "@caliban/autonomous-memory";
import { isRecord } from "@caliban/common";
import { isMemoryError, type ProposalRequest } from "@caliban/memory";
import type { Inbox } from "@caliban/memory/node";
import type { SessionMessage } from "@caliban/sessions";
import { createLearnedReview, type LearnedReview } from "@caliban/tools-builtin";

export interface LearnedReviewInput {
  /** Opened by the first statement that waits. */
  readonly openInbox: () => Promise<Pick<Inbox, "propose">>;
  /** Receives why a statement is not in the inbox. */
  readonly onLost: (message: string) => void;
}

/** Reviews what the pipeline learns as the agent's own saves are reviewed: what a session only read waits in the inbox. */
export function openLearnedReview(input: LearnedReviewInput): OpenSessionReview {
  return (session) => {
    const record = createRecord();
    let review: LearnedReview | undefined;
    const reasonFor: LearnedReview = (statement) => {
      review ??= createLearnedReview(record.conversation());
      return review(statement);
    };
    return {
      add: record.add,
      isHeld: (statement) => reasonFor(statement) !== undefined,
      hold: async (statements) => {
        const requests = statements.map((held) => requestOf(held, { session, reasonFor }));
        await propose(requests, input);
      },
    };
  };
}

// More than a conversation contains at once: a longer one is held as well, but may use words of what is beyond.
const MAX_RESULT_CHARACTERS = 262_144;
const MAX_CHARACTERS = 8_388_608;

interface ConversationRecord extends Pick<SessionReview, "add"> {
  readonly conversation: () => Parameters<typeof createLearnedReview>[0];
}

function createRecord(): ConversationRecord {
  const userTexts: string[] = [];
  const results: SeenResult[] = [];
  const recentCalls: RecentCall[] = [];
  const subjects = new Map<string, string | undefined>();
  let charactersLeft = MAX_CHARACTERS;
  const limited = (text: string): string => {
    const kept = text.slice(0, Math.min(MAX_RESULT_CHARACTERS, charactersLeft));
    charactersLeft -= kept.length;
    return kept;
  };
  const add = (message: SessionMessage): void => {
    if (message.role === "user") userTexts.push(limited(message.text));
    else if (message.role === "assistant") {
      for (const part of message.parts) {
        if (part.type === "tool-call") subjects.set(part.id, subjectOf(part.input));
      }
    } else {
      for (const { id, name, text, isError } of message.results) {
        const permission = permissionOf(name);
        results.push({ tool: name, permission, text: limited(text) });
        const subject = subjects.get(id);
        if (!isError) recentCalls.push({ tool: name, permission, subject, isInTurn: false });
      }
    }
  };
  return { add, conversation: () => ({ seen: { userTexts, results }, recentCalls }) };
}

const SHELL = /^(?:.*__)?(?:bash|shell|exec|exec_command|local_shell|run_shell_command|terminal)$/i;
const FILES =
  /^(?:read|write|edit|multiedit|grep|glob|ls|notebookread|notebookedit|apply_patch|view|read_file)$/i;
const WEB = /web|fetch|browse/i;

/** The category of a tool of any agent, by its name. */
function permissionOf(tool: string): string {
  if (SHELL.test(tool)) return "shell.run";
  if (FILES.test(tool)) return "fs.read";
  return WEB.test(tool) ? "web.fetch" : `other.${tool}`;
}

function subjectOf(input: unknown): string | undefined {
  if (!isRecord(input)) return undefined;
  const subject = input["command"] ?? input["cmd"] ?? input["file_path"] ?? input["path"];
  return typeof subject === "string" ? subject : undefined;
}

async function propose(
  requests: readonly ProposalRequest[],
  { openInbox, onLost }: LearnedReviewInput,
): Promise<void> {
  const inbox = await openInbox();
  for (const request of requests) {
    try {
      await inbox.propose(request);
    } catch (error) {
      if (!isMemoryError(error)) throw error;
      onLost(error.message);
    }
  }
}

const MAX_DESCRIPTION = 120;
const MAX_NAME_WORDS = 6;
/** Kinds that say how to work with the user. */
const FEEDBACK: ReadonlySet<string> = new Set(["preference", "correction"]);

function requestOf(
  { text, kind = "" }: HeldStatement,
  { session, reasonFor }: { readonly session: string; readonly reasonFor: LearnedReview },
): ProposalRequest {
  const characters = Array.from(text.replaceAll(/\s+/g, " "));
  const isLong = characters.length > MAX_DESCRIPTION;
  return {
    action: "write",
    topic: {
      name: nameOf(text),
      description: isLong
        ? `${characters.slice(0, MAX_DESCRIPTION - 1).join("")}…`
        : characters.join(""),
      type: FEEDBACK.has(kind) ? "feedback" : "project",
      body: text,
    },
    scope: "project",
    origin: "tool",
    reason: reasonFor(text) ?? "NOT_REQUESTED",
    session,
  };
}

function nameOf(text: string): string {
  const words =
    text
      .normalize("NFKD")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return ["learned", ...words.slice(0, MAX_NAME_WORDS)].join("-").slice(0, 60).replace(/-$/, "");
}
