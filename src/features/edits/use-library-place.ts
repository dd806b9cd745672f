import { useStore } from 'jotai'
import { useEffect, useEffectEvent, useState } from 'react'
import { useLocation } from 'react-router'
import { libraryPlaceAtom, type LibraryPlace } from './library-place-atoms.ts'

/** The place that this visit of the library was left at; null when it is a new one. */
export function useLeftPlace(): LibraryPlace | null {
  const store = useStore()
  const { key: visit } = useLocation()
  const [left] = useState(() => {
    const last = store.get(libraryPlaceAtom)
    return last?.visit === visit ? last : null
  })
  return left
}

/** Notes the place when the library is left. */
export function useNotePlace(describe: () => Pick<LibraryPlace, 'sizes' | 'expandedIds'>): void {
  const store = useStore()
  const { key: visit } = useLocation()
  const leave = useEffectEvent((scrollPx: number) =>
    store.set(libraryPlaceAtom, { visit, scrollPx, ...describe() }),
  )
  useEffect(() => {
    // When the effect ends the next screen may have moved the page, so the last place is kept here.
    let scrollPx = window.scrollY
    const note = (): void => {
      scrollPx = window.scrollY
    }
    window.addEventListener('scroll', note, { passive: true })
    return () => {
      window.removeEventListener('scroll', note)
      leave(scrollPx)
    }
  }, [])
}
