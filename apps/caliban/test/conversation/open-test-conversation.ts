import type { AgentEvent, PermissionQuestion } from "@caliban/agent-core";
import { type Invocation, NO_OPTIONS } from "../../src/command.ts";
import type { Conversation } from "../../src/conversation/conversation.ts";
import {
  openConversation,
  type OpenConversationOptions,
} from "../../src/conversation/open-conversation.ts";
import { openProject } from "../../src/project/project.ts";
import type { Machine } from "../fake-host.ts";

export interface TestConversation {
  readonly conversation: Conversation;
  readonly events: readonly AgentEvent[];
  readonly notices: readonly string[];
}

export interface TestConversationInput extends Partial<OpenConversationOptions> {
  /** Options of the command line. */
  readonly flags?: Partial<Invocation>;
  /** Answers questions about permissions. */
  readonly ask?: (question: PermissionQuestion) => Promise<"once" | "always" | "no">;
}

/** Opens a conversation as the program does. Without a key, the offline model answers. */
export async function openTestConversation(
  { host }: Machine,
  { flags = {}, ask, ...options }: TestConversationInput = {},
): Promise<TestConversation> {
  const events: AgentEvent[] = [];
  const notices: string[] = [];
  const project = await openProject({ ...NO_OPTIONS, host, ...flags });
  const conversation = await openConversation(project, {
    isSaved: true,
    canAsk: ask !== undefined,
    ...options,
  });
  conversation.attach({
    emit: (event) => void events.push(event),
    notify: ({ message }) => void notices.push(message),
    ask,
  });
  return { conversation, events, notices };
}
