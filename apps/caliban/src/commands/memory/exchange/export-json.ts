import { createHash } from "node:crypto";
import { terminalSafeJson } from "@caliban/common";
import type { Change, StoredTopic } from "@caliban/memory";
import type { CommandResult } from "../../../command.ts";
import { EXIT } from "../../../exit-code.ts";
import type { ExportJob } from "./export.ts";
import { type MemoryJson, MEMORY_JSON_VERSION, type MemoryJsonTopic } from "./memory-json.ts";
import { writeOutput } from "./write-output.ts";

/** Everything, with where it came from; the same memory gives the same text but for the time of the export. */
export async function exportToJson(job: ExportJob): Promise<CommandResult> {
  const { invocation, topics, files, output, warnings } = job;
  const changes = await topics.store.log();
  const memory: MemoryJson = {
    format: "caliban-memory",
    version: MEMORY_JSON_VERSION,
    exported: new Date(invocation.host.now()).toISOString(),
    project: topics.projectPath,
    index: files.index,
    topics: files.topics.map((topic) => topicJson(topic, changes)),
  };
  const text = `${terminalSafeJson(memory)}\n`;
  if (output !== undefined) return await writeOutput(job, output, text);
  return { stdout: text, stderr: warnings, exitCode: EXIT.done };
}

function topicJson(
  { slug, text, topic, updatedMs }: StoredTopic,
  changes: readonly Change[],
): MemoryJsonTopic {
  const provenance = changes.flatMap(({ id, at, files }) =>
    files.flatMap(({ slug: name, from }) =>
      name === slug && from !== undefined ? [{ ...from, at, change: id }] : [],
    ),
  );
  return {
    name: slug,
    type: topic.type ?? null,
    description: topic.description,
    updated: new Date(updatedMs).toISOString(),
    bytes: Buffer.byteLength(text),
    sha256: createHash("sha256").update(text).digest("hex"),
    provenance,
    text,
  };
}
