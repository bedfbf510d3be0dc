import { codeTokens, withoutCode } from "./code-tokens.ts";
import { BEHAVIOUR, hasImperative } from "./instruction-words.ts";
import { COMMANDS_AND_HOSTS, HIDDEN, SAFEGUARDS } from "./security-words.ts";
import type { Statement } from "./statements.ts";

/**
 * `fact`: describes code. `plain`: describes something. `instruction`: tells someone what to do. `security`: names commands,
 * hosts, credentials or safeguards. `unclear`: everything that code cannot read, such as a question or another language.
 */
export type StatementKind = "fact" | "plain" | "instruction" | "security" | "unclear";

export interface ClassifyOptions {
  /** Commands that the session has run, and files that it has read: it knows what they are. */
  readonly known: readonly string[];
}

/** Says what a statement could do to a later session. When in doubt, it is not a fact. */
export function classifyStatement(statement: Statement, { known }: ClassifyOptions): StatementKind {
  if (statement.kind === "code") return classifyCode(statement);
  const text = withoutKnown(statement.text, known);
  if (matches(HIDDEN, text) || matches(COMMANDS_AND_HOSTS, text) || hasCommandSpan(text)) {
    return "security";
  }
  const prose = withoutLabel(withoutCode(text));
  if (matches(SAFEGUARDS, prose)) return "security";
  if (matches(BEHAVIOUR, prose) || hasImperative(prose)) return "instruction";
  if (text.includes("?") || text.length > MAX_CHARACTERS || !isEnglish(prose)) return "unclear";
  const hasCode = codeTokens(text).length > 0;
  if (STRUCTURE.test(prose)) return hasCode ? "fact" : "plain";
  return isFragment(prose) ? (hasCode ? "fact" : "plain") : "unclear";
}

const MAX_CHARACTERS = 600;
const DATA_LANGUAGES =
  /^(?:ts|tsx|js|jsx|typescript|javascript|json|jsonc|toml|yaml|yml|sql|py|python|rust|rs|go|java|kotlin|swift|c|cpp|cs|css|html|xml|graphql|proto|diff|text|txt)$/;

