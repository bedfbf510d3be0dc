// breaks: eslint(complexity)
export function branches(n: number): number {
  if (n === 1) return 2;
  if (n === 2) return 3;
  if (n === 3) return 4;
  if (n === 4) return 5;
  if (n === 5) return 6;
  if (n === 6) return 7;
  if (n === 7) return 8;
  if (n === 8) return 9;
  if (n === 9) return 10;
  if (n === 10) return 11;
  if (n === 11) return 12;
  if (n === 12) return 13;
  return n;
}
