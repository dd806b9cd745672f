import { askLockPasskey, type LockFailure } from '#src/hooks/account/lock-passkey.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useHiddenNow } from '#src/hooks/sync/use-live.ts'
import { readAppLock, unwrapKeys } from '#src/local/db/app-lock.ts'
import { hideScene } from '#src/local/db/hidden-scenes.ts'

/** The hidden scenes of this device ([Note: hidden scenes]), as a screen changes them. */
interface HiddenChoice {
  readonly isRevealed: boolean
  /** Known to screens only while they are revealed. */
  readonly isHidden: (uploadRequestId: string) => boolean
  readonly hide: (uploadRequestId: string, isHidden: boolean) => Promise<void>
  /** Asks the passkey of the lock, and shows them in this page. Call it from a press. */
  readonly reveal: () => Promise<LockFailure | null>
  readonly cover: () => void
}

/** Null without an app lock. */
export function useHiddenScenes(): HiddenChoice | null {
  const { deviceDb } = useLocal()
  const account = useAccount()
  const now = useHiddenNow()
  if (account === null || account.hidden === null || now === null) return null
  const { db, hidden, userId } = account
  return {
    isRevealed: now.isRevealed,
    isHidden: (uploadRequestId) => now.scenes.has(uploadRequestId),
    hide: (uploadRequestId, isHidden) => hideScene(db, uploadRequestId, isHidden),
    reveal: async () => {
      const lock = await readAppLock(deviceDb, userId)
      if (lock === null) return { code: 'device/failed' }
      const asked = await askLockPasskey(lock)
      if (!asked.ok) return asked.error
      const opened = await unwrapKeys(userId, asked.value, lock)
      if (!opened.ok) return opened.error
      hidden.reveal(true)
      return null
    },
    cover: () => hidden.reveal(false),
  }
}
