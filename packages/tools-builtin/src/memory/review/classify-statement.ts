import { codeTokens, withoutCode } from "./code-tokens.ts";
import { BEHAVIOUR, hasImperative } from "./instruction-words.ts";
import { COMMANDS_AND_HOSTS, HIDDEN, SAFEGUARDS } from "./security-words.ts";
import type { Statement } from "./statements.ts";

/**
 * `fact`: describes code. `plain`: describes something. `instruction`: tells someone what to do. `security`: names commands,
 * hosts, credentials or safeguards. `opaque`: cannot be read by code, such as a question or another language. `unclear`:
 * everything else.
 */
export type StatementKind = "fact" | "plain" | "instruction" | "security" | "opaque" | "unclear";

export interface ClassifyOptions {
  /** Commands that the session has run, and files that it has read: it knows what they are. */
  readonly known: readonly string[];
}

/** Says what a statement could do to a later session. When in doubt, it is not a fact. */
export function classifyStatement(statement: Statement, { known }: ClassifyOptions): StatementKind {
  if (statement.kind === "code") return classifyCode(statement);
  const text = withoutKnown(statement.text, known);
  const prose = withoutLabel(withoutCode(text));
  const quoted = proseSpans(text);
  if (isRisky(text, prose) || quoted.some((span) => matches(SAFEGUARDS, span))) return "security";
  if ([prose, ...quoted].some(isInstruction)) return "instruction";
  if (text.includes("?") || text.length > MAX_CHARACTERS || !isEnglish(prose)) return "opaque";
  if (!isDescription(prose)) return "unclear";
  return codeTokens(text).length > 0 ? "fact" : "plain";
}

function isInstruction(prose: string): boolean {
  return matches(BEHAVIOUR, prose) || hasImperative(prose);
}

/** Spans of code that are sentences, so that an instruction cannot hide in one. */
function proseSpans(text: string): readonly string[] {
  return [...text.matchAll(/`+([^`]+)`+/g)]
    .map(([, span = ""]) => span)
    .filter((span) => isProse(span) && !SQL.test(span));
}

const MIN_SENTENCE_WORDS = 4;
const SQL = /^\s*select\b.+\bfrom\b/is;

function isRisky(text: string, prose: string): boolean {
  return (
    matches(HIDDEN, text) ||
    matches(COMMANDS_AND_HOSTS, text) ||
    hasCommandSpan(text) ||
    matches(SAFEGUARDS, prose)
  );
}

/** Whether a text is an English sentence that describes something, or a name. */
function isDescription(prose: string): boolean {
  return STRUCTURE.test(prose) ? looksEnglish(prose) : isLabel(prose);
}

const MAX_CHARACTERS = 600;
const DATA_LANGUAGES =
  /^(?:ts|tsx|js|jsx|typescript|javascript|json|jsonc|toml|yaml|yml|sql|py|python|rust|rs|go|java|kotlin|swift|c|cpp|cs|css|html|xml|graphql|proto|diff|text|txt)$/;

/** A block of code is shown as it is, so commands in it are as good as instructions. */
function classifyCode({ text, language = "" }: Statement): StatementKind {
  if (matches(HIDDEN, text) || matches(COMMANDS_AND_HOSTS, text)) return "security";
  if (!DATA_LANGUAGES.test(language)) return "security";
  const sentences = text.split("\n").flatMap(sentencesInCode);
  return sentences.some(isInstruction) ? "instruction" : "fact";
}

/** Comments, also of several lines, and strings that are sentences. */
function sentencesInCode(line: string): readonly string[] {
  const comment = /(?:\/\/|#|--|\/\*|^\s*\*)\s*(.+)$/.exec(line)?.[1] ?? [];
  const strings = [...line.matchAll(/(["'`])((?:(?!\1).)+)\1/g)].map(([, , string = ""]) => string);
  const isText = !/[(){}[\]<>=;]/.test(line);
  return [comment, ...[...strings, ...(isText ? [line] : [])].filter(isProse)].flat();
}

