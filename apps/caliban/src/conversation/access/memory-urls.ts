import { decidePermission, type PermissionPolicy } from "@caliban/agent-core";
import { shellCommand, type SpellCommand, terminalSafeLine } from "@caliban/common";
import { MemoryError, renderExplanation, type TopicStore } from "@caliban/memory";
import type { SettingValues } from "@caliban/settings";
import { isAddressDenied, topicPermission } from "@caliban/tools-builtin";
import type { ProjectMemory } from "../../project/load-memory.ts";
import type { Project } from "../../project/project.ts";

/** What `memory://` addresses resolve to. */
export interface MemoryUrlsInput {
  /** Absent when auto-memory is off. */
  readonly topics: ReadableTopics | undefined;
  /** Absent when auto-memory is off. */
  readonly learned: LearnedReader | undefined;
  /** The text of `memory://prefix`. */
  readonly prefix: () => Promise<string>;
  /** Absent when the user is the one who reads. */
  readonly checkAddress?: AddressCheck | undefined;
  /** Spells the commands that problems name; as in a shell for a model. */
  readonly command?: SpellCommand | undefined;
}

export type ReadableTopics = Pick<TopicStore, "index" | "list" | "read">;

export type ResolvedAddress = { readonly text: string } | { readonly problem: string };

const SCHEME = "memory://";
const KNOWN =
  "memory://root and paths below it, memory://index, memory://topics, memory://topics/<slug> and memory://prefix";

/** Resolves `memory://` addresses to text. Problems never contain a path on disk. */
export function createMemoryUrls(
  input: MemoryUrlsInput,
): (url: string) => Promise<ResolvedAddress> {
  return async (url) => {
    const path = url.startsWith(SCHEME) ? decode(url.slice(SCHEME.length)) : undefined;
    if (path === undefined) return unknownAddress(url);
    if (path === "prefix") return { text: await input.prefix() };
    const below = /^root(?:\/(.*))?$/su.exec(path);
    if (below !== null) return await readLearned(url, below[1], input);
    const { topics, checkAddress, command } = input;
    if (topics === undefined) return noMemory(url);
    return await withoutPaths({ url, command }, () =>
      readTopics(url, path, { topics, checkAddress }),
    );
  };
}

async function readTopics(
  url: string,
  path: string,
  {
    topics,
    checkAddress,
  }: Pick<MemoryUrlsInput, "checkAddress"> & { readonly topics: ReadableTopics },
): Promise<ResolvedAddress> {
  if (path === "index") return { text: await topics.index() };
  if (/^topics\/?$/.test(path)) return { text: await listTopics(topics) };
  const slug = /^topics\/([^/]+)$/.exec(path)?.[1];
  if (slug === undefined) return unknownAddress(url);
  const topic = await topics.read(slug);
  if (topic === undefined) {
    return { problem: `${url}: no such topic. Read memory://topics for a list.` };
  }
  // Checked by the name on disk, whatever spelling led to it.
  const problem = checkAddress?.(url, `memory://topics/${topic.slug}`);
  return problem === undefined ? { text: topic.text } : { problem };
}

/** Errors of the store name files, which are not revealed to a reader of addresses. */
async function withoutPaths(
  { url, command = shellCommand }: Pick<MemoryUrlsInput, "command"> & { readonly url: string },
  read: () => Promise<ResolvedAddress>,
): Promise<ResolvedAddress> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    const reason =
      error.code === "INVALID_SLUG"
        ? error.message
        : `its file cannot be used. Run: ${command("memory doctor")}`;
    return { problem: `${url}: ${reason}.` };
  }
}

/** `memory://root` is the summary; with a trailing slash it is a listing, like any directory. */
async function readLearned(
  url: string,
  path: string | undefined,
  { learned, checkAddress, command }: MemoryUrlsInput,
): Promise<ResolvedAddress> {
  if (learned === undefined) return noMemory(url);
  const problem = checkAddress?.(url, normalizedAddress(path));
  if (problem !== undefined) return { problem };
  return await learned(path === undefined ? "" : path || ".", command);
}

