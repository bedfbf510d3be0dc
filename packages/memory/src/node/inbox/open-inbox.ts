import { checkArguments } from "../../check-arguments.ts";
import { command, utf8Bytes, withCommands } from "@caliban/common";
import { writeFileAtomic } from "@caliban/common/node";
import { MemoryError } from "../../errors.ts";
import {
  type Proposal,
  type ProposalRequest,
  type ProposedTopic,
  renderProposal,
} from "../../inbox/proposal.ts";
import { checkWrite } from "../../store/plan-write.ts";
import { assertNoSecrets, assertNoSecretsInAuthor, type FindSecrets } from "../../store/secrets.ts";
import { parseTopicSlug, slugKey } from "../../topics/slug.ts";
import { findSecretsLazily } from "../find-secrets.ts";
import type { AcceptedProposal, AcceptInput } from "./accept-proposal.ts";
import {
  countProposals,
  isDamaged,
  isProposalId,
  MAX_PROPOSAL_BYTES,
  MAX_PROPOSALS,
  type ProposalList,
  proposalPath,
  readProposal,
  readProposals,
  recoverIfNeeded,
  whileLocked,
} from "./inbox-files.ts";

/** The proposals of one memory, each in a file. */
export interface Inbox {
  readonly directory: string;
  /** How many proposals wait. Reads only the names of the files. */
  readonly count: () => number;
  /** All proposals, oldest first. */
  readonly list: () => Promise<ProposalList>;
  readonly read: (id: string) => Promise<Proposal | undefined>;
  /**
   * Adds a proposal. The same change is added once.
   * @throws MemoryError as a write to the store does, and `INBOX_FULL`
   */
  readonly propose: (request: ProposalRequest) => Promise<Proposal>;
  /**
   * Replaces the text of a proposal; `undefined` if it is gone or proposes a deletion.
   * @throws MemoryError as `propose` does
   */
  readonly edit: (id: string, topic: ProposedTopic) => Promise<Proposal | undefined>;
  /** Writes a proposal to the store in the name of the user, and removes it from the inbox. */
  readonly accept: (id: string, input: AcceptInput) => Promise<AcceptedProposal>;
  /** Removes a proposal; `undefined` if it is gone. */
  readonly reject: (id: string) => Promise<Proposal | undefined>;
}

export interface InboxOptions {
  readonly findSecrets?: FindSecrets | undefined;
  /** Milliseconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/**
 * Opens the inbox in a directory. Nothing is created on disk before the first proposal.
 *
 * @example
 * import { createMapTopicStore } from "@caliban/memory";
 * import { openInbox } from "@caliban/memory/node";
 *
 * const inbox = openInbox("inbox");
 * const { id } = await inbox.propose({
 *   action: "write",
 *   topic: { name: "deploy", description: "Ship on Mondays", type: "project", body: "Not on Fridays." },
 *   scope: "project",
 *   origin: "tool",
 *   reason: "INSTRUCTION",
 * });
 * const store = createMapTopicStore();
 * const { kind } = await inbox.accept(id, { store });
 * console.log(kind, (await store.read("deploy"))?.topic.body); // accepted Not on Fridays.
 */
export function openInbox(directory: string, options: InboxOptions = {}): Inbox {
  checkArguments("openInbox", { directory }, { directory: "string" });
  const { findSecrets = findSecretsLazily, now = Date.now } = options;
  const read: Inbox["read"] = async (id) => {
    await recoverIfNeeded(directory);
    if (!isProposalId(id)) return undefined;
    const found = readProposal(proposalPath(directory, id), id);
    return found === undefined || isDamaged(found) ? undefined : found;
  };
  return {
    directory,
    count: () => countProposals(directory),
    list: async () => {
      await recoverIfNeeded(directory);
      return readProposals(directory);
    },
    read,
    propose: async (request) => {
      await checkProposal(request, findSecrets);
      return await whileLocked(directory, async () => {
        const { proposals } = readProposals(directory);
        const same = proposals.find((other) => isSameChange(other, request));
        if (same === undefined && countProposals(directory) >= MAX_PROPOSALS) throw inboxFull();
        const [id, times] = same === undefined ? [newId(), 1] : [same.id, same.times + 1];
        return await save(directory, {
          ...request,
          id,
          at: new Date(now()).toISOString(),
          times,
        });
      });
    },
    edit: async (id, topic) =>
      await whileLocked(directory, async () => {
        const found = await read(id);
        if (found === undefined || found.action === "delete") return undefined;
        const edited = { ...found, topic };
        await checkProposal(edited, findSecrets);
        return await save(directory, edited);
      }),
    accept: async (id, input) => {
      if (!isProposalId(id)) return { kind: "gone" };
      const { acceptProposal } = await import("./accept-proposal.ts");
      return await acceptProposal(directory, id, input);
    },
    reject: async (id) => {
      if (!isProposalId(id)) return undefined;
      const { rejectProposal } = await import("./accept-proposal.ts");
      return await rejectProposal(directory, id);
    },
  };
}

/** A proposal is refused for what a write to the store is refused for. */
async function checkProposal(request: ProposalRequest, findSecrets: FindSecrets): Promise<void> {
  const { agent, session, after, enforce } = request;
  const author = { who: "agent", agent, session, after } as const;
  if (request.action === "delete") parseTopicSlug(request.topic.name);
  else {
    const { applies, supersedes = [], evidence = [] } = request.topic;
    await checkWrite({ ...request.topic, author }, findSecrets);
    const fields = {
      applies: [...(applies?.paths ?? []), ...(applies?.commands ?? [])].join("\n"),
      supersedes: supersedes.join("\n"),
      evidence: evidence.map(({ path, snippet }) => `${path}\n${snippet}`).join("\n"),
    };
    await assertNoSecrets(fields, findSecrets);
  }
  await assertNoSecrets({ "suggested rule": enforce?.rules.join("\n") ?? "" }, findSecrets);
  await assertNoSecretsInAuthor(author, findSecrets);
}

async function save(directory: string, proposal: Proposal): Promise<Proposal> {
  const text = renderProposal(proposal);
  const bytes = utf8Bytes(text);
  if (bytes > MAX_PROPOSAL_BYTES) {
    const message = `the proposal has ${bytes} bytes; the limit is ${MAX_PROPOSAL_BYTES}. Split it into several topics`;
    throw new MemoryError("INVALID_TOPIC", message);
  }
  await writeFileAtomic(proposalPath(directory, proposal.id), text);
  return proposal;
}

function isSameChange(one: ProposalRequest, other: ProposalRequest): boolean {
  return one.scope === other.scope && changeKey(one) === changeKey(other);
}

function changeKey({ action, topic, enforce }: ProposalRequest): string {
  const name = slugKey(topic.name);
  if (!("body" in topic)) return JSON.stringify([action, name]);
  const { description, type, body, applies, supersedes } = topic;
  return JSON.stringify([action, name, description, type, body, applies, supersedes, enforce]);
}

function newId(): string {
  return crypto.randomUUID().slice(0, 8);
}

function inboxFull(): MemoryError {
  const message = withCommands`the inbox is full: ${String(MAX_PROPOSALS)} proposals wait for the user. Ask the user to review them with: ${command("memory inbox")}`;
  return new MemoryError("INBOX_FULL", message);
}
