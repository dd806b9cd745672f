import { atom } from 'jotai'

/** Files that the system has opened with the installed app, and that wait for a press. */
export const launchedFilesAtom = atom<readonly FileSystemFileHandle[]>([])
