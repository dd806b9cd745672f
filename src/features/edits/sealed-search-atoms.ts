import { atom } from 'jotai'

/**
 * [Note: sealed search] A browser shows the address of a locked page, and keeps addresses in its
 * history and with its tabs. So with an app lock what a person searches for stands in the memory of
 * the page, and an entry of the history has an id of it: Back and Forward find it until the app
 * locks.
 */
export const sealedSearchesAtom = atom<ReadonlyMap<string, string>>(new Map())
