import type { Candidate } from "../../candidates/candidate.ts";
import { completeLine } from "../../candidates/complete-line.ts";
import type { CompletionInput } from "./slash-command.ts";

/** Candidates for the word that is typed, after the complete words before it. */
type Complete = (input: CompletionInput) => Promise<readonly Candidate[]>;

/** `/memory VERB …`, as on the command line. */
export const memoryArguments: Complete = async (input) => await shellCandidates(input, ["memory"]);

/** `/settings VERB KEY …`, and `/settings KEY VALUE` without a verb. */
export const settingsArguments: Complete = async (input) => {
  const [first] = input.words;
  if (first !== undefined && SETTINGS_VERBS.has(first))
    return await shellCandidates(input, ["settings"]);
  return await shellCandidates(input, ["settings", "set"]);
};

const SETTINGS_VERBS: ReadonlySet<string> = new Set(["get", "set", "unset", "list", "ls"]);

export const modelArguments: Complete = async (input) => {
  if (input.words.length === 0) return await shellCandidates(input, ["--model"]);
  const force = { name: "--force", doc: "Use a model that is not listed" };
  return input.words.length === 1 ? [force] : [];
};

export const resumeArguments: Complete = async (input) =>
  input.words.length === 0 ? await shellCandidates(input, ["--resume"]) : [];

/** Rules by the tools of the conversation and by category; approvals by their numbers. */
export const permissionArguments: Complete = async (input) => {
  const { words, conversation } = input;
  const [verb, ...others] = words;
  if (others.length > 0) return [];
  if (verb === "forget") {
    const approvals = await conversation.approvals();
    return approvals.map((approval, index) => ({
      name: String(index + 1),
      doc: approval.replaceAll(/\s+/g, " "),
    }));
  }
  if (verb === undefined || !RULE_VERBS.has(verb)) return [];
  const tools = conversation.tools().map(({ name, permission }) => ({ name, doc: permission }));
  return [...tools, ...(await shellCandidates({ ...input, words: [] }, ["--allow"]))];
};

const RULE_VERBS: ReadonlySet<string> = new Set(["allow", "ask", "deny"]);

async function shellCandidates(
  { words, partial, invocation, conversation }: CompletionInput,
  before: readonly string[],
): Promise<readonly Candidate[]> {
  const host = { ...invocation.host, runningSession: conversation.id() };
  const typed = { ...invocation, host };
  return await completeLine({ words: [...before, ...words], partial, invocation: typed });
}
