import { viewOf } from '#checks/bytes.ts'

/** Numbers of 32 bits as boxes have them, in memory that doubles where it is full. */
export interface Words {
  /** Negative ones as their two's complement. */
  add(value: number): void
  /** To pairs of a number of samples and what each of them has: one sample more with this. */
  addToRun(value: number): void
  /** Of such pairs: adds so much to what samples have. */
  addToValues(more: number): void
  /** From the end where it is negative. */
  at(index: number): number | undefined
  readonly count: number
  bytes(): Uint8Array
}

export function createWords(): Words {
  let bytes = new Uint8Array(256)
  let count = 0
  const place = (index: number): number => 4 * (index < 0 ? count + index : index)
  const add = (value: number): void => {
    if (4 * count === bytes.byteLength) {
      const larger = new Uint8Array(2 * bytes.byteLength)
      larger.set(bytes)
      bytes = larger
    }
    viewOf(bytes).setUint32(4 * count, value)
    count += 1
  }
  const read = (index: number): number | undefined =>
    place(index) < 0 || place(index) >= 4 * count
      ? undefined
      : viewOf(bytes).getUint32(place(index))
  return {
    add,
    addToRun: (value) => {
      if (read(-1) !== value >>> 0) {
        add(1)
        add(value)
        return
      }
      viewOf(bytes).setUint32(place(-2), 1 + (read(-2) ?? 0))
    },
    addToValues: (more) => {
      for (let value = 1; value < count; value += 2)
        viewOf(bytes).setUint32(place(value), more + (read(value) ?? 0))
    },
    at: read,
    get count() {
      return count
    },
    bytes: () => bytes.subarray(0, 4 * count),
  }
}
