import { useStore } from 'jotai'
import { useEffect } from 'react'
import { coverWhenAway, showLook } from './plain-look.ts'
import { usePlainLook } from '#src/hooks/use-plain-look.ts'

/** Follows the choice of this device how the app looks from outside. Renders nothing. */
export function PlainLook() {
  const store = useStore()
  const { isPlain } = usePlainLook()
  useEffect(() => {
    if (isPlain === null) return undefined
    showLook(store, document, isPlain)
    return isPlain ? coverWhenAway(window) : undefined
  }, [store, isPlain])
  return null
}
