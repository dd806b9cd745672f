import { useStore } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { useAccount } from '#src/hooks/device/local-context.ts'
import { createIds } from '#src/lib/ids.ts'
import { readLibraryAddress, writeLibraryAddress, type LibraryAddress } from './library-address.ts'
import { sealedSearchesAtom } from './sealed-search-atoms.ts'

const TYPING_PAUSE_MS = 300

/**
 * What the library shows, and what its address asks. A choice is shown at once; the address
 * follows, after a pause of typing, and leads the way where a link or Back changes it.
 */
export function useLibraryAddress(): {
  readonly shown: LibraryAddress
  readonly asked: LibraryAddress
  readonly show: (next: LibraryAddress) => void
} {
  const { asked, ask, isOpen } = useAsked()
  const address = writeLibraryAddress(asked).toString()
  const [shown, setShown] = useState(asked)
  // Of the address: as it was seen last, and as it was written last by this hook.
  const [seen, setSeen] = useState(address)
  const [written, setWritten] = useState(address)
  if (address !== seen) {
    setSeen(address)
    if (address !== written) setShown(asked)
  }
  const write = useEffectEvent((next: string) => {
    setWritten(next)
    ask(readLibraryAddress(new URLSearchParams(next)))
  })
  const wanted = writeLibraryAddress(shown).toString()
  const isTyping = writeLibraryAddress({ ...shown, search: asked.search }).toString() === address
  useEffect(() => {
    if (wanted === address && !isOpen) return undefined
    const timer = setTimeout(() => write(wanted), isTyping && !isOpen ? TYPING_PAUSE_MS : 0)
    return () => clearTimeout(timer)
  }, [wanted, address, isTyping, isOpen])
  return { shown, asked, show: setShown }
}

/** What the address asks, whose search is elsewhere with an app lock: [Note: sealed search]. */
function useAsked() {
  const [params, setParams] = useSearchParams()
  const state: unknown = useLocation().state
  const store = useStore()
  // What hides scenes is there with an app lock only.
  const isSealed = (useAccount()?.hidden ?? null) !== null
  const inAddress = readLibraryAddress(params)
  const search = isSealed ? store.get(sealedSearchesAtom).get(searchIdOf(state)) : undefined
  return {
    asked: search === undefined ? inAddress : { ...inAddress, search },
    /** Whether a search stands in the address all the same: of a link, or of before the lock. */
    isOpen: isSealed && inAddress.search !== '',
    ask: (next: LibraryAddress): void => {
      if (!isSealed) return setParams(writeLibraryAddress(next), { replace: true })
      const searchId = createIds().uuid()
      store.set(sealedSearchesAtom, (all) => new Map(all).set(searchId, next.search))
      const open = writeLibraryAddress({ ...next, search: '' })
      setParams(open, { replace: true, state: { searchId } })
    },
  }
}

/** Of an entry of the history; as nothing has where it has none. */
function searchIdOf(state: unknown): string {
  const has = typeof state === 'object' && state !== null && 'searchId' in state
  return has ? String(state.searchId) : ''
}
