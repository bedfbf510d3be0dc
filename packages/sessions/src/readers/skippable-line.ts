import type { TranscriptFormat } from "./transcript-reader.ts";

/** How much of a line is examined. */
export const HEAD_BYTES = 256;

// The type comes first, as each program writes it. Lines written in another way are parsed.
const SKIPPABLE: Readonly<Record<TranscriptFormat, RegExp | undefined>> = {
  caliban:
    /^\{"type":"(?:message","id":"[^"\\]{0,32}","at":"[^"\\]{0,40}","message":\{"role":"tool"|(?:compacted|model|name|notice|turn-end)")/,
  claude: undefined,
  codex:
    /^\{"timestamp":"[^"\\]{0,40}","type":"(?:(?:event_msg|compacted|turn_context|world_state)"|response_item","payload":\{"type":"(?:custom_tool_call_output|function_call_output|mcp_tool_call_output|reasoning)")/,
};

/**
 * Whether the first bytes of a line show that it contains no message text and that no other line depends on it. Most of a
 * transcript consists of tool results, so most of it is never parsed. Calls are parsed: they tell what the agent has read.
 */
export function isSkippableLine(format: TranscriptFormat, head: string): boolean {
  return SKIPPABLE[format]?.test(head) ?? false;
}
