import { atom } from 'jotai'

/** What tabs are called instead of by the title of their screen; null = by that. */
export const plainTitleAtom = atom<string | null>(null)
