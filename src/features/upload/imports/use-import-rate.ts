import { useState } from 'react'
import { createRate, interrupt, observe, type Rate } from '#src/local/uploads/network/rate.ts'

/** The bytes that an answer of the server named, and when it was asked. */
interface Sample {
  readonly bytes: number
  readonly atEpochMs: number
  /** False while the import waits, which is no slowness. */
  readonly isComing: boolean
}

/** How fast an import comes, by the answers that this screen has seen. */
export function useImportRate({ bytes, atEpochMs, isComing }: Sample): Rate {
  const [seen, setSeen] = useState({ atEpochMs: -1, rate: createRate() })
  if (seen.atEpochMs === atEpochMs) return seen.rate
  const rate = isComing ? observe(seen.rate, atEpochMs, bytes) : interrupt(seen.rate)
  setSeen({ atEpochMs, rate })
  return rate
}
