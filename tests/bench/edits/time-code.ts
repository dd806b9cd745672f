/** Size of the pictures of the corpus. */
export const WIDTH = 320
export const HEIGHT = 180

const BITS = 16
/** Rows of the bar code, at the lower edge. */
const ROWS = 12
const BAR = WIDTH / (2 * BITS)
const DARK = 40
const LIGHT = 210

/**
 * Writes the number of a frame (below 65,536) into its brightness: 16 bars, then the same ones
 * inverted, so that a mixture of two frames is known for one.
 */
export function writeTimeCode(picture: Uint8Array, frame: number): void {
  for (let bar = 0; bar < 2 * BITS; bar += 1) {
    const isSet = ((frame >> (bar % BITS)) & 1) === 1
    const value = isSet === bar < BITS ? LIGHT : DARK
    for (let row = HEIGHT - ROWS; row < HEIGHT; row += 1)
      picture.fill(value, row * WIDTH + bar * BAR, row * WIDTH + (bar + 1) * BAR)
  }
}

/** The number of the frame, or null where two frames are mixed or there is no code. */
export function readTimeCode(picture: Uint8Array): number | null {
  const middle = (DARK + LIGHT) / 2
  let frame = 0
  for (let bit = 0; bit < BITS; bit += 1) {
    const level = levelOf(picture, bit)
    const inverted = levelOf(picture, bit + BITS)
    // Half of each: both are near the middle.
    if (Math.abs(level - inverted) < (LIGHT - DARK) * 0.7) return null
    if (level > middle) frame |= 1 << bit
  }
  return frame
}

function levelOf(picture: Uint8Array, bar: number): number {
  const row = (HEIGHT - ROWS / 2) * WIDTH
  const from = row + bar * BAR + 3
  let sum = 0
  for (let column = 0; column < 4; column += 1) sum += picture[from + column] ?? 0
  return sum / 4
}
