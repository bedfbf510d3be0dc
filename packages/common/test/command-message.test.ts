import { describe, expect, it } from "vitest";
import { command, shellCommand, spellCommands, withCommands } from "../src/command-message.ts";

const slash = (words: string): string => `/${words}`;

describe("withCommands", () => {
  it("makes a message that is complete without the parts", () => {
    const { message } = withCommands`${2} changes; to list them, run: ${command("memory log")}`;
    expect(message).toBe("2 changes; to list them, run: caliban memory log");
  });

  it("lets another surface spell the commands", () => {
    const text = withCommands`Run ${command("memory log")} or ${command("doctor")}.`;
    expect(spellCommands(text, slash)).toBe("Run /memory log or /doctor.");
    expect(spellCommands(text, shellCommand)).toBe(text.message);
  });

  it("keeps the commands of a message inside another one", () => {
    const inner = withCommands`no key; run: ${command("doctor")}`;
    const outer = withCommands`not available: ${inner}`;
    expect(spellCommands(outer, slash)).toBe("not available: no key; run: /doctor");
    expect(withCommands`not available: ${{ message: "no key" }}`.message).toBe(
      "not available: no key",
    );
  });

  it("makes one part of each command and of the text between them", () => {
    const { parts } = withCommands`${2} changes: ${"run"} ${command("memory log")}`;
    expect(parts).toEqual(["2 changes: run ", { command: "memory log" }]);
  });

  it("leaves out the parts when it names no command", () => {
    expect(withCommands`${2} changes`).toEqual({ message: "2 changes" });
  });

  it("never takes a text for a command, even if it reads like one", () => {
    const text = withCommands`no topic ${"caliban memory log"}`;
    expect(spellCommands(text, slash)).toBe("no topic caliban memory log");
    expect(spellCommands({ message: "caliban doctor" }, slash)).toBe("caliban doctor");
  });
});
