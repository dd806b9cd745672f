/**
 * [Note: scaling by eights] Scaling is the most that an edit of 4K takes, and a loop of numbers in
 * JavaScript has no way to work on several at once. So both of its inner loops are written as
 * WebAssembly with SIMD, eight values at a time: 79 ms of a picture of 4K become 13. They are
 * written here by the numbers of the standard, because fifty instructions are less than a compiler
 * in the build. Weights are whole numbers of 14 bits, as in ffmpeg.
 */
import type { Plane } from './planes.ts'

/** For each value of a result: where its neighbours begin, and how much each of them counts. */
export interface Taps {
  readonly count: number
  readonly starts: Int32Array
  readonly weights: Float64Array
}

/**
 * Makes a function that scales planes: down first, then each row across.
 * @param from of a plane, in values
 * @param first the first value of a row that is read
 * @param across its starts count from there
 * @returns null in a browser without SIMD
 */
export function kernelScaler(
  from: { readonly width: number; readonly height: number },
  first: number,
  { across, down }: { readonly across: Taps; readonly down: Taps },
): ((plane: Plane, into: Plane) => void) | null {
  const code = moduleBytes()
  if (!WebAssembly.validate(code)) return null
  const [columns, rows] = [across.starts.length, down.starts.length]
  const rowValues = (across.starts.at(-1) ?? 0) + across.count
  const [pairs, groups] = [Math.ceil(down.count / 2), Math.ceil(across.count / 8)]
  const place = createPlaces()
  // What is behind a plane or a row is read as well, and counts nothing.
  const plane = place(from.width * (from.height + 1) + 8)
  const row = place(2 * (rowValues + 16 * groups))
  const starts = place(4 * columns)
  const acrossWeights = place(16 * groups * columns)
  const downWeights = place(4 * pairs * rows)
  const result = place(columns)
  const memory = new WebAssembly.Memory({ initial: Math.ceil(place(0) / PAGE_BYTES) })
  const values = new Int16Array(memory.buffer)
  // A value of a row has two bytes.
  new Int32Array(memory.buffer, starts, columns).set(across.starts.map((start) => 2 * start))
  setWeights(values.subarray(acrossWeights / 2), across, 8 * groups)
  setWeights(values.subarray(downWeights / 2), down, 2 * pairs)
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(code), { a: { m: memory } })
  const { d: joinRows, c: scaleRow } = exports as unknown as Kernel
  const bytes = new Uint8Array(memory.buffer)
  return (source, into) => {
    bytes.set(source.bytes, plane)
    for (let y = 0; y < rows; y += 1) {
      const at = plane + (down.starts[y] ?? 0) * from.width + first
      joinRows(at, from.width, downWeights + 4 * pairs * y, pairs, rowValues, row)
      scaleRow(row, starts, acrossWeights, groups, columns, result)
      into.bytes.set(bytes.subarray(result, result + columns), y * columns)
    }
  }
}

const PAGE_BYTES = 65_536

/** Gives places in memory one behind another, each at a multiple of 16. */
function createPlaces(): (sizeBytes: number) => number {
  let next = 0
  return (sizeBytes) => {
    const place = next
    next += 16 * Math.ceil(sizeBytes / 16)
    return place
  }
}

/** What counts as all of a value. */
const WHOLE_BITS = 14

/** As whole numbers that make up a whole for each value, with zeros behind them. */
function setWeights(into: Int16Array, { count, weights }: Taps, room: number): void {
  for (let index = 0; index * count < weights.length; index += 1) {
    const own = weights.subarray(index * count, (index + 1) * count)
    const rounded = Array.from(own, (weight) => Math.round(weight * 2 ** WHOLE_BITS))
    const missing = 2 ** WHOLE_BITS - rounded.reduce((sum, weight) => sum + weight, 0)
    const largest = rounded.indexOf(Math.max(...rounded))
    rounded[largest] = (rounded[largest] ?? 0) + missing
    into.set(rounded, index * room)
  }
}

type KernelLoop = (...numbers: [number, number, number, number, number, number]) => void
interface Kernel {
  readonly d: KernelLoop
  readonly c: KernelLoop
}

// WebAssembly Core Specification 2.0, chapter 5: types, sections, and instructions by their codes.
const [I32, V128, NOTHING, END] = [0x7f, 0x7b, 0x40, 0x0b]
const uleb = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...uleb(value >>> 7)]
const sleb = (value: number): number[] =>
  value >= -64 && value < 64 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...sleb(value >> 7)]
const get = (local: number): number[] => [0x20, local]
const set = (local: number, ...value: number[][]): number[] => [...value.flat(), 0x21, local]
const int = (value: number): number[] => [0x41, ...sleb(value)]
const add = (one: number[], two: number[]): number[] => [...one, ...two, 0x6a]
const shiftLeft = (value: number[], bits: number): number[] => [...value, ...int(bits), 0x74]
const shiftRight = (value: number[], bits: number): number[] => [...value, ...int(bits), 0x75]
/** Repeats as long as the first local is less than the second one. */
const repeat = (at: number, end: number, ...body: number[][]): number[] =>
  [[0x03, NOTHING], ...body, get(at), get(end), [0x49, 0x0d, 0, END]].flat()
