/**
 * Stems of words that occur in nearly every message to a coding agent. A topic named like one of them is not meant just
 * because the word occurs.
 */
const WORK_WORDS = `
  add answer appli app applic approach back bad begin bit bug build case chang check clean clear close code command
  comment commit complet config continu copi correct creat current data debug delet detail diff differ directori doc
  document easi edit end error exampl exist expect extra fail failur fals featur feedback file find fine finish first fix
  folder follow format function gener git give go good great guid handl happen hello help hei hi idea implement improv
  info inform input instal instead issu item job keep kind know last later latest leav like line lint list littl log long
  look main make manag mean memori merg messag method minor misc miss mode modul move name new next nice note number
  object ok okai old open option order output overview page part path pattern pick place plan point possibl prefer previou
  print probabl problem process program project proper pull push put question quick read readi reason refactor refer
  rememb remov renam replac repo repositori request result return review rewrit right role rule run save script search
  second see send set setup share short show similar simpl simplifi singl small solut sort sourc start state step stop
  string structur stuff style sure switch tabl take task temp test text thank thing time todo togeth tool topic touch true
  try turn type understand updat us user valu verifi version view wait want warn watch wai well whole wish word work
  workflow write wrong yeah api class default depend dev develop environ kei import export librari packag prod product
  server servic system client compon variabl flag db ui ci cd pr url http json yaml yml md ts js py sh txt src lib bin tmp
`;

/** Stop words of other languages; the search ignores only English ones. */
const FOREIGN_STOP_WORDS = `
  der die da den dem de ein einen einem einer und oder aber nicht auch noch nur schon wie wer wo wann warum ist sind war
  hat haben wird werden kann bitt mit von au bei nach fuer fur auf im zum zur es ich du wir ihr sie mir un mach machen vor
  ob al man mein dein unser di dies dieser uber unter gibt soll muss hier weiter datei fehler laufen lauft neu all kein
  mal jetzt dann wenn dass le la et ou mai pa que qui quoi est sont avec pour dan sur par plu ce cett il ell nou vou je tu
  fai fair fichier erreur comment pourquoi quand tout tou bien tre el lo uno una y pero quien son con para en por ma esta
  esto ella nosotro haz hacer archivo error como cuando todo mui os um uma e nao com em essa no fazer arquivo erro quando
  tudo muito gli non che chi su piu questo questa noi fare come tutto molto het een maar niet wat waar hoe zijn met van
  voor op maak bestand fout и в на не что это как с по для из у к мы я он она они все так но или почему фаил ошибка сделаи
`;

/** Pairs of characters of CJK words, because CJK text is searched by pairs. */
const CJK_PAIRS = `
  测试 代码 文件 构建 问题 错误 修复 运行 一下 什么 怎么 为什 这个 那个 我们 可以 继续 请问 如何 修改 添加 删除 更新 检查 項目 项目
  テス スト コー ード ファ ァイ イル ビル ルド 修正 エラ ラー 実行 確認 続け けて くだ ださ さい して てく ます です した 直し
  테스 스트 코드 파일 빌드 오류 수정 실행 계속 주세 세요 해주
`;

const COMMON_WORDS: ReadonlySet<string> = new Set(
  `${WORK_WORDS} ${FOREIGN_STOP_WORDS} ${CJK_PAIRS}`.trim().split(/\s+/),
);

const MIN_LENGTH = 3;
const ONLY_DIGITS = /^[\p{N}.]+$/u;
const CJK =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}ー]+$/u;

/** Whether a term says what a message is about: not a number, a common word, or one or two letters. */
export function isSignificant(term: string): boolean {
  if (COMMON_WORDS.has(term) || ONLY_DIGITS.test(term)) return false;
  return term.length >= MIN_LENGTH || CJK.test(term);
}

/** How much of a word a term represents: CJK pairs overlap, and a word has about two of them. */
export function wordWeight(term: string): number {
  return CJK.test(term) ? 0.5 : 1;
}
