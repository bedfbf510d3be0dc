import type { Message } from "../message.ts";

const MAX_LINES = 40;
const MAX_LINE_CHARACTERS = 300;

/** Summarizes without a model: what the user said, which tools were called, and the last answer. */
export function plainSummary(messages: readonly Message[]): string {
  const userLines = messages.flatMap((message) =>
    message.role === "user" ? [`- ${oneLine(message.text)}`] : [],
  );
  const parts = messages.flatMap((message) => (message.role === "assistant" ? message.parts : []));
  const tools = parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : []));
  const answers = parts.flatMap((part) => (part.type === "text" ? [part.text] : []));
  return [
    "## What the user said",
    ...userLines.slice(-MAX_LINES),
    ...(tools.length === 0 ? [] : ["## Tools used", [...new Set(tools)].join(", ")]),
    ...(answers.length === 0 ? [] : ["## The last answer", oneLine(answers.at(-1) ?? "")]),
  ].join("\n");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  if (line.length <= MAX_LINE_CHARACTERS) return line;
  return `${line.slice(0, MAX_LINE_CHARACTERS)}…`.toWellFormed();
}