const step = (local: number, by: number): number[] => set(local, add(get(local), int(by)))
const simd = (code: number, ...operands: number[][]): number[] => [
  ...operands.flat(),
  0xfd,
  ...uleb(code),
]
/** Reads and writes at an address, without promising how it is aligned. */
const [ALIGN, OFFSET] = [0, 0]
const load = (address: number[]): number[] => [...simd(0x00, address), ALIGN, OFFSET]
const loadEightBytes = (address: number[]): number[] => [...simd(0x02, address), ALIGN, OFFSET]
const loadInAllFour = (address: number[]): number[] => [...simd(0x09, address), ALIGN, OFFSET]
const store = (address: number[], value: number[]): number[] => [
  ...simd(0x0b, address, value),
  ALIGN,
  OFFSET,
]
const storeByte = (address: number[], value: number[]): number[] =>
  [address, value, [0x3a, ALIGN, OFFSET]].flat()
const inAllFour = (value: number): number[] => simd(0x11, int(value))
/** Eight values by eight weights, of which neighbours are summed up. */
const dot = (values: number[], weights: number[]): number[] => simd(0xba, values, weights)
const addFour = (one: number[], two: number[]): number[] => simd(0xae, one, two)
const shiftFour = (values: number[], bits: number): number[] => simd(0xac, values, int(bits))
const sumAt = (local: number, index: number): number[] => [...simd(0x1b, get(local)), index]
/** The values of two rows by turns: those of one half. */
const byTurns = (one: number, two: number, half: 0 | 1): number[] => {
  const pairs = [0, 1, 2, 3].flatMap((index) => {
    const byte = 8 * half + 2 * index
    return [byte, byte + 1, 16 + byte, 17 + byte]
  })
  return [...simd(0x0d, get(one), get(two)), ...pairs]
}

/** Bits that a value of a row has behind those of a byte, so that it is rounded once. */
const FINE_BITS = 6
const DOWN_BITS = WHOLE_BITS - FINE_BITS
const ACROSS_BITS = WHOLE_BITS + FINE_BITS

/** Rows below each other, each by its weight: (from, width, weights, pairs, values, into). */
function joinRowsCode(): number[] {
  const [from, width, weights, pairs, values, into] = [0, 1, 2, 3, 4, 5]
  const [end, at, weight, weightEnd, low, high, one, two, both] = [6, 7, 8, 9, 10, 11, 12, 13, 14]
  const sum = (of: number, half: 0 | 1): number[] =>
    set(of, addFour(get(of), dot(byTurns(one, two, half), get(both))))
  const rounded = (of: number): number[] => shiftFour(get(of), DOWN_BITS)
  return [
    ...set(end, add(get(into), shiftLeft(get(values), 1))),
    ...set(weightEnd, add(get(weights), shiftLeft(get(pairs), 2))),
    ...repeat(
      into,
      end,
      set(low, inAllFour(2 ** (DOWN_BITS - 1))),
      set(high, get(low)),
      set(at, get(from)),
      set(weight, get(weights)),
      repeat(
        weight,
        weightEnd,
        set(one, loadEightBytes(get(at))),
        set(two, loadEightBytes(add(get(at), get(width)))),
        set(both, loadInAllFour(get(weight))),
        sum(low, 0),
        sum(high, 1),
        set(at, add(get(at), shiftLeft(get(width), 1))),
        step(weight, 4),
      ),
      store(get(into), simd(0x85, rounded(low), rounded(high))),
      step(from, 8),
      step(into, 16),
    ),
  ]
}

/** Each value of a result: (row, starts, weights, groups, values, into). */
function scaleRowCode(): number[] {
  const [row, starts, weights, groups, values, into] = [0, 1, 2, 3, 4, 5]
  const [end, at, weightEnd, sum, four] = [6, 7, 8, 9, 10]
  const select = (one: number[], other: number[], isOne: number[]): number[] =>
    [one, other, isOne, [0x1b]].flat()
  const sums = [0, 1, 2, 3].map((index) => sumAt(four, index))
  return [
    ...set(end, add(get(into), get(values))),
    ...repeat(
      into,
      end,
      set(four, inAllFour(0)),
      set(at, add(get(row), [...get(starts), 0x28, 2, OFFSET])),
      set(weightEnd, add(get(weights), shiftLeft(get(groups), 4))),
      repeat(
        weights,
        weightEnd,
        set(four, addFour(get(four), dot(load(get(at)), load(get(weights))))),
        step(at, 16),
        step(weights, 16),
      ),
      set(sum, shiftRight(sums.reduce(add, int(2 ** (ACROSS_BITS - 1))), ACROSS_BITS)),
      set(sum, select(int(0), get(sum), [...get(sum), ...int(0), 0x48])),
      storeByte(get(into), select(int(255), get(sum), [...get(sum), ...int(255), 0x4a])),
      step(starts, 4),
      step(into, 1),
    ),
  ]
}

function moduleBytes(): Uint8Array<ArrayBuffer> {
  const vector = (items: readonly number[][]): number[] => [...uleb(items.length), ...items.flat()]
  const name = (text: string): number[] => vector([...text].map((each) => [each.charCodeAt(0)]))
  const section = (id: number, items: readonly number[][]): number[] => {
    const content = vector(items)
    return [id, ...uleb(content.length), ...content]
  }
  const code = (numbers: number, vectors: number, body: number[]): number[] => {
    const locals = vector([
      [numbers, I32],
      [vectors, V128],
    ])
    return [...uleb(locals.length + body.length + 1), ...locals, ...body, END]
  }
  const type = [0x60, ...vector(Array.from({ length: 6 }, () => [I32])), 0]
  return Uint8Array.from(
    [
      [0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
      section(1, [type]),
      section(2, [[...name('a'), ...name('m'), 2, 0, 0]]),
      section(3, [[0], [0]]),
      section(7, [
        [...name('d'), 0, 0],
        [...name('c'), 0, 1],
      ]),
      section(10, [code(4, 5, joinRowsCode()), code(4, 1, scaleRowCode())]),
    ].flat(),
  )
}
