import type { PermissionMode } from "@caliban/agent-core";

/** What the command line wants of a prompt besides what is on disk. */
export interface PromptWishes {
  readonly mode?: PermissionMode | undefined;
  /** `--system`: in the place of our own body; memory and skills stay. */
  readonly body?: string | undefined;
  /** `--append-system-prompt`: comes last. */
  readonly appended?: string | undefined;
}
