import type { Author } from "@caliban/memory";
import type { MemoryToolsStore } from "./memory-tool.ts";
import type { MemoryInputs } from "./schemas/memory-input.ts";

/** Memory about the user, which every project shares. */
export interface UserScope {
  readonly store: MemoryToolsStore;
  /** Finds the words of a text that name this workspace: its path or its remote. None by default. */
  readonly findMentions?: ((text: string) => Promise<readonly string[]>) | undefined;
  /**
   * Keeps a topic that the user did not say for the user to decide about, and returns what to tell the model. Without it,
   * such a topic is refused.
   */
  readonly propose?: ((proposal: ProposedTopic) => Promise<string>) | undefined;
}

/** A topic that waits for the user. */
export interface ProposedTopic extends Omit<MemoryInputs["WriteMemoryTopic"], "if_match"> {
  readonly scope: "user";
  readonly ifMatch?: string | undefined;
  readonly author: Author;
  /** Why it was not saved. */
  readonly reason: string;
}

/** A change that is about to be made. */
export type UserChange =
  | (Omit<ProposedTopic, "scope" | "reason"> & { readonly kind: "write" })
  | { readonly kind: "delete"; readonly name: string };
