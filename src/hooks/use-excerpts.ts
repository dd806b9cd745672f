import { useMemo } from 'react'
import { useLocal } from './local-context.ts'
import { useLive, type Live } from './use-live.ts'
import { useUploadsContext } from './uploads-context.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'
import { createExcerpts, excerptsOf, type Excerpts } from '#src/local/uploads/page/send-excerpt.ts'

/** The excerpts that this page can make; the same object for the life of the screen. */
export function useExcerpts(): Excerpts {
  const local = useLocal()
  const { bridge } = useUploadsContext()
  return useMemo(
    () =>
      createExcerpts(() => {
        const db = local.account()?.db
        return db === undefined
          ? null
          : {
              ...local,
              db,
              digest: webCryptoDigest,
              open: (row) => openUpload(db, row, bridge.heldFile(row.id)),
              discard: bridge.discard,
            }
      }),
    [local, bridge],
  )
}

/** The excerpt of an upload of this device; null value where there is none. */
export function useExcerptOf(uploadId: string | null): Live<UploadRow | null> {
  return useLive(`excerpt:${uploadId}`, async (db) =>
    uploadId === null ? null : ((await excerptsOf(db, uploadId))[0] ?? null),
  )
}
