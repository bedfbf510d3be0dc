/** A color of the 256-color palette as red, green and blue in linear light. */
function linearColor(code: number): readonly [number, number, number] {
  const [red, green, blue] = paletteColor(code).map((value) => linear(value / 255));
  return [red ?? 0, green ?? 0, blue ?? 0];
}

const CUBE = [0, 95, 135, 175, 215, 255];

function paletteColor(code: number): readonly number[] {
  if (code >= 232) return Array.from({ length: 3 }, () => 8 + (code - 232) * 10);
  const index = code - 16;
  return [Math.floor(index / 36), Math.floor(index / 6) % 6, index % 6].map((at) => CUBE[at] ?? 0);
}

function linear(value: number): number {
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

/** What the two most common kinds of color blindness, and no color vision, make of linear light. */
export const VISIONS = {
  "normal vision": [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ],
  // Viénot, Brettel and Mollon (1999).
  protanopia: [
    [0.11238, 0.88762, 0],
    [0.11238, 0.88762, 0],
    [0.00401, -0.00401, 1],
  ],
  deuteranopia: [
    [0.29275, 0.70725, 0],
    [0.29275, 0.70725, 0],
    [-0.02234, 0.02234, 1],
  ],
} as const;

export type Vision = keyof typeof VISIONS;

/** How far apart two colors look, as the distance in Lab. */
export function seenDistance(one: number, other: number, vision: Vision): number {
  const [a, b] = [one, other].map((code) => lab(seenAs(linearColor(code), vision)));
  return Math.hypot(...(a ?? []).map((value, at) => value - (b?.[at] ?? 0)));
}

/** The contrast of the Web Content Accessibility Guidelines. */
export function contrast(one: number, other: number): number {
  const [darker = 0, lighter = 0] = [one, other].map(luminance).toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(code: number): number {
  const [red, green, blue] = linearColor(code);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function seenAs(color: readonly number[], vision: Vision): readonly number[] {
  return VISIONS[vision].map((row) =>
    row.reduce<number>((sum, factor, at) => sum + factor * (color[at] ?? 0), 0),
  );
}

function lab([red = 0, green = 0, blue = 0]: readonly number[]): readonly number[] {
  const x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505;
  const y = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089;
  const [fx = 0, fy = 0, fz = 0] = [x, y, z].map((value) =>
    value > 0.008856 ? Math.cbrt(value) : 7.787 * value + 16 / 116,
  );
  return [116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)];
}
