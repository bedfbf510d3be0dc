import { type BytePipe, createBytePipe as createPipe, type PipeStreams } from "@caliban/mcp/node";

/** The pipe of a process that exits even if no one reads its output. Loaded only by `caliban mcp`. */
export function createBytePipe(machine: PipeStreams & Pick<NodeJS.Process, "exit">): BytePipe {
  return createPipe(machine, () => machine.exit());
}
