import type { Message } from "../message.ts";
import type { SeenText, Tool } from "../tool.ts";
import { isSummary } from "./summary-message.ts";

/** What the model has read in a conversation that is resumed. A summary may repeat any text, so it is not the user's. */
export function seenInMessages(messages: readonly Message[], tools: readonly Tool[]): SeenText {
  const permissions = new Map(tools.map(({ name, permission }) => [name, permission]));
  const users = messages.filter((message) => message.role === "user");
  const summaries = users.filter(isSummary).map(({ text }) => ({
    tool: "summary",
    permission: "summary",
    text,
  }));
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  return {
    userTexts: users.filter((message) => !isSummary(message)).map(({ text }) => text),
    results: [
      ...summaries,
      ...results.map(({ name, text }) => ({
        tool: name,
        permission: permissions.get(name) ?? "unknown",
        text,
      })),
    ],
  };
}
