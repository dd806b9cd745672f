import { useLive } from './use-live.ts'

/** Whether this device can read the bytes of an upload again after a reload (a handle or a copy is kept); null while unknown. */
export function useUploadKept(uploadId: string): boolean | null {
  const live = useLive(`upload-kept:${uploadId}`, async (db) => {
    const [handles, blobs] = await Promise.all([db.handles.where('uploadId').equals(uploadId).count(), db.blobs.where('uploadId').equals(uploadId).count()])
    return handles + blobs > 0
  })
  return live.kind === 'ready' ? live.value : null
}
