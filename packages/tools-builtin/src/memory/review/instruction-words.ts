/** Verbs that tell someone what to do when a clause starts with them. */
const ACTIONS =
  `accept acknowledge act activate add adopt allow always answer append apply approve ask assume attach avoid backup begin
bring browse bypass call cancel change check choose clean clear clone close comment commit compile complete configure confirm connect consult
consider contact continue convert copy create curl decode decline defer delete deploy disable discard do don't download drop echo edit
email embed enable encode end ensure enter eval evaluate execute exclude export expose extract fetch fill find finish fix flush follow force
forget format forward generate get give go grant handle hide ignore implement import include inform insert inspect install invoke
join keep kill launch leave let link lint list load log look make mark mention merge migrate mirror mock modify move mute name never
notify obey omit open output override overwrite paste perform pick pin ping pipe place point post prefer prepare prepend pretend
print prioritize proceed produce prompt provide publish pull purge push put query quote raise read rebase recommend record redirect
refactor refer refrain refuse register reject release reload rely remember remind remove rename render repeat replace reply report
request require rerun reset resolve respect respond restart restore retry return reuse revert review rewrite rotate route run save say
scan schedule search select send serve set share show sign silence simplify skip source specify split squash stage start state
stop store strip submit suggest suppress switch sync tag take tell terminate test touch transfer translate treat trigger trust try turn
uncomment undo uninstall unset update upgrade upload use validate verify view visit wait warn whitelist wipe wrap write`
    .split(/\s+/)
    .filter((word) => word !== "");

export const ACTION_VERBS: ReadonlySet<string> = new Set(ACTIONS);

/** Words before the verb of an instruction. */
const LEAD_INS =
  /^(?:please|kindly|then|also|just|simply|first|firstly|next|finally|afterwards|and|or|so|but|now|always|never|not|to|must|should|step|todo|tip|note|important|rule|reminder|fyi|ps|nb|instead|otherwise|only|again|immediately|silently|automatically|carefully|quietly)$/i;

/** After these, the first word of an instruction is the noun of something that exists: `Test files are in …`. */
const NOUN_VERBS: ReadonlySet<string> = new Set(
  `backup build cache call change check clone comment commit compile copy deploy download email end export fetch fix force format
handle hook import insert install kill launch lint link list load log look mark merge mirror mock move name output override paste pin
ping pipe place point post print prompt publish pull push query quote read record redirect release reload render replace reply report
request reset restart retry return review rewrite route run save scan schedule search select serve set share show sign source split
stage start state stop store submit sync tag take test touch transfer trigger trust try turn update upgrade upload use view visit wait
wrap write`
    .split(/\s+/)
    .filter((word) => word !== ""),
);

const AFTER_A_VERB =
  /^(?:the|a|an|this|that|these|those|it|them|its|any|all|each|every|some|your|my|our|their|his|her|me|us|him|no|to|in|on|at|by|for|from|with|without|into|up|down|out|off|over|through|via|as|if|when|only|and|or|codespan|first|always|never|both|until|before|after|one|anything|everything|nothing|instead|not|directly|immediately|again|new|sure|\d+)$/i;

/** Whether a clause of a sentence starts with a verb in its base form. The text has no code in it. */
export function hasImperative(prose: string): boolean {
  const isDescribed = DESCRIBED.test(prose);
  return prose
    .split(/[,;:.!?()|–—→]|\s-\s|\s=>\s|\bthen\b|\band\b|\bor\b|\bbut\b/i)
    .some((clause) => {
      const words = clause
        .trim()
        .split(/\s+/)
        .map(plain)
        .filter((word) => word !== "");
      while (words[0] !== undefined && LEAD_INS.test(words[0])) words.shift();
      const [first = "", second = ""] = words;
      if (!ACTION_VERBS.has(first.toLowerCase())) return false;
      if (!NOUN_VERBS.has(first.toLowerCase())) return true;
      // `Test files mirror src and end in .test.ts`
      if (/^ends?$/i.test(first) && /^(?:in|with|at)$/i.test(second)) return false;
      // A noun: `Build output is in dist/`; or the rest of a list: `reads and writes`.
      return !isDescribed || AFTER_A_VERB.test(second);
    });
}

const DESCRIBED =
  /\b(?:is|are|was|were|has|have|lives?|sits?|goes|contains?|comes?|happens?|exists?|uses|runs|needs|takes|returns?|fails?|failed|works?|mirror|use|cover|depend|need|end|match)\b/i;

function plain(word: string): string {
  return word.replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}']+$/gu, "");
}

