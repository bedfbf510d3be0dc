import { terminalSafeLine } from "@caliban/common";
import { PROTOCOL_CODE, ProtocolError } from "./protocol-error.ts";
import { isMemoryShown, isTopicShown, refuseDeniedAddress } from "./resource-permission.ts";
import type { ServedProject } from "../../../../apps/caliban/src/commands/mcp/served-project.ts";

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
