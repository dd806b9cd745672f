import type { ServerUpload } from './ports.ts'

/**
 * URLs live one hour; one that may end while its part is under way is not used any more (decision
 * 4.2).
 */
const USABLE_MS = 50 * 60_000

export interface PartUrl {
  readonly url: string
  readonly generation: number
}

/**
 * Signed part URLs of one driver, in memory only. Each batch has a generation, by which a refused
 * old URL is told from a refused fresh one.
 */
export interface PartUrls {
  get(partNumber: number, nowEpochMs: number): PartUrl | null
  drop(partNumber: number): void
  fill(server: ServerUpload, nowEpochMs: number): void
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
    fill: (server, nowEpochMs) => {
      generation += 1
      for (const { partNumber, url } of server.parts)
        if (url !== null) urls.set(partNumber, { url, generation, fromEpochMs: nowEpochMs })
    },
  }
}
