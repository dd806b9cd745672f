import type { VirtualItem } from '@tanstack/react-virtual'
import { atom } from 'jotai'

/** Where a person left the library, so that Back leads there again. */
export interface LibraryPlace {
  /** The router's key of the visit. */
  readonly visit: string
  readonly scrollPx: number
  /** Of cards as they were measured. */
  readonly sizes: VirtualItem[]
  /** Ids of the jobs whose edits were shown, and of the videos whose older orders were. */
  readonly expandedIds: ReadonlySet<string>
}

/** The place that was left last; only that one can be come back to by a single Back. */
export const libraryPlaceAtom = atom<LibraryPlace | null>(null)
