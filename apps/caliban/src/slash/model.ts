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
  const known = Object.entries(KNOWN_PROVIDERS).map(
    ([provider, { models, keyVariables, needsKey }]) => {
      const names =
        models.length === 0 ? [`${provider}/<model>`] : models.map((each) => `${provider}/${each}`);
      const key = needsKey ? `  (needs ${keyVariables.join(" or ")})` : "  (on this machine)";
      return `  ${names.join(", ")}${key}`;
    },
  );
  return [
    `model: ${current}`,
    "Others, by /model <name>; any other name of a provider works, too:",
    ...known,
  ].join("\n");
}
