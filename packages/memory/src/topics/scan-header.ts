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
  /^---\nname: (.+)\ndescription: (".*")\nmetadata:\n {2}node_type: memory\n {2}type: (\w+)\n(?: {2}session: (.+)\n)?(?: {2}updated: (.+)\n)?(?: {2}after: (\[.*\])\n)?---(?:\n|$)/;

function scanOwnHeader(text: string): PlainHeader | undefined {
  const found = OWN_HEADER.exec(text);
  if (found === null) return undefined;
  const [name, description, type, session, updated, after] = found
    .slice(1)
    .map((source) => (source === undefined ? ABSENT : readPlainScalar(source)));
  const metadata: Record<string, unknown> = { node_type: "memory", type };
  const more = { session, updated, after };
  for (const [key, value] of Object.entries(more)) if (value !== ABSENT) metadata[key] = value;
  const values = [name, description, ...Object.values(metadata)];
  return values.includes(undefined) ? undefined : { name, description, metadata };
}

const ABSENT = Symbol("absent");
