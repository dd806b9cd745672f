/** Four blocks of samples, a power of two. */
const KEPT = 65_536

/** The last samples of a sound that is made from its beginning on. */
export interface Ring {
  readonly at: (at: number) => number
  readonly put: (at: number, samples: Float32Array) => void
  readonly add: (at: number, samples: Float64Array) => void
  /** Samples that are whole, each with something added; their places are free then. */
  readonly take: (at: number, length: number, more: () => number) => Float32Array
}

export function ring(): Ring {
  const kept = new Float32Array(KEPT)
  const placeOf = (at: number): number => at & (KEPT - 1)
  return {
    at: (at) => kept[placeOf(at)]!,
    put: (at, samples) => {
      for (const [index, sample] of samples.entries()) kept[placeOf(at + index)] = sample
    },
    add: (at, samples) => {
      for (const [index, sample] of samples.entries())
        if (at + index >= 0) kept[placeOf(at + index)]! += sample
    },
    take: (at, length, more) =>
      Float32Array.from({ length }, (_, index) => {
        const place = placeOf(at + index)
        const sample = kept[place]! + more()
        kept[place] = 0
        return sample
      }),
  }
}
