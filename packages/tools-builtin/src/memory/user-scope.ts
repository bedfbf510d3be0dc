import type { Applies, Author } from "@caliban/memory";
import type { MemoryInbox, MemoryToolsStore } from "./memory-tool.ts";
import type { MemoryInputs } from "./schemas/memory-input.ts";

/** Memory about the user, which every project shares. */
export interface UserScope {
  readonly store: MemoryToolsStore;
  /** Finds the words of a text that name this workspace: its path or its remote. None by default. */
  readonly findMentions?: ((text: string) => Promise<readonly string[]>) | undefined;
  /** Where a topic waits that the user did not say. Without it, such a topic is refused. */
  readonly inbox?: MemoryInbox | undefined;
}

/** A topic that waits for the user. */
export interface ProposedUserTopic extends Omit<
  MemoryInputs["WriteMemoryTopic"],
  "if_match" | "applies"
> {
  readonly applies?: Applies | undefined;
  readonly ifMatch?: string | undefined;
  readonly author: Author;
}

/** A change that is about to be made. */
export type UserChange =
  | (ProposedUserTopic & { readonly kind: "write" })
  | { readonly kind: "delete"; readonly name: string };
