import type { Subagent, SubagentRequest, Tool } from "@caliban/agent-core";
import { createQueue, type Queue, shellCommand, spellCommands } from "@caliban/common";
import { isUsageError } from "../../usage-error.ts";
import { createConversationNotes } from "../notes/conversation-notes.ts";
import { SUBAGENT_PLAN_NOTE } from "../plan/mode-note.ts";
import { checkBudgets } from "../turn/budgets.ts";
import { openingNote } from "../turn/opening-note.ts";
import {
  type ConversationSetup,
  type ConversationState,
  notesContext,
  type OpenModel,
} from "../turn/state.ts";

/** Enough for a search through a large repository. */
const MAX_STEPS = 50;
const MAX_TOKENS = 2_000_000;

/** Subagents run at the same time, but one question about a budget is asked after the other. */
const QUEUES = new WeakMap<ConversationState, Queue>();

/**
 * Opens a subagent of a conversation. It gets the same prompt and the same tools, so that the provider has both in its cache
 * already; tools that only the main agent may use refuse.
 */
export async function openSubagent(
  state: ConversationState,
  setup: ConversationSetup,
  request: SubagentRequest,
): Promise<Subagent | { readonly problem: string }> {
  const { agent } = state;
  const { nonce, prompt } = agent;
  const tools = chosenTools(agent.tools, request.tools);
  if ("problem" in tools) return tools;
  const model = await chosenModel(state, setup, request.model);
  if ("problem" in model) return model;
  const notes = createConversationNotes(() => notesContext(state), setup.clock.nowMs);
  notes.restart([]);
  return {
    ...model,
    system: prompt.text,
    tools,
    maxSteps: Math.min(MAX_STEPS, setup.maxSteps),
    maxTokens: MAX_TOKENS,
    note: [
      openingNote(setup.clock.nowMs(), nonce),
      ...(state.mode === "plan" ? [SUBAGENT_PLAN_NOTE] : []),
    ].join("\n"),
    annotate: notes.forCall,
    beforeStep: async (messages) =>
      await budgetQueue(state)(() => checkBudgets(state, setup, messages)),
    clock: setup.clock,
  };
}

function chosenTools(
  offered: readonly Tool[],
  names: readonly string[] | undefined,
): readonly Tool[] | { readonly problem: string } {
  if (names === undefined) return offered;
  const unknown = names.find((name) => !offered.some((tool) => tool.name === name));
  if (unknown === undefined) return offered.filter(({ name }) => names.includes(name));
  const known = offered.map(({ name }) => name).join(", ");
  return { problem: `There is no tool ${JSON.stringify(unknown)}. Use these names: ${known}.` };
}

async function chosenModel(
  state: ConversationState,
  { models }: Pick<ConversationSetup, "models">,
  requested: string | undefined,
): Promise<OpenModel | { readonly problem: string }> {
  if (requested === undefined) return state.model;
  try {
    return (await models.openSmall(state.agent.project)) ?? state.model;
  } catch (error) {
    if (!isUsageError(error)) throw error;
    const reason = spellCommands(error, shellCommand);
    return { problem: `The small model is not available: ${reason} Leave "model" out.` };
  }
}

function budgetQueue(state: ConversationState): Queue {
  const queue = QUEUES.get(state) ?? createQueue();
  QUEUES.set(state, queue);
  return queue;
}
