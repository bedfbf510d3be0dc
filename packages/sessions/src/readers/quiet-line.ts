import type { TranscriptFormat } from "./transcript-reader.ts";

/** How much of a line is looked at. */
export const LOOKED_AT_BYTES = 256;

// As each program writes it: the kind stands at the beginning. What is written in another way is read whole.
const QUIET: Readonly<Record<TranscriptFormat, RegExp | undefined>> = {
  caliban:
    /^\{"type":"(?:message","id":"[^"\\]{0,32}","at":"[^"\\]{0,40}","message":\{"role":"tool"|(?:compacted|model|name|notice|turn-end)")/,
  claude: undefined,
  codex:
    /^\{"timestamp":"[^"\\]{0,40}","type":"(?:(?:event_msg|compacted|turn_context|world_state)"|response_item","payload":\{"type":"(?:custom_tool_call|custom_tool_call_output|function_call|function_call_output|mcp_tool_call_output|reasoning)")/,
};

/**
 * Whether nobody speaks in a line, and nothing in it is needed to read the others, as its first bytes show. Most of a
 * transcript is what tools gave back, so most of it need not be parsed.
 */
export function isQuietLine(format: TranscriptFormat, head: string): boolean {
  return QUIET[format]?.test(head) ?? false;
}
