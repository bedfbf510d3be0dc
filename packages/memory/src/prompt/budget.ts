import { tokensToBytes, estimateTokens, utf8Bytes } from "@caliban/common";
import type { MemorySettings } from "./settings.ts";
import { frameBytes, renderBlock } from "./splice.ts";
import { SHED_ORDER, type Block, type TierKind } from "./tier.ts";
import { truncateBody } from "./truncate.ts";

export type BudgetSettings = Pick<
  MemorySettings,
  | "ceilingTokens"
  | "capTokensAuto"
  | "capTokensClaudeMd"
  | "capTokensTeam"
  | "requestedCapTokensAuto"
  | "requestedCapTokensProject"
>;

/** A cap, by its name in the settings, and the tokens it allows. */
interface Limit {
  readonly name:
    | "cap_tokens_combined"
    | "cap_tokens_auto"
    | "cap_tokens_claude_md"
    | "memory.team.cap_tokens";
  readonly tokens: number;
}

/** A block after budgeting: what is left of it, or nothing when its share cannot even hold the frame. */
export interface FittedBlock {
  readonly original: Block;
  readonly block: Block | undefined;
  readonly tokens: number;
  /** The limit that applied, whether or not the block had to be cut. */
  readonly limit: Limit;
}

/**
 * Gives every block its share, starting with the last to be cut. A share depends only on the blocks before it in that
 * order, so an extra byte in a lower tier can never change a higher one.
 */
export function fitToBudget(
  blocks: readonly Block[],
  settings: BudgetSettings,
): readonly FittedBlock[] {
  const limitsOf = tierLimits(settings);
  const used: Record<TierKind, number> = { global: 0, project: 0, auto: 0, extra: 0 };
  const fitted = new Map<Block, FittedBlock>();
  for (const original of bySurvival(blocks)) {
    const limits = limitsOf[limitsFor(original)];
    const tightest = tightestShare(limits, used);
    const result = { ...fitBlock(original, tightest.shareTokens), limit: tightest.limit };
    used[original.tier] += result.tokens;
    fitted.set(original, result);
  }
  return blocks.flatMap((block) => fitted.get(block) ?? []);
}

function limitsFor({ isLocal, scope, tier }: Block): TierKind | "local" | "team" {
  if (isLocal === true) return "local";
  return scope === "team" ? "team" : tier;
}

interface TierLimit extends Limit {
  /** The tiers that count towards it. */
  readonly over: readonly TierKind[];
}

function tierLimits(
  settings: BudgetSettings,
): Readonly<Record<TierKind | "local" | "team", readonly TierLimit[]>> {
  const caps = scaledCaps(settings);
  const combined: TierLimit = {
    name: "cap_tokens_combined",
    tokens: settings.ceilingTokens,
    over: ["global", "project", "auto", "extra"],
  };
  const claudeMd: TierLimit = {
    name: "cap_tokens_claude_md",
    tokens: caps.claudeMd,
    over: ["global", "project"],
  };
  const auto: TierLimit = { name: "cap_tokens_auto", tokens: caps.auto, over: ["auto"] };
  // The repository's requests come after the scaling, where they can only affect their own tier.
  const requestedProject = { ...claudeMd, tokens: settings.requestedCapTokensProject ?? Infinity };
  const requestedAuto = { ...auto, tokens: settings.requestedCapTokensAuto ?? Infinity };
  // A single block, so what it uses of its own cap need not be counted.
  const team: TierLimit = {
    name: "memory.team.cap_tokens",
    tokens: settings.capTokensTeam ?? Infinity,
    over: [],
  };
  return {
    global: [combined, claudeMd],
    project: [combined, claudeMd, requestedProject],
    local: [combined, claudeMd],
    auto: [combined, auto, requestedAuto],
    team: [combined, auto, requestedAuto, team],
    extra: [combined],
  };
}

/** What the tightest of several limits leaves; of equal ones, the first is reported. */
function tightestShare(
  limits: readonly TierLimit[],
  used: Readonly<Record<TierKind, number>>,
): { readonly limit: Limit; readonly shareTokens: number } {
  const shares = limits.map(({ name, tokens, over }) => ({
    limit: { name, tokens },
    shareTokens: over.reduce((left, tier) => left - used[tier], tokens),
  }));
  return shares.reduce((best, share) => (share.shareTokens < best.shareTokens ? share : best));
}

/** Two caps that together exceed the ceiling are scaled down in proportion; a single one applies unchanged. */
function scaledCaps({ ceilingTokens, capTokensAuto, capTokensClaudeMd }: BudgetSettings): {
  readonly auto: number;
  readonly claudeMd: number;
} {
  const sum = (capTokensAuto ?? 0) + (capTokensClaudeMd ?? 0);
  const isOver =
    capTokensAuto !== undefined && capTokensClaudeMd !== undefined && sum > ceilingTokens;
  const scale = (cap: number | undefined): number => {
    if (cap === undefined) return Infinity;
    return isOver ? Math.floor((cap * ceilingTokens) / sum) : cap;
  };
  return { auto: scale(capTokensAuto), claudeMd: scale(capTokensClaudeMd) };
}

/**
 * The last to be cut comes first; within a tier the narrowest file outlives the broadest. The user's index outlives the
 * project's: it is shorter, and holds everywhere. What the agent noted itself outlives what others share.
 */
function bySurvival(blocks: readonly Block[]): readonly Block[] {
  return SHED_ORDER.toReversed().flatMap((tier) => {
    const own = blocks.filter((block) => block.tier === tier);
    if (tier !== "auto") return own.toReversed();
    return own.filter((block) => !isShared(block)).concat(own.filter(isShared));
  });
}

function isShared({ scope }: Block): boolean {
  return scope === "team";
}

function fitBlock(original: Block, shareTokens: number): Omit<FittedBlock, "limit"> {
  const whole = estimateTokens(renderBlock(original));
  if (whole <= shareTokens) return { original, block: original, tokens: whole };
  // The notice may need as many digits as for the whole body.
  const maxRemovedBytes = original.removedBytes + utf8Bytes(original.body);
  const room = tokensToBytes(shareTokens) - frameBytes(original, maxRemovedBytes);
  if (room < 0) return { original, block: undefined, tokens: 0 };
  const block = truncateBody(original, room);
  return { original, block, tokens: estimateTokens(renderBlock(block)) };
}
