import { utf8Bytes } from "@caliban/common";
import { isMemoryError, slugKey, type StoredTopic, type TopicStore } from "@caliban/memory";
import { foreignNameOf, isTooLong, pathOf, topicNameOf } from "../../anthropic/topic-name.ts";
import { StoreApiError } from "../request/api-answer.ts";

const MAX_BYTES = 1_024;
const MAX_SEGMENTS = 20;

/** The path of a topic: `/deploy.md`. */
export function documentPath(slug: string): string {
  return `/${pathOf(slug)}`;
}

/**
 * The name of the topic for a path.
 * @throws StoreApiError for a path that no memory can have
 */
export function topicNameFor(path: string): string {
  const problem = findProblem(path);
  if (problem !== undefined) throw invalid(`invalid path ${quote(path)}: ${problem}`);
  const relative = path.slice(1);
  if (slugKey(relative) === "memory.md")
    throw invalid("/MEMORY.md is the index, which is updated automatically; use another path");
  const name = topicNameOf(relative);
  if (isTooLong(name)) throw invalid(`path ${quote(path)} is too long; use a shorter one`);
  return name;
}

/** The topic at a path; `undefined` if there is none. */
export async function readAtPath(
  store: Pick<TopicStore, "read">,
  path: string,
): Promise<StoredTopic | undefined> {
  const names = [topicNameFor(path), foreignNameOf(path.slice(1))];
  for (const name of names) {
    const topic = name === undefined ? undefined : await readIfValid(store, name);
    if (topic !== undefined) return topic;
  }
  return undefined;
}

/** A name that no topic can have is one of a missing topic. */
export async function readIfValid(
  store: Pick<TopicStore, "read">,
  name: string,
): Promise<StoredTopic | undefined> {
  try {
    return await store.read(name);
  } catch (error) {
    if (isMemoryError(error) && error.code === "INVALID_SLUG") return undefined;
    throw error;
  }
}

/** Whether one path is a directory above the other. */
export function overlaps(one: string, other: string): boolean {
  return one.startsWith(`${other}/`) || other.startsWith(`${one}/`);
}

/** Refuses a path that contains a secret. The store checks only the name of the topic, which is written in another way. */
export async function refuseSecretPath(path: string): Promise<void> {
  const { findSecretsByPattern } = await import("@caliban/common/secrets/patterns");
  const [secret] = await findSecretsByPattern(path);
  if (secret === undefined) return;
  throw invalid(`this looks like a secret: ${secret.kind} in the path. Use another path`);
}

// As in the hosted API: control and format characters, and line and paragraph separators.
const REFUSED_CHARACTERS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;

function findProblem(path: string): string | undefined {
  if (!path.startsWith("/")) return "it must start with /";
  if (utf8Bytes(path) > MAX_BYTES) return `it is longer than ${MAX_BYTES} bytes`;
  if (REFUSED_CHARACTERS.test(path)) return "it contains a control or invisible character";
  if (path.includes("\\")) return "it contains a backslash; separate directories with /";
  if (path.normalize("NFC") !== path) return "it is not in Unicode Normalization Form C";
  const segments = path.slice(1).split("/");
  if (segments.length > MAX_SEGMENTS) return `it has more than ${MAX_SEGMENTS} segments`;
  if (segments.includes("")) return "it has an empty segment";
  if (segments.includes(".") || segments.includes("..")) return 'a segment is "." or ".."';
  return undefined;
}

function quote(path: string): string {
  return JSON.stringify(path.length > 80 ? `${path.slice(0, 79)}…` : path);
}

function invalid(message: string): StoreApiError {
  return new StoreApiError("invalid_request_error", message);
}
