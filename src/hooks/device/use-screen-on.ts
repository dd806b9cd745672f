import { useEffect, useState } from 'react'
import { keepScreenOn } from './keep-screen-on.ts'
import { useLocal } from './local-context.ts'
import { readScreenMaySleep, writeScreenMaySleep } from '#src/local/db/device-db.ts'
import { subscribeLive } from '#src/local/db/live.ts'

/** Whether this browser can leave the screen on. */
export function canKeepScreenOn(): boolean {
  return 'wakeLock' in navigator
}

/** Leaves the screen on while `isWanted` and while the page is in sight, where the browser can. */
export function useScreenOn(isWanted: boolean): void {
  useEffect(() => {
    if (!isWanted || !canKeepScreenOn()) return undefined
    return keepScreenOn({
      request: () => navigator.wakeLock.request('screen'),
      isVisible: () => document.visibilityState === 'visible',
      onVisibility: (listener) => {
        document.addEventListener('visibilitychange', listener)
        return () => document.removeEventListener('visibilitychange', listener)
      },
    })
  }, [isWanted])
}

/** Whether the screen of this device stays on while bytes are sent, as its user chose. */
export interface ScreenChoice {
  /** Null while it is being read; true where it was never chosen. */
  readonly staysOn: boolean | null
  /** Rejects where the device cannot keep it. */
  readonly choose: (staysOn: boolean) => Promise<void>
}

/** The choice of this device, of all its users; followed across tabs. */
export function useScreenChoice(): ScreenChoice {
  const { deviceDb } = useLocal()
  const [staysOn, setStaysOn] = useState<boolean | null>(null)
  useEffect(
    () =>
      subscribeLive(async () => !(await readScreenMaySleep(deviceDb)), {
        next: setStaysOn,
        // What cannot be read was not chosen.
        error: () => setStaysOn(true),
      }),
    [deviceDb],
  )
  return { staysOn, choose: (value) => writeScreenMaySleep(deviceDb, !value) }
}
