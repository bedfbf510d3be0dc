import { useState } from "preact/hooks";
import type { ProposalRow } from "../../src/view/inbox-view.ts";
import { html, type View } from "../html.ts";
import { Diff } from "../parts/diff.ts";
import { Facts } from "../parts/facts.ts";
import { fieldValue } from "../parts/field-value.ts";
import { loaded } from "../parts/loaded.ts";
import { line, PlainText } from "../parts/safe-text.ts";
import { shortTime } from "../parts/time.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute, goTo } from "../state/route.ts";
import { change, isStored, type Outcome } from "../state/server.ts";
import { showOutcome } from "../state/toast.ts";
import { TextField } from "./topic-editor.ts";

/** What the agent proposes to remember. */
export function InboxPage(): View {
  const inbox = useResource<{ readonly rows: readonly ProposalRow[] }>("inbox");
  const [, scope, id] = currentRoute.value.pieces;
  return loaded(inbox, ({ rows }) => {
    if (rows.length === 0) return html`<p class="quiet">The inbox is empty.</p>`;
    const open = rows.find((row) => row.scope === scope && row.id === id) ?? rows[0];
    const at = open === undefined ? -1 : rows.indexOf(open);
    return html`<ul class="rows">
        ${rows.map((row) => html`<${ProposalLine} key=${row.id} row=${row} isOpen=${row === open} />`)}
      </ul>
      ${open !== undefined && html`<${OpenProposal} key=${open.id} row=${open} next=${rows[at + 1] ?? rows[at - 1]} />`}`;
  });
}

function ProposalLine({
  row,
  isOpen,
}: {
  readonly row: ProposalRow;
  readonly isOpen: boolean;
}): View {
  const { scope, id, action, slug, reason, at, times } = row;
  return html`<li>
    <a data-row aria-current=${isOpen ? "true" : undefined} href=${addressOf("inbox", scope, id)}>
      <strong>${action} ${line(slug)}</strong>
      <small
        >${[reason, scope === "user" ? "yours" : "project", shortTime(at), times > 1 ? `proposed ${times} times` : ""].filter((text) => text !== "").join(" · ")}</small
      >
    </a>
  </li>`;
}

interface Draft {
  readonly description: string;
  readonly type: string;
  readonly body: string;
}

function OpenProposal({
  row,
  next,
}: {
  readonly row: ProposalRow;
  readonly next: ProposalRow | undefined;
}): View {
  const { scope, id, slug, action, diff, facts, draft } = row;
  const [edited, setEdited] = useState<Draft>();
  const [conflict, setConflict] = useState<Outcome>();
  const decide = async (path: string, more: object): Promise<void> => {
    const outcome = await change(path, { scope, id, ...more });
    if (outcome.kind === "conflict") return setConflict(outcome);
    if (showOutcome(scope, outcome))
      goTo(next === undefined ? "#/inbox" : addressOf("inbox", next.scope, next.id));
  };
  const accept = (force = false): void => void decide("inbox/accept", { force, edited });
  return html`<section class="panel">
    <h2>${action} ${line(slug)}</h2>
    ${draft !== undefined && html`<p>${line(draft.description)} <span class="quiet">(${draft.type})</span></p>`}
    <${Facts} facts=${facts} />
    ${
      !isStored &&
      html`<div class="actions">
        <button type="button" data-key="a" onClick=${() => accept()}>Accept <kbd>a</kbd></button>
        ${draft !== undefined && html`<button type="button" data-key="e" onClick=${() => setEdited(draft)}>Edit <kbd>e</kbd></button>`}
        <button type="button" data-key="x" onClick=${() => void decide("inbox/reject", {})}>
          Reject <kbd>x</kbd>
        </button>
      </div>`
    }
    ${
      edited === undefined
        ? html`<${Diff} rows=${diff} />`
        : html`<${DraftFields} draft=${edited} onDraft=${setEdited} onSave=${() => accept()} />`
    }
    ${
      conflict?.kind === "conflict" &&
      html`<section class="conflict panel" role="alert">
        <h3>
          ${conflict.current === null ? "The topic was deleted" : "The topic changed"} since this
          was proposed
        </h3>
        <p>Nothing was saved.</p>
        <button type="button" onClick=${() => accept(true)}>Save the proposal anyway</button>
        ${conflict.current !== null && html`<${PlainText} text=${conflict.current.text} />`}
      </section>`
    }
  </section>`;
}

function DraftFields({
  draft,
  onDraft,
  onSave,
}: {
  readonly draft: Draft;
  readonly onDraft: (draft: Draft) => void;
  readonly onSave: () => void;
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
      <button type="button" onClick=${onSave}>Accept this text <kbd>Ctrl Enter</kbd></button>
    </div>
  </div>`;
}
