import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useState } from 'react'
import { launchedFilesAtom } from '#src/hooks/device/launched-files-atoms.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import {
  dropSharedFile,
  markSharedFileUsed,
  readSharedFiles,
  sharedFileHandle,
  type SharedFile,
} from '#src/local/db/shared-files.ts'

/** A video that another app shared into this one, or that was opened with it. */
export interface OfferedFile {
  readonly key: string
  readonly name: string
  /** Null where it is not known before it is read. */
  readonly sizeBytes: number | null
  /** The file, offered no more. Rejects where it is not there any more. */
  take(): Promise<{ readonly file: File; readonly handle: FileSystemFileHandle }>
  /** It is not wanted. */
  drop(): Promise<void>
}

/** The videos that wait for a press of this account, those first that came first. */
export function useOfferedFiles(): readonly OfferedFile[] {
  const { deviceDb, files } = useLocal()
  const userId = useAccount()?.userId ?? null
  const [shared, setShared] = useState<readonly SharedFile[]>([])
  const launched = useAtomValue(launchedFilesAtom)
  const setLaunched = useSetAtom(launchedFilesAtom)
  useEffect(() => {
    if (userId === null) return undefined
    return subscribeLive(() => readSharedFiles(deviceDb, userId), {
      next: setShared,
      // What cannot be read is not offered; the person can choose it.
      error: () => setShared([]),
    })
  }, [deviceDb, userId])
  if (userId === null) return []
  const forget = (handle: FileSystemFileHandle) =>
    setLaunched((all) => all.filter((each) => each !== handle))
  return [
    ...(files === null ? [] : shared).map((file) => ({
      key: `${file.shareId}/${file.number}`,
      name: file.name,
      sizeBytes: file.sizeBytes,
      take: async () => {
        const handle = await sharedFileHandle(files ?? noFiles, file)
        const taken = { file: await handle.getFile(), handle }
        await markSharedFileUsed(deviceDb, file, userId)
        return taken
      },
      drop: () => dropSharedFile(deviceDb, files ?? noFiles, file),
    })),
    ...launched.map((handle, at) => ({
      key: `opened-${at}-${handle.name}`,
      name: handle.name,
      sizeBytes: null,
      take: async () => {
        const file = await handle.getFile()
        forget(handle)
        return { file, handle }
      },
      drop: async () => forget(handle),
    })),
  ]
}

function noFiles(): Promise<never> {
  return Promise.reject(new Error('this browser has no files of its own'))
}
