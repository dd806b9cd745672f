import { eq } from 'drizzle-orm'
import { uploadRequests } from '#server/db/schema.ts'
import { validateUpload } from '#server/operations/uploads/validate.ts'
import type { TestClient } from './client.ts'
import { patience } from './patience.ts'
import type { TestServer } from './server.ts'
import { uploadFile } from './upload.ts'

type Check = Pick<
  typeof uploadRequests.$inferSelect,
  'mediaKind' | 'contentType' | 'probe' | 'findings'
>

/**
 * How files come to a server that runs no jobs, with a check that is over. The first upload of a
 * file is really checked; the later ones take over what that found, and have no thumbnail.
 * @returns the id of the upload
 */
export function checkedUploads({
  deps,
}: TestServer): (client: TestClient, path: string) => Promise<string> {
  const checks = new Map<string, Check>()
  return async (client, path) => {
    const { _id } = await uploadFile(client, path)
    const isIt = eq(uploadRequests.id, _id)
    const before = checks.get(path)
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
    if (found !== undefined) checks.set(path, found)
    return _id
  }
}
