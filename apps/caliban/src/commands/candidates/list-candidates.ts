import { TOPIC_TYPES } from "@caliban/memory";
import { PERMISSION_CATEGORIES, PERMISSION_MODES } from "@caliban/agent-core";
import { listSessions } from "@caliban/sessions/node";
import { isSettingKey, SETTING_KEY_NAMES, SETTING_KEYS } from "@caliban/settings";
import type { Invocation } from "../../command.ts";
import { openConfiguredServers } from "../mcp/configured-servers.ts";
import { openSessions } from "../sessions/open-sessions.ts";
import { type Candidate, toCandidates } from "./candidate.ts";

/** What a word of a command line may name. */
export type CandidateKind =
  | "topic"
  | "editable"
  | "change"
  | "removed"
  | "proposal"
  | "session"
  | "setting"
  | "value"
  | "server"
  | "model"
  | "mode"
  | "rule"
  | "topic-type";

export interface ListInput {
  readonly invocation: Invocation;
  /** The words that belong to the same command, before this one. */
  readonly operands: readonly string[];
}

const MAX_CHANGES = 30;
const MAX_SESSIONS = 50;

/** Lists what exists of a kind. Reads only what this kind needs. */
export const LISTS: Readonly<
  Record<CandidateKind, (input: ListInput) => Promise<readonly Candidate[]>>
> = {
  topic: async ({ invocation }) => await topics(invocation),
  editable: async ({ invocation }) => [
    { name: "global", doc: "Your instructions for every project" },
    { name: "project", doc: "The instructions of this project" },
    ...(await topics(invocation)),
  ],
  change: async ({ invocation }) => {
    const { openTopics } = await import("../memory/topics/open-topics.ts");
    const { store } = await openTopics(invocation);
    const changes = (await store.log()).slice(0, MAX_CHANGES);
    return toCandidates(
      changes.map(({ id, at, action, files }) => ({
        name: id,
        doc: `${at.slice(0, 16).replace("T", " ")} ${action} ${files.map(({ slug }) => slug).join(", ")}`,
      })),
    );
  },
  removed: async ({ invocation }) => {
    const { openTopics } = await import("../memory/topics/open-topics.ts");
    const { findRestorable } = await import("../memory/topics/restore.ts");
    const { removed } = await findRestorable(await openTopics(invocation));
    return toCandidates(removed.map(({ slug, description }) => ({ name: slug, doc: description })));
  },
  proposal: async ({ invocation }) => {
    const { openInboxOf } = await import("../memory/inbox/open-inbox.ts");
    const { proposals } = await openInboxOf(invocation);
    return toCandidates(proposals.map(({ id, topic }) => ({ name: id, doc: topic.name })));
  },
  session: async ({ invocation }) => {
    const { directory } = await openSessions(invocation);
    const { sessions } = listSessions(directory, { limit: MAX_SESSIONS });
    const others = sessions.filter(({ id }) => id !== invocation.host.runningSession);
    return toCandidates(others.map(({ id, name, title }) => ({ name: id, doc: name ?? title })));
  },
  setting: async () =>
    toCandidates(SETTING_KEY_NAMES.map((name) => ({ name, doc: SETTING_KEYS[name].doc }))),
  value: async ({ operands: [key = ""] }) => valuesOf(key),
  server: async ({ invocation }) => {
    const { servers } = await openConfiguredServers(invocation);
    return toCandidates(
      servers.map(({ server, isRequested }) => ({
        name: server.name,
        doc: isRequested ? "requested by this repository" : "in your settings",
      })),
    );
  },
  model: async () => await models(),
  mode: async () => toCandidates(PERMISSION_MODES.map((name) => ({ name }))),
  rule: async () => toCandidates(PERMISSION_CATEGORIES.map((name) => ({ name }))),
  "topic-type": async () => toCandidates(TOPIC_TYPES.map((name) => ({ name }))),
};

async function topics(invocation: Invocation): Promise<readonly Candidate[]> {
  const { openTopics } = await import("../memory/topics/open-topics.ts");
  const { store } = await openTopics(invocation);
  const list = await store.list();
  return toCandidates(
    list.topics.map(({ slug, description }) => ({ name: slug, doc: description })),
  );
}

async function models(): Promise<readonly Candidate[]> {
  const { KNOWN_MODELS } = await import("./known-models.ts");
  return toCandidates(KNOWN_MODELS.map((name) => ({ name })));
}

/** The values of a setting that has few. */
async function valuesOf(key: string): Promise<readonly Candidate[]> {
  if (!isSettingKey(key)) return [];
  const { kind, choices } = { choices: undefined, ...SETTING_KEYS[key] };
  if (kind === "switch") return toCandidates([{ name: "true" }, { name: "false" }]);
  if (kind === "model") return await models();
  const named = Object.entries(choices ?? {});
  return toCandidates(named.map(([name, doc]) => ({ name, doc })));
}
