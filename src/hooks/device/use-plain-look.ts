import { useEffect, useState } from 'react'
import { useAccount, useLocal } from './local-context.ts'
import { readIsPlain, writeIsPlain } from '#src/local/db/device-db.ts'
import { dropMosaics } from '#src/local/db/images.ts'
import { writePlainMark } from '#src/local/db/plain-mark.ts'
import { subscribeLive } from '#src/local/db/live.ts'

/** Whether the app has a plain name and icon from outside, as the user of this device chose. */
export interface PlainLookChoice {
  /** Null while it is being read; false where it was never chosen. */
  readonly isPlain: boolean | null
  /** Rejects where the device cannot keep it. */
  readonly choose: (isPlain: boolean) => Promise<void>
}

/** The choice of this device, of all its users; followed across tabs. */
export function usePlainLook(): PlainLookChoice {
  const { deviceDb } = useLocal()
  const db = useAccount()?.db ?? null
  const [isPlain, setIsPlain] = useState<boolean | null>(null)
  useEffect(
    () =>
      subscribeLive(() => readIsPlain(deviceDb), {
        next: setIsPlain,
        // What cannot be read was not chosen.
        error: () => setIsPlain(false),
      }),
    [deviceDb],
  )
  const choose = async (value: boolean): Promise<void> => {
    await writePlainMark(globalThis.caches, value)
    // First: what is pulled from then on is looked for among what is there.
    if (!value && db !== null) await dropMosaics(db)
    await writeIsPlain(deviceDb, value)
  }
  return { isPlain, choose }
}