function isProse(text: string): boolean {
  const words = text.match(/\p{L}{2,}/gu) ?? [];
  return words.length >= MIN_SENTENCE_WORDS && FUNCTION_WORDS.test(text);
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
  const accented = words.filter((word) => /[^a-z]/i.test(word));
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

const FUNCTION_WORDS =
  /\b(?:the|an?|of|in|on|to|for|from|by|with|at|and|or|not|its?|that|which|this|as|than|when|because|so|but|per|all|no|into|after|before|only|also|is|are|was|were|has|have|does|did|up|out|how|where|what)\b/i;

/** Nearly every English sentence has a function word; a short one may have none. */
function looksEnglish(prose: string): boolean {
  if (FUNCTION_WORDS.test(prose)) return true;
  const words = prose.match(/\p{L}{2,}/gu) ?? [];
  return (
    words.filter((word) => !isLabelWord(word.toLowerCase()) && !STRUCTURE.test(word)).length <= 2
  );
}

const MAX_LABEL_WORDS = 12;
const NOT_A_LABEL =
  /^\W*(?:before|after|when|if|then|first|until|unless|once|while|so|therefore|instead|else)\b/i;

/** A name rather than a sentence, such as `Connection pool in src/db/pool.ts`, in words that are known to be English. */
function isLabel(prose: string): boolean {
  const words = prose.match(/\p{L}{2,}/gu) ?? [];
  if (words.length > MAX_LABEL_WORDS || NOT_A_LABEL.test(prose)) return false;
  const unknown = words.filter((word) => !isLabelWord(word.toLowerCase()));
  return FUNCTION_WORDS.test(prose) ? unknown.length <= words.length / 2 : unknown.length === 0;
}

function isLabelWord(word: string): boolean {
  return (
    word === "codespan" ||
    FUNCTION_WORDS.test(word) ||
    LABEL_WORDS.has(word) ||
    LABEL_WORDS.has(word.replace(/(?:es|s)$/, ""))
  );
}

const LABEL_WORDS: ReadonlySet<string> = new Set(
  `access action adapter address alias analyzer api app application architecture argument array asset attribute author back
backend bar base batch behavior behaviour binary block body boundary branch browser buffer bug build bundle bundler button byte cache
call callback case catalog category cause change channel character check checkout class cleanup cli client clock cluster code collection
color column command commit comparison compiler component concurrency condition config configuration connection console constant constraint
consumer container content context controller conversion cookie copy core cost count counter cron crash currency cursor custom dashboard
data database date day debug decision declaration default definition delay dependency description design detail diff directory dispatch
document documentation domain driver duplicate duration edge editor element encoding end engine entity entry enum environment error event example
exception execution export expression extension factory failure fallback feature field file filter fixture flag flow folder font form format
frame framework front frontend function generator global graph grid group guard handler handling hash header health helper hook host http id
image implementation import index info initial input insight instance interface internal item iterator job key kind label language latency
layer layout leak length level lib library lifecycle limit line link list listener loader locale location lock log logger logging logic
loop main manager map markdown matcher memory menu message metadata method metric middleware migration mock mode model module monorepo
name namespace naming network node note notes notification number object offset operation operator option order origin output overview
package page pagination parameter parser parsing part path pattern payload performance permission phase pipeline plan platform plugin point pool
port position prefix preview process producer production profile project promise prop property protocol provider public query queue race range
rate react reader record redirect reducer reference registry relation release renderer repository request resolver resource response
result retry return root route router routing row runner runtime schedule scheduler schema scope screen script search section select
selector serializer server service session set setting setup shape shared signal size slice slot slow snapshot socket source space spec
stack stage start state statement static status step storage store stream string structure style subscription suffix suite summary support
switch symbol sync syntax system table tag target task template test testing text theme thread threshold time timeout timer timestamp timezone
token tool topic trace transaction transform transport tree trigger type types unit update url usage user util utility validation validator value
variable variant vector version view warning watcher web widget window windows wrapper worker workflow workspace writer zone small large
new old main local remote async sync public private common shared internal external generated nested flat lazy eager optional required
first second third last next single double multiple many few default current previous flaky slow fast stale missing broken duplicate
hidden custom low high front end`
    .split(/\s+/)
    .filter((word) => word !== ""),
);
