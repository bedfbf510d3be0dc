import { useState } from "preact/hooks";
import type { ProposalRow } from "../../src/view/inbox-view.ts";
import type { TopicView } from "../../src/view/topic-view.ts";
import { html, type View } from "../html.ts";
import { Diff } from "../parts/diff.ts";
import { Facts } from "../parts/facts.ts";
import { fieldValue } from "../parts/field-value.ts";
import { shortTime } from "../parts/format.ts";
import { loaded } from "../parts/loaded.ts";
import { line, PlainText } from "../parts/safe-text.ts";
import { inLine, scopeName } from "../parts/scope-name.ts";
import { SelectBox } from "../parts/select-box.ts";
import { TextField } from "../parts/text-field.ts";
import { createDrafts } from "../state/drafts.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute, goTo } from "../state/route.ts";
import { createSelection } from "../state/selection.ts";
import { change, changeMany, isStored, type Outcome } from "../state/server.ts";
import { showBatch, showOutcome } from "../state/toast.ts";

const selection = createSelection();

/** What the agent proposes to remember. */
export function InboxPage(): View {
  const inbox = useResource<{ readonly rows: readonly ProposalRow[] }>("inbox");
  const [, scope, id] = currentRoute.value.pieces;
  return loaded(inbox, ({ rows }) => {
    if (rows.length === 0)
      return html`<div class="empty card">
        <h2>The inbox is empty.</h2>
        <p>What the agent wants to remember, but you did not say, waits here for you.</p>
      </div>`;
    const open = rows.find((row) => row.scope === scope && row.id === id) ?? rows[0];
    const at = open === undefined ? -1 : rows.indexOf(open);
    return html`<div class="split is-both">
      <div class="list">
        <${SelectedProposals} rows=${rows} />
        <ul class="rows card">
          ${rows.map((row) => html`<${ProposalLine} key=${row.id} row=${row} isOpen=${row === open} />`)}
        </ul>
      </div>
      <div class="detail">
        ${open !== undefined && html`<${OpenProposal} key=${open.id} row=${open} next=${rows[at + 1] ?? rows[at - 1]} />`}
      </div>
    </div>`;
  });
}

/** What can be done with several proposals at once. */
function SelectedProposals({ rows }: { readonly rows: readonly ProposalRow[] }): View {
  const selected = rows.filter((row) => selection.keys.value.has(keyOf(row)));
  if (selected.length === 0) return null;
  const run = async (path: string, verb: string): Promise<void> => {
    const items = selected.map(({ scope, id }) => ({ scope, id }));
    if (showBatch(verb, "proposal", await changeMany(path, items))) selection.clear();
  };
  return html`<div class="selected card" role="group" aria-label="Selected proposals">
    <strong>${selected.length} selected</strong>
    <button type="button" class="plain" onClick=${() => selection.set(rows.map(keyOf))}>
      Select all
    </button>
    <button type="button" class="plain" onClick=${selection.clear}>Clear</button>
    <button type="button" data-key="A" onClick=${() => void run("inbox/accept-many", "accepted")}>
      Accept <kbd>A</kbd>
    </button>
    <button
      type="button"
      class="danger"
      data-key="X"
      onClick=${() => void run("inbox/reject-many", "rejected")}
    >
      Reject <kbd>X</kbd>
    </button>
  </div>`;
}

function keyOf({ scope, id }: ProposalRow): string {
  return `${scope}/${id}`;
}

function ProposalLine({
  row,
  isOpen,
}: {
  readonly row: ProposalRow;
  readonly isOpen: boolean;
}): View {
  const { scope, id, action, slug, why, at, times } = row;
  return html`<li>
    <${SelectBox} selection=${selection} rowKey=${keyOf(row)} name=${`${action} ${slug}`} />
    <a data-row aria-current=${isOpen ? "true" : undefined} href=${addressOf("inbox", scope, id)}>
      <span class=${`tag action-${action}`}>${action}</span> <strong>${line(slug)}</strong>
      <span>${why}</span>
      <small
        >${inLine([scopeName(scope), shortTime(at), times > 1 && `proposed ${times} times`])}</small
      >
    </a>
  </li>`;
}

interface Draft {
  readonly description: string;
  readonly type: string;
  readonly body: string;
}

