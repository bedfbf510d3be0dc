import { utf8Bytes } from "@caliban/common";
import { checkArguments } from "../check-arguments.ts";
import { isMemoryError } from "../errors.ts";
import { MAX_TOPIC_BYTES } from "../topics/limits.ts";
import { parseTopic } from "../topics/topic-file.ts";
import type { ParsedTopic } from "../topics/topic-header.ts";
import { assertNoSecrets, type FindSecrets, findSecretsByPattern } from "./secrets.ts";

export interface CheckTopicFileInput {
  readonly name: string;
  /** The whole file. */
  readonly text: string;
  /** Our own patterns if left out. */
  readonly findSecrets?: FindSecrets | undefined;
}

/** Whether a store would write this file as a new topic. */
export type CheckedTopicFile =
  | { readonly kind: "valid"; readonly topic: ParsedTopic }
  | {
      readonly kind: "invalid";
      readonly code: "INVALID_SLUG" | "INVALID_TOPIC" | "SECRET_FOUND";
      readonly message: string;
    };

/**
 * Checks a topic file that comes from elsewhere as a store checks a write: name, size, header, fields and secrets, also
 * in keys that the store does not know.
 */
export async function checkTopicFile(input: CheckTopicFileInput): Promise<CheckedTopicFile> {
  checkArguments("checkTopicFile", input, { name: "string", text: "string" });
  const { name, text, findSecrets = findSecretsByPattern } = input;
  if (utf8Bytes(text) > MAX_TOPIC_BYTES) {
    const message = `the file is larger than ${MAX_TOPIC_BYTES} bytes; split it into several topics`;
    return { kind: "invalid", code: "INVALID_TOPIC", message };
  }
  if (text.includes("\0")) {
    const message = "the file contains NUL characters";
    return { kind: "invalid", code: "INVALID_TOPIC", message };
  }
  const topic = await parseTopic(text);
  const broken = topic.problems.find(({ code }) => REFUSED.has(code));
  if (broken !== undefined) {
    return { kind: "invalid", code: "INVALID_TOPIC", message: broken.message };
  }
  const { type = "project", description, body, applies, evidence, supersedes, expect } = topic;
  const fields = { applies, evidence, supersedes, expect };
  const author = { who: "person" } as const;
  const write = { name, description, type, body, ...fields, author, allowSecrets: true };
  try {
    const { checkWrite } = await import("./plan-write.ts");
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
