import { describe, expect, it } from "vitest";
import { isSmallTask } from "../../src/notes/small-task.ts";

describe("isSmallTask", () => {
  it.each([
    "explain how the importer reads a row",
    "please tell me what this query does",
    "which files use the old client?",
    "is parseHeader still used anywhere? if not, remove it",
    "there is a typo in the footer",
    "rename the helper to toSlug",
    "the label is cut off on small screens",
  ])("is true for a question or a touch-up: %s", (message) => {
    expect(isSmallTask(message)).toBe(true);
  });

  it.each([
    "add an endpoint that lists invoices",
    "when a user changes their address, send a mail",
    "list endpoints need pages",
    "show the owner on the dashboard",
    "",
  ])("is false for a task that decisions may concern: %s", (message) => {
    expect(isSmallTask(message)).toBe(false);
  });
});
