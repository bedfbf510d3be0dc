import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Answer } from "../../../../../test/support/model-server/answer.ts";
import {
  type ModelServer,
  startModelServer,
} from "../../../../../test/support/model-server/model-server.ts";
import type { RewindChoice } from "../../../src/conversation/rewind/rewind-points.ts";
import type { RewindRequest, RewindResult } from "../../../src/conversation/rewind/rewind.ts";
import { machine, type Machine } from "../../fake-host.ts";
import { openTestConversation, type TestConversation } from "../open-test-conversation.ts";

/** A machine with a scripted model, whose conversations may change every file. */
export interface RewindMachine {
  readonly place: Machine;
  readonly server: ModelServer;
  readonly checkpoints: string;
  readonly open: (more?: Parameters<typeof openTestConversation>[1]) => Promise<TestConversation>;
  readonly path: (name: string) => string;
  /** `undefined` if there is none. */
  readonly read: (name: string) => string | undefined;
  readonly write: (name: string, text: string) => void;
}

/** The answers of a model that writes a file. */
export function writes(file: string, content: string): readonly Answer[] {
  return [
    { toolCalls: [{ name: "Read", input: { file_path: file } }] },
    { toolCalls: [{ name: "Write", input: { file_path: file, content } }] },
    { text: `Wrote ${content} to ${file}.` },
  ];
}

export async function rewindMachine(script: readonly Answer[]): Promise<RewindMachine> {
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  const place = await machine({
    ".config/caliban/settings.toml": `[models]\ndefault = "local/m"\n[providers.local]\nbase_url = "${server.baseUrl("chat-completions")}"\n`,
  });
  const path = (name: string): string => join(place.home, "app", name);
  return {
    place,
    server,
    path,
    checkpoints: join(place.home, ".local/state/caliban/checkpoints"),
    open: async (more = {}) => {
      const opened = await openTestConversation(place, { ask: async () => "once", ...more });
      onTestFinished(opened.conversation.close);
      return opened;
    },
    read: (name) => (existsSync(path(name)) ? readFileSync(path(name), "utf8") : undefined),
    write: (name, text) => writeFileSync(path(name), text),
  };
}

/** Rewinds to the message with this text, or to the last rewind. Files that were changed by hand are overwritten. */
export async function rewindTo(
  { conversation }: TestConversation,
  text: string,
  what: RewindRequest["what"] = "both",
): Promise<RewindResult & { readonly choice: RewindChoice }> {
  const choices = await conversation.rewindChoices();
  const choice = choices.find((each) => each.text === text);
  if (choice === undefined) throw new Error(`no message ${JSON.stringify(text)}`);
  const steps = choice.files.steps.filter(({ step }) => step === "restore" || step === "ask");
  return { choice, ...(await conversation.rewind({ to: choice.id, what, steps })) };
}

/** Every file below a directory, with its permission bits. */
export function modesBelow(directory: string): readonly (readonly [string, number])[] {
  if (!existsSync(directory)) return [];
  return readdirSync(directory, { recursive: true, encoding: "utf8" }).map(
    (name) => [name, statSync(join(directory, name)).mode & 0o777] as const,
  );
}
