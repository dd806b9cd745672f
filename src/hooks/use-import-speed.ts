import { useState } from 'react'
import { createRate, observe, type Rate } from '#src/local/uploads/network/rate.ts'

/** The bytes that an answer of the server named, and when it was asked. */
interface Sample {
  readonly bytes: number
  readonly atEpochMs: number
}

/** Bytes a second between the answers that this screen has seen; 0 before the second one. */
export function useImportSpeed({ bytes, atEpochMs }: Sample): number {
  const [rate, setRate] = useState<Rate>(() => observe(createRate(), atEpochMs, bytes))
  if (rate.lastAtMs === atEpochMs) return rate.bytesPerSecond
  const next = observe(rate, atEpochMs, bytes)
  setRate(next)
  return next.bytesPerSecond
}
