import type { Conversation } from "../../../agent/conversation.ts";
import type { Invocation } from "../../../command.ts";
import { parseSlash } from "../slash/parse-slash.ts";
import { runSlash } from "../slash/run-slash.ts";
import type { SlashResult, SlashRow } from "../slash/slash-command.ts";
import type { SlashPerson } from "../slash/slash-person.ts";
import { SLASH_COMMANDS } from "../slash/slash-table.ts";
import { createScreenPerson } from "../../../../../../packages/tui/src/questions/screen-user.ts";
import { NEW_WORK } from "../../../../../../packages/tui/src/screen/screen-state.ts";
import type { Screen } from "../../../../../../packages/tui/src/screen/screen.ts";
import { showMessages } from "../../../../../../packages/tui/src/screen/show.ts";
import { notice, withItem } from "../../../../../../packages/tui/src/transcript/transcript.ts";

export interface LineHandlerInput {
  readonly screen: Screen;
  readonly conversation: Conversation;
  readonly invocation: Invocation;
  readonly quit: () => void;
  /** Has a command hear that the person wants it to end. */
  readonly onInterrupt: SlashPerson["onInterrupt"];
}

/** Does what a line asks for, to its end: sends it to the model, or runs the slash command. */
export function createLineHandler(input: LineHandlerInput): (text: string) => Promise<void> {
  const { screen, conversation, invocation, quit } = input;
  const person = createScreenPerson(screen, input);

  const showSaid = (text: string): void => {
    const { transcript } = screen.state();
    screen.update({ transcript: withItem(transcript, { kind: "person", text }) });
  };
  const beginWork = (): void => {
    const startedAt = invocation.host.now();
    screen.update({ expandedFrom: Infinity, work: { ...NEW_WORK, startedAt } });
  };
  const say = async (text: string): Promise<void> => {
    showSaid(text);
    beginWork();
    await conversation.send(text);
  };
  const command = async (line: string, takesLong: boolean): Promise<void> => {
    const { transcript: before } = screen.state();
    showSaid(line);
    if (takesLong) beginWork();
    const result = await runSlash(line, { conversation, invocation, person });
    if (result.kind === "quit") return quit();
    if (result.kind === "send") {
      screen.update({ transcript: before });
      return await say(result.text);
    }
    if (result.kind === "renewed") {
      showMessages(screen, conversation);
      showSaid(line);
    }
    showAnswer(screen, result);
  };
  return async (text) => {
    const parsed = parseSlash(text, SLASH_COMMANDS);
    if (parsed === undefined) return await say(text);
    await command(text, parsed.kind === "command" && asksModel(parsed.row, parsed.words));
  };
}

function asksModel({ asksModel: asks = false }: SlashRow, words: readonly string[]): boolean {
  return typeof asks === "boolean" ? asks : asks(words);
}

function showAnswer(screen: Screen, { kind, text }: SlashResult & { readonly text: string }): void {
  if (text.trim() === "") return;
  const item =
    kind === "text"
      ? ({ kind: "output", text: text.trimEnd() } as const)
      : notice(kind === "mistake" ? "bad" : "plain", text.trimEnd());
  screen.update({ transcript: withItem(screen.state().transcript, item) });
}
