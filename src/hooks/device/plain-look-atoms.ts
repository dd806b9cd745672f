import { atom } from 'jotai'

/**
 * Whether the user of this device is discreet, for what draws many things at once; null until it is
 * read. `PlainLook` sets it.
 */
export const isPlainAtom = atom<boolean | null>(null)
