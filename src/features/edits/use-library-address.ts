import { useEffect, useEffectEvent, useState } from 'react'
import { useSearchParams } from 'react-router'
import { readLibraryAddress, writeLibraryAddress, type LibraryAddress } from './library-address.ts'

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
  const [params, setParams] = useSearchParams()
  const asked = readLibraryAddress(params)
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
    setParams(new URLSearchParams(next), { replace: true })
  })
  const wanted = writeLibraryAddress(shown).toString()
  const isTyping = writeLibraryAddress({ ...shown, search: asked.search }).toString() === address
  useEffect(() => {
    if (wanted === address) return undefined
    const timer = setTimeout(() => write(wanted), isTyping ? TYPING_PAUSE_MS : 0)
    return () => clearTimeout(timer)
  }, [wanted, address, isTyping])
  return { shown, asked, show: setShown }
}
