import type { AgentContext, ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import { type ConversationFlags, conversationFlags } from "../../../cli/conversation-flags.ts";
import type { Invocation } from "../../../command.ts";
import { createShownMemory } from "../../../conversation/notes/note-reader.ts";
import {
  openConversation,
  type OpenConversationOptions,
} from "../../../conversation/open-conversation.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { isOfflineByDefault } from "../../chat/chat.ts";
import { atPrompt } from "../../chat/slash/captured-run.ts";
import { readPromptOverrides } from "../../prompt-overrides.ts";
import { authRequired } from "../protocol/request-error.ts";
import type { CallWorkspace } from "../updates/describe-call.ts";
import { createEditorView } from "../updates/editor-view.ts";
import { replayMessages } from "../updates/replay.ts";
import { createAskEditor } from "./ask-editor.ts";
import { createSessionBackground } from "./background.ts";
import { createEditorSession, createRunningTurn, type EditorSession } from "./editor-session.ts";
import { createEditorQuestions } from "./questions.ts";
import { createProposalReview } from "./review-proposals.ts";
import { availableCommands, runPromptCommand, spellForEditor } from "./slash-commands.ts";

/** What a session needs of the connection. */
export interface EditorConnection {
  readonly client: () => Pick<AgentContext, "request" | "notify">;
  readonly capabilities: () => ClientCapabilities;
  /** Whether the user agreed to the offline model, for want of a key. */
  readonly allowsOffline: () => boolean;
}

export interface OpenSessionInput extends EditorConnection {
  /** With the directory of the session as its workspace. */
  readonly invocation: Invocation;
  /** A stored session to continue. */
  readonly resumedId?: string | undefined;
}

/** The invocation of a session in a directory. Its messages name commands as they can be typed in an editor. */
export function editorInvocation(
  invocation: Invocation,
  directory: string,
  additionalDirectories: readonly string[],
): Invocation {
  const host = atPrompt(invocation.host);
  const command = spellForEditor(host.command, invocation.host.command);
  return {
    ...invocation,
    host: { ...host, command },
    workspace: directory,
    additionalDirectories: [...invocation.additionalDirectories, ...additionalDirectories],
  };
}

/**
 * Opens a conversation for an editor.
 * @throws RequestError when there is no key and the user has not agreed to the offline model
 */
export async function openEditorSession(input: OpenSessionInput): Promise<EditorSession> {
  const { invocation, resumedId, client, capabilities } = input;
  const { host } = invocation;
  const flags = conversationFlags(invocation);
  const project = await openProject(invocation);
  const turn = createRunningTurn();
  let sessionId = resumedId ?? "";
  const update = (next: SessionUpdate): void => {
    // The editor may be gone; the session is stored in any case.
    void client()
      .notify("session/update", { sessionId, update: next })
      .catch(() => undefined);
  };
  const workspace = callWorkspace(project);
  const memory = createShownMemory();
  const view = createEditorView({
    update,
    workspace,
    memory,
    command: host.command,
    showsNotices: () => capabilities().session?.notices !== undefined,
  });
  const ask: Parameters<typeof createEditorQuestions>[0]["ask"] = async (question) =>
    await createAskEditor({
      client: client(),
      sessionId,
      signal: turn.signal,
      report: view.say,
    })(question);
  const questions = createEditorQuestions({
    ask,
    workspace,
    findCall: view.findCall,
    onInterrupt: turn.onAbort,
  });
  const conversation = await openConversation(project, {
    ...optionsOf(flags, resumedId),
    overrides: await readPromptOverrides(invocation),
    canAsk: true,
    askBudget: questions.budget,
    askPlan: questions.plan,
  });
  const requested = flags.model ?? conversation.defaultModel();
  const isOffline = isOfflineByDefault(conversation.model(), { env: host.env, requested });
  if (isOffline && !input.allowsOffline()) {
    await conversation.close();
    throw authRequired(NO_KEY);
  }
  sessionId = resumedId ?? conversation.id();
  const context = { invocation, conversation, user: questions.user };
  return createEditorSession({
    id: sessionId,
    conversation,
    view,
    update,
    workspaceRoot: project.workspace.root,
    turn,
    runCommand: async (text) => await runPromptCommand(text, context),
    review: createProposalReview({ invocation, ask, say: view.say }),
    replay: async () => {
      const messages = conversation.messages();
      for (const each of replayMessages(messages, { workspace, memory })) update(each);
    },
    announce: async () => {
      // Notices from opening wait until the editor knows the session.
      conversation.attach({ emit: view.emit, notify: view.notify, ask: questions.permission });
      const commands = await availableCommands(context);
      update({ sessionUpdate: "available_commands_update", availableCommands: commands });
      await sayWaiting(conversation, view.say, host.command("memory inbox review"));
    },
    background: createSessionBackground({ invocation, conversation, say: view.say }),
  });
}

const NO_KEY =
  "no API key found. Set ANTHROPIC_API_KEY, or the key of another provider, in the environment that the editor gives caliban; or choose the built-in offline model, which answers from memory only";

function optionsOf(
  flags: ConversationFlags,
  resumedId: string | undefined,
): OpenConversationOptions {
  return {
    modelName: flags.model,
    session: resumedId === undefined ? { kind: "new" } : { kind: "id", id: resumedId },
    isSaved: flags.isSaved,
    isLearnedFrom: flags.isLearnedFrom,
    maxSteps: flags.maxTurns,
  };
}

function callWorkspace({ workspace, environment }: Project): CallWorkspace {
  const { root, startDirectory } = workspace;
  const { platform, home } = environment;
  return { root, startDirectory, platform, home };
}

/** Mentions proposals that wait for the user. */
async function sayWaiting(
  conversation: Awaited<ReturnType<typeof openConversation>>,
  say: (line: string) => void,
  review: string,
): Promise<void> {
  const count = await conversation.waitingProposals();
  if (count === 0) return;
  say(`${count === 1 ? "1 proposal waits" : `${count} proposals wait`} in the inbox: ${review}`);
}
