import { bytesOfTokens, estimateTokens, utf8Bytes } from "@caliban/common";
import type { MemorySettings } from "./settings.ts";
import { frameBytes, renderBlock } from "./splice.ts";
import { SHED_ORDER, type Block, type TierKind } from "./tier.ts";
import { truncateBody } from "./truncate.ts";

export type BudgetSettings = Pick<
  MemorySettings,
  "ceilingTokens" | "capTokensAuto" | "capTokensClaudeMd" | "capTokensProject"
>;

/** A block after the budget: what is left of it, or nothing when its share cannot hold even the frame. */
export interface FittedBlock {
  readonly original: Block;
  readonly block: Block | undefined;
  readonly tokens: number;
}

/**
 * Gives every block its share, the last to be cut first. A block sees only what stands above it in that
 * order, so a byte more in a lower tier can never change a higher one.
 */
export function fitToBudget(
  blocks: readonly Block[],
  settings: BudgetSettings,
): readonly FittedBlock[] {
  const limits = tierLimits(settings);
  const used: Record<TierKind, number> = { global: 0, project: 0, auto: 0 };
  const fitted = new Map<Block, FittedBlock>();
  for (const original of inOrderOfSurvival(blocks)) {
    const result = fitBlock(original, limits[original.tier](used));
    used[original.tier] += result.tokens;
    fitted.set(original, result);
  }
  return blocks.flatMap((block) => fitted.get(block) ?? []);
}

type Used = Readonly<Record<TierKind, number>>;

/** Tokens still free for a tier, given what the tiers before it took. */
function tierLimits(settings: BudgetSettings): Record<TierKind, (used: Used) => number> {
  const ceiling = settings.ceilingTokens;
  const { auto, claudeMd } = scaledCaps(settings);
  const wishedByProject = Math.min(settings.capTokensProject ?? Infinity, claudeMd);
  return {
    global: (used) => claudeMd - used.global,
    project: (used) => wishedByProject - used.global - used.project,
    auto: (used) => Math.min(auto - used.auto, ceiling - used.global - used.project - used.auto),
  };
}

/** Two caps that together exceed the ceiling shrink in proportion; a single one is honoured as it is. */
function scaledCaps({ ceilingTokens, capTokensAuto, capTokensClaudeMd }: BudgetSettings): {
  readonly auto: number;
  readonly claudeMd: number;
} {
  const sum = (capTokensAuto ?? 0) + (capTokensClaudeMd ?? 0);
  const isOver =
    capTokensAuto !== undefined && capTokensClaudeMd !== undefined && sum > ceilingTokens;
  const scale = (cap: number | undefined): number => {
    if (cap === undefined) return ceilingTokens;
    return isOver ? Math.floor((cap * ceilingTokens) / sum) : Math.min(cap, ceilingTokens);
  };
  return { auto: scale(capTokensAuto), claudeMd: scale(capTokensClaudeMd) };
}

/** Last to be cut first; within a tier the narrowest file outlives the broadest. */
function inOrderOfSurvival(blocks: readonly Block[]): readonly Block[] {
  return SHED_ORDER.toReversed().flatMap((tier) =>
    blocks.filter((block) => block.tier === tier).toReversed(),
  );
}

function fitBlock(original: Block, shareTokens: number): FittedBlock {
  const whole = estimateTokens(renderBlock(original));
  if (whole <= shareTokens) return { original, block: original, tokens: whole };
  // The notice may need as many digits as the whole body would.
  const mostRemoved = original.removedBytes + utf8Bytes(original.body);
  const room = bytesOfTokens(shareTokens) - frameBytes(original, mostRemoved);
  if (room < 0) return { original, block: undefined, tokens: 0 };
  const block = truncateBody(original, room);
  return { original, block, tokens: estimateTokens(renderBlock(block)) };
}