/** Without empty and `.` segments. */
function normalizedAddress(path = ""): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  return ["memory://root", ...parts].join("/");
}

async function listTopics(store: ReadableTopics): Promise<string> {
  const { topics, problems } = await store.list();
  const lines = topics.map(({ slug, type, description }) =>
    terminalSafeLine(`${slug} (${type ?? "untyped"}): ${description || "no description"}`),
  );
  const unreadable = problems.map(({ slug }) =>
    terminalSafeLine(`${slug}: its file cannot be used`),
  );
  return `${[...lines, ...unreadable].join("\n") || "no topics yet"}\n`;
}

/** Decodes once, so that a second layer of `%` stays part of the name. No encoding can represent a separator. */
function decode(text: string): string | undefined {
  if (/%(?:2f|5c|00)/i.test(text)) return undefined;
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
}

function noMemory(url: string): ResolvedAddress {
  return { problem: `${url}: auto-memory is off in this run.` };
}

function unknownAddress(url: string): ResolvedAddress {
  return { problem: `${url}: no such address. Available: ${KNOWN}.` };
}

/** The text of `memory://prefix`: the memory at the start of the prompt, byte for byte, followed by its receipt. */
export function explainPrefix(
  { prefix, receipt }: Pick<ProjectMemory, "prefix" | "receipt">,
  { home, platform }: Pick<Project["environment"], "home" | "platform">,
): string {
  return `${prefix}[what it was built from]\n${renderExplanation({ receipt, home, platform })}`;
}

/** Reads learned memory; the path is the part of the address after `root/`. */
export type LearnedReader = (path: string, command?: SpellCommand) => Promise<ResolvedAddress>;

/** Reads nothing when learning is off, and says how to turn it on. */
export function createLearnedReader(
  values: Pick<SettingValues, "memories.enabled">,
  projectHome: string | undefined,
): LearnedReader {
  return async (path, command = shellCommand) => {
    if (!values["memories.enabled"])
      return { problem: `${LEARNING_OFF} ${command("settings set memories.enabled true")}` };
    if (projectHome === undefined) return { problem: NO_HOME };
    const { readLearnedArtifact } = await import("../../project/learned-memory.ts");
    return await readLearnedArtifact(projectHome, path);
  };
}

const LEARNING_OFF = "memory://root: learning from past sessions is off. Turn it on with:";
const NO_HOME = "memory://root: no home directory found, so nothing was learned.";

/** Returns why the content of an address may not be shown, or `undefined` if it may. */
export type AddressCheck = (requested: string, address: string) => string | undefined;

/**
 * Checks addresses against the rules. A call is decided by the model's spelling of an address; whatever that leads to
 * is checked again under its real address, and by the rules about reading topics as well.
 */
export function createAddressCheck(policy: PermissionPolicy): AddressCheck {
  return (requested, address) => {
    const slug = /^memory:\/\/topics\/([^/]+)$/.exec(address)?.[1];
    const kind = slug === undefined ? "allow" : topicPermission(slug, policy);
    if (kind === "deny" || isAddressDenied(address, policy)) {
      return `${requested}: a permission rule denies reading it.`;
    }
    if (kind === "ask") {
      return `${requested}: a permission rule requires asking before it is read. Use ReadMemoryTopic.`;
    }
    const needsRealAddress = requested !== address && requiresAsking(address, policy);
    return needsRealAddress
      ? `${requested}: a permission rule applies to it. Request ${address} instead.`
      : undefined;
  };
}

function requiresAsking(subject: string, policy: PermissionPolicy): boolean {
  const reading = { tool: "Read", permission: "fs.read", isReadOnly: true, subject };
  return decidePermission(reading, policy).kind === "ask";
}
