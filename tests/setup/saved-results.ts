import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'

/** A file of a finished edit, as it lies on the server. */
export interface StoredResult {
  readonly taskId: string
  readonly outputId: string
  readonly fileName: string
  readonly objectKey: string
  readonly sha256: string
}

/** Stores a job whose edits are finished, with a file of random bytes of each size for each. */
export async function storeResults(
  deps: Pick<Deps, 'db' | 'clock' | 'store' | 'newId'>,
  userId: string,
  sizes: readonly number[],
): Promise<{ jobId: string; uploadId: string; results: StoredResult[] }> {
  const slugs = ['teaser-15s', 'teaser-60s', 'still-pack'].slice(0, sizes.length)
  const { jobId, uploadId, taskIds } = await storeJob(deps, userId, slugs)
  const folder = await mkdtemp(join(tmpdir(), 'onecut-results-'))
  const results: StoredResult[] = []
  for (const [at, taskId] of taskIds.entries()) {
    const bytes = randomBytes(sizes[at] ?? 0)
    const fileName = `scene-${slugs[at] ?? ''}.mp4`
    const objectKey = `outputs/${taskId}/1/0-${fileName}`
    await writeFile(join(folder, fileName), bytes)
    await deps.store.putFile(objectKey, join(folder, fileName), 'video/mp4')
    await deps.db
      .update(mediaJobTasks)
      .set({ status: 'succeeded', endedAt: deps.clock() })
      .where(eq(mediaJobTasks.id, taskId))
    const outputId = deps.newId()
    await deps.db.insert(taskOutputs).values({
      id: outputId,
      taskId,
      position: 0,
      kind: 'download-button',
      buttonText: 'Download',
      fileName,
      contentType: 'video/mp4',
      sizeBytes: bytes.length,
      objectKey,
    })
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    results.push({ taskId, outputId, fileName, objectKey, sha256 })
  }
  await rm(folder, { recursive: true, force: true })
  return { jobId, uploadId, results }
}
