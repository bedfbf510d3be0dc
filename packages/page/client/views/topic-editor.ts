import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { TopicView } from "../../src/view/topic-view.ts";
import { html, type View } from "../html.ts";
import { fieldValue } from "../parts/field-value.ts";
import { hasInvisible, line, PlainText } from "../parts/safe-text.ts";
import { type Draft, keepDraft } from "../state/drafts.ts";
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
  return html`<section class="editor">
    <h2>Edit ${line(slug)}</h2>
    ${isOutdated && html`<p class="notice" role="status">Someone else changed this topic. Your text is kept; saving shows both.</p>`}
    <${TextField}
      label="File"
      text=${text}
      onText=${(changed: string) => edit({ text: changed, base })}
      onSave=${() => void save(base)}
    />
    <div class="actions">
      <button type="button" onClick=${() => void save(base)}>Save <kbd>Ctrl Enter</kbd></button>
      <button type="button" onClick=${close}>Cancel</button>
    </div>
    ${other !== undefined && html`<${ConflictPanel} other=${other} onOverwrite=${() => void save(other?.hash)} onTake=${takeStored} />`}
  </section>`;
}

function ConflictPanel({
  other,
  onOverwrite,
  onTake,
}: {
  readonly other: TopicView | null;
  readonly onOverwrite: () => void;
  readonly onTake: (current: TopicView) => void;
}): View {
  return html`<section class="conflict panel" role="alert">
    <h3>
      ${other === null ? "The topic was deleted meanwhile" : "The topic was changed meanwhile"}
    </h3>
    <p>Nothing was saved. Your text is above${other === null ? "." : ", the stored one below."}</p>
    <div class="actions">
      <button type="button" onClick=${onOverwrite}>Save mine</button>
      ${other !== null && html`<button type="button" onClick=${() => onTake(other)}>Continue with the stored one</button>`}
    </div>
    ${other !== null && html`<${PlainText} text=${other.text} />`}
  </section>`;
}

/** A field for a text of several lines, which Ctrl-Enter saves. */
export function TextField({
  label,
  text,
  onText,
  onSave,
}: {
  readonly label: string;
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
}): View {
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the next key, which would otherwise be taken for a command of the page.
  useLayoutEffect(() => field.current?.focus(), []);
  return html`<label class="wide"
      >${label}
      <textarea
        ref=${field}
        rows="18"
        spellcheck=${false}
        value=${text}
        onInput=${(event: Event) => onText(fieldValue(event))}
        onKeyDown=${(event: KeyboardEvent) => {
          if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          onSave();
        }}
      ></textarea>
    </label>
    ${hasInvisible(text) && html`<p class="problem">This text has control characters or characters that change its direction. They are not visible here.</p>`}`;
}

const TEMPLATE = `---
description: What it is about, in one line
metadata:
  type: project
---

`;

/** Writes a new topic. */
export function NewTopic(): View {
  const [slug, setSlug] = useState("");
  const [scope, setScope] = useState("project");
  const [text, setText] = useState(TEMPLATE);
  const save = async (): Promise<void> => {
    const outcome = await change("topic/save", { scope, slug, text });
    if (showOutcome(scope, outcome)) goTo(addressOf("topics", scope, slug));
  };
  return html`<section class="editor">
    <h2>New topic</h2>
    <p><a href="#/topics">All topics</a></p>
    <div class="filters">
      <label
        >Name <input value=${slug} onInput=${(event: Event) => setSlug(fieldValue(event))}
      /></label>
      <label
        >Scope
        <select value=${scope} onChange=${(event: Event) => setScope(fieldValue(event))}>
          <option value="project">this project</option>
          <option value="user">every project</option>
        </select></label
      >
    </div>
    <${TextField} label="File" text=${text} onText=${setText} onSave=${() => void save()} />
    <div class="actions">
      <button type="button" onClick=${() => void save()}>Save <kbd>Ctrl Enter</kbd></button>
    </div>
  </section>`;
}
