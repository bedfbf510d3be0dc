import { describe, expect, it } from "vitest";
import { createAttachableView } from "../../src/loop/agent-view.ts";
import type { PermissionQuestion } from "../../src/permissions/permission-gate.ts";
import type { Notice } from "../../src/tool.ts";

const notice = (message: string): Notice => ({ kind: "general", message });

const QUESTION: PermissionQuestion = {
  tool: "Bash",
  permission: "shell.run",
  input: {},
  subject: "ls",
  reason: "",
  alwaysScope: "",
};

describe("createAttachableView", () => {
  it("delivers notices from before a view was attached, once and in order", () => {
    const view = createAttachableView({ canAsk: false });
    const first: string[] = [];
    const second: string[] = [];
    view.notify(notice("one"));
    view.notify(notice("two"));
    view.attach({ emit: () => undefined, notify: ({ message }) => void first.push(message) });
    view.notify(notice("three"));
    view.attach({ emit: () => undefined, notify: ({ message }) => void second.push(message) });
    view.notify(notice("four"));
    expect([first, second]).toEqual([["one", "two", "three"], ["four"]]);
  });

  it("asks the attached view, and answers no without one", async () => {
    const view = createAttachableView({ canAsk: true });
    expect(await view.ask?.(QUESTION)).toBe("no");
    view.attach({
      emit: () => undefined,
      notify: () => undefined,
      ask: async () => "always",
    });
    expect(await view.ask?.(QUESTION)).toBe("always");
  });

  it("offers no way to ask when no one can answer", () => {
    expect(createAttachableView({ canAsk: false }).ask).toBeUndefined();
  });
});