/** A block of code is shown as it is, so commands in it are as good as instructions. */
function classifyCode({ text, language = "" }: Statement): StatementKind {
  if (matches(HIDDEN, text) || matches(COMMANDS_AND_HOSTS, text)) return "security";
  if (!DATA_LANGUAGES.test(language)) return "security";
  const comments = text
    .split("\n")
    .flatMap((line) => /(?:\/\/|#|--|\/\*)\s*(.+)$/.exec(line)?.[1] ?? []);
  const isBehaviour = comments.some((line) => matches(BEHAVIOUR, line) || hasImperative(line));
  return isBehaviour ? "instruction" : "fact";
}

function matches(patterns: readonly RegExp[], text: string): boolean {
  return patterns.some((pattern) => pattern.test(text));
}

/** What a session ran with the user's permission or read, and what every project has: `pnpm test`. */
function withoutKnown(text: string, known: readonly string[]): string {
  const spans = text.replaceAll(/`([^`]+)`/g, (span, code: string) => {
    const command = code.trim();
    return EVERYDAY_COMMAND.test(command) || known.includes(command) ? " `known` " : span;
  });
  return spans.replaceAll(/[\w./-]+\.(?:sh|bash|zsh|ps1|bat)\b/g, (path) =>
    known.some((name) => name === path || name.endsWith(`/${path}`)) ? "`known`" : path,
  );
}

const EVERYDAY_COMMAND =
  /^(?:(?:npm|pnpm|yarn|bun)(?: run)?|cargo|go|make|just|dotnet|swift|mvn|gradle|\.\/gradlew|turbo(?: run)?|nx) (?:test|tests|unit|build|lint|typecheck|type-check|check|format|fmt|vet|clippy|bench|dev|start|coverage|e2e|integration)(?: \.\/\.\.\.)?$|^(?:pytest|vitest(?: run)?|jest|tsc|tsc --noEmit|eslint \.|ruff check|mypy|tox)$/;

const PROGRAMS =
  /^(?:npm|pnpm|yarn|bun|make|just|task|cargo|go|python3?|node|deno|ruby|php|java|mvn|gradle|docker|podman|git|gh|aws|gcloud|az|helm|ansible|poetry|uv|pipenv|bundle|rake|rails|composer|dotnet|xcodebuild|flutter|sh|bash|zsh|fish|tsx|ts-node|vite|vitest|jest|pytest|turbo|nx|lerna|rush|caliban|cat|rm|mv|cp|echo|export|source|sed|awk|find|grep|kill|touch|mkdir|env|time|watch|nohup|screen|tmux)\s+\S/;

/** Whether a span of code is a command to run. */
function hasCommandSpan(text: string): boolean {
  return [...text.matchAll(/`([^`]+)`/g)].some(([, code = ""]) => PROGRAMS.test(code.trim()));
}

/** A label before a statement is not part of it: `Note: the cache is …`. */
function withoutLabel(prose: string): string {
  return prose.replace(
    /^\s*\**(?:note|why|reason|cause|fix|fixed|root cause|details?|context|summary|result|finding|insight|symptom|background|see also|location|where|what)\**\s*:\**\s*/i,
    "",
  );
}

const OTHER_LANGUAGES =
  /(?<![\p{L}`])(?:der|das|dem|den|und|nicht|ist|sind|ein|eine|einer|für|mit|vor|nach|wird|werden|muss|müssen|soll|sollen|immer|nie|niemals|bitte|bei|auf|les?|la|une?|du|et|est|sont|pas|pour|avec|dans|sur|avant|après|toujours|jamais|il|faut|doit|el|los|las|una?|que|para|con|por|antes|después|siempre|nunca|debe|hay|es|het|een|niet|wordt|voor|altijd|moet|gli|della|del|di|che|sempre|mai|prima|não|uma|com|sempre|deve|jest|nie|się|oraz|zawsze|przed|och|att|inte|alltid|ikke|altid|og|på|jeg|mutta|aina|her|bir|ve|zaman|için)(?![\p{L}])/giu;

/** Knows English only: a text in another language waits for the user. */
function isEnglish(prose: string): boolean {
  if (/[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u.test(prose)) return false;
  const words = prose.match(/[\p{L}]+/gu) ?? [];
  const foreign = prose.match(OTHER_LANGUAGES) ?? [];
  const accented = words.filter((word) => /[^\u0000-\u007F]/u.test(word));
  return foreign.length + accented.length <= words.length / 20;
}

const VERBS =
  `is are was were has have had does did contains? lives? sits? resides? exists? defines? defined exports? exported imports? imported
returns? returned reads writes wrote parses parsed handles handled implements? implemented extends wraps wrapped uses used calls called stores
stored caches cached throws threw fails failed comes? came starts started ends ended takes took accepts accepted expects produces produced
generates generated creates created builds built loads loaded sets holds represents means meant belongs? validates validated converts converted
renders rendered sorts sorted retries retried runs maps mapped keeps kept depends? caused causes breaks broke works worked becomes became
matches matched compares includes? included provides? provided supports supported needs turns passes passed receives received emits emitted
listens triggers triggered points refers resolves resolved falls fell defaults appears happens happened computes computed counts counted
appends inserts inserted updates updated removes removed rejects rejected limits limited closes closed opens opened waits waited blocks blocked
deadlocks leaks leaked overflows differs applies covers covered tests mocks mocked registers registered mounts mounted serves served hashes
hashed encodes encoded decodes decoded serializes checks checked finds found makes made gives gave puts goes went shares shared splits joins
measures measured assumes assumed relies leads led stems shows showed looks looked sees equals consists re-exports renamed moved replaced
introduced added fixed broken named written shadows shadowed mutates mutated races raced hangs hung times timed crashes crashed
normalizes normalizes formats filters filtered indexes indexed groups grouped merges merged tracks tracked logs logged reports ignores
delegates inherits overloads yields exits returns flushes drains owns guards swallows escapes quotes trims strips lowercases derives`
    .split(/\s+/)
    .filter((word) => word !== "");

/** The verb of a sentence that describes something. */
const STRUCTURE = new RegExp(`\\b(?:${VERBS.join("|")})\\b|\\b(?:do|does|did) not\\b`, "i");

const MAX_FRAGMENT_WORDS = 12;

/** A name or a heading rather than a sentence: `Connection pool in src/db/pool.ts`. */
function isFragment(prose: string): boolean {
  return prose.trim().split(/\s+/).length <= MAX_FRAGMENT_WORDS;
}
