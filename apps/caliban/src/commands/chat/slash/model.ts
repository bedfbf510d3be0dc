import { openProject } from "../../../project/project.ts";
import { KNOWN_PROVIDERS } from "@caliban/providers";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/model`: which one answers, and others; `/model NAME`: go on with another one. */
export async function model(input: SlashInput): Promise<SlashResult> {
  const { conversation, words, invocation } = input;
  const [name] = words;
  if (name === undefined) {
    const { settings } = await openProject(invocation);
    const own = Object.keys(settings.values.providers);
    return { kind: "text", text: renderModels(conversation.model(), own) };
  }
  if (words.length > 1) {
    return { kind: "mistake", text: "It is /model <provider/model>, with nothing behind it." };
  }
  await conversation.useModel(name);
  const current = conversation.model();
  const text = `${current} answers from now on. To keep it: /settings models.default ${current}`;
  return { kind: "text", text };
}

function renderModels(current: string, own: readonly string[]): string {
  const rows = [
    ...own.map((provider) => [`${provider}/<model>`, "from your settings"] as const),
    ...Object.entries(KNOWN_PROVIDERS).flatMap(([provider, { models, keyVariables }]) => {
      if (own.includes(provider)) return [];
      const names = models.length === 0 ? ["<model>"] : models;
      const where =
        keyVariables.length === 0 ? "on this machine" : `needs ${keyVariables.join(" or ")}`;
      return names.map((name) => [`${provider}/${name}`, where] as const);
    }),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  return [
    `model: ${current}`,
    "Another one by /model <name>, such as these, or any other model of these providers:",
    ...rows.map(([name, where]) => `  ${name.padEnd(width)}  ${where}`),
  ].join("\n");
}
