import { hookTextsIn, parseUserCommand, typedPart } from "@caliban/common";
import type { Attachment, Message } from "../message.ts";
import type { SeenResult, SeenText, Tool } from "../tool.ts";
import { seenInCommand } from "./seen-command.ts";
import { isSummary } from "./summary-message.ts";

/** A picture can show any text, which no one but the model reads: it is of others, even if the user attached it. */
export function seenInImages(attachments: readonly Attachment[]): readonly SeenResult[] {
  return attachments.flatMap((attachment) =>
    attachment.type === "image"
      ? [{ tool: "image", permission: "image.read", text: attachment.name }]
      : [],
  );
}

/**
 * What the model has read in a conversation that is resumed. A summary may repeat any text, so it is not the user's.
 * Neither is what a command of the user printed, the text of a command's file, nor what a hook added to a message.
 */
export function seenInMessages(messages: readonly Message[], tools: readonly Tool[]): SeenText {
  const permissions = new Map(tools.map(({ name, permission }) => [name, permission]));
  const users = messages.filter((message) => message.role === "user");
  const commands = users.flatMap(({ text }) => {
    const ran = parseUserCommand(text);
    return ran === undefined ? [] : [{ tool: "Bash", permission: "shell.run", text: ran.output }];
  });
  const hooks = users.flatMap(({ note = "" }) =>
    hookTextsIn(note).map((text) => ({ tool: "hook", permission: "hook.run", text })),
  );
  const summaries = users.filter(isSummary).map(({ text }) => ({
    tool: "summary",
    permission: "summary",
    text,
  }));
  const attached = users.flatMap(({ attachments = [] }) =>
    attachments.flatMap((attachment) =>
      attachment.type === "text" ? [{ name: attachment.tool, text: attachment.text }] : [],
    ),
  );
  const images = users.flatMap(({ attachments = [] }) => seenInImages(attachments));
  const results = messages.flatMap((message) => (message.role === "tool" ? message.results : []));
  return {
    userTexts: users
      .filter((message) => !isSummary(message) && parseUserCommand(message.text) === undefined)
      .map(({ text }) => typedPart(text)),
    results: [
      ...summaries,
      ...commands,
      ...hooks,
      ...images,
      ...users.flatMap(({ text }) => seenInCommand(text) ?? []),
      ...[...attached, ...results].map(({ name, text }) => ({
        tool: name,
        permission: permissions.get(name) ?? "unknown",
        text,
      })),
    ],
  };
}
