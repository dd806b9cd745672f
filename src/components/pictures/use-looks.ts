import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { fetchImage } from '#src/local/sync/images.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'

/** Brings a picture for one look at it, which nothing keeps; null where there is none now. */
export type Look = () => Promise<Blob | null>

/** Pixels; as wide as the server's. */
const WIDTH = 640

/** How each thing of a list is looked at where only its mosaic is on the device. */
export function useLooks() {
  const { fetch, ids, ports } = useLocal()
  const { bridge, media } = useUploadsContext()
  const db = useAccount()?.db ?? null
  const ofServer = async (url: string | null): Promise<Blob | null> =>
    url === null ? null : await fetchImage({ fetch, origin: ports.origin }, url)
  const ofFile = async (of: AccountDb, row: UploadRow): Promise<Blob | null> => {
    const opened = await openUpload(of, row, bridge.heldFile(row.id))
    if (!opened.ok) return null
    const made = await media.poster(opened.value, { id: ids.uuid(), width: WIDTH })
    return made.ok ? made.value : null
  }
  const looked =
    (find: (of: AccountDb) => Promise<Blob | null>): Look =>
    async () =>
      db === null ? null : await find(db).catch(() => null)
  return {
    ofJob: (mediaJobId: string): Look =>
      looked(async (of) => {
        const job = (await of.mediaJobs.get(mediaJobId))?.value
        const picture = await ofServer(job?.thumbnailUrl ?? null)
        if (picture !== null || job === undefined) return picture
        const { uploadRequestId } = job
        const row = await of.uploads.where('uploadRequestId').equals(uploadRequestId).first()
        return row === undefined ? null : await ofFile(of, row)
      }),
    ofAsset: (mediaAssetId: string): Look =>
      looked(async (of) => {
        const format = (await of.mediaAssets.get(mediaAssetId))?.value.format ?? null
        return await ofServer(
          format !== null && 'thumbnailUrl' in format ? format.thumbnailUrl : null,
        )
      }),
    ofUpload: (uploadId: string): Look =>
      looked(async (of) => {
        const row = await of.uploads.get(uploadId)
        if (row === undefined) return null
        const picture = await ofFile(of, row)
        if (picture !== null || row.uploadRequestId === null) return picture
        const { uploadRequestId } = row
        const jobs = await of.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray()
        const pictured = jobs.find(({ value }) => value.thumbnailUrl !== null)
        return await ofServer(pictured?.value.thumbnailUrl ?? null)
      }),
  }
}
