import { describe, expect, it } from "vitest";
import { checkTopicFile } from "../../src/index.ts";

const file = (keys = "", body = "Migrations first."): string =>
  `---\nname: deploy\ndescription: order\n${keys}metadata:\n  type: project\n---\n\n${body}\n`;
// In two parts, so that no scanner takes this file for a leak.
const token = ["ghp_", "0aB1cD2eF3gH4iJ5kL6mN7oP8qR9sT0uV1wX"].join("");
const evidence = `evidence: [{"path": "a.ts", "sha256": "${"0123456789abcdef".repeat(4)}", "snippet": "x"}]\n`;

describe("checkTopicFile", () => {
  it.for([
    { case: "a topic", text: file() },
    { case: "unknown keys", text: file("owner: infra\n") },
    { case: "a checksum in evidence", text: file(evidence) },
  ])("accepts $case", async ({ text }) => {
    expect(await checkTopicFile({ name: "deploy", text })).toMatchObject({ kind: "valid" });
  });

  it.for([
    { case: "a path as name", name: "../deploy", text: file(), code: "INVALID_SLUG" },
    { case: "a device as name", name: "con", text: file(), code: "INVALID_SLUG" },
    { case: "a file without a header", text: "Migrations first.\n", code: "INVALID_TOPIC" },
    { case: "a broken header", text: file("a: [\n"), code: "INVALID_TOPIC" },
    { case: "an unknown type", text: file().replace("project", "rule"), code: "INVALID_TOPIC" },
    { case: "no description", text: file().replace("order", '""'), code: "INVALID_TOPIC" },
    { case: "a NUL character", text: file("", "a\0b"), code: "INVALID_TOPIC" },
    { case: "a large file", text: file("", "a ".repeat(200_000)), code: "INVALID_TOPIC" },
    { case: "a path that leaves", text: file("applies: {paths: [../x]}\n"), code: "INVALID_TOPIC" },
    { case: "a secret in the body", text: file("", token), code: "SECRET_FOUND" },
    { case: "a secret in an unknown key", text: file(`key: ${token}\n`), code: "SECRET_FOUND" },
    { case: "a secret as name", name: token, text: file(), code: "SECRET_FOUND" },
  ])("refuses $case", async ({ name = "deploy", text, code }) => {
    expect(await checkTopicFile({ name, text })).toMatchObject({ kind: "invalid", code });
  });
});
