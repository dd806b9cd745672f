import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { components } from '#openapi/schema.gen.ts'
import type { MediaJob } from '#tests/setup/order.ts'
import type { UploadRequest } from '#tests/setup/upload.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { send, type Fact, type Person } from './mixed-world.ts'

type Order = components['schemas']['Order']
type Wallet = components['schemas']['Wallet']
type Transaction = components['schemas']['WalletCoinTransaction']

/**
 * What the server says now against all that it has acknowledged to a person, and their wallets
 * against their ledger. Changes nothing: what it repeats has its first answer already.
 */
export async function factErrors({ client, email, facts }: Person): Promise<string[]> {
  const errors: string[] = []
  for (const fact of facts.values()) {
    const error = await errorOf(client, fact)
    if (error !== null) errors.push(`${email}: ${error}`)
  }
  if (facts.get('account')?.kind === 'account')
    errors.push(...(await walletErrors(client)).map((error) => `${email}: ${error}`))
  return errors
}

async function errorOf(client: TestClient, fact: Fact): Promise<string | null> {
  switch (fact.kind) {
    case 'account': {
      const { status, body } = await client.get<{ user: { _id: string } }>('/v1/users/me')
      const isSame = status === 200 && body.user._id === fact.userId
      return isSame ? null : `the session answers ${status}`
    }
    case 'deleted-account': {
      const { status } = await client.get('/v1/users/me')
      return status === 401 ? null : `the session of a deleted account answers ${status}`
    }
    case 'upload':
      return await uploadError(client, fact)
    case 'completed-upload': {
      const upload = await readUpload(client, fact.id)
      const isSame =
        ['completed', 'validated', 'failed'].includes(upload?.state ?? '') &&
        upload?.upload.checksumSha256 === fact.checksum
      return isSame ? null : `the complete upload ${fact.id} is ${upload?.state}`
    }
    case 'discarded-upload': {
      const upload = await readUpload(client, fact.id)
      return upload === null || upload.state === 'aborted'
        ? null
        : `the discarded upload ${fact.id} is ${upload.state}`
    }
    case 'deleted-video':
      return await deletedError(client, fact)
    case 'order': {
      const { body } = await client.get<{ order: Order }>(`/v1/orders/${fact.id}`)
      return orderError(fact, body.order)
    }
    case 'edits':
      return await filesError(client, fact.files)
    case 'answer': {
      const again = await send(client, fact.call)
      const isSame =
        again.status === fact.answer.status && isDeepStrictEqual(again.body, fact.answer.body)
      return isSame ? null : `${fact.call.path} answers ${again.status} to the same key`
    }
  }
}

async function readUpload(client: TestClient, id: string): Promise<UploadRequest | null> {
  const { status, body } = await client.get<{ uploadRequest: UploadRequest }>(
    `/v1/upload-requests/${id}`,
  )
  return status === 200 ? body.uploadRequest : null
}

async function uploadError(
  client: TestClient,
  { id, parts }: Extract<Fact, { kind: 'upload' }>,
): Promise<string | null> {
  const upload = await readUpload(client, id)
  if (upload === null) return `the upload ${id} is lost`
  for (const [partNumber, eTag] of parts)
    if (upload.upload.parts.find((part) => part.partNumber === partNumber)?.eTag !== eTag)
      return `part ${partNumber} of ${id} is lost`
  return null
}

async function deletedError(
  client: TestClient,
  { id, jobId }: Extract<Fact, { kind: 'deleted-video' }>,
): Promise<string | null> {
  const { body } = await client.get<{ mediaJob: MediaJob }>(`/v1/media-jobs/${jobId}`)
  const outputs = body.mediaJob.tasks.flatMap((task) => task.outputs)
  if (outputs.some(({ kind }) => kind === 'download-button'))
    return `edits of the deleted video ${id} can be downloaded`
  const stored = await client.get<{ storage: { videos: { uploadRequestId: string }[] } }>(
    '/v1/storage',
  )
  return stored.body.storage.videos.some(({ uploadRequestId }) => uploadRequestId === id)
    ? `the deleted video ${id} is still there`
    : null
}

function orderError(
  { id, state }: Extract<Fact, { kind: 'order' }>,
  order: Order | undefined,
): string | null {
  if (order === undefined) return `the order ${id} is lost`
  const { paidTotalCoinAmount: paid, lineItemsTotalCoinAmount: total, isFullyPaid } = order
  if (state === 'paid' && !(isFullyPaid && paid === total))
    return `the paid order ${id} has ${paid} of ${total}`
  if (state === 'canceled' && order.remainingPayableCoinAmount !== 0)
    return `the canceled order ${id} asks for tokens`
  return paid > total ? `the order ${id} was paid twice` : null
}

async function filesError(
  client: TestClient,
  files: ReadonlyMap<string, string>,
): Promise<string | null> {
  for (const [url, hash] of files) {
    const { status, bytes } = await client.get(url)
    if (status !== 200 || createHash('sha256').update(bytes).digest('hex') !== hash)
      return `a file that was downloaded before answers ${status}, or has other bytes`
  }
  return null
}

/** No lot expires while a person lives, so that the sum of the history is the balance. */
async function walletErrors(client: TestClient): Promise<string[]> {
  const { wallets } = (await client.get<{ wallets: Wallet[] }>('/v1/wallets')).body
  const errors: string[] = []
  for (const { _id: id, coinBalance } of wallets) {
    const history = await client.get<{ walletCoinTransactions: Transaction[] }>(
      `/v1/wallets/${id}/wallet-coin-transactions`,
    )
    const sum = history.body.walletCoinTransactions.reduce((all, row) => all + row.coinAmount, 0)
    if (sum !== coinBalance) errors.push(`wallet ${id} has ${coinBalance}, its ledger ${sum}`)
  }
  return errors
}
