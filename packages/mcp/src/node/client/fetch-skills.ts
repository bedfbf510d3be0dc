import { createHash } from "node:crypto";
import { isRecord } from "@caliban/common";
import { isServerFailure } from "../../client/server-failure.ts";
import {
  type ListedSkill,
  MAX_SKILLS,
  type ParsedSkills,
  parseListedSkills,
  parseStoredSkills,
  type ServerSkill,
  skillBody,
} from "../../client/skill-list.ts";
import type { Connection, RequestLimits } from "./connection.ts";

/** For all texts together. They are read in the background, but not forever. */
const MAX_READ_MS = 15_000;
const NOTHING: ParsedSkills<ServerSkill> = { skills: [], problems: [] };

/** Fetches the skills of a server with their texts. A server without usable skills still has its tools. */
export async function fetchSkills(connection: Connection): Promise<ParsedSkills<ServerSkill>> {
  if (!connection.offers("skills")) return NOTHING;
  try {
    return await readSkills(connection);
  } catch (error) {
    if (!isServerFailure(error) || ENDED.has(error.code)) throw error;
    return { skills: [], problems: [`its skills cannot be used: it ${error.message}`] };
  }
}

/** After these failures, nothing is connected any more. */
const ENDED: ReadonlySet<string> = new Set(["NOT_STARTED", "ENDED", "CUT_OFF"]);

async function readSkills(connection: Connection): Promise<ParsedSkills<ServerSkill>> {
  const { pages, isIncomplete } = await connection.list("skills", parseListedSkills);
  const listed = pages.flatMap(({ skills }) => skills);
  const problems = [
    ...(isIncomplete ? ["its skill list has too many pages; the rest was ignored"] : []),
    ...pages.flatMap((page) => page.problems),
  ];
  const limits = { timeoutMs: MAX_READ_MS, signal: AbortSignal.timeout(MAX_READ_MS) };
  const read: ServerSkill[] = [];
  for (const skill of listed.slice(0, MAX_SKILLS)) {
    if (limits.signal.aborted) {
      problems.push("its skills take too long to read; the rest was ignored");
      break;
    }
    const body = await readBody(connection, skill, limits);
    if ("problem" in body) problems.push(`ignored the skill ${skill.name}: ${body.problem}`);
    else read.push({ name: skill.name, description: skill.description, body: body.text });
  }
  const parsed = parseStoredSkills(read);
  return { skills: parsed.skills, problems: [...problems, ...parsed.problems] };
}

type SkillText = { readonly text: string } | { readonly problem: string };

/** One file that cannot be read never affects the others. */
async function readBody(
  connection: Connection,
  skill: ListedSkill,
  limits: RequestLimits,
): Promise<SkillText> {
  try {
    const text = textOf(await connection.read(skill.uri, limits), skill);
    return text === undefined ? { problem: "its file is not the one that was listed" } : { text };
  } catch (error) {
    if (!isServerFailure(error) || ENDED.has(error.code)) throw error;
    return { problem: `the server ${error.message}` };
  }
}

/** The text of a skill, if the file is the listed one. */
function textOf(result: unknown, { uri, digest }: ListedSkill): string | undefined {
  const contents: unknown = isRecord(result) ? result["contents"] : undefined;
  const items: readonly unknown[] = Array.isArray(contents) ? contents : [];
  const file = items.find((item) => isRecord(item) && item["uri"] === uri);
  const text = isRecord(file) ? file["text"] : undefined;
  if (typeof text !== "string") return undefined;
  const actual = `sha256:${createHash("sha256").update(text).digest("hex")}`;
  return digest === undefined || digest === actual ? skillBody(text) : undefined;
}
