import { exportMarkdown, type SessionRecord } from "@caliban/sessions";
import { EXIT } from "../../../exit-code.ts";
import { outputPath, writeOutputFile } from "../../output-file.ts";
import { formatCount } from "../../format-count.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/export [FILE]`: writes the conversation to a new file as Markdown, without what looks like a secret. */
export async function exportConversation(input: SlashInput): Promise<SlashResult> {
  const { conversation, words, invocation } = input;
  if (words.length > 1) return { kind: "error", text: "too many arguments. Usage: /export [file]" };
  const records = recordsOf(input);
  if (records.length === 0) return { kind: "error", text: "There is nothing to export yet." };
  const { redactSecrets } = await import("@caliban/common/secrets");
  const { text, findings } = await redactSecrets(exportMarkdown(records));
  const [file = `${conversation.id()}.md`] = words;
  const typed = { ...invocation, options: { ...invocation.options, output: file } };
  const path = outputPath(typed, { root: conversation.receipt().workspaceRoot }) ?? file;
  const {
    stdout,
    stderr = [],
    exitCode,
  } = await writeOutputFile(typed, { path, text, stderr: [] });
  if (exitCode !== EXIT.done) return { kind: "error", text: stderr.join("\n") };
  const removed =
    findings.length === 0 ? "" : `Removed: ${formatCount(findings.length, "secret")}.`;
  return { kind: "text", text: `${stdout}${removed}` };
}

/** What the model knows. What a summary replaced is in the stored session: `caliban sessions export`. */
function recordsOf({ conversation }: SlashInput): readonly SessionRecord[] {
  return conversation
    .messages()
    .map((message, index) => ({ type: "message", id: `m${index + 1}`, at: "", message }));
}
