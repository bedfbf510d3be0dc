import type { ToolCall, ToolResult } from "../tool.ts";

/** Removes secrets from every text of a result, for the model and for programs. */
export function maskResult(result: ToolResult, mask: (text: string) => string): ToolResult {
  const { text, data } = result;
  return {
    ...result,
    text: mask(text),
    ...(data === undefined ? {} : { data: mapTexts(data, mask) }),
  };
}

/** The same for what a running call shows. */
export function maskProgress(
  { onProgress }: ToolCall,
  mask: ((text: string) => string) | undefined,
): ToolCall["onProgress"] {
  if (onProgress === undefined || mask === undefined) return onProgress;
  return ({ text, lines }) => onProgress({ text: mask(text), lines });
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, item]) => [name, mapTexts(item, change)]);
  return Object.fromEntries(entries);
}
