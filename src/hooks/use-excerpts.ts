import { useMemo } from 'react'
import { useLocal } from './local-context.ts'
import { useUploadsContext } from './uploads-context.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'
import { createExcerpts, type Excerpts } from '#src/local/uploads/page/send-excerpt.ts'

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
