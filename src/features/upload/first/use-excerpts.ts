import { useQuery } from '@tanstack/react-query'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { UploadBridge } from '#src/bridge/upload-bridge.ts'
import type { PageLocal } from '#src/local/compose.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'
import { createExcerpts, type Excerpts } from '#src/local/uploads/page/send-excerpt.ts'

/** One for each page, because it keeps the index that it read. */
const known = new WeakMap<UploadBridge, Excerpts>()

/** The excerpts that this page can make. */
export function useExcerpts(): Excerpts {
  const local = useLocal()
  const { bridge } = useUploadsContext()
  const excerpts = known.get(bridge) ?? excerptsOfPage(local, bridge)
  known.set(bridge, excerpts)
  return excerpts
}

function excerptsOfPage(local: PageLocal, bridge: UploadBridge): Excerpts {
  return createExcerpts(() => {
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
  })
}

/**
 * When the keys of a video's pictures are shown, in milliseconds, as far as its index says it; null
 * until that is known.
 * @param uploadId null for no video
 */
export function useKeyTimes(uploadId: string | null): readonly number[] | null {
  const userId = useAccount()?.userId ?? null
  const excerpts = useExcerpts()
  const { data } = useQuery({
    queryKey: ['key-times', userId, uploadId],
    enabled: uploadId !== null,
    staleTime: Infinity,
    queryFn: () => (uploadId === null ? [] : excerpts.keyTimes(uploadId)),
  })
  return data ?? null
}
