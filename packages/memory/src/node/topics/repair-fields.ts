import type { DoubtfulEvidence } from "../../store/doctor.ts";
import { findSupersedesProblems, type SupersedesProblem } from "../../store/findings/superseded.ts";
import type { StoredTopic, TopicStore } from "../../store/topic-store.ts";
import { setFieldsInHeader } from "../../topics/render-topic.ts";
import type { TopicFields } from "../../topics/topic-fields.ts";
import { createEvidenceCheck } from "../evidence/check-evidence.ts";

interface CheckedTopics {
  readonly store: TopicStore;
  readonly workspaceRoot?: string | undefined;
}

/** The evidence of topics that is not where it was. */
export async function findDoubtful(
  { store, workspaceRoot }: CheckedTopics,
  topics: readonly StoredTopic[],
): Promise<readonly DoubtfulEvidence[]> {
  // The topics of the user are about no workspace in particular.
  if (workspaceRoot === undefined || store.scope === "user") return [];
  const { check } = createEvidenceCheck({ root: workspaceRoot });
  const found: DoubtfulEvidence[] = [];
  for (const { slug, topic } of topics) {
    for (const checked of topic.evidence === undefined ? [] : await check(topic.evidence)) {
      const { state } = checked;
      if (state !== "ok") found.push({ ...checked, slug, state });
    }
  }
  return found;
}

/** Points evidence to where it is now, and drops names of topics that no longer exist. Recorded as fixes. */
export async function repairFields(input: CheckedTopics): Promise<void> {
  const { store } = input;
  const { topics: listed } = await store.list();
  const topics = [...(await store.readMany(listed.map(({ slug }) => slug))).values()];
  const doubtful = await findDoubtful(input, topics);
  const problems = findSupersedesProblems(topics);
  for (const topic of topics) {
    const fields = {
      ...repairedEvidence(topic, doubtful),
      ...repairedNames(topic, problems),
    };
    if (Object.keys(fields).length === 0) continue;
    await store.edit({
      name: topic.slug,
      text: setFieldsInHeader(topic.text, fields),
      ifMatch: topic.hash,
      author: { who: "person" },
      action: "fix",
      allowSecrets: true,
      allowMalformed: true,
    });
  }
}

function repairedEvidence(
  { slug, topic: { evidence = [], applies } }: StoredTopic,
  doubtful: readonly DoubtfulEvidence[],
): Pick<TopicFields, "evidence" | "applies"> {
  const moved = new Map(
    doubtful.filter((each) => each.slug === slug).map((each) => [each.evidence, each.movedTo]),
  );
  if (![...moved.values()].some((movedTo) => movedTo !== undefined)) return {};
  const paths = new Map(evidence.map((one) => [one.path, moved.get(one)?.path ?? one.path]));
  return {
    evidence: evidence.map((one) => {
      const { path, sha256 } = moved.get(one) ?? one;
      return { path, sha256, snippet: one.snippet };
    }),
    ...(applies?.paths.some((path) => isPlain(paths.get(path)))
      ? { applies: { ...applies, paths: applies.paths.map((path) => movedPath(path, paths)) } }
      : {}),
  };
}

/** What applies to the file of the evidence follows it. A name with special characters would be a glob. */
function movedPath(path: string, paths: ReadonlyMap<string, string>): string {
  const movedTo = paths.get(path);
  return isPlain(movedTo) ? movedTo : path;
}

function isPlain(path: string | undefined): path is string {
  return path !== undefined && !/[\\*?[\]{}()!+@]/.test(path);
}

function repairedNames(
  { slug, topic: { supersedes = [] } }: StoredTopic,
  problems: readonly SupersedesProblem[],
): Pick<TopicFields, "supersedes"> {
  const missing = problems.flatMap((each) =>
    each.kind === "dangling" && each.topic.slug === slug ? [each.name] : [],
  );
  if (missing.length === 0) return {};
  return { supersedes: supersedes.filter((name) => !missing.includes(name)) };
}
