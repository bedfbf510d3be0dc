import { useEffect, useRef } from "preact/hooks";
import type { PromptPart } from "../../src/view/prompt-parts.ts";
import type { PromptRow, PromptView } from "../../src/view/prompt-view.ts";
import { html, type View } from "../html.ts";
import { count } from "../parts/format.ts";
import { loaded } from "../parts/loaded.ts";
import { line, PlainText } from "../parts/safe-text.ts";
import { useResource } from "../state/resource.ts";
import { addressOf, currentRoute } from "../state/route.ts";
import { Treemap } from "./treemap.ts";

/** What is in the prompt: its budget, a map of its tokens, and the text of each part. */
export function PromptPage(): View {
  const view = useResource<PromptView>("prompt");
  const [, part] = currentRoute.value.pieces;
  return loaded(
    view,
    (prompt) =>
      html`<${Budget} prompt=${prompt} />
        <${Order} prompt=${prompt} />
        <${Treemap} rows=${prompt.rows} />
        ${part !== undefined && part !== "" && html`<${PartText} part=${part} />`}
        ${prompt.notices.map(({ code, message }) => html`<p class="notice"><code>${code}</code> ${line(message)}</p>`)}
        ${prompt.rows.length > 0 && html`<${Rows} rows=${prompt.rows} />`}`,
  );
}

function Budget({ prompt }: { readonly prompt: PromptView }): View {
  const { totalTokens, ceilingTokens, stableTokens, rows } = prompt;
  const cut = rows.reduce((sum, { cutTokens }) => sum + cutTokens, 0);
  const skipped = rows.filter(({ status }) => status === "skipped").length;
  const share = ceilingTokens === 0 ? 0 : (100 * totalTokens) / ceilingTokens;
  return html`<dl class="figures">
    <div>
      <dt>in the prompt</dt>
      <dd>
        ${count(totalTokens)} <small>of ${count(ceilingTokens)} tokens</small>
        <meter
          min="0"
          max=${Math.max(1, ceilingTokens)}
          value=${totalTokens}
          aria-label=${`${share.toFixed(0)} % of the budget`}
        ></meter>
      </dd>
    </div>
    <div>
      <dt>cache-stable</dt>
      <dd>${count(stableTokens)} <small>tokens</small></dd>
    </div>
    <div>
      <dt>cut</dt>
      <dd>${cut === 0 ? "0" : `≈ ${count(cut)}`} <small>tokens</small></dd>
    </div>
    <div>
      <dt>skipped</dt>
      <dd>${skipped} <small>${skipped === 1 ? "file" : "files"}</small></dd>
    </div>
  </dl>`;
}

/** The parts in the order of the prompt, and where the cache-stable part ends. */
function Order({ prompt }: { readonly prompt: PromptView }): View {
  const { rows, totalTokens, stableTokens } = prompt;
  const parts = rows.filter(({ kind, tokens }) => kind !== "import" && tokens > 0);
  if (parts.length === 0) return null;
  const changing = totalTokens - stableTokens;
  return html`<div class="order">
    <div class="strip" aria-hidden="true">
      ${parts.map(({ tier, tokens }) => html`<span class=${tier} style=${{ flexGrow: String(tokens) }}></span>`)}
    </div>
    <div class="spans">
      ${
        stableTokens > 0 &&
        html`<p class="stable" style=${{ flexGrow: String(stableTokens) }}>
          <strong>Cache-stable</strong>
          <span
            >changes only when you edit these files, so providers reuse it from one session to the
            next</span
          >
        </p>`
      }
      ${
        changing > 0 &&
        html`<p style=${{ flexGrow: String(changing) }}>
          <strong>Written by caliban</strong>
          <span>changes when something is remembered; never within a session</span>
        </p>`
      }
    </div>
  </div>`;
}

function PartText({ part }: { readonly part: string }): View {
  const text = useResource<PromptPart>(`prompt/part?part=${encodeURIComponent(part)}`);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), [part, text === undefined]);
  return html`<section class="card">
    <a class="close" href=${addressOf("prompt")} data-key="b">Close <kbd>b</kbd></a>
    <h2 ref=${heading} tabindex="-1">What the model reads</h2>
    ${loaded(text, ({ text: shown }) => html`<${PlainText} text=${shown} />`)}
  </section>`;
}

function Rows({ rows }: { readonly rows: readonly PromptRow[] }): View {
  return html`<div class="scroll card" tabindex="0" role="region" aria-label="Files">
    <table>
      <thead>
        <tr>
          <th>Tier</th>
          <th>File</th>
          <th class="number">Tokens</th>
          <th>State</th>
          <th>Cache</th>
          <th>Reason</th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr class=${row.status === "loaded" ? "" : "gray"}>
              <td><span class=${`dot ${row.tier}`}></span>${row.tier}</td>
              <td class="path">
                ${row.part === undefined ? line(row.path) : html`<a href=${addressOf("prompt", String(row.part))}>${line(row.path)}</a>`}
                ${row.importedBy !== undefined && html`<br /><span class="quiet">imported by ${line(row.importedBy)}</span>`}
              </td>
              <td class="number">${count(row.tokens)}</td>
              <td>${row.status}</td>
              <td>${row.isStable ? "stable" : ""}</td>
              <td><code>${row.reason}</code> ${line(row.message)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
