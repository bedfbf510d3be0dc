import { isSignificant } from "../search/recall/common-words.ts";

/**
 * Stems of words of any conversation in English, because finding them takes longer than a hook may take. In a project with few conversations, they are as rare as its own words.
 */
const EVERYDAY = `
  abl accept account across act actual address affect ag ago agre ahead allow alon amount annoi answer appear area arriv
  automat avail awai basic beauti becom believ belong best better big bigger bit black blank block blue bodi bore bottom
  bring break brief bunch busi button call card care carri caus certain chanc choos click clever cold collect color
  combin come common compar complain complet concern confus connect consid contain contact content convert corner cost
  count coupl cover crash cut dai deal decid deep deliv depend design desk detail die differ difficult direct doubl
  doubt draw drop due earli easier easi edg effect effort email empti enabl end enough enter entir equal especi event
  exact extend face fact fail fall fals far fast favorit feel field fill final fine fit five fix flow fly forc forget
  form forward four free fresh friendli front full fun further futur gener go grab green group grow guess gui half hand
  hang happi hard heavi hide high hint hit hold home hope hour huge idea immedi import includ increas interest involv
  join jump kill know label lack land larg late law lead learn left level life light limit link littl live load local
  lose lot love low machin major manual mark matter maximum mayb mean measur meet middl mind minimum minut mobil modern
  moment monei month morn multipl natur nearli necessari neg nice night normal notic number obviou occur odd offer offic
  open opposit origin otherwis paper pars part particular pass pai peopl perfect perhap perman person phone photo pictur
  piec place plain plai plenti posit possibl post practic prepar present press pretti prevent price prior privat produc
  promis proper protect prove provid public purpos qualiti quarter quick quiet rate reach react readi real receiv recent
  record red reduc regular relat reli remain remind remov repeat repli report requir rest rid round row safe sale scan
  scari seem select sell separ seriou serv seven shape share shift short side simpli singl site size skip sleep slow
  smart soft solv soon sorri space special speed spend split spot stage stand stai step stick stop store strang strong
  stupid subject sudden suggest suit summer support surpris switch ten terribl thing third thousand three throw tidi
  tini tire todai tomorrow tonight top total touch track train trick troubl true trust turn two typic ugli unabl
  understand unit upper us usual valid variou verifi visibl visit voic wait walk wall warm wast watch wai weak wear week
  weekend weird whole wide wild win winter wonder word world worri wors worst worth wrap year yellow yesterdai young
  zero zone
`;

/** How much a word says about what a text is about, apart from how rare it is. */
export function termWeight(term: string): number {
  if (!isSignificant(term)) return COMMON_WEIGHT;
  return everydayTerms().has(term) ? EVERYDAY_WEIGHT : 1;
}

const COMMON_WEIGHT = 0.5;
const EVERYDAY_WEIGHT = 0.5;

const known: { terms?: ReadonlySet<string> } = {};

function everydayTerms(): ReadonlySet<string> {
  return (known.terms ??= new Set(EVERYDAY.trim().split(/\s+/)));
}
