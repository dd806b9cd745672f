import type { PartHeaders, ServerPart } from '#src/local/uploads/ports.ts'

/**
 * A part URL is valid for one hour. One that may expire while its part is in flight is not used
 * anymore (docs/product-decisions.md#part-urls).
 */
const USABLE_MS = 50 * 60_000

export interface PartUrl {
  readonly url: string
  /** What it wants to be sent exactly so; null: the checksum alone. */
  readonly headers: PartHeaders | null
  /** The only hash of bytes that it takes; null: any. */
  readonly sha256: string | null
  readonly generation: number
}

/**
 * Signed part URLs of one driver, in memory only. Each batch has a generation number, which
 * distinguishes the refusal of an old URL from that of a fresh one.
 */
export interface PartUrls {
  get(partNumber: number, nowEpochMs: number): PartUrl | null
  drop(partNumber: number): void
  /** Drops all: a part that ended in another's place needs a URL from a new answer. */
  clear(): void
  /** @param hashes with which these URLs were asked for, by part number */
  fill(
    parts: readonly ServerPart[],
    nowEpochMs: number,
    hashes?: ReadonlyMap<number, string | null>,
  ): void
}

export function createPartUrls(): PartUrls {
  const urls = new Map<number, PartUrl & { readonly fromEpochMs: number }>()
  let generation = 0
  return {
    get: (partNumber, nowEpochMs) => {
      const found = urls.get(partNumber)
      if (found === undefined) return null
      const ageMs = nowEpochMs - found.fromEpochMs
      return ageMs >= 0 && ageMs < USABLE_MS ? found : null
    },
    drop: (partNumber) => void urls.delete(partNumber),
    clear: () => urls.clear(),
    fill: (parts, nowEpochMs, hashes) => {
      generation += 1
      for (const { partNumber, url, headers } of parts) {
        const sha256 = hashes?.get(partNumber) ?? null
        const fresh = { headers, sha256, generation, fromEpochMs: nowEpochMs }
        if (url !== null) urls.set(partNumber, { ...fresh, url })
      }
    },
  }
}
