import { box } from '#checks/boxes.ts'
import { numbers, viewOf } from '#checks/bytes.ts'

/** What is shown begins at `mediaStart`, in ticks of the track; the rest in those of the file. */
export interface WrittenEdit {
  readonly mediaStart: number
  readonly waits: number
  readonly lasts: number
}

/** The version of a box, where it is followed by no flags. */
export const VERSION_1 = 0x01000000

export const LONG = 2 ** 32
export const NOTHING = new Uint8Array()

/**
 * `mvhd`, `tkhd` and `mdhd` with another length, and with another scale where one is given. Both
 * versions, and the longer one where the length needs it.
 */
export function lasting(
  type: 'mvhd' | 'tkhd' | 'mdhd',
  body: Uint8Array,
  ticks: number,
  scale?: number,
): Uint8Array {
  const isLong = body[0] === 1
  const width = isLong ? 8 : 4
  const [afterTimes, between] = [4 + 2 * width, type === 'tkhd' ? 8 : 4]
  const said = scale === undefined ? null : numbers([scale])
  const rest = body.slice(afterTimes + between + width)
  // QuickTime notes here which part of the whole was selected last.
  if (type === 'mvhd') rest.fill(0, Math.max(0, rest.byteLength - 28), rest.byteLength - 4)
  const isLongNow = isLong || ticks >= LONG
  const widened = isLongNow && !isLong ? new Uint8Array(4) : NOTHING
  return box(
    type,
    Uint8Array.of(isLongNow ? 1 : 0, ...body.subarray(1, 4)),
    widened,
    body.subarray(4, 4 + width),
    widened,
    body.subarray(4 + width, afterTimes),
    said ?? body.subarray(afterTimes, afterTimes + between),
    isLongNow ? longNumbers([ticks]) : numbers([ticks]),
    rest,
  )
}

/** One edit, and before it one that shows nothing where the track begins late. */
export function editBox({ mediaStart, waits, lasts }: WrittenEdit): Uint8Array {
  const entries = [...(waits > 0 ? [[waits, -1]] : []), [lasts, mediaStart]]
  const isLong = entries.flat().some((value) => value >= LONG / 2)
  const list = entries.flatMap((entry) => [
    isLong ? longNumbers(entry) : numbers(entry),
    numbers([USUAL_SPEED]),
  ])
  return box('edts', box('elst', numbers([isLong ? VERSION_1 : 0, entries.length]), ...list))
}

const USUAL_SPEED = 0x10000

/** As `numbers`, but of 64 bits each. */
function longNumbers(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(8 * values.length)
  const view = viewOf(bytes)
  for (const [place, value] of values.entries()) view.setBigInt64(8 * place, BigInt(value))
  return bytes
}
