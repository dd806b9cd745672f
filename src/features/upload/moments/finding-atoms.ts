import { atom } from 'jotai'

/** How far the searches of this page for moments are, 0 to 1, by the local id of their upload. */
export const findingSharesAtom = atom<ReadonlyMap<string, number>>(new Map())
