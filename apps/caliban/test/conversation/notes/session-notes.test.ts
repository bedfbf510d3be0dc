import type { FinishedToolCall, Message } from "@caliban/agent-core";
import type { Note, NoteRequest, NoteTrigger } from "@caliban/memory";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  createSessionNotes,
  type NoteSearch,
  type SessionNotes,
} from "../../../src/conversation/notes/session-notes.ts";

function note(slug: string): Note {
  return {
    text: `About ${slug}.`,
    source: { kind: "topic", slug, address: `memory://topics/${slug}`, atMs: 0 },
    why: { match: "words", score: 1, terms: [] },
  };
}

interface FakeSearch extends NoteSearch {
  readonly requests: NoteRequest[];
  readonly waits: number[];
}

/** Finds the first of these topics whose name is in the trigger, once the index is loaded. */
function search(slugs: readonly string[], isLoaded: () => boolean = () => true): FakeSearch {
  const requests: NoteRequest[] = [];
  const waits: number[] = [];
  return {
    requests,
    waits,
    ready: async (maxMs) => {
      waits.push(maxMs);
      await Promise.resolve();
      return isLoaded();
    },
    note: async (request) => {
      requests.push(request);
      await Promise.resolve();
      const text = JSON.stringify(request.trigger);
      return isLoaded()
        ? slugs
            .filter((slug) => text.includes(slug))
            .map(note)
            .find(
              ({ source: { address } }) => !request.isKnown(address) && request.isReadable(address),
            )
        : undefined;
    },
  };
}

interface Given {
  readonly search?: NoteSearch;
  readonly recall?: "auto" | "message" | "off";
  readonly nonce?: string | undefined;
  readonly denied?: string;
}

function session(given: Given = {}): SessionNotes {
  const { recall = "auto", denied } = given;
  const found = given.search ?? search(["deploy", "tests"]);
  return createSessionNotes({
    search: (about) => (recall === "auto" || recall === about ? found : undefined),
    triggerOf: ({ call }): NoteTrigger | undefined =>
      typeof call.input === "string" ? { kind: "command", command: call.input } : undefined,
    isReadable: (address) => address !== `memory://topics/${denied}`,
    nonce: () => ("nonce" in given ? given.nonce : "own"),
    mask: (text) => text.replaceAll("secret", "[masked]"),
    nowMs: () => 0,
    onShown: () => undefined,
  });
}

function finished(command: string | undefined, name = "Bash"): FinishedToolCall {
  const run = async (): Promise<{ readonly text: string }> => ({ text: "" });
  const tool = { name, description: "", permission: "a.b", isReadOnly: true, inputSchema: {}, run };
  return { tool, call: { name, input: command }, subject: command, result: { text: "" } };
}

const address = (text: string | undefined): string | undefined =>
  /address="([^"]*)"/.exec(text ?? "")?.[1];

describe("the notes of a session", () => {
  it("shows a memory once, with a message or with a call", async () => {
    const notes = session();
    notes.onPreparing();
    expect(address(await notes.forMessage("deploy it"))).toBe("memory://topics/deploy");
    expect(await notes.forCall(finished("deploy"))).toBeUndefined();
    expect(address(await notes.forCall(finished("tests")))).toBe("memory://topics/tests");
    expect(await notes.forMessage("tests")).toBeUndefined();
    expect(notes.count()).toBe(2);
  });

  it("shows at most one note for each of several parallel calls, and no memory twice", async () => {
    const command = fc.constantFrom("deploy", "tests", "deploy tests", "ls");
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 6 }), async (commands) => {
        const notes = session();
        const shown = await Promise.all(commands.map((text) => notes.forCall(finished(text))));
        const addresses = shown.flatMap((text) => address(text) ?? []);
        expect(new Set(addresses).size).toBe(addresses.length);
        for (const text of shown) expect(text?.split("<memory-note").length ?? 2).toBe(2);
      }),
    );
  });

  it("tells the search what the user's last message was", async () => {
    const found = search([]);
    const notes = session({ search: found });
    await notes.forMessage("one");
    await notes.forCall(finished("ls"));
    await notes.forMessage("two");
    await notes.forCall(finished("ls"));
    const calls = found.requests.filter(({ trigger }) => trigger.kind === "command");
    expect(calls.map(({ message }) => message)).toEqual(["one", "two"]);
  });

  it("waits for the index with the first call only, and never with a message", async () => {
    const found = search([], () => false);
    const notes = session({ search: found });
    await notes.forMessage("one");
    expect(found.waits).toEqual([]);
    await Promise.all([notes.forCall(finished("ls")), notes.forCall(finished("ls"))]);
    await notes.forCall(finished("ls"));
    expect(found.waits).toEqual([3_000]);
  });

  it("looks for the message again with a call if the index was not loaded before", async () => {
    let isLoaded = false;
    const notes = session({ search: search(["deploy", "tests"], () => isLoaded) });
    expect(await notes.forMessage("deploy")).toBeUndefined();
    isLoaded = true;
    expect(address(await notes.forCall(finished("tests")))).toBe("memory://topics/tests");
    expect(address(await notes.forCall(finished(undefined, "Grep")))).toBe(
      "memory://topics/deploy",
    );
    expect(await notes.forCall(finished("deploy"))).toBeUndefined();
  });

  it("looks at messages only, or at nothing, if the settings say so", async () => {
    const messages = session({ recall: "message" });
    expect(await messages.forMessage("deploy")).toBeDefined();
    expect(await messages.forCall(finished("tests"))).toBeUndefined();
    const off = session({ recall: "off" });
    expect(await off.forMessage("deploy")).toBeUndefined();
    expect(await off.forCall(finished("tests"))).toBeUndefined();
  });

  it("shows no memory that may not be read, and none without a nonce", async () => {
    expect(await session({ denied: "deploy" }).forCall(finished("deploy"))).toBeUndefined();
    expect(await session({ nonce: undefined }).forCall(finished("deploy"))).toBeUndefined();
  });

  it("a session does not count a note that the model does not see because the user interrupted", async () => {
    const notes = session();
    const call = { name: "Bash", input: "deploy", signal: AbortSignal.abort() };
    expect(await notes.forCall({ ...finished("deploy"), call })).toBeUndefined();
    expect(await notes.forCall(finished("deploy"))).toBeDefined();
  });

  it("repeats no note of a resumed session, but repeats one that a summary replaced", async () => {
    const first = session({ nonce: "first" });
    const shown = await first.forCall(finished("deploy"));
    const messages: readonly Message[] = [
      { role: "user", text: "hi", note: '[Today is 2026-11-16. … nonce="first"; …]' },
      {
        role: "tool",
        results: [{ id: "1", name: "Bash", text: `ok\n\n${shown}`, isError: false }],
      },
    ];
    const resumed = session({ nonce: "second" });
    resumed.restart(messages);
    expect(resumed.count()).toBe(1);
    expect(await resumed.forCall(finished("deploy"))).toBeUndefined();
    resumed.onCompacted([{ role: "user", text: "summary" }]);
    expect(await resumed.forCall(finished("deploy"))).toBeDefined();
    expect(resumed.count()).toBe(2);
  });

  it("a session is not silenced by a forged frame in the output of a tool", async () => {
    const forged = await session({ nonce: "guess" }).forCall(finished("deploy"));
    const notes = session();
    notes.restart([
      { role: "user", text: 'nonce="guess"' },
      {
        role: "tool",
        results: [{ id: "1", name: "Bash", text: forged ?? "", isError: false }],
      },
    ]);
    expect(await notes.forCall(finished("deploy"))).toBeDefined();
  });
});
