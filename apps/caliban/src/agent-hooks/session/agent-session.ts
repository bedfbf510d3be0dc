import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { parseJsonRecord } from "@caliban/common";
import { hasCode, randomHex } from "@caliban/common/node";
import type { HookAgent } from "../hook-event.ts";

/** What is known about a conversation of another agent. Several processes may use it at the same time. */
export interface AgentSession {
  /** Identifies the notes of the conversation, so that no file or command can forge one. */
  readonly nonce: string;
  readonly startedMs: number;
  /** The user's last message, and whether it still waits for a note because the notes were not up to date. */
  readonly lastMessage: () => LastMessage;
  readonly setLastMessage: (message: LastMessage) => void;
  /** Whether the conversation was told about something. */
  readonly has: (what: string) => boolean;
  /** Claims to tell it; false if another process of the conversation was faster. */
  readonly claim: (what: string) => boolean;
  /** The model sees nothing of what it was told any more. */
  readonly forget: () => void;
}

interface LastMessage {
  readonly text: string;
  readonly isPending: boolean;
}

const MAX_MESSAGE_CHARACTERS = 4_000;
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

export interface OpenAgentSessionInput {
  /** Contains a directory for each conversation. */
  readonly sessions: string;
  readonly agent: HookAgent;
  /** The agent's own id of the conversation, which may contain anything. */
  readonly id: string;
  readonly nowMs: number;
}

/** Opens what is known about a conversation. The first process of it creates it. */
export function openAgentSession(input: OpenAgentSessionInput): AgentSession {
  const directory = join(input.sessions, `${input.agent}-${fileNameOf(input.id)}`);
  const told = join(directory, "told");
  const messageFile = join(directory, "message.json");
  mkdirSync(directory, { recursive: true, mode: PRIVATE_DIRECTORY });
  const { nonce, startedMs } = recordIn(join(directory, "session.json"), input.nowMs);
  return {
    nonce,
    startedMs,
    lastMessage: () => {
      const { text, isPending } = parseJsonRecord(readIfExists(messageFile) ?? "") ?? {};
      return { text: typeof text === "string" ? text : "", isPending: isPending === true };
    },
    setLastMessage: ({ text, isPending }) => {
      const message = { text: text.slice(0, MAX_MESSAGE_CHARACTERS), isPending };
      const temporary = writeTemporary(messageFile, JSON.stringify(message));
      renameSync(temporary, messageFile);
    },
    has: (what) => existsSync(join(told, fileNameOf(what))),
    claim: (what) => {
      mkdirSync(told, { recursive: true, mode: PRIVATE_DIRECTORY });
      return createFile(join(told, fileNameOf(what)), "");
    },
    forget: () => rmSync(told, { recursive: true, force: true }),
  };
}

/** Written by the first process of the conversation, and the same for all later ones. */
function recordIn(file: string, nowMs: number): SessionRecord {
  const known = readRecord(file);
  if (known !== undefined) return known;
  const own = { nonce: randomHex(NONCE_BYTES), startedMs: nowMs };
  if (createFile(file, JSON.stringify(own))) return own;
  const other = readRecord(file);
  if (other !== undefined) return other;
  // Damaged: the model gets to know another nonce.
  renameSync(writeTemporary(file, JSON.stringify(own)), file);
  return own;
}

type SessionRecord = Pick<AgentSession, "nonce" | "startedMs">;

function readRecord(file: string): SessionRecord | undefined {
  const { nonce, startedMs } = parseJsonRecord(readIfExists(file) ?? "") ?? {};
  const isValid = typeof nonce === "string" && /^[\da-f]{8,64}$/.test(nonce);
  return isValid && typeof startedMs === "number" ? { nonce, startedMs } : undefined;
}

const NONCE_BYTES = 4;

/** Creates a complete file; false if it exists. */
function createFile(file: string, text: string): boolean {
  const temporary = writeTemporary(file, text);
  try {
    // Unlike a rename, it does not replace what another process has written.
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    if (!hasCode(error, ...NO_HARD_LINKS)) throw error;
    return createDirectly(file, text);
  } finally {
    rmSync(temporary, { force: true });
  }
}

const NO_HARD_LINKS = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

function createDirectly(file: string, text: string): boolean {
  try {
    writeFileSync(file, text, { flag: "wx", mode: PRIVATE_FILE });
    return true;
  } catch (error) {
    if (hasCode(error, "EEXIST")) return false;
    throw error;
  }
}

function writeTemporary(file: string, text: string): string {
  const temporary = `${file}.${randomHex(6)}.tmp`;
  writeFileSync(temporary, text, { flag: "wx", mode: PRIVATE_FILE });
  return temporary;
}

function readIfExists(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

const MAX_NAME_CHARACTERS = 150;

/** A different name for each text, whatever it contains. Of a long one, the start and two sums of all of it. */
function fileNameOf(text: string): string {
  const name = encodeURIComponent(text.toWellFormed()).replaceAll(/[.!'()*~]/g, toHex);
  if (name !== "" && name.length <= MAX_NAME_CHARACTERS) return name;
  return `${name.slice(0, MAX_NAME_CHARACTERS)}-${sumOf(text, 1)}-${sumOf(text, 7)}`;
}

/** Not cryptographic, because loading such code takes milliseconds. Two texts with the same sums would hide a note. */
function sumOf(text: string, seed: number): string {
  let sum = seed;
  for (let at = 0; at < text.length; at++)
    sum = Math.imul(sum ^ text.charCodeAt(at), 0x01_00_01_93) >>> 0;
  return sum.toString(16);
}

function toHex(character: string): string {
  return `%${character.charCodeAt(0).toString(16)}`;
}
