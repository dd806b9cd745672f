import { eq } from 'drizzle-orm'
import { uploadRequests } from '#server/db/schema.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import type { TestClient } from './client.ts'
import { patience } from './patience.ts'
import type { TestServer } from './server.ts'
import { uploadFile, type UploadOptions } from './upload.ts'

type Check = Pick<
  typeof uploadRequests.$inferSelect,
  'mediaKind' | 'contentType' | 'probe' | 'findings'
>

interface CheckedOptions extends Pick<UploadOptions, 'purpose'> {
  /** Files with the same word are alike for a check, and only the first of them is checked. */
  readonly like?: string
}

/**
 * How files come to a server that runs no jobs, with a check that is over. The first upload of a
 * file is really checked; the later ones take over what that found, and have no thumbnail.
 * @returns the id of the upload
 */
export function checkedUploads({
  deps,
}: TestServer): (client: TestClient, path: string, options?: CheckedOptions) => Promise<string> {
  const checks = new Map<string, Check>()
  return async (client, path, { like = path, ...options } = {}) => {
    const { _id } = await uploadFile(client, path, options)
    const isIt = eq(uploadRequests.id, _id)
    const before = checks.get(like)
    if (before !== undefined) {
      const settled = { state: 'validated', metadataProcessedAt: deps.clock() } as const
      await deps.db
        .update(uploadRequests)
        .set({ ...before, ...settled })
        .where(isIt)
      return _id
    }
    await validateUpload(deps, { uploadRequestId: _id, signal: AbortSignal.timeout(patience(60)) })
    const { mediaKind, contentType, probe, findings } = uploadRequests
    const [found] = await deps.db
      .select({ mediaKind, contentType, probe, findings })
      .from(uploadRequests)
      .where(isIt)
    if (found !== undefined) checks.set(like, found)
    return _id
  }
}
