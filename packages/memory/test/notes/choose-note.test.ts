import { describe, expect, it } from "vitest";
import { findCandidates } from "../../src/notes/choose-note.ts";
import { createNoteIndex, type NoteIndex } from "../../src/notes/note-index.ts";
import { noteQuery } from "../../src/notes/note-query.ts";
import type { NoteTrigger } from "../../src/notes/note.ts";
import { findStatements } from "../../src/notes/statements.ts";

type Talk = readonly [question: string, answer: string, file?: string];

/** Each conversation is a message, the agent's question and the user's answer. */
function indexOf(talks: Readonly<Record<string, Talk>>): NoteIndex {
  const index = createNoteIndex();
  for (const [name, [question, answer, file]] of Object.entries(talks)) {
    const texts = [question, "Which one?", answer];
    const turns = texts.map((text, at) => ({
      at: String(at),
      role: at === 1 ? ("assistant" as const) : ("user" as const),
      text,
      atMs: at,
      isTainted: false,
      touched: at === 2 && file !== undefined ? [file] : [],
    }));
    index.set(`sessions:${name}`, findStatements(turns));
  }
  return index;
}

function found(index: NoteIndex, trigger: NoteTrigger, message: string): string | undefined {
  const query = noteQuery({ trigger, message }, index);
  return findCandidates(index, query)[0]?.note.entry;
}

const READ = { kind: "file", action: "read", path: "src/pay/client.ts", text: "" } as const;
const RETRIES: Talk = ["how does the payment client retry?", "Two retries at most."];
const TASK = "add retries to the payment client";

describe("findCandidates", () => {
  it("finds the conversation about a task", () => {
    const index = indexOf({
      retries: RETRIES,
      colors: ["what color is the logo?", "Always blue."],
    });
    expect(found(index, READ, TASK)).toBe("sessions:retries");
    expect(found(index, READ, "translate the footer")).toBe(undefined);
  });

  it("finds nothing when several conversations match equally well", () => {
    const about = (what: string, answer: string): Talk => [
      `${what} of the payment client?`,
      answer,
    ];
    const index = indexOf({
      log: about("the log level", "Only warnings."),
      name: about("the user agent", "Our name and version."),
      proxy: about("a corporate proxy", "Read it from the environment."),
      fixture: about("recorded fixtures", "One for each country."),
    });
    expect(found(index, READ, "improve the payment client")).toBe(undefined);
  });

  it("needs more for a repair or a question than for new behavior", () => {
    const index = indexOf({
      retries: RETRIES,
      colors: ["what color is the logo?", "Always blue."],
    });
    expect(found(index, READ, "fix the typo in the payment client")).toBe(undefined);
    expect(found(index, READ, "explain what the payment client does")).toBe(undefined);
  });

  it("counts a word once, whether the message, the path or the text has it", () => {
    const index = indexOf({ retries: RETRIES });
    const scoreOf = (path: string, text: string): number => {
      const trigger = { kind: "file", action: "read", path, text } as const;
      const query = noteQuery({ trigger, message: "the payment of invoices" }, index);
      return query.terms.get("payment")?.anywhere ?? 0;
    };
    expect(scoreOf("src/a.ts", "")).toBeGreaterThan(0);
    expect(scoreOf("src/payment/a.ts", "payment")).toBe(scoreOf("src/a.ts", ""));
  });

  it("prefers the conversation in which the file of a call was used", () => {
    const talk = (file: string): Talk => ["the timeout of the request?", "30 seconds.", file];
    const index = indexOf({ mail: talk("src/mail/send.ts"), pay: talk("src/pay/client.ts") });
    expect(found(index, READ, "raise the timeout of the request")).toBe("sessions:pay");
  });

  it("finds what forbids a command, whatever else it has in common", () => {
    const index = indexOf({ npm: ["which package manager?", "pnpm, never npm."] });
    const command = { kind: "command", command: "npm install left-pad" } as const;
    expect(found(index, command, "add the library")).toBe("sessions:npm");
  });

  it("finds nothing for a command that only names what a memory excludes elsewhere", () => {
    const index = indexOf({
      title: ["what is the title of the station page?", "The station first, but without tickets."],
    });
    const run = (command: string): string | undefined =>
      found(index, { kind: "command", command }, "create the secret");
    expect(run("kubectl -n tickets create secret generic signing-key")).toBe(undefined);
    expect(run("tickets list")).toBe("sessions:title");
  });
});
