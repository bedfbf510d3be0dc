import type { Message } from "@caliban/agent-core";

const MOST_LINES = 40;
const LONGEST_LINE = 300;

/** A summary that needs no model: what the person said, what was called, and the last answer. */
export function plainSummary(messages: readonly Message[]): string {
  const said = messages.flatMap((message) =>
    message.role === "user" ? [`- ${oneLine(message.text)}`] : [],
  );
  const called = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : []))
      : [],
  );
  const answers = messages.flatMap((message) =>
    message.role === "assistant"
      ? message.parts.flatMap((part) => (part.type === "text" ? [part.text] : []))
      : [],
  );
  const tools = [...new Set(called)];
  return [
    "## What the person said",
    ...said.slice(-MOST_LINES),
    ...(tools.length === 0 ? [] : ["## Tools that were used", tools.join(", ")]),
    ...(answers.length === 0 ? [] : ["## The last answer", oneLine(answers.at(-1) ?? "")]),
  ].join("\n");
}

function oneLine(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  return line.length <= LONGEST_LINE ? line : `${line.slice(0, LONGEST_LINE)}…`.toWellFormed();
}
