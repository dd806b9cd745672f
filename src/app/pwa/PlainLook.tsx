import { useStore } from 'jotai'
import { useEffect } from 'react'
import { coverWhenAway, showLook } from './plain-look.ts'
import { usePlainLook } from '#src/hooks/device/use-plain-look.ts'
import { writePlainMark } from '#src/local/db/plain-mark.ts'

/** Follows the choice of this device how the app looks from outside. Renders nothing. */
export function PlainLook() {
  const store = useStore()
  const { isPlain } = usePlainLook()
  useEffect(() => {
    if (isPlain === null) return undefined
    showLook(store, document, isPlain)
    // The browser may have dropped the mark and kept the choice.
    if (isPlain) void writePlainMark(globalThis.caches, true).catch(() => undefined)
    return isPlain ? coverWhenAway(window) : undefined
  }, [store, isPlain])
  return null
}
