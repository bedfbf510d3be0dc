import { checkArguments } from "../check-arguments.ts";
import type { ParsedTopic } from "../topics/topic-header.ts";
import type { FindSecrets } from "./secrets.ts";

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
  const { checkFile } = await import("./check-file.ts");
  return await checkFile(input);
}
