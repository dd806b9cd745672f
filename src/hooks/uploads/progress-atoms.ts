import { atom } from 'jotai'
import type { UploadProgress } from '#src/local/uploads/api.ts'

/** Newest progress of driven uploads by their local id, whichever tab or worker drives them. */
export const progressAtom = atom<ReadonlyMap<string, UploadProgress>>(new Map())
