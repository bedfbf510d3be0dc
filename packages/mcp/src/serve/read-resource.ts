import { terminalSafeLine } from "@caliban/common";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";
import type { ServedProject } from "../../../../apps/caliban/src/commands/mcp/served-project.ts";
import type { PermissionKind, PermissionPolicy } from "@caliban/agent-core";
import { isAddressDenied, topicPermission, topicsPermission } from "../../../tools-builtin/src/memory/topic-permission.ts";

const MOST_URI_CHARACTERS = 2_000;

/**
 * The text at an address.
 * @throws ProtocolError when nothing is there, or a rule keeps it from being read
 */
export async function readResource(uri: string, project: ServedProject): Promise<string> {
  if (uri.length > MOST_URI_CHARACTERS) {
    throw notFound(`The address has more than ${MOST_URI_CHARACTERS} characters.`);
  }
  refuseDeniedAddress(uri, project.policy);
  const resolved = await project.resolve(uri);
  if ("text" in resolved) return project.mask(resolved.text);
  throw notFound(project.hidePlaces(terminalSafeLine(resolved.problem)), uri);
}

function notFound(sentence: string, uri?: string): ProtocolError {
  const data = uri === undefined ? undefined : { uri };
  return new ProtocolError(PROTOCOL_CODE.resourceNotFound, sentence, data);
}

/** Most values that the protocol takes in one answer. */
const MOST_VALUES = 100;

/** The names of topics that begin like what was typed. */
export async function completeSlug(
  typed: string,
  { notes, policy }: Pick<ServedProject, "notes" | "policy">,
): Promise<{ values: string[]; total: number; hasMore: boolean }> {
  const topics = notes === undefined || !isMemoryShown(policy) ? [] : (await notes.list()).topics;
  const wanted = typed.toLowerCase();
  const slugs = topics
    .map(({ slug }) => slug)
    .filter((slug) => slug.toLowerCase().startsWith(wanted) && isTopicShown(slug, policy));
  const values = slugs.slice(0, MOST_VALUES);
  return { values, total: slugs.length, hasMore: slugs.length > values.length };
}

/** Whether a topic may be shown to a client: nobody is there to be asked. */
export function isTopicShown(slug: string, policy: PermissionPolicy): boolean {
  return topicPermission(slug, policy) === "allow";
}

/** Whether anything of the memory may be read by a client. */
export function isMemoryShown(policy: PermissionPolicy): boolean {
  return topicsPermission(policy) === "allow";
}

/**
 * Refuses what a rule of the person's keeps from being read, under whatever spelling it is asked for.
 * @throws ProtocolError
 */
export function refuseDeniedAddress(url: string, policy: PermissionPolicy): void {
  refuseUnlessAllowed(url, topicsPermission(policy));
  if (spellingsOf(url).some((address) => isAddressDenied(address, policy))) {
    refuseUnlessAllowed(url, "deny");
  }
}

/** The same for a topic, by the name that it has on the disk. */
export function refuseDeniedTopic(slug: string, policy: PermissionPolicy): void {
  refuseUnlessAllowed(`memory://topics/${slug}`, topicPermission(slug, policy));
}

function refuseUnlessAllowed(url: string, kind: PermissionKind): void {
  if (kind === "allow") return;
  const why =
    kind === "deny"
      ? "a permission rule of the person's denies reading it"
      : "a permission rule of the person's says to ask before it is read, and nobody is there to be asked; they can take that rule away";
  throw new ProtocolError(PROTOCOL_CODE.refused, `${url} was not read: ${why}.`);
}

/** As it was asked for, decoded, and without parts that lead nowhere. */
function spellingsOf(url: string): readonly string[] {
  const decoded = decodedOnce(url);
  const [scheme = "", path = ""] = decoded.split(/(?<=^memory:\/\/)/);
  const plain = path.split("/").filter((part) => part !== "" && part !== ".");
  return [url, decoded, `${scheme}${plain.join("/")}`];
}

function decodedOnce(url: string): string {
  try {
    return decodeURIComponent(url);
  } catch (error) {
    if (!(error instanceof URIError)) throw error;
    return url;
  }
}
