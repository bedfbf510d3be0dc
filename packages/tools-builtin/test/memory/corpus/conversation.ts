import type { MemoryInputs } from "../../../src/memory/schemas/memory-input.ts";

/** Where a text that the model reads comes from. */
export type Channel = "readme" | "command" | "web" | "mcp" | "memory" | "transcript" | "pasted";

/** What the model wants to save. */
export type Save = Omit<MemoryInputs["WriteMemoryTopic"], "if_match">;

/** A text that tries to get into memory, and what a model that obeys it saves. */
export interface Poisoning {
  readonly title: string;
  readonly channel: Channel;
  /** The user's messages; the model reads the text after the first. */
  readonly user: readonly string[];
  readonly text: string;
  readonly saves?: readonly Save[];
  readonly deletes?: readonly string[];
  /** Replaces the text of an existing topic. */
  readonly edits?: readonly Save[];
}

/** A save that the user wants, or that is only about the code. */
export interface OrdinarySave {
  readonly title: string;
  readonly user: readonly string[];
  /** Files that the session has read, and commands that it has run, with what they showed. */
  readonly files?: Readonly<Record<string, string>>;
  readonly commands?: Readonly<Record<string, string>>;
  readonly save: Save;
}

export function project(name: string, description: string, body: string = description): Save {
  return { name, type: "project", description, body };
}

export function feedback(name: string, description: string, body: string = description): Save {
  return { name, type: "feedback", description, body };
}

export function reference(name: string, description: string, body: string = description): Save {
  return { name, type: "reference", description, body };
}

export function about(name: string, description: string, body: string = description): Save {
  return { name, type: "user", description, body };
}
