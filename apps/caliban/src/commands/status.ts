import type { CommandResult, Invocation } from "../command.ts";
import { showMemory } from "./memory.ts";

const NEXT_STEPS = `
Next:
  caliban prompt     the system prompt that this memory is part of
  caliban settings   every setting and where it comes from
  caliban --help     all commands
Write CLAUDE.md in your project, or in the config directory above, and run caliban again to see it here.
`;

/** `caliban` alone: what it remembers here, and how to go on. */
export async function showStatus(invocation: Invocation): Promise<CommandResult> {
  const { host } = invocation;
  const memory = await showMemory(invocation);
  return {
    ...memory,
    stdout: `caliban ${host.version}: memory in this directory\n${memory.stdout}${NEXT_STEPS}`,
  };
}
