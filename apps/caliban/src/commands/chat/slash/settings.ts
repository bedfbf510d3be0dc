import { terminalSafeLine } from "@caliban/common";
import { KNOWN_PROVIDERS } from "@caliban/providers";
import { openProject } from "../../../project/project.ts";
import { runCaptured } from "./captured-run.ts";
import { matchModel } from "./match-model.ts";
import { alignRows, type SlashInput, type SlashResult } from "./slash-command.ts";

const VERBS: ReadonlySet<string> = new Set(["list", "ls", "get", "set", "unset"]);

/** `/settings [KEY [VALUE …]]`: runs `caliban settings`; without a verb, the number of words decides between get and set. */
export async function settings(input: SlashInput): Promise<SlashResult> {
  const { words } = input;
  const [first, ...rest] = words;
  const isPlain = first === undefined || first.startsWith("-") || VERBS.has(first);
  const verb = rest.length === 0 ? "get" : "set";
  const { kind, text } = await runCaptured(
    ["settings", ...(isPlain ? words : [verb, ...words])],
    input,
  );
  const isChange = isPlain ? first === "set" || first === "unset" : verb === "set";
  if (kind !== "text" || !isChange) return { kind, text };
  return { kind, text: `${text.trimEnd()}\n${TAKES_EFFECT}` };
}

const TAKES_EFFECT = "Takes effect after a restart or /clear.";

/** `/model`: shows the current model and others; `/model NAME`: switches to another one. */
export async function model(input: SlashInput): Promise<SlashResult> {
  const { conversation, words, invocation } = input;
  const [typed, ...options] = words;
  const { settings: loaded } = await openProject(invocation);
  const own = Object.keys(loaded.values.providers);
  if (typed === undefined) return { kind: "text", text: renderModels(conversation.model(), own) };
  const isForced = options.length === 1 && options[0] === FORCE;
  if (options.length > 0 && !isForced) {
    return { kind: "error", text: `too many arguments. Usage: /model <name> [${FORCE}]` };
  }
  const match = isForced ? { name: typed } : matchModel(typed, own);
  if ("problem" in match) {
    const text = `${match.problem}. To use a model that is not listed: /model <provider/model> ${FORCE}`;
    return { kind: "error", text: terminalSafeLine(text) };
  }
  await conversation.useModel(match.name);
  const current = conversation.model();
  const text = `Now using ${current}. To make it the default: /settings models.default ${current}`;
  return { kind: "text", text };
}

/** For models that are newer than this program. */
const FORCE = "--force";

function renderModels(current: string, own: readonly string[]): string {
  const rows = [
    ...own.map((provider) => [`${provider}/<model>`, "from your settings"] as const),
    ...Object.entries(KNOWN_PROVIDERS).flatMap(([provider, { models, keyVariables }]) => {
      if (own.includes(provider)) return [];
      const names = models.length === 0 ? ["<model>"] : models;
      const requirement =
        keyVariables.length === 0 ? "on this machine" : `needs ${keyVariables.join(" or ")}`;
      return names.map((name) => [`${provider}/${name}`, requirement] as const);
    }),
  ];
  return [
    `model: ${current}`,
    "To switch: /model <name>, or any part that only one of them has:",
    ...alignRows(rows).map((line) => `  ${line}`),
  ].join("\n");
}
