import type { PageLocal } from '#src/local/compose.ts'
import { readAppLock } from '#src/local/db/app-lock.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import { isSending } from '#src/local/db/upload-states.ts'
import type { Maker } from '#src/local/made/maker.ts'

/**
 * Locks all pages once this one has been out of sight for as long as its owner chose, at the latest
 * when it is seen again: browsers slow the timers of hidden pages down. Hidden scenes that it shows
 * are hidden at once.
 */
export function lockWhenAway(
  local: Pick<PageLocal, 'account' | 'clock' | 'deviceDb' | 'lock'>,
  document: Document,
): void {
  let lockAfterMs: number | null = null
  let hiddenSinceMs: number | null = null
  let timer = new AbortController()
  const userId = local.account()?.userId ?? null
  if (userId !== null)
    subscribeLive(() => readAppLock(local.deviceDb, userId), {
      next: (lock) => {
        lockAfterMs = lock?.lockAfterMs ?? null
      },
      error: () => undefined,
    })
  const lockIfDue = (): void => {
    const isDue =
      lockAfterMs !== null &&
      hiddenSinceMs !== null &&
      local.clock.now() - hiddenSinceMs >= lockAfterMs
    if (!isDue || local.account()?.db.keys == null) return
    hiddenSinceMs = null
    local.lock.now()
  }
  document.addEventListener('visibilitychange', () => {
    timer.abort()
    if (document.visibilityState === 'visible') {
      lockIfDue()
      hiddenSinceMs = null
      return
    }
    local.account()?.hidden?.reveal(false)
    hiddenSinceMs = local.clock.now()
    timer = new AbortController()
    if (lockAfterMs !== null)
      local.clock.sleep(lockAfterMs, timer.signal).then(lockIfDue, () => undefined)
  })
}

/**
 * Resolves once nothing runs in this page that a new start would break off: a video that is sent,
 * an edit that is made, a payment without an answer.
 */
export async function untilNothingRuns({ account }: PageLocal, maker: Maker): Promise<void> {
  const db = account()?.db ?? null
  if (db === null) return
  let isMoving = true
  await new Promise<void>((resolve) => {
    const look = (): void => {
      if (isMoving || maker.current() !== null) return
      end()
    }
    const end = (): void => {
      stop()
      unsubscribe()
      resolve()
    }
    const unsubscribe = maker.subscribe(look)
    const stop = subscribeLive(
      async () => {
        const sent = await db.uploads.filter(({ state }) => isSending(state.kind)).count()
        return sent + (await db.paymentIntents.count()) > 0
      },
      {
        next: (value) => {
          isMoving = value
          look()
        },
        // It is asked again; until then something may be moving.
        error: () => undefined,
      },
    )
    // Nothing of it runs any more.
    db.on('close', end)
  })
}
