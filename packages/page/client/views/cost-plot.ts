import type { PipelineDay } from "../../src/view/pipeline-view.ts";
import { html, type View } from "../html.ts";
import { count } from "../parts/format.ts";
import { line } from "../parts/safe-text.ts";
import { useWidth } from "../parts/width.ts";

const HEIGHT = 170;
const TOP = 12;
const BOTTOM = 24;
const LEFT = 52;
const GAP = 3;

/** The tokens of each day as bars, and the same as a table. */
export function CostPlot({ days }: { readonly days: readonly PipelineDay[] }): View {
  const [box, width] = useWidth();
  const worked = days.filter(
    ({ inputTokens, outputTokens, failure }) =>
      inputTokens + outputTokens > 0 || failure !== undefined,
  );
  return html`<div class="plot" ref=${box}>
    <p class="legend">
      <span><i class="dot input"></i>read</span><span><i class="dot output"></i>written</span>
      <span><i class="dot failed"></i>a run failed</span>
    </p>
    ${width > 0 && html`<${Bars} days=${days} width=${width} />`}
    <details>
      <summary>As a table</summary>
      <table>
        <thead>
          <tr>
            <th>Day</th>
            <th class="number">Tokens read</th>
            <th class="number">Tokens written</th>
            <th class="number">Sessions</th>
            <th>Failure</th>
          </tr>
        </thead>
        <tbody>
          ${worked.toReversed().map(
            ({ day, inputTokens, outputTokens, sessions, failure }) =>
              html`<tr>
                <th scope="row">${day}</th>
                <td class="number">${count(inputTokens)}</td>
                <td class="number">${count(outputTokens)}</td>
                <td class="number">${sessions}</td>
                <td>${failure === undefined ? "" : line(failure)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </details>
  </div>`;
}

function Bars({
  days,
  width,
}: {
  readonly days: readonly PipelineDay[];
  readonly width: number;
}): View {
  const top = niceCeiling(
    Math.max(1, ...days.map(({ inputTokens, outputTokens }) => inputTokens + outputTokens)),
  );
  const inner = HEIGHT - TOP - BOTTOM;
  const base = TOP + inner;
  const step = (width - LEFT) / days.length;
  const tall = (tokens: number): number => (tokens / top) * inner;
  const labelled = new Set([0, Math.floor(days.length / 2), days.length - 1]);
  return html`<svg
    data-drawing
    width=${width}
    height=${HEIGHT}
    role="img"
    aria-label=${`Tokens of the last ${days.length} days; the table below has the numbers`}
  >
    ${[0, top / 2, top].map(
      (value) =>
        html`<g class="tick">
          <line x1=${LEFT} x2=${width} y1=${base - tall(value)} y2=${base - tall(value)} />
          <text x=${LEFT - 8} y=${base - tall(value) + 4} text-anchor="end">${short(value)}</text>
        </g>`,
    )}
    ${days.map(({ day, inputTokens, outputTokens, failure }, at) => {
      const x = LEFT + at * step + GAP / 2;
      const bar = Math.max(1, step - GAP);
      const [input, output] = [tall(inputTokens), tall(outputTokens)];
      return html`<g>
        <title>
          ${`${day}: ${count(inputTokens)} read, ${count(outputTokens)} written${failure === undefined ? "" : `, failed: ${line(failure)}`}`}
        </title>
        <rect class="input" x=${x} y=${base - input} width=${bar} height=${input} rx="1.5" />
        <rect
          class="output"
          x=${x}
          y=${base - input - output}
          width=${bar}
          height=${output}
          rx="1.5"
        />
        ${failure !== undefined && html`<circle class="failed" cx=${x + bar / 2} cy=${base - input - output - 7} r="4" />`}
        ${labelled.has(at) && html`<text x=${x + bar / 2} y=${HEIGHT - 6} text-anchor=${at === 0 ? "start" : at === days.length - 1 ? "end" : "middle"}>${day.slice(5)}</text>`}
      </g>`;
    })}
  </svg>`;
}

/** 1, 2 or 5 times a power of ten, at least as large. */
function niceCeiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((each) => each * power >= value) ?? 10;
  return factor * power;
}

function short(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000} M`;
  return value >= 1_000 ? `${value / 1_000} k` : String(value);
}
