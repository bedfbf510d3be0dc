import { command, type CommandMessage, withCommands } from "@caliban/common";
import {
  ALREADY_KNOWN,
  NO_MEMORY,
  NOT_SAVED,
  refusedBy,
  REMEMBERED,
  WHAT_TO_REMEMBER,
} from "./messages.ts";
import { draftTopic, shortened, type TopicDraft } from "./topic-draft.ts";
import { call, type Move, say, type Step, type Turn } from "./turn.ts";

/** Another session may be faster once or twice; after that, something else is wrong. */
const MAX_WRITES = 3;

/** Saves a fact. If the topic exists, reads it and adds the fact to it. */
export function remember(fact: string, { steps, tools }: Turn): Move {
  if (!tools.has("WriteMemoryTopic")) return say(NO_MEMORY);
  if (fact === "") return say(WHAT_TO_REMEMBER);
  const draft = draftTopic(fact);
  const last = steps.at(-1);
  if (last === undefined) return call("WriteMemoryTopic", { ...draft });
  if (last.name === "ReadMemoryTopic") return addTo(last, draft);
  if (!last.isError) return say(saved(last, draft));
  const writeCount = steps.filter(({ name }) => name === "WriteMemoryTopic").length;
  const canMerge = last.data["code"] === "CONFLICT" && tools.has("ReadMemoryTopic");
  if (!canMerge || writeCount >= MAX_WRITES) return say(refusedBy(NOT_SAVED, last.text));
  return call("ReadMemoryTopic", { name: draft.name });
}

function saved({ data }: Step, { name, body }: TopicDraft): CommandMessage {
  const slug = typeof data["slug"] === "string" ? data["slug"] : name;
  return withCommands`${REMEMBERED}${body}\n\n(saved as ${slug}; show it with \`${command(`memory show ${slug}`)}\`, undo with \`${command("memory undo")}\`)`;
}

function addTo({ data, text, isError }: Step, draft: TopicDraft): Move {
  const { hash, description, body } = data;
  if (isError || typeof body !== "string") return say(refusedBy(NOT_SAVED, text));
  const previous = body.trim();
  if (contains(previous, draft.body)) {
    return say(`${ALREADY_KNOWN}it is in the topic ${draft.name}.`);
  }
  return call("WriteMemoryTopic", {
    ...draft,
    description: mergedDescription(typeof description === "string" ? description : "", draft),
    body: `${previous}\n\n${draft.body}`,
    if_match: hash,
  });
}

function contains(body: string, fact: string): boolean {
  return `\n${normalized(body)}\n`.includes(`\n${normalized(fact)}\n`);
}

/** Ignores what does not make a different fact: list markers, case, and the final period. */
function normalized(text: string): string {
  return text
    .split("\n")
    .map((line) =>
      line
        .replace(/^[-*+\s]+/, "")
        .replace(/(?<![\s.!])[\s.!]+$/, "")
        .toLowerCase(),
    )
    .filter((line) => line !== "")
    .join("\n");
}

/** Describes both facts where there is room, otherwise the new one. */
function mergedDescription(previous: string, { description }: TopicDraft): string {
  if (normalized(previous).includes(normalized(description))) return previous;
  const both = `${previous.replace(/[\s.]+$/, "")}; ${description}`;
  return previous === "" || shortened(both) !== both ? description : both;
}
