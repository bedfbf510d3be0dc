import {
  parsePlainHeader,
  type PlainHeader,
  readPlainScalar,
  splitFrontMatter,
} from "@caliban/common/front-matter";

/**
 * Reads plain headers without a YAML parser, and those that we write ourselves about thirty times as fast. `undefined` for
 * any other header.
 */
export function scanHeader(text: string): PlainHeader | undefined {
  const own = scanOwnHeader(text);
  if (own !== undefined) return own;
  const split = splitFrontMatter(text);
  return split.kind === "header" ? parsePlainHeader(split.header) : undefined;
}

/** A header exactly as `renderTopic` writes it, in one match. */
const OWN_HEADER =
  /^---\nname: (.+)\ndescription: (".*")\n(?:applies: (\{.*\})\n)?(?:supersedes: (\[.*\])\n)?(?:evidence: (\[.*\])\n)?(?:expect: (\[.*\])\n)?metadata:\n {2}node_type: memory\n {2}type: (\w+)\n(?: {2}session: (.+)\n)?(?: {2}updated: (.+)\n)?(?: {2}after: (\[.*\])\n)?(?: {2}origin: (.+)\n)?---(?:\n|$)/;

function scanOwnHeader(text: string): PlainHeader | undefined {
  const found = OWN_HEADER.exec(text);
  if (found === null) return undefined;
  const [, name, description, applies, supersedes, evidence, expect, ...rest] = found;
  const [type, session, updated, after, origin] = rest;
  const header = readValues({ name, description, applies, supersedes, evidence, expect });
  const metadata = readValues({ type, session, updated, after, origin });
  if (header === undefined || metadata === undefined) return undefined;
  return { ...header, metadata: { node_type: "memory", ...metadata } };
}

/** `undefined` if a value needs a YAML parser. Absent ones are left out. */
function readValues(
  sources: Readonly<Record<string, string | undefined>>,
): Record<string, unknown> | undefined {
  const values: Record<string, unknown> = {};
  for (const [key, source] of Object.entries(sources)) {
    if (source === undefined) continue;
    values[key] = readPlainScalar(source);
    if (values[key] === undefined) return undefined;
  }
  return values;
}
