import type { AgentContext, ClientCapabilities, SessionUpdate } from "@agentclientprotocol/sdk";
import { conversationFlags } from "../../../cli/conversation-flags.ts";
import type { Invocation } from "../../../command.ts";
import { createShownMemory } from "../../../conversation/notes/note-reader.ts";
import type { Conversation } from "../../../conversation/conversation.ts";
import { openConversation } from "../../../conversation/open-conversation.ts";
import { openProject, type Project } from "../../../project/project.ts";
import { isOfflineByDefault } from "../../chat/chat.ts";
import { atPrompt } from "../../chat/slash/captured-run.ts";
import { readPromptOverrides } from "../../prompt-overrides.ts";
import { authRequired } from "../protocol/request-error.ts";
import type { CallWorkspace } from "../updates/describe-call.ts";
import { createEditorView, type EditorView } from "../updates/editor-view.ts";
import { replayMessages } from "../updates/replay.ts";
import { type AskEditor, createAskEditor } from "./ask-editor.ts";
import { createSessionBackground } from "./background.ts";
import { createEditorSession, type EditorSession } from "./editor-session.ts";
import { createEditorQuestions, type EditorQuestions } from "./questions.ts";
import { createProposalReview } from "./review-proposals.ts";
import { createRunningTurn, type RunningTurn } from "./running-turn.ts";
import { createShownState } from "./shown-state.ts";
import { listCommands, runPromptCommand, spellForEditor } from "./slash-commands.ts";

/** What a session needs of the connection. */
export interface EditorConnection {
  readonly client: () => Pick<AgentContext, "request" | "notify">;
  readonly capabilities: () => ClientCapabilities;
  /** Whether the user agreed to the offline model, because there is no key. */
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
  const { invocation, resumedId } = input;
  const project = await openProject(invocation);
  const workspace = callWorkspace(project);
  const memory = createShownMemory();
  const turn = createRunningTurn();
  let id = resumedId ?? "";
  const surface = createSurface({ ...input, workspace, memory, turn, sessionId: () => id });
  const { view, update, ask, questions } = surface;
  const conversation = await openAllowed(project, input, questions);
  id = resumedId ?? conversation.id();
  const context = { invocation, conversation, user: questions.user };
  return createEditorSession({
    id,
    conversation,
    view,
    shown: createShownState(conversation, update),
    workspaceRoot: project.workspace.root,
    turn,
    runCommand: async (text) => await runPromptCommand(text, context),
    review: createProposalReview({ invocation, ask, say: view.say }),
    replay: () => {
      const messages = conversation.messages();
      for (const each of replayMessages(messages, { workspace, memory })) update(each);
    },
    announce: async (lines) => await announce(lines, { ...surface, ...context }),
    background: createSessionBackground({ invocation, conversation, say: view.say }),
  });
}

interface Surface {
  readonly view: EditorView;
  readonly update: (update: SessionUpdate) => void;
  readonly ask: AskEditor;
  readonly questions: EditorQuestions;
}

interface SurfaceInput extends OpenSessionInput {
  readonly workspace: CallWorkspace;
  readonly memory: ReturnType<typeof createShownMemory>;
  readonly turn: RunningTurn;
  /** Known once the session is open. */
  readonly sessionId: () => string;
}

/** How a session reaches the user of the editor. */
function createSurface(input: SurfaceInput): Surface {
  const { client, capabilities, workspace, memory, turn, sessionId, invocation } = input;
  const update = (next: SessionUpdate): void => {
    // The editor may be gone; the session is stored in any case.
    void client()
      .notify("session/update", { sessionId: sessionId(), update: next })
      .catch(() => undefined);
  };
  const view = createEditorView({
    update,
    workspace,
    memory,
    command: invocation.host.command,
    showsNotices: () => capabilities().session?.notices !== undefined,
  });
  const ask = createAskEditor({ client, sessionId, signal: turn.signal, report: view.say });
  const questions = createEditorQuestions({
    ask,
    workspace,
    findCall: view.findCall,
    onInterrupt: turn.onAbort,
  });
  return { view, update, ask, questions };
}

/** @throws RequestError when the user has to authenticate first */
async function openAllowed(
  project: Project,
  { invocation, resumedId, allowsOffline }: OpenSessionInput,
  { budget: askBudget, plan: askPlan }: EditorQuestions,
): Promise<Conversation> {
  const flags = conversationFlags(invocation);
  const conversation = await openConversation(project, {
    modelName: flags.model,
    session: resumedId === undefined ? { kind: "new" } : { kind: "id", id: resumedId },
    isSaved: flags.isSaved,
    isLearnedFrom: flags.isLearnedFrom,
    maxSteps: flags.maxTurns,
    overrides: await readPromptOverrides(invocation),
    canAsk: true,
    askBudget,
    askPlan,
  });
  const requested = flags.model ?? conversation.defaultModel();
  const { env } = invocation.host;
  const isOffline = isOfflineByDefault(conversation.model(), { env, requested });
  if (!isOffline || allowsOffline()) return conversation;
  await conversation.close();
  throw authRequired(NO_KEY);
}

const NO_KEY =
  "no API key found. Set ANTHROPIC_API_KEY, or the key of another provider, in the environment that the editor gives caliban; or choose the built-in offline model, which answers from memory only";

function callWorkspace({ workspace, environment }: Project): CallWorkspace {
  const { root, startDirectory } = workspace;
  const { platform, home } = environment;
  return { root, startDirectory, platform, home };
}

interface AnnounceInput extends Surface {
  readonly invocation: Invocation;
  readonly conversation: Conversation;
}

async function announce(
  lines: readonly string[],
  { view, update, questions, invocation, conversation }: AnnounceInput,
): Promise<void> {
  // Notices from opening wait until the editor knows the session.
  conversation.attach({ emit: view.emit, notify: view.notify, ask: questions.permission });
  const availableCommands = await listCommands({ invocation, conversation });
  update({ sessionUpdate: "available_commands_update", availableCommands });
  const warnings = conversation.warnings().map(({ message }) => message);
  for (const line of [...lines, ...warnings]) view.say(line);
  const count = await conversation.waitingProposals();
  if (count === 0) return;
  const what = count === 1 ? "1 proposal waits" : `${count} proposals wait`;
  view.say(`${what} in the inbox: ${invocation.host.command("memory inbox")}`);
}
