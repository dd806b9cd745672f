/**
 * [Note: letters of a watermark] How high its letters are, and how its text is broken into lines.
 *
 * Letters go by the width of the picture, because a video is shown as wide as its place: 360 pixels
 * on a phone, whatever its shape. There the smallest have 11.5 pixels, and an x of them 6.3. They
 * went by the height, and had 6.5 pixels of a wide video. Very wide pictures bound them by their
 * height, or they would fill it.
 */
import type { Size } from '#recipes/picture.ts'
import type { MarkSize } from './mark.ts'

/** Of letters, as shares of the width of the picture. */
const SHARES: Readonly<Record<MarkSize, number>> = { small: 0.032, medium: 0.04, large: 0.056 }
/** The most that a line may have of the height. */
const MOST_OF_HEIGHT = 0.15
/** The most that all lines together may have of the height: what is marked stays to be seen. */
const MOST_OF_HEIGHT_TOGETHER = 0.48
/** The most that the widest line may have of the width; the rest is for margins and plate. */
const MOST_OF_WIDTH = 0.9
const MOST_LINES = 3
/** Widths that are tried; of 64 letters, a step is one. */
const STEPS = 64
/** Lower letters are hard to read on a phone: 10.8 of its 360 pixels. */
const LEAST_SHARE = 0.03
/** Another line is worth more than a quarter of the letters' height. */
const NEARLY = 0.8
/** Of the font, with all that its tallest letters have above and below. */
const LINE_EM = 1.4

/** A text as it is drawn. `fontSize` is in pixels, at least 2. */
export interface Letters {
  readonly lines: readonly string[]
  readonly fontSize: number
  /** Bounds of what the letters take, in pixels. */
  readonly width: number
  readonly height: number
}

/**
 * A text in few lines that give it high letters. Words are broken only where the letters would be
 * hard to read otherwise.
 * @param text as `drawableText` leaves it
 */
export function lettersOf(text: string, wanted: MarkSize, picture: Size): Letters {
  const least = Math.min(
    wantedHeight('small', picture),
    picture.width * LEAST_SHARE,
    roomFor(MOST_LINES, picture),
  )
  const heightOf = (lines: readonly Piece[]): number => letterHeight(lines, wanted, picture)
  const whole = fewest(waysOf(wordsOf(text)), heightOf, least)
  const lines = heightOf(whole) < least ? fewest(waysOf(signsOf(text)), heightOf, least) : whole
  const fontSize = Math.max(2, Math.floor(heightOf(lines)))
  return {
    lines: lines.map((line) => line.text),
    fontSize,
    width: Math.ceil(fontSize * widest(lines)),
    height: Math.ceil(fontSize * LINE_EM * lines.length),
  }
}

/** The first way that gives nearly the highest letters, and none that are hard to read. */
function fewest(
  ways: readonly (readonly Piece[])[],
  heightOf: (lines: readonly Piece[]) => number,
  least: number,
): readonly Piece[] {
  const most = Math.max(...ways.map(heightOf))
  const enough = Math.max(most * NEARLY, Math.min(most, least))
  return ways.find((way) => heightOf(way) >= enough) ?? []
}

/** A part of the text; `gap` is what stands before it if it is not the first of its line. */
interface Piece {
  readonly text: string
  readonly gap: '' | ' '
  /** In font heights, an upper bound. */
  readonly width: number
}

function pieceOf(text: string, gap: Piece['gap']): Piece {
  return { text, gap, width: widthInEm(text) }
}

function wordsOf(text: string): readonly Piece[] {
  return text.split(' ').map((word) => pieceOf(word, ' '))
}

/** Each with what combines with it. */
function signsOf(text: string): readonly Piece[] {
  return text
    .split(' ')
    .flatMap((word) =>
      [...word.matchAll(/\P{Mark}\p{Mark}*|\p{Mark}+/gu)].map(([sign], index) =>
        pieceOf(sign, index === 0 ? ' ' : ''),
      ),
    )
}

/** The pieces in one line, in two, and so on, the widest of them as narrow as can be. */
function waysOf(pieces: readonly Piece[]): readonly (readonly Piece[])[] {
  const [all = pieceOf('', '')] = linesOf(pieces, Infinity)
  return Array.from({ length: MOST_LINES }, (_, index) => {
    const count = index + 1
    const steps = Array.from({ length: STEPS }, (_, step) => 1 / count + step / STEPS)
    const fitting = steps.map((share) => linesOf(pieces, all.width * share))
    return fitting.find((lines) => lines.length <= count) ?? [all]
  })
}

/** Lines of this width at most, if every piece has room in one. */
function linesOf(pieces: readonly Piece[], width: number): readonly Piece[] {
  const lines: Piece[] = []
  for (const piece of pieces) {
    const last = lines.at(-1)
    const gapWidth = piece.gap === '' ? 0 : glyphWidth(piece.gap)
    const joined = (last?.width ?? 0) + gapWidth + piece.width
    if (last === undefined || joined > width + 1e-9) lines.push(piece)
    else
      lines[lines.length - 1] = { ...last, text: last.text + piece.gap + piece.text, width: joined }
  }
  return lines
}

function letterHeight(lines: readonly Piece[], wanted: MarkSize, picture: Size): number {
  return Math.min(
    wantedHeight(wanted, picture),
    (picture.width * MOST_OF_WIDTH) / widest(lines),
    roomFor(lines.length, picture),
  )
}

/** The most height that the letters of this number of lines may have. */
function roomFor(lineCount: number, { height }: Size): number {
  return (height * MOST_OF_HEIGHT_TOGETHER) / (lineCount * LINE_EM)
}

function wantedHeight(wanted: MarkSize, { width, height }: Size): number {
  return Math.min(width * SHARES[wanted], height * MOST_OF_HEIGHT)
}

function widest(lines: readonly Piece[]): number {
  return Math.max(...lines.map(({ width }) => width))
}

/**
 * Upper bound of a text's width in font heights, so that the widest text still fits; measured from
 * the font with some air.
 */
function widthInEm(text: string): number {
  return [...text].reduce((sum, character) => sum + glyphWidth(character), 0)
}

function glyphWidth(character: string): number {
  if (/\p{Mark}/u.test(character)) return 0.1
  if (/[ijlI.,:;'|! ]/u.test(character)) return 0.42
  if (/[ftr()[\]-]/u.test(character)) return 0.52
  if (/[a-zà-ÿ0-9_]/u.test(character)) return /[mw]/u.test(character) ? 1.08 : 0.75
  if (/[A-Z]/u.test(character)) return /[MW]/u.test(character) ? 1.13 : 0.88
  return 1.2
}
