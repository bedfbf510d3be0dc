import type { PickItem } from "@caliban/tui";
import type { RewoundWhat } from "@caliban/sessions";
import type { ShownStep } from "../../../checkpoints/inspect-files.ts";
import type { RewindChoice } from "../../../conversation/rewind/rewind-points.ts";
import type { RewindResult } from "../../../conversation/rewind/rewind.ts";
import { formatCount } from "../../format-count.ts";
import { shortAge } from "./conversations.ts";
import { changedSteps, renderSteps, stepLine } from "./rewind-steps.ts";
import type { SlashInput, SlashResult } from "./slash-command.ts";

/** `/rewind [undo]`: goes back to before an earlier message, or to before the last rewind. */
export async function rewind(input: SlashInput): Promise<SlashResult> {
  const { conversation, words, user } = input;
  const [verb] = words;
  if (words.length > 1 || (verb !== undefined && verb !== "undo"))
    return { kind: "error", text: "unknown argument. Usage: /rewind, or /rewind undo" };
  const choices = await conversation.rewindChoices();
  if (verb === "undo") return await undo(input, choices[0]);
  if (choices.length === 0) return { kind: "error", text: "no earlier message to go back to" };
  const nowMs = input.invocation.host.now();
  const items = choices.map((choice) => choiceItem(choice, nowMs));
  const picked = await user.pick("Go back to before which message?", items);
  const choice = choices.find(({ id }) => id === picked);
  if (choice === undefined) return NOTHING;
  const what = await askWhat(input, choice);
  return what === undefined ? NOTHING : await carryOut(input, choice, what);
}

const NOTHING: SlashResult = { kind: "text", text: "" };

async function undo(input: SlashInput, last: RewindChoice | undefined): Promise<SlashResult> {
  if (last?.undoes === undefined) return { kind: "error", text: "no rewind to undo" };
  return await carryOut(input, last, last.undoes);
}

function choiceItem({ id, text, atMs, undoes, files }: RewindChoice, nowMs: number): PickItem {
  const steps = changedSteps(files.steps);
  const age = atMs === undefined ? "" : shortAge(nowMs - atMs);
  const [line = ""] = text.trim().split("\n");
  const label = undoes === undefined ? line : "Undo the last rewind";
  const preview = [
    ...(files.isInterrupted
      ? ["A rewind to here was interrupted. Go back again to finish it."]
      : []),
    ...(files.problem === undefined ? [] : [`No files: ${files.problem}.`]),
  ];
  return {
    value: id,
    label: `${age.padEnd(4)} ${label}`,
    description: steps.length === 0 ? "" : formatCount(steps.length, "file"),
    preview: [...preview, ...renderSteps(steps, MAX_PREVIEWED)].join("\n"),
  };
}

/** Lines below the list. */
const MAX_PREVIEWED = 4;

/** What to restore. There is no question if there are no files, because a rewind can be undone. */
async function askWhat(
  { user }: SlashInput,
  { undoes, files }: RewindChoice,
): Promise<RewoundWhat | undefined> {
  if (undoes !== undefined) return undoes;
  const steps = changedSteps(files.steps);
  if (steps.every(({ step }) => step === "blocked")) {
    const text = [...renderSteps(steps, MAX_SHOWN), files.problem ?? ""].join("\n").trim();
    if (text === "" || (await user.confirm("Go back in the conversation only?", `${text}\n`)))
      return "conversation";
    return undefined;
  }
  const text = [...renderSteps(steps, MAX_SHOWN), "", NOT_COVERED].join("\n");
  const items = [
    { value: "both", label: "Both: the conversation and these files" },
    { value: "conversation", label: "Conversation only" },
    { value: "files", label: "Files only" },
    { value: "nothing", label: "Nothing" },
  ];
  const chosen = await user.choose("What should go back?", items, text);
  return (["both", "conversation", "files"] as const).find((what) => what === chosen);
}

const MAX_SHOWN = 100;
const NOT_COVERED =
  "Only changes by Edit and Write are known. Changes by commands (Bash, !) and other programs stay.";

async function carryOut(
  input: SlashInput,
  choice: RewindChoice,
  what: RewoundWhat,
): Promise<SlashResult> {
  const { conversation } = input;
  const steps = what === "conversation" ? [] : await agreedSteps(input, choice.id);
  if (steps === undefined) return NOTHING;
  const result = await conversation.rewind({ to: choice.id, what, steps });
  const text = describe(result, { what, isUndo: choice.undoes !== undefined });
  if (!result.isConversationRewound)
    return { kind: result.files.failed.length > 0 ? "error" : "text", text };
  return { kind: "switched", text, prompt: choice.text === "" ? undefined : choice.text };
}

/** Files that the user or another program has changed are overwritten only if the user agrees. `undefined` cancels. */
async function agreedSteps(
  { user, conversation }: SlashInput,
  id: string,
): Promise<readonly ShownStep[] | undefined> {
  // Read again: the user may have changed a file while the questions were open.
  const choices = await conversation.rewindChoices();
  const steps = choices.find((choice) => choice.id === id)?.files.steps ?? [];
  const known = steps.filter(({ step }) => step === "restore");
  const changed = steps.filter(({ step }) => step === "ask");
  if (changed.length === 0) return known;
  const text = [...changed.map(stepLine), "", SAVED_FIRST].join("\n");
  const count = changed.length === 1 ? "This file was" : `These ${changed.length} files were`;
  const items = [
    { value: "overwrite", label: "Overwrite" },
    { value: "keep", label: "Keep as they are, and go back otherwise" },
    { value: "cancel", label: "Cancel" },
  ];
  const question = `${count} changed since, by you or another program. Overwrite?`;
  const chosen = await user.choose(question, items, text);
  if (chosen === "overwrite") return [...known, ...changed];
  return chosen === "keep" ? known : undefined;
}

const SAVED_FIRST = "What is there now is saved first: /rewind undo brings it back.";

function describe(
  { files, isConversationRewound }: RewindResult,
  { what, isUndo }: { readonly what: RewoundWhat; readonly isUndo: boolean },
): string {
  const { restored, removed, failed } = files;
  const done = [
    ...(isConversationRewound ? [isUndo ? "The rewind is undone." : "Went back."] : []),
    ...(restored.length === 0 ? [] : [`Restored ${restored.join(", ")}.`]),
    ...(removed.length === 0 ? [] : [`Removed ${removed.join(", ")}, which did not exist then.`]),
  ];
  const isAnything = done.length > 0;
  const undoHint = isAnything ? ["To undo it: /rewind undo"] : [];
  if (failed.length > 0) {
    const lines = failed.map(({ display, reason }) => `  ${display}: ${reason}`);
    const stays =
      what === "both"
        ? ["The conversation did not go back either. Fix this, and repeat /rewind."]
        : [];
    return ["These files did not go back:", ...lines, ...stays, ...done, ...undoHint].join("\n");
  }
  return isAnything
    ? [...done, ...undoHint].join(" ")
    : "Nothing to do: the files are already as they were.";
}
