import { dirname } from "node:path";
import { terminalSafeLine } from "@caliban/common";
import { parseIndexLines } from "../../index-file/index-lines.ts";
import type { MemoryNotice } from "../../notice.ts";
import type { ReadFile, SourceText } from "../../prompt/prepare.ts";
import { slugKey } from "../../topics/slug.ts";
import { historyDirectoryIn } from "../project/identity.ts";
import { repairIndex } from "./repair-index.ts";

/** A heading alone makes no block: memory about the user that is empty again leaves no trace in the prompt. */
export async function repairUserIndex(file: ReadFile): Promise<ReadFile> {
  const home = dirname(dirname(file.candidate.path));
  const repaired = await repairIndex(file, historyDirectoryIn({ home, owner: undefined }));
  return withoutHeadingOnly(repaired, "There are no topics about you yet.");
}

/** The same for topics that a team shares. They have no history here. */
export async function repairTeamIndex(file: ReadFile): Promise<ReadFile> {
  return withoutHeadingOnly(await repairIndex(file, undefined), "The team shares no topics yet.");
}

function withoutHeadingOnly(file: ReadFile, message: string): ReadFile {
  if (!("source" in file) || !isHeadingOnly(file.source)) return file;
  const { candidate, notices = [] } = file;
  return { candidate, notices, notLoaded: { status: "skipped", code: "BLANK", message } };
}

function isHeadingOnly(source: SourceText): boolean {
  return typeof source === "string" && /^\s*(?:# [^\n]*)?\s*$/.test(source);
}

/** Leaves out what the team says under a name that the project's own index has. Reports which text is used. */
export function preferOwnTopics(files: readonly ReadFile[]): readonly ReadFile[] {
  const own = new Set(
    files
      .filter(({ candidate }) => candidate.kind === "index" && candidate.scope === undefined)
      .flatMap((file) => ("source" in file && typeof file.source === "string" ? file.source : []))
      .flatMap((text) => parseIndexLines(text).map(({ slug }) => slugKey(slug))),
  );
  return own.size === 0 ? files : files.map((file) => withoutTopics(file, own));
}

function withoutTopics(file: ReadFile, own: ReadonlySet<string>): ReadFile {
  if (file.candidate.scope !== "team" || !("source" in file) || typeof file.source !== "string")
    return file;
  const { source, topicCount = 0, notices = [] } = file;
  const replaced = parseIndexLines(source).filter(({ slug }) => own.has(slugKey(slug)));
  if (replaced.length === 0) return file;
  let [text, end] = ["", 0];
  for (const line of replaced) {
    text += source.slice(end, line.start);
    end = line.end;
  }
  const left: ReadFile = {
    ...file,
    source: text + source.slice(end),
    topicCount: Math.max(0, topicCount - replaced.length),
    notices: [...notices, replacedNotice(replaced.map(({ slug }) => slug))],
  };
  return withoutHeadingOnly(left, "The project has its own topics with these names.");
}

const MAX_NAMED = 5;

function replacedNotice(slugs: readonly string[]): MemoryNotice {
  const named = slugs.slice(0, MAX_NAMED).map(terminalSafeLine).join(", ");
  const more = slugs.length > MAX_NAMED ? ` and ${slugs.length - MAX_NAMED} more` : "";
  const message = `The project's own topics are used instead of the team's: ${named}${more}.`;
  return { code: "TEAM_TOPIC_REPLACED", message };
}
