import { useStore } from 'jotai'
import { useEffect } from 'react'
import { coverWhenAway, showLook } from './plain-look.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { isPlainAtom } from '#src/hooks/device/plain-look-atoms.ts'
import { usePlainLook } from '#src/hooks/device/use-plain-look.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { leaveMosaicsOnly } from '#src/local/db/images.ts'
import { writePlainMark } from '#src/local/db/plain-mark.ts'

/** Follows the choice of this device how the app looks from outside. Renders nothing. */
export function PlainLook() {
  const store = useStore()
  const { isPlain } = usePlainLook()
  const { log } = useLocal()
  const db = useAccount()?.db ?? null
  useEffect(() => {
    if (isPlain !== true || db === null) return
    // One that fails is tried again at the next start; the account may be leaving.
    leaveMosaicsOnly(db).catch((thrown: unknown) =>
      log.warn('pictures were left as they are', describeBug(thrown)),
    )
  }, [db, isPlain, log])
  useEffect(() => {
    store.set(isPlainAtom, isPlain)
    if (isPlain === null) return undefined
    showLook(store, document, isPlain)
    // The browser may have dropped the mark and kept the choice.
    if (isPlain) void writePlainMark(globalThis.caches, true).catch(() => undefined)
    return isPlain ? coverWhenAway(window) : undefined
  }, [store, isPlain])
  return null
}
