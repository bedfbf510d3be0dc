import { utf8Bytes } from "@caliban/common";
import { isMemoryError } from "../errors.ts";
import { MAX_TOPIC_BYTES } from "../topics/limits.ts";
import { parseTopic } from "../topics/parse-topic.ts";
import type { CheckedTopicFile, CheckTopicFileInput } from "./check-topic-file.ts";
import { checkWrite } from "./plan-write.ts";
import { assertNoSecrets, findSecretsByPattern } from "./secrets.ts";

/** The work behind `checkTopicFile`, with the parsers it needs. */
export async function checkFile(input: CheckTopicFileInput): Promise<CheckedTopicFile> {
  const { name, text, findSecrets = findSecretsByPattern } = input;
  if (utf8Bytes(text) > MAX_TOPIC_BYTES) {
    const message = `the file is larger than ${MAX_TOPIC_BYTES} bytes; split it into several topics`;
    return { kind: "invalid", code: "INVALID_TOPIC", message };
  }
  if (text.includes("\0")) {
    const message = "the file contains NUL characters";
    return { kind: "invalid", code: "INVALID_TOPIC", message };
  }
  const topic = parseTopic(text);
  const broken = topic.problems.find(({ code }) => REFUSED.has(code));
  if (broken !== undefined) {
    return { kind: "invalid", code: "INVALID_TOPIC", message: broken.message };
  }
  const { type = "project", description, body, applies, evidence, supersedes, expect } = topic;
  const fields = { applies, evidence, supersedes, expect };
  const author = { who: "person" } as const;
  const write = { name, description, type, body, ...fields, author, allowSecrets: true };
  try {
    await checkWrite(write, findSecrets);
    await assertNoSecrets({ name, file: text.replaceAll(CHECKSUM, "$1") }, findSecrets);
    return { kind: "valid", topic };
  } catch (error) {
    if (isMemoryError(error) && isRefusal(error.code)) {
      return { kind: "invalid", code: error.code, message: error.message };
    }
    throw error;
  }
}

const REFUSED: ReadonlySet<string> = new Set([
  "NO_HEADER",
  "BROKEN_HEADER",
  "NO_TYPE",
  "UNKNOWN_TYPE",
]);

// Checksums look like secrets.
const CHECKSUM = /("?sha256"?:\s*)["']?[0-9a-f]{64}\b["']?/g;

function isRefusal(code: string): code is "INVALID_SLUG" | "INVALID_TOPIC" | "SECRET_FOUND" {
  return ["INVALID_SLUG", "INVALID_TOPIC", "SECRET_FOUND"].includes(code);
}