/** Duties, permissions, people and moments: what makes a statement about behaviour, not about code. */
export const BEHAVIOUR: readonly RegExp[] = [
  /\b(?:must|should|shall|ought|mustn['’]t|shouldn['’]t|mandatory|obligatory|compulsory|obliged|imperative|necessar(?:y|ily)|requirements?|duty)\b/i,
  /\b(?:has|have|had|got|needs?|required?|requires|expected|supposed|meant|asked|told|instructed|encouraged|urged|advised|allowed|permitted|free|welcome|safe|fine|ok|okay|best|better|important|crucial|essential|critical|vital|wise|enough|acceptable|sufficient) to\b/i,
  /\b(?:needs?|requires?|demands?|involves?) (?:that|you|(?!string|nothing|anything|something|everything)\w+ing\b)/i,
  /(?<!codespan )\b(?:is|are|be|was|were|being|been) (?:always |also |strictly |now |currently )?(?:required|needed|mandated|enforced|forbidden|prohibited|banned|recommended|preferred|advised|discouraged|encouraged|expected|welcome|allowed|permitted|unnecessary|customary|standard)\b/i,
  /\b(?:forbidden|prohibited|banned|recommended|advisable|preferred|discouraged|encouraged|desired|agreed|official|officially|sanctioned|endorsed)\b/i,
  new RegExp(
    `\\b(?:always|never|only|automatically|silently)\\s+(?:be|${ACTIONS.join("|")})\\b`,
    "i",
  ),
  /\b(?:you|your|yours|yourself|we|our|ours|us|let['’]?s|everyone|everybody|anyone|nobody|whoever|people|humans?|somebody|someone)\b/i,
  /\b(?:teams?|maintainers?|compan(?:y|ies)|organi[sz]ations?|contributors?|developers?|devs|engineers?|management|staff|boss|administrators?|devops|sre)\b/i,
  /\b(?:assistants?|ai|llms?|claude|caliban|copilot|chatgpt|gpt|codex|gemini|chatbots?|bots?|language models?)\b/i,
  /\bagents?\b(?!\s+(?:loop|core|package|module|tools?|runner|class|ids?|names?|config\w*|sessions?|process\w*|state|types?|interface|files?|tests?)\b)/i,
  /\b(?:polic(?:y|ies)|conventions?|guidelines?|procedures?|practices?|etiquette|instructions?|directives?|mandate|rule of|house rules?|checklist|how ?to|prerequisites?)\b/i,
  /\b(?:from now on|going forward|henceforth|as of (?:now|today|\d)|effective|next time|in (?:the )?future|in (?:each|every|any|all|later|new|subsequent) (?:sessions?|conversations?|runs?|turns?|tasks?|cases?|answers?|repl(?:y|ies)))\b/i,
  /\b(?:before|after|prior to|upon|on|during|when(?:ever)?|while|once|until|unless|each time|every time|at (?:the )?(?:start|beginning|end)(?: of)?)\s+(?:[a-z]+\s+){0,2}(?:asked|asking|prompted|commits?|committing|deploy(?:s|ing|ments?)?|build|builds|building|push|pushes|pushing|merge|merges|merging|releases?|releasing|testing|editing|answer(?:s|ing)?|respond(?:s|ing)?|repl(?:y|ies|ying)|finishing|installing|reviewing|working|tasks?|conversations?|turns?|PRs?|pull requests?|publishing)\b/i,
  /\b(?:each|every) (?:commit|push|merge|deploy\w*|release|build|session|conversation|turn|task|answer|reply|change|edit|pull request|PR)\b/i,
  /\busers?['’]?s?\b[^.]{0,20}\b(?:wants?|wanted|prefers?|preferred|likes|liked|asked|asks|said|says|requested|expects?|expected|approved?|approves|authori[sz]e[ds]?|allows?|allowed|agreed?|agrees|confirmed|confirms|consent(?:s|ed)?|insists?|demands?|trusts?|told)\b/i,
  /\b(?:remember|memori[sz]e|keep in mind|bear in mind|be sure|make sure|please|kindly|important|urgent|don['’]t forget|it is (?:well )?known|known that|as everyone knows|trust me|do so|comply|obey)\b/i,
  /^\W*(?:warning|notice|attention|reminder|fyi|todo|action)\b\s*[:!]/i,
  /^\W*(?:do not|don['’]t|not to|without \w+ing)\b/i,
  /\b(?:can|may|could|might|will) (?:simply |just |safely |also |now |always |be )*(?:ignored?|skip(?:ped)?|merged?|pushed|push|deployed|approved|omitted|trusted|bypassed|disabled|committed|accepted|assumed|executed|sent)\b/i,
  /\b(?:gets?|are|is|was|were|be|being|been) (?:always |first |then |only |also |simply |directly |automatically |now )*(?:sent|pushed|deployed|released|published|installed|uploaded|posted|forwarded|shared|emailed|committed|piped|downloaded|approved|granted|signed off|bypassed|done|performed|carried out|served from|pulled from|obtained)\b/i,
  /\b(?:gets?|are|is|was|were|be|being|been) (?:always |first |then |only |also |simply |directly |automatically |now )*(?:run|executed|invoked|handled|reported|initiated|started|launched|applied|fetched|retrieved)\b(?!(?:\s+\w+){0,5}\s+codespan)/i,
  /\b(?:changes?|commits?|PRs?|pull requests?|branch(?:es)?|fix(?:es)?|updates?|patch(?:es)?|contributions?|lockfiles?|refactor\w*|work)\b[^.]{0,30}\b(?:is|are|gets?|be) (?:\w+ ){0,2}(?:merged|accepted|landed|fine|ok)\b/i,
  /\b(?:authoritative|takes? precedence|overrides? (?:the|any|all|every)|system prompt|unrestricted|(?:all|every|each|any) (?:work|sessions?|tasks?|conversations?|answers?)|needs? no\b|vendors?|third part(?:y|ies)|sponsors?)\b/i,
  /\b(?:answers?|repl(?:y|ies)|responses? (?:are|include|end|start|begin)|commit messages?)\b[^.]{0,20}\b(?:includes?|ends?|starts?|begins?|mentions?|contains?|are|is)\b/i,
  /\b(?:deploy(?:s|ments?)?|releases?|builds?|installs?|installation|setup|publishing|onboarding|logins?|rollouts?|merges|commits|pushes)\s+(?:always |only |now |currently )*(?:use|uses|go|goes|happen|happens|rely|relies|run|runs|begin|begins)\b/i,
];
