import { basename } from "node:path";
import type { FinishedToolCall } from "@caliban/agent-core";
import { userDirectories } from "@caliban/common";
import { recordUse } from "@caliban/memory/node";
import { createNoteTriggers, createSecretMask } from "@caliban/tools-builtin/node";
import type { Project } from "../../project/project.ts";
import { secretValues } from "../../project/secret-variables.ts";
import { mayReadMemory } from "./may-recall.ts";
import { createNoteUses } from "./note-uses.ts";
import { type RecallContext, recallSearch } from "./recall-search.ts";
import { createSessionNotes, type SessionNotes } from "./session-notes.ts";

/** What notes need of a conversation, as it is at the moment. */
export interface NotesContext extends RecallContext {
  readonly project: Pick<Project, "settings" | "environment" | "workspace">;
  readonly nonce: string | undefined;
  readonly memoryDirectory: string | undefined;
  readonly projectHome: string | undefined;
}

/** The notes of a conversation, and whether they helped. */
export interface ConversationNotes extends SessionNotes {
  /** Stores how memory was used since the last time. Returns what the user should know, if anything. */
  readonly storeUses: () => Promise<string | undefined>;
}

/** Creates the notes of a conversation, which follow its settings, rules and prompt as they change. */
export function createConversationNotes(
  context: () => NotesContext,
  nowMs: () => number,
): ConversationNotes {
  const uses = createNoteUses(nowMs);
  const notes = createSessionNotes({
    search: (about) => recallSearch(context(), about),
    triggerOf: createTriggers(context),
    isReadable: (address) => mayReadMemory(address, context().policy),
    nonce: () => context().nonce,
    mask: (text) => maskOf(context())(text),
    nowMs,
    onShown: uses.onShown,
  });
  return {
    ...notes,
    restart: (messages) => {
      uses.restart();
      notes.restart(messages);
    },
    forCall: async (finished: FinishedToolCall) => {
      uses.onCall(finished);
      return await notes.forCall(finished);
    },
    storeUses: async () => {
      const events = uses.take();
      const { project, projectHome } = context();
      if (events.length === 0 || projectHome === undefined) return undefined;
      const { environment } = project;
      return await recordUse({ environment, project: basename(projectHome) }, events);
    },
  };
}

function maskOf({ project }: NotesContext): (text: string) => string {
  return createSecretMask(secretValues(project.settings, project.environment.env));
}

type FindTrigger = ReturnType<typeof createNoteTriggers>;

/** Resolves the directories once, and again only when the conversation was reloaded. */
function createTriggers(context: () => NotesContext): FindTrigger {
  let known: (Pick<NotesContext, "project"> & { readonly find: FindTrigger }) | undefined;
  return (finished) => {
    const current = context();
    const { project } = current;
    if (known?.project !== project) known = { project, find: triggersOf(current) };
    return known.find(finished);
  };
}

function triggersOf({ project, memoryDirectory }: NotesContext): FindTrigger {
  const { config, data, state, cache } = userDirectories(project.environment);
  const own = [config, data, state, cache, memoryDirectory].filter((path) => path !== undefined);
  return createNoteTriggers({ root: project.workspace.root, excludedDirectories: own });
}
