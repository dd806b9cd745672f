import { useEffect, useState } from 'react'
import { askLockPasskey, lockSupport, makeLockPasskey } from '#src/hooks/account/lock-passkey.ts'
import type { LockFailure, LockSupport } from '#src/hooks/account/lock-passkey.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { outsideLook } from '#src/config/outside-look.ts'
import {
  hasOpenUploads,
  newSalt,
  putLockOn,
  setLockAfter,
  takeLockOff,
} from '#src/local/compose-lock.ts'
import { readAppLock, unwrapKeys, type AppLock } from '#src/local/db/app-lock.ts'
import { readIsPlain } from '#src/local/db/device-db.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

export type { LockFailure } from '#src/hooks/account/lock-passkey.ts'

/** The app lock of this device for its account. */
export interface AppLockChoice {
  /** Null while it is being read. */
  readonly state: { readonly support: LockSupport; readonly lock: AppLock | null } | null
  /** Puts it on, and loads the page again. Call it from a press, as `takeOff`. */
  readonly putOn: () => Promise<Result<void, LockFailure>>
  readonly takeOff: () => Promise<Result<void, LockFailure>>
  readonly setAfter: (lockAfterMs: number) => Promise<void>
  readonly now: () => void
}

/** Null without an account. */
export function useAppLock(): AppLockChoice | null {
  const local = useLocal()
  const account = useAccount()
  const { deviceDb } = local
  const userId = account?.userId ?? null
  const [lock, setLock] = useState<{ readonly value: AppLock | null } | null>(null)
  const [support, setSupport] = useState<LockSupport | null>(null)
  useEffect(() => {
    if (userId === null) return undefined
    return subscribeLive(() => readAppLock(deviceDb, userId), {
      next: (value) => setLock({ value }),
      // What cannot be read is not changed.
      error: () => setLock(null),
    })
  }, [deviceDb, userId])
  useEffect(() => {
    let isLeft = false
    const become = (found: LockSupport): void => {
      if (!isLeft) setSupport(found)
    }
    void lockSupport().then(become, () => become('no-passkeys'))
    return () => {
      isLeft = true
    }
  }, [])
  if (account === null) return null
  const { channel, files, ports } = local
  const deps = { deviceDb, files, channel, getter: ports.browserGetter }
  /** The page shows nothing of the account meanwhile, and begins again afterwards. */
  const change = async (work: () => Promise<void>): Promise<Result<void, LockFailure>> => {
    await local.lock.closeAccount()
    await work().finally(local.ports.reload)
    return ok(undefined)
  }
  return {
    state: lock === null || support === null ? null : { support, lock: lock.value },
    putOn: async () => {
      if (await hasOpenUploads(account.db)) return err({ code: 'lock/open-uploads' })
      const { name } = outsideLook(await readIsPlain(deviceDb))
      const made = await makeLockPasskey(name, newSalt())
      if (!made.ok) return made
      return change(() => putLockOn(deps, account.userId, made.value))
    },
    takeOff: async () => {
      if (lock === null || lock.value === null) return ok(undefined)
      // Its owner takes it off, not who found the app open.
      const asked = await askLockPasskey(lock.value)
      if (!asked.ok) return asked
      const { userId: ownerId } = account
      const opened = await unwrapKeys(ownerId, asked.value, lock.value)
      if (!opened.ok) return opened
      return change(() => takeLockOff(deps, { userId: ownerId, keys: opened.value }))
    },
    setAfter: (lockAfterMs) => setLockAfter(deviceDb, account.userId, lockAfterMs),
    now: local.lock.now,
  }
}
