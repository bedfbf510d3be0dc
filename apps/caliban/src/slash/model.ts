import { KNOWN_PROVIDERS } from "../providers/provider-table.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/model`: which one answers, and others; `/model NAME`: go on with another one. */
export async function model({ conversation, words }: SlashInput): Promise<SlashResult> {
  const [name] = words;
  if (name === undefined) return { kind: "text", text: renderModels(conversation.model()) };
  await conversation.useModel(name);
  const text = `${conversation.model()} answers from now on. To keep it: /settings models.default ${conversation.model()}`;
  return { kind: "text", text };
}

function renderModels(current: string): string {
  const rows = Object.entries(KNOWN_PROVIDERS).flatMap(
    ([provider, { models, keyVariables, needsKey }]) => {
      const names = models.length === 0 ? ["<model>"] : models;
      const where = needsKey ? `needs ${keyVariables.join(" or ")}` : "on this machine";
      return names.map((name) => [`${provider}/${name}`, where] as const);
    },
  );
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `model: ${current}`,
    "Another one by /model <name>, such as these, or any other model of these providers:",
    ...rows.map(([name, where]) => `  ${name.padEnd(width)}  ${where}`),
  ].join("\n");
}
