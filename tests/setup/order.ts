import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { components } from '#openapi/schema.gen.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { ATTESTATION } from '#spec/attestation.ts'

export type MediaJob = components['schemas']['MediaJob']
/** What goes with the first order of a video. */
export const attestation = { version: ATTESTATION.version }

type TaskRequest = components['schemas']['MediaJobTaskRequest']

/** Asks for edits of an upload. */
export async function requestEdits(
  client: TestClient,
  uploadRequestId: string,
  mediaJobTaskRequests: readonly TaskRequest[],
): Promise<MediaJob> {
  const answer = await client.post<{ mediaJob: MediaJob }>('/v2/media-jobs', {
    mediaJob: { uploadRequestId, mediaJobTaskRequests },
  })
  if (answer.status >= 300)
    throw new Error(`Asking for edits answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body.mediaJob
}

/** Places the order of a job and pays all of it from the trial wallet. */
export async function payFor(client: TestClient, mediaJobId: string): Promise<void> {
  const order = await client.post<{ order: { _id: string; remainingPayableCoinAmount: number } }>(
    '/v1/orders',
    { order: { mediaJobId, attestation } },
  )
  if (order.status >= 300)
    throw new Error(`Ordering answered ${order.status}: ${JSON.stringify(order.body)}`)
  const wallets = await client.get<{ wallets: { _id: string }[] }>('/v1/wallets')
  const paid = await client.post(
    `/v1/payments/orders/${order.body.order._id}/wallet-coin-transactions`,
    {
      walletCoinTransaction: {
        walletId: wallets.body.wallets[0]?._id,
        coinAmount: order.body.order.remainingPayableCoinAmount,
      },
      idempotencyKey: crypto.randomUUID(),
    },
  )
  if (paid.status >= 300)
    throw new Error(`Paying answered ${paid.status}: ${JSON.stringify(paid.body)}`)
}

interface PaidEdit {
  readonly jobId: string
  readonly taskId: string
}

/** A watermark of an upload, asked for and paid. */
export async function paidWatermark(
  client: TestClient,
  uploadRequestId: string,
): Promise<PaidEdit> {
  const wanted = { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@me' } } as const
  return await paidEdit(client, uploadRequestId, wanted)
}

/** An edit of an upload, asked for and paid. */
export async function paidEdit(
  client: TestClient,
  uploadRequestId: string,
  wanted: TaskRequest,
): Promise<PaidEdit> {
  const job = await requestEdits(client, uploadRequestId, [wanted])
  await payFor(client, job._id)
  return { jobId: job._id, taskId: job.tasks[0]?._id ?? '' }
}

/** The job as it is now. */
export async function fetchJob(client: TestClient, id: string): Promise<MediaJob> {
  return (await client.get<{ mediaJob: MediaJob }>(`/v1/media-jobs/${id}`)).body.mediaJob
}

/** Saves the first file of a job's first edit into a folder, and returns its path. */
export async function saveResult(
  client: TestClient,
  jobId: string,
  folder: string,
): Promise<string> {
  const [output] = (await fetchJob(client, jobId)).tasks[0]?.outputs ?? []
  if (output?.kind !== 'download-button') throw new Error('The edit has no file')
  const path = join(folder, `${jobId}.mp4`)
  await writeFile(path, (await client.get(output.downloadUrl)).bytes)
  return path
}

/** Tokens that the person can spend now. */
export async function balance(client: TestClient): Promise<number> {
  return (
    await client.get<{ wallets: { spendableCoinAmount: number }[] }>('/v1/wallets')
  ).body.wallets.reduce((sum, wallet) => sum + wallet.spendableCoinAmount, 0)
}