/** Edits that were not accepted yet, wherever the user went since. */
const drafts = createDrafts<Draft>();

function OpenProposal({
  row,
  next,
}: {
  readonly row: ProposalRow;
  readonly next: ProposalRow | undefined;
}): View {
  const { scope, id, slug, action, why, diff, facts, draft } = row;
  const [edited, setEdited] = useState<Draft | undefined>(drafts.get(keyOf(row)));
  const [conflict, setConflict] = useState<Outcome>();
  const edit = (changed: Draft): void => {
    drafts.set(keyOf(row), changed);
    setEdited(changed);
  };
  const cancel = (): void => {
    drafts.delete(keyOf(row));
    setEdited(undefined);
  };
  const decide = async (path: string, more: object): Promise<void> => {
    const outcome = await change(path, { scope, id, ...more });
    if (outcome.kind === "conflict") return setConflict(outcome);
    if (!showOutcome(scope, outcome)) return;
    drafts.delete(keyOf(row));
    goTo(next === undefined ? addressOf("inbox") : addressOf("inbox", next.scope, next.id));
  };
  const accept = (force = false): void => void decide("inbox/accept", { force, edited });
  return html`<section class="card">
    <h2>${action} ${line(slug)}</h2>
    ${draft !== undefined && html`<p class="lead">${line(draft.description)} <span class=${`tag type-${draft.type}`}>${draft.type}</span></p>`}
    <p class="notice">Why it waits: ${why}.</p>
    <${Facts} facts=${facts} />
    ${
      !isStored &&
      html`<${Decisions}
        onAccept=${() => accept()}
        onReject=${() => void decide("inbox/reject", {})}
        onEdit=${draft && (() => setEdited(draft))}
      />`
    }
    ${
      edited === undefined
        ? html`<${Diff} rows=${diff} />`
        : html`<${DraftFields}
            draft=${edited}
            onDraft=${edit}
            onSave=${() => accept()}
            onCancel=${cancel}
          />`
    }
    ${conflict?.kind === "conflict" && html`<${ChangedTopic} current=${conflict.current} onSave=${() => accept(true)} />`}
  </section>`;
}

function Decisions({
  onAccept,
  onReject,
  onEdit,
}: {
  readonly onAccept: () => void;
  readonly onReject: () => void;
  /** A deletion has nothing to edit. */
  readonly onEdit: (() => void) | undefined;
}): View {
  return html`<div class="actions">
    <button type="button" class="primary" data-key="a" onClick=${onAccept}>
      Accept <kbd>a</kbd>
    </button>
    ${onEdit !== undefined && html`<button type="button" data-key="e" onClick=${onEdit}>Edit <kbd>e</kbd></button>`}
    <button type="button" class="danger" data-key="x" onClick=${onReject}>
      Reject <kbd>x</kbd>
    </button>
  </div>`;
}

/** The topic is not what the agent saw when it proposed the change. */
function ChangedTopic({
  current,
  onSave,
}: {
  readonly current: TopicView | null;
  readonly onSave: () => void;
}): View {
  return html`<section class="conflict" role="alert">
    <h3>
      ${current === null ? "The topic was deleted" : "The topic changed"} since this was proposed
    </h3>
    <p>Nothing was saved.</p>
    <div class="actions">
      <button type="button" class="primary" onClick=${onSave}>Save the proposal anyway</button>
    </div>
    ${
      current !== null &&
      html`<h4>The stored text</h4>
        <${PlainText} text=${current.text} />`
    }
  </section>`;
}

function DraftFields({
  draft,
  onDraft,
  onSave,
  onCancel,
}: {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}): View {
  return html`<div class="editor">
    <label class="wide"
      >Description
      <input
        value=${draft.description}
        onInput=${(event: Event) => onDraft({ ...draft, description: fieldValue(event) })}
    /></label>
    <${TextField}
      label="Text"
      text=${draft.body}
      onText=${(body: string) => onDraft({ ...draft, body })}
      onSave=${onSave}
    />
    <div class="actions">
      <button type="button" class="primary" onClick=${onSave}>
        Accept this text <kbd>Ctrl Enter</kbd>
      </button>
      <button type="button" onClick=${onCancel}>Cancel</button>
    </div>
  </div>`;
}
