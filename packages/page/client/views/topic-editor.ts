import { useState } from "preact/hooks";
import { diffRows } from "../../src/view/diff-view.ts";
import type { TopicView } from "../../src/view/topic-view.ts";
import { html, type View } from "../html.ts";
import { Diff } from "../parts/diff.ts";
import { fieldValue } from "../parts/field-value.ts";
import { line, PlainText } from "../parts/safe-text.ts";
import { TextField } from "../parts/text-field.ts";
import { type Draft, draftOf, keepDraft } from "../state/drafts.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, goTo } from "../state/route.ts";
import { change, isFailure } from "../state/server.ts";
import { showOutcome } from "../state/toast.ts";

/** Edits the file of a topic. A version that someone else saved meanwhile is shown next to the user's. */
export function TopicEditor({
  scope,
  slug,
  draft,
  onClose,
}: {
  readonly scope: string;
  readonly slug: string;
  /** What to start with. */
  readonly draft: Draft;
  readonly onClose: () => void;
}): View {
  const [{ text, base }, setDraft] = useState(draft);
  const edit = (changed: Draft): void => {
    keepDraft(scope, slug, changed);
    setDraft(changed);
  };
  const close = (): void => {
    keepDraft(scope, slug);
    onClose();
  };
  const [other, setOther] = useState<TopicView | null>();
  const query = `scope=${encodeURIComponent(scope)}&slug=${encodeURIComponent(slug)}`;
  const stored = useResource<TopicView>(`topic?${query}`);
  const isOutdated =
    other === undefined && stored !== undefined && !isFailure(stored) && stored.hash !== base;
  const save = async (ifMatch: string | undefined): Promise<void> => {
    const outcome = await change("topic/save", { scope, slug, text, ifMatch });
    if (outcome.kind === "conflict") return setOther(outcome.current);
    if (showOutcome(scope, outcome)) close();
  };
  const takeStored = (current: TopicView): void => {
    edit({ text: current.text, base: current.hash });
    setOther(undefined);
  };
  return html`<section class="editor card">
    <h2>Edit ${line(slug)}</h2>
    ${isOutdated && html`<p class="notice" role="status">Someone else changed this topic. Your text is kept; saving shows both.</p>`}
    <${TextField}
      label="File"
      text=${text}
      onText=${(changed: string) => edit({ text: changed, base })}
      onSave=${() => void save(base)}
    />
    <div class="actions">
      <button type="button" class="primary" onClick=${() => void save(base)}>
        Save <kbd>Ctrl Enter</kbd>
      </button>
      <button type="button" onClick=${close}>Cancel</button>
    </div>
    ${other !== undefined && html`<${ConflictPanel} mine=${text} other=${other} onOverwrite=${() => void save(other?.hash)} onTake=${takeStored} />`}
  </section>`;
}

function ConflictPanel({
  mine,
  other,
  onOverwrite,
  onTake,
}: {
  readonly mine: string;
  readonly other: TopicView | null;
  readonly onOverwrite: () => void;
  readonly onTake: (current: TopicView) => void;
}): View {
  return html`<section class="conflict" role="alert">
    <h3>
      ${other === null ? "The topic was deleted meanwhile" : "The topic was changed meanwhile"}
    </h3>
    <p>Nothing was saved. Your text is above${other === null ? "." : ", the stored one below."}</p>
    <div class="actions">
      <button type="button" class="primary" onClick=${onOverwrite}>Save mine</button>
      ${other !== null && html`<button type="button" onClick=${() => onTake(other)}>Continue with the stored one</button>`}
    </div>
    ${
      other !== null &&
      html`<h4>The stored text</h4>
        <${PlainText} text=${other.text} />
        <h4>What saving yours would change</h4>
        <${Diff} rows=${diffRows(other.text, mine)} />`
    }
  </section>`;
}

const TEMPLATE = `---
description: What it is about, in one line
metadata:
  type: project
---

`;

/** The unsaved new topic is kept under a name that no topic can have. */
const NEW = ["", ""] as const;

/** Writes a new topic. */
export function NewTopic(): View {
  const kept = draftOf(...NEW);
  const [slug, setSlug] = useState(kept?.base ?? "");
  const [scope, setScope] = useState("project");
  const [text, setText] = useState(kept?.text ?? TEMPLATE);
  const [problem, setProblem] = useState("");
  const keep = (draft: Draft): void => {
    keepDraft(...NEW, draft);
    setSlug(draft.base);
    setText(draft.text);
  };
  const save = async (): Promise<void> => {
    setProblem("");
    const outcome = await change("topic/save", { scope, slug, text });
    if (outcome.kind === "conflict")
      return setProblem(`A topic ${slug} already exists. Choose another name.`);
    if (outcome.kind === "refused") return setProblem(outcome.message);
    showOutcome(scope, outcome);
    keepDraft(...NEW);
    goTo(addressOf("topics", scope, outcome.slug ?? slug));
  };
  return html`<section class="editor card">
    <a class="close" href=${addressOf("topics")}>All topics</a>
    <h2>New topic</h2>
    <div class="filters">
      <label class="wide"
        >Name
        <input
          placeholder="deploy-checklist"
          value=${slug}
          onInput=${(event: Event) => keep({ base: fieldValue(event), text })}
      /></label>
      <label
        >Scope
        <select value=${scope} onChange=${(event: Event) => setScope(fieldValue(event))}>
          <option value="project">this project</option>
          <option value="user">every project</option>
        </select></label
      >
    </div>
    <${TextField}
      label="File"
      text=${text}
      onText=${(changed: string) => keep({ base: slug, text: changed })}
      onSave=${() => void save()}
    />
    ${problem !== "" && html`<p class="problem" role="alert">${line(problem)}</p>`}
    <div class="actions">
      <button type="button" class="primary" onClick=${() => void save()}>
        Save <kbd>Ctrl Enter</kbd>
      </button>
    </div>
  </section>`;
}
