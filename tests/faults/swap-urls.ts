import type { FaultProxy } from './fault-proxy.ts'
import { pickOne } from './random.ts'

interface Part {
  readonly partNumber: number
  presignedUrl: string | null
}

/**
 * Exchanges the URLs of two parts of the same size in the first answer of a device that has some,
 * as a bug of a storage or a cache would. Returns how many answers it changed.
 */
export function swapUrls(proxy: FaultProxy, device: string, random: () => number): () => number {
  let changed = 0
  proxy.setChange(device, {
    hasText: (path) => changed === 0 && /\/v\d\/upload-requests/.test(path),
    text: (text) => {
      const answer: unknown = text === '' ? null : JSON.parse(text)
      const parts = changed === 0 ? partsIn(answer) : []
      // The last one has another size.
      const first = parts.length < 3 ? undefined : pickOne(random, parts.slice(0, -2))
      const second = parts[parts.length - 2]
      if (first === undefined || second === undefined) return null
      ;[first.presignedUrl, second.presignedUrl] = [second.presignedUrl, first.presignedUrl]
      changed += 1
      return JSON.stringify(answer)
    },
  })
  return () => changed
}

/** Parts with a URL in the answer of a call, wherever it has them. */
function partsIn(answer: unknown): Part[] {
  if (typeof answer !== 'object' || answer === null) return []
  if ('presignedUrl' in answer && typeof answer.presignedUrl === 'string') return [answer as Part]
  return Object.values(answer).flatMap(partsIn)
}
