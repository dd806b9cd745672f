/** What a scene of the corpus shows. Only `lively` is what a teaser is made of. */
export type SceneKind = 'lively' | 'static' | 'black' | 'dim' | 'title' | 'blurred' | 'loud'

/** A scene between two hard cuts. */
export interface Scene {
  readonly kind: SceneKind
  readonly startMs: number
  readonly endMs: number
  /** Scenes with the same number show the same place. */
  readonly look: number
}

/** Numbers from 0 to 1 that are the same for the same seed. */
export function randomFrom(seed: number): () => number {
  let state = (seed * 2654435761) >>> 0 || 1
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
