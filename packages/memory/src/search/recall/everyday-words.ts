import { searchTerms } from "../analyzer/query-terms.ts";

/**
 * Words of nearly every message to an agent that works on code. That one of them is also the name of a topic does not mean
 * that the topic is meant.
 */
const OF_THE_WORK = `
  add answer apply app application approach back bad begin bit bug build case change check clean clear close code command comment
  commit complete config continue copy correct create current data debug delete detail diff different directory doc document
  docs documentation easy edit end error example exist expect explain extra fail failure false feature feedback few file find
  fine finish first fix folder follow format function general git give go good great guide handle happen hello help hey hi idea
  implement improve info information input install instead issue it item job keep kind know last later latest leave like line
  lint list little log long look main make manage mean memory merge message method minor misc missing mode module move name new
  next nice note notes number object ok okay old open option order other output overview page part path pattern pick place plan
  point possible prefer preference previous print probably problem process program project proper pull push put question quick
  read ready reason refactor reference remember remove rename replace repo repository request result return review rewrite
  right role rule run save script search second see send set setting setup share short show similar simple simplify single
  small solution sort source start state step stop string structure stuff style sure switch table take task temp test text
  thank thanks thing time todo together tool topic touch true try turn type understand update use user value verify version
  view wait want warning watch way well whole wish word work workflow write wrong yeah
  api class default dependency dev development environment key import export library package prod production server service
  system client component variable flag db ui ci cd pr url http https json yaml yml md ts js py sh txt src lib bin tmp
`;

/** Small words of other languages, which the search does not leave out as it does the English ones. */
const SMALL_ONES = `
  der die das den dem des ein eine einen einem einer und oder aber nicht auch noch nur schon wie was wer wo wann warum ist sind war
  hat haben wird werden kann bitte mit von aus bei nach fuer für auf im am zum zur es ich du wir ihr sie mir uns mach mache machen
  vor ob als so man mein dein unser dies diese dieser über unter gibt soll will muss hier da weiter
  datei fehler laufen läuft neu alle kein keine mal jetzt dann wenn dass
  le la les un une des du de et ou mais pas que qui quoi est sont avec pour dans sur par plus ce cette ces il elle nous vous je tu
  fais faire fichier erreur comment pourquoi quand tout tous bien très
  el los las uno una y o pero no que quien es son con para en por más este esta estos ella nosotros haz hacer archivo error cómo
  cuando todo muy
  o os as um uma e ou mas não com em por mais este essa nós fazer arquivo erro como quando tudo muito
  il lo gli uno e o ma non che chi con per in su più questo questa noi fare errore come quando tutto molto
  de het een en of maar niet wat wie waar hoe is zijn met van voor op maak bestand fout
  и в на не что это как с по для из у к мы я он она они все так но или почему файл ошибка сделай
`;

/** Words in scripts without spaces, of which pairs of characters are looked up. */
const OF_THE_WORK_UNSPACED = `
  测试 代码 文件 构建 问题 错误 修复 运行 一下 什么 怎么 为什 这个 那个 我们 可以 继续 请问 如何 修改 添加 删除 更新 检查 項目 项目
  テス スト コー ード ファ ァイ イル ビル ルド 修正 エラ ラー 実行 確認 続け けて くだ ださ さい して てく ます です した 直し
  테스 스트 코드 파일 빌드 오류 수정 실행 계속 주세 세요 해주
`;

const EVERYDAY: ReadonlySet<string> = new Set(
  [...OF_THE_WORK.split(/\s+/), ...SMALL_ONES.split(/\s+/)]
    .flatMap(searchTerms)
    .concat(OF_THE_WORK_UNSPACED.trim().split(/\s+/)),
);

const SHORTEST = 3;
const ONLY_DIGITS = /^[\p{N}.]+$/u;
const UNSPACED =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]+$/u;

/** Whether a term tells what a message is about: no number, no word of every day, not one or two letters. */
export function isTelling(term: string): boolean {
  if (EVERYDAY.has(term) || ONLY_DIGITS.test(term)) return false;
  return term.length >= SHORTEST || UNSPACED.test(term);
}

/** How much of a word a term is: pairs of characters overlap, and a word has about two of them. */
export function wordsIn(term: string): number {
  return UNSPACED.test(term) ? 0.5 : 1;
}
