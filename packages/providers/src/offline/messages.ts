import { command, type CommandMessage, withCommands } from "@caliban/common";

const IDENTITY =
  "I am offline/rehearsal, caliban's built-in offline model. I am a small program, not a language model: I save topics to memory, look them up and delete them with caliban's real tools, and nothing else.";

const EXAMPLES =
  'Try "remember that we deploy with pnpm ship", "how do we deploy?", "what do you know about deploys?", "list" or "forget …".';

export const HOW_TO_CONNECT: CommandMessage = withCommands`To connect a real model, set ANTHROPIC_API_KEY, OPENAI_API_KEY or GEMINI_API_KEY, or choose a local one in settings.toml: \`[models] default = "ollama/…"\`. To check the setup, run \`${command("doctor")}\`; see also docs/providers.md.`;

/** What it is, what it can do, and how to connect a real model. */
export const INTRODUCTION: CommandMessage = withCommands`${IDENTITY} ${EXAMPLES} ${HOW_TO_CONNECT}`;

/** For a request that needs memory tools which this run does not have. */
export const NO_MEMORY: CommandMessage = withCommands`I cannot do that in this run: the memory tools are not available. They are turned off by --no-memory, --bare, \`[memory] auto = false\`, \`[memory] write = "off"\`, or rules that deny them. ${HOW_TO_CONNECT}`;

/** The answers above, and those of earlier versions, which are in stored sessions. */
const OWN_ANSWER =
  /^(?:I (?:am offline\/rehearsal|found nothing in memory|cannot do that in this run|will remember: |knew that already: |could not |did not forget |forget one topic|tried several times)|Forgotten: |Which of these should I forget|OK, I deleted nothing|There is nothing |What should I |Memory (?:contains|holds):|About you, in every project:|When this session (?:started|began), memory|All right, I keep )|\((?:from (?:your )?memory(?: for every project)?: |said by (?:you|the agent) in session )/;

/** Whether a text is an answer of the offline model, which says nothing that is not in memory anyway. */
export function isOwnAnswer(text: string): boolean {
  return OWN_ANSWER.test(text);
}

const MAX_TOOL_CHARACTERS = 600;

/** Passes on the message of a tool that failed. */
export function refusedBy(outcome: string, toolText: string): string {
  const characters = Array.from(toolText.trim());
  const shown = characters.slice(0, MAX_TOOL_CHARACTERS).join("");
  const end = characters.length > MAX_TOOL_CHARACTERS ? "…" : "";
  return `${outcome} The tool reported: ${shown}${end}`;
}
