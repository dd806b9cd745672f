import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { loadContract } from '#server/http/contract.ts'
import {
  attestations,
  blockedFiles,
  mails,
  mediaAssets,
  mediaJobTasks,
  reports,
  reportSteps,
  taskOutputs,
  uploadRequests,
  walletTransactions,
} from '#server/db/schema.ts'
import { finishDeletions } from '#server/operations/media/deletions/remove.ts'
import { sweepStorage } from '#server/operations/workflows/upkeep/storage.ts'
import { claimTask } from '#server/operations/processing/tasks/claim.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import { runOperator } from '#server/operator/commands.ts'
import { humanToken } from '#tests/fakes/human.ts'
import { storeReview } from '#tests/integration/orders/stored-review.ts'
import { storeJob } from '#tests/integration/orders/stored-job.ts'
import { attestation, balance, payFor } from '#tests/setup/order.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { beginUpload, uploadBytes } from '#tests/setup/upload.ts'
import { unzip } from '#tests/setup/zip.ts'
import { ATTESTATION } from '#spec/attestation.ts'

type Schemas = components['schemas']
interface Refusal {
  readonly error: { readonly code: string; readonly message: string }
}

const DAY_MS = 86_400_000
let server: TestServer
let dir: string
let now = Date.parse('2026-11-22T12:00:00Z')
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-reports-'))
  // Nothing works in the background, so that each step is seen by itself.
  server = await startTestServer({
    clock: () => new Date(now),
    env: { ONECUT_ROLE: 'api', ONECUT_TRUSTED_PROXIES: '127.0.0.0/8,::1' },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

const newPerson = async (): Promise<SignedUp> => {
  now += 3_700_000
  return await server.signUp()
}
const operator = async (...args: string[]) =>
  await runOperator({ ...server.deps, actor: 'operator:test' }, args)
const reportFrom = async (address: string, contact: string) =>
  await server.createClient().post<{ report: Schemas['ReportReceipt'] } & Refusal>(
    '/v1/reports',
    {
      report: {
        video: 'The scene at https://example.com/1',
        relation: 'depicted',
        reason: 'I never agreed to it.\u001b[2J',
        signature: 'Mara Example',
        contact,
        isTruthful: true,
      },
      captchaToken: humanToken,
    },
    { headers: { 'x-forwarded-for': address } },
  )
const report = async (contact = 'mara@example.com'): Promise<Schemas['ReportReceipt']> => {
  const answer = await reportFrom('192.0.2.1', contact)
  expect([answer.status, answer.body.error]).toEqual([201, undefined])
  return answer.body.report
}

async function put(key: string, bytes = 'SECRET BYTES'): Promise<void> {
  await writeFile(join(dir, 'file'), bytes)
  await server.deps.store.putFile(key, join(dir, 'file'), 'video/mp4')
}

/** A video with a finished edit, one that failed, an order, a picture, and an asset beside it. */
async function makeFinished(me: SignedUp) {
  const { db, newId } = server.deps
  const job = await storeJob(server.deps, me.userId, ['still-pack', 'teaser-15s'])
  await payFor(me.client, job.jobId)
  const [taskId = '', failedId = ''] = job.taskIds
  const ended = { endedAt: new Date(now) }
  await put(`test/${job.uploadId}`)
  await put(`thumbnails/${job.uploadId}.jpg`)
  await put(`outputs/${taskId}/1/0-stills.zip`)
  await db
    .update(uploadRequests)
    .set({ thumbnailKey: `thumbnails/${job.uploadId}.jpg`, checksumSha256: 'SECRET-HASH' })
    .where(eq(uploadRequests.id, job.uploadId))
  await db
    .update(mediaJobTasks)
    .set({ status: 'succeeded', ...ended })
    .where(eq(mediaJobTasks.id, taskId))
  await db
    .update(mediaJobTasks)
    .set({ status: 'failed', ...ended })
    .where(eq(mediaJobTasks.id, failedId))
  const outputId = newId()
  await db.insert(taskOutputs).values({
    id: outputId,
    taskId,
    position: 0,
    kind: 'download-button',
    buttonText: 'Download',
    fileName: 'SECRET-stills.zip',
    contentType: 'application/zip',
    sizeBytes: 12,
    objectKey: `outputs/${taskId}/1/0-stills.zip`,
  })
  const placed = await me.client.get<{ orders: { _id: string }[] }>(
    `/v1/media-jobs/${job.jobId}/orders`,
  )
  return { ...job, taskId, failedId, outputId, orderId: placed.body.orders[0]?._id ?? '' }
}

async function makeAsset(me: SignedUp) {
  const { uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
  await server.deps.db
    .update(uploadRequests)
    .set({ purpose: 'media-asset' })
    .where(eq(uploadRequests.id, uploadId))
  const assetId = server.deps.newId()
  await server.deps.db.insert(mediaAssets).values({
    id: assetId,
    userId: me.userId,
    uploadRequestId: uploadId,
    name: 'intro',
    createdAt: new Date(now),
  })
  return { assetId, uploadId }
}

it('TRU-09 the first order of a video needs the attestation, which is stored once and exported', async () => {
  const me = await newPerson()
  const { jobId, uploadId } = await storeJob(server.deps, me.userId, ['still-pack'])
  const order = async (body: object) =>
    await me.client.post<Refusal>('/v1/orders', { order: { mediaJobId: jobId, ...body } })
  for (const missing of [{}, { attestation: { version: 'older' } }])
    expect(await order(missing)).toMatchObject({
      status: 422,
      body: { error: { code: 'orders/attestation-missing' } },
    })
  expect((await order({ attestation })).status).toBe(201)
  expect((await order({})).status).toBe(200)
  const stored = await server.deps.db
    .select()
    .from(attestations)
    .where(eq(attestations.uploadRequestId, uploadId))
  expect(stored).toEqual([
    {
      uploadRequestId: uploadId,
      userId: me.userId,
      mediaJobId: jobId,
      version: ATTESTATION.version,
      textSha256: createHash('sha256').update(ATTESTATION.text).digest('hex'),
      attestedAt: new Date(now),
    },
  ])
  const job = await me.client.get<{ mediaJob: Schemas['MediaJob'] }>(`/v1/media-jobs/${jobId}`)
  expect(job.body.mediaJob.attestedAt).toBe(new Date(now).toISOString())
  const files = unzip((await me.client.get('/v1/users/me/export')).bytes)
  expect(files.get('attestations.json')?.toString()).toContain(ATTESTATION.version)
})

it('TRU-09 a report gets a number, two mails without what was typed, and an end to its number', async () => {
  const { receiptNumber, receivedAt, firstLookBy, decisionBy } = await report('Kim@Example.com')
  expect(Date.parse(firstLookBy) - Date.parse(receivedAt)).toBe(2 * DAY_MS)
  expect(Date.parse(decisionBy) - Date.parse(receivedAt)).toBe(7 * DAY_MS)
  const sent = (await server.deps.db.select().from(mails)).filter(({ text }) =>
    text.includes(receiptNumber),
  )
  expect(sent.map(({ recipient }) => recipient).toSorted()).toEqual([
    'kim@example.com',
    'operator@onecut.invalid',
  ])
  expect(sent.map(({ text }) => text).join()).not.toMatch(/never agreed|Mara|example.com\/1/)

  expect((await operator('reports', 'list')).lines.join('\n')).toMatch(
    new RegExp(`${receiptNumber}\t.*\tdepicted\tnew\t48 h left`),
  )
  const shown = await operator('reports', 'show', receiptNumber.toLowerCase())
  expect(shown.lines.join('\n')).toContain('I never agreed to it. [2J')
  expect(shown.lines.join('\n')).toContain('operator:test\tshown')
  expect((await operator('reports', 'list')).lines.join('\n')).toMatch(/looked-at\t168 h left/)
  expect(await operator('reports', 'reject', receiptNumber)).toMatchObject({ isDone: true })
  expect((await operator('reports', 'list')).lines.join('\n')).not.toContain(receiptNumber)
  // The log of steps only grows.
  const change = server.deps.db.update(reportSteps).set({ actor: 'x' })
  await expect(change).rejects.toThrow(/update/)
  await expect(server.deps.db.delete(reportSteps)).rejects.toThrow(/delete/)
  for (let sentBefore = 1; sentBefore < 5; sentBefore += 1) await report('kim@example.com')
  const beyond = await reportFrom('192.0.2.1', 'kim@example.com')
  expect([beyond.status, beyond.body.error.code]).toEqual([429, 'request/too-many'])
})

it('TRU-12 reports of 40 networks close it for no one: the rest is kept without a mail', async () => {
  now += 3_700_000
  for (let network = 0; network < 40; network += 1)
    for (let sent = 0; sent < 5; sent += 1) {
      const { status, body } = await reportFrom(`198.51.100.${network}`, `${network}@example.com`)
      expect([status, body.report.isMailed]).toEqual([201, true])
    }
  // The line of one more person, and then of a flood that uses the address of that person.
  const late = await reportFrom('203.0.113.1', 'late@example.com')
  expect([late.status, late.body.report.isMailed]).toEqual([201, false])
  expect(await server.lastMail('late@example.com')).toBeNull()
  expect((await operator('reports', 'list')).lines.join('\n')).toContain(
    late.body.report.receiptNumber,
  )
  now += 3_700_000
  const mailed: unknown[] = []
  for (let network = 0; network < 7; network += 1)
    mailed.push((await reportFrom(`198.51.100.${network}`, 'kim@example.com')).body.report.isMailed)
  expect(mailed).toEqual([true, true, true, true, true, false, false])
})

it('TRU-12 one line with many IPv6 networks meets its end at 10 of a /56, and 20 of a /48', async () => {
  now += 3_700_000
  const statusesOf = async (addresses: readonly string[]): Promise<number[]> => {
    const statuses: number[] = []
    for (const address of addresses)
      statuses.push((await reportFrom(address, 'kim@example.com')).status)
    return statuses
  }
  const hex = (number: number) => number.toString(16).padStart(2, '0')
  const of56 = Array.from({ length: 12 }, (_, index) => `2001:db8:1:aa${hex(index)}::1`)
  expect(await statusesOf(of56)).toEqual([...Array<number>(10).fill(201), 429, 429])
  const of48 = Array.from({ length: 12 }, (_, index) => `2001:db8:1:${hex(index)}00::1`)
  expect(await statusesOf(of48)).toEqual([...Array<number>(10).fill(201), 429, 429])
  expect(await statusesOf(['2001:db8:2::1'])).toEqual([201])
})

it('TRU-09 a held video answers 451 in every call that names it, and lists show no byte of it', async () => {
  const me = await newPerson()
  const done = await makeFinished(me)
  const unpaid = await storeJob(server.deps, me.userId, ['still-pack'])
  const placed = await me.client.post<{ order: { _id: string } }>('/v1/orders', {
    order: { mediaJobId: unpaid.jobId, attestation },
  })
  const key = crypto.randomUUID()
  const open = await beginUpload(me.client, 12, { key, name: 'open.mp4' })
  const partUrl = open.upload.parts[0]?.presignedUrl ?? ''
  const asset = await makeAsset(me)
  const review = await storeReview(server.deps, me.userId)
  const { wallets } = (await me.client.get<{ wallets: { _id: string }[] }>('/v1/wallets')).body
  const before = await me.client.get<{ mediaJob: object }>(`/v1/media-jobs/${done.jobId}`)
  const { receiptNumber } = await report('held@example.com')
  for (const id of [done.jobId, unpaid.uploadId, open._id, asset.assetId, review.uploadId])
    expect(await operator('reports', 'hold', receiptNumber, id)).toMatchObject({ isDone: true })

  const ids = { id: done.uploadId }
  const openId = { id: open._id }
  const ofJob = { id: done.jobId }
  const ofAsset = { id: asset.assetId }
  const ofReview = { id: review.id }
  const payment = {
    walletCoinTransaction: { walletId: wallets[0]?._id, coinAmount: 1 },
    idempotencyKey: crypto.randomUUID(),
  }
  type Call = { params?: Record<string, string>; query?: string; body?: unknown }
  const named: Readonly<Record<string, Call>> = {
    createUploadRequest: {
      body: {
        uploadRequest: {
          idempotencyKey: key,
          upload: {
            provider: 's3-multipart',
            metadata: { clientFilename: 'open.mp4', clientFileSize: 12 },
          },
        },
      },
    },
    getUploadRequest: { params: ids },
    getUploadRequestMetadata: { params: ids },
    getUploadMoments: { params: ids },
    getUploadSounds: { params: ids },
    chooseUploadSound: { params: ids, body: { sound: 1 } },
    getMomentPictures: { params: ids },
    getMomentVideo: { params: ids },
    createSample: {
      params: ids,
      body: { sample: { mediaJobTaskPresetSlug: 'enhanced-audio-full-scene' } },
    },
    getSample: { params: { ...ids, sampleId: done.jobId } },
    getSampleVideo: { params: { ...ids, sampleId: done.jobId }, query: '?side=after' },
    completeUploadRequest: {
      params: openId,
      body: { uploadRequest: { upload: { parts: [{ partNumber: 1, eTag: 'x' }] } } },
    },
    abortUploadRequest: { params: openId },
    createPartUrls: { params: openId, body: { partNumbers: [1] } },
    renewImport: {
      params: openId,
      body: { upload: { provider: 'link', link: 'https://www.dropbox.com/a.mp4' } },
    },
    listHeldParts: { params: openId },
    deleteStoredVideo: { params: ids },
    deleteStoredSource: { params: ids },
    createMediaJob: {
      body: {
        mediaJob: {
          uploadRequestId: done.uploadId,
          mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'still-pack' }],
        },
      },
    },
    getMediaJob: { params: ofJob },
    getMediaJobForecast: { params: ofJob },
    renameMediaJob: { params: ofJob, body: { mediaJob: { name: 'x' } } },
    downloadJobResults: { params: ofJob },
    listMediaJobOrders: { params: ofJob },
    listDriveSaves: { params: ofJob },
    startDriveSaves: { params: ofJob, body: { externalAuthId: done.jobId, taskIds: null } },
    cancelDriveSaves: { params: ofJob },
    getMediaJobThumbnail: { params: ofJob },
    retryMediaJobTask: { params: { id: done.failedId } },
    getFaceReview: { params: ofReview },
    saveFaceReview: {
      params: ofReview,
      body: { faceReview: { basedOn: 0, decisions: { uncovered: [], added: [], wholly: [] } } },
    },
    finishFaceReview: { params: ofReview, body: { faceReview: { basedOn: 0 } } },
    getFaceReviewVideo: { params: ofReview },
    getFaceStrip: { params: { ...ofReview, trackId: 'certain' } },
    downloadOutput: { params: { taskId: done.taskId, outputId: done.outputId } },
    createOrder: { body: { order: { mediaJobId: unpaid.jobId, attestation } } },
    getOrder: { params: { orderId: done.orderId } },
    listOrderMediaJobs: { params: { orderId: done.orderId } },
    cancelOrder: { params: { id: placed.body.order._id } },
    payOrderWithTokens: { params: { orderId: placed.body.order._id }, body: payment },
    createTokenCheckoutSession: {
      body: {
        walletId: wallets[0]?._id,
        orderId: placed.body.order._id,
        stripeCheckoutSession: { coinAmount: 100 },
      },
    },
    createMediaAsset: { body: { mediaAsset: { uploadRequestId: asset.uploadId, name: 'x' } } },
    renameMediaAsset: { params: ofAsset, body: { mediaAsset: { name: 'x' } } },
    deleteMediaAsset: { params: ofAsset },
    getMediaAssetThumbnail: { params: ofAsset },
    getMediaAssetPreview: { params: ofAsset },
  }
  const contract = await loadContract()
  const refused: string[] = []
  for (const operation of contract.operations) {
    const call = named[operation.id]
    if (call === undefined) continue
    const path = operation.path.replace(
      /\{(\w+)\}/g,
      (_, name: string) => call.params?.[name] ?? '',
    )
    const address = `${path}${call.query ?? ''}`
    const answer = await me.client.call<Refusal>(operation.method.toUpperCase(), address, {
      body: call.body,
    })
    const isBuilt = answer.status !== 501
    expect([operation.id, answer.status]).toEqual([operation.id, isBuilt ? 451 : 501])
    if (isBuilt) expect(answer.body.error.code).toBe('uploads/held')
    expect(Buffer.from(answer.bytes).toString('latin1')).not.toContain('SECRET')
    refused.push(operation.id)
  }
  const checksum = createHash('sha256').update('SECRET BYTES').digest('base64')
  for (const [method, headers, body] of [
    ['PUT', {}, 'SECRET BYTES'],
    ['HEAD', { 'x-amz-checksum-sha256': checksum }, null],
    ['PATCH', { 'x-amz-checksum-sha256': checksum, 'upload-offset': '0' }, 'SECRET BYTES'],
  ] as const) {
    const url = new URL(partUrl, me.client.origin)
    const answer = await fetch(url, { method, headers, ...(body === null ? {} : { body }) })
    expect([method, answer.status]).toEqual([method, 451])
    await answer.arrayBuffer()
    refused.push(`${method.toLowerCase()}Part`)
  }

  const lists = ['/v1/media-jobs/paginated', '/v1/upload-requests', '/v1/media-assets']
  for (const path of [...lists, '/v1/storage', '/v1/users/me/export']) {
    const answer = await me.client.get(path)
    expect([path, answer.status]).toEqual([path, 200])
    const text =
      path === '/v1/users/me/export'
        ? [...unzip(answer.bytes).values()].map(String).join('\n')
        : Buffer.from(answer.bytes).toString()
    expect(text).not.toMatch(/SECRET|\/download|\/thumbnail/)
    if (lists.includes(path)) expect(text).toMatch(/"isHeld":true/)
  }
  // An operation that is new says here how it treats a held file.
  const others = contract.operations.map(({ id }) => id).filter((id) => !refused.includes(id))
  expect(others.filter((id) => !NAME_NOTHING_HELD.includes(id))).toEqual([])

  expect(await operator('reports', 'release', receiptNumber)).toMatchObject({ isDone: true })
  const after = await me.client.get<{ mediaJob: object }>(`/v1/media-jobs/${done.jobId}`)
  expect(after.body).toEqual(before.body)
  const path = `/v1/media-job-tasks/${done.taskId}/outputs/${done.outputId}/download`
  expect(Buffer.from((await me.client.get(path)).bytes).toString()).toBe('SECRET BYTES')
  expect((await me.client.get(`/v1/upload-requests/${open._id}`)).status).toBe(200)
})

/** Lists, which show a held file without its contents, books, and what names no file. */
const NAME_NOTHING_HELD: readonly string[] = [
  'listMediaJobsPage listUploadRequests listMediaAssets readStorage exportAccount',
  'getOrderReceipt listPayments getPaymentReceipt withdrawPayment listWalletTransactions',
  'getTokenCheckoutSession createSubscriptionCheckoutSession getSubscriptionCheckoutSession',
  'signUpByMagicLink logInByMagicLink showMagicLinkPage signInByMagicLink signInByMagicLinkCode',
  'beginPasskeySignIn signInByPasskey logOut getCurrentUser listSessions endOtherSessions endSession',
  'savePushSubscription endPushSubscription markNoticesSeen',
  'listPasskeys addPasskey beginAddingPasskey removePasskey deleteAccount getProfile updateProfile',
  'listEditSets saveEditSet deleteEditSet',
  'getMusicTrackPreview getFrontPage getHumanChallenge getCapabilities listPresets listWallets getWallet listMusicTracks createReport',
  'listWalletSubscriptions getWalletSubscription cancelWalletSubscription resumeWalletSubscription',
  'createPortalSession listStoredPaymentMethods listReferralCodes createReferralCode',
  'getReferralCodeCookie validateReferralCode listReferralCodeRedemptions getReferralCodeRedemption',
  'redeemReferralCode listExternalAuths disconnectExternalAuth startGoogleLogin',
].flatMap((line) => line.split(' '))

it('TRU-09 a hold stops paid work, gives its tokens back once, and outlives retention', async () => {
  const me = await newPerson()
  const full = await balance(me.client)
  const job = await storeJob(server.deps, me.userId, ['still-pack'])
  await payFor(me.client, job.jobId)
  const waiting = await storeJob(server.deps, me.userId, ['still-pack'], null)
  await payFor(me.client, waiting.jobId)
  const [taskId = ''] = job.taskIds
  expect(await claimTask(server.deps, { taskId })).not.toBeNull()
  expect(await balance(me.client)).toBeLessThan(full)
  const { receiptNumber } = await report('stop@example.com')
  for (const id of [job.uploadId, waiting.uploadId, job.uploadId])
    await operator('reports', 'hold', receiptNumber, id)
  expect(await balance(me.client)).toBe(full)
  expect(await claimTask(server.deps, { taskId })).toBeNull()
  now += 40 * DAY_MS
  const { settings } = server.deps
  await sweepStorage({
    ...server.deps,
    settings: { ...settings, keepSourcesDays: 1, keepResultsDays: 1 },
  })
  const other = (await report('other@example.com')).receiptNumber
  await operator('reports', 'hold', other, job.uploadId)
  expect((await operator('reports', 'release', receiptNumber)).lines.join('\n')).toContain(
    'still held by another report',
  )
  expect(await operator('reports', 'release', other)).toMatchObject({ isDone: true })
  const [row] = await server.deps.db
    .select()
    .from(uploadRequests)
    .where(eq(uploadRequests.id, job.uploadId))
  expect(row).toMatchObject({ heldAt: null, sourceRemovedAt: null })
  const refunds = await server.deps.db
    .select({ orderId: walletTransactions.orderId })
    .from(walletTransactions)
    .where(eq(walletTransactions.kind, 'order-refund'))
  expect(refunds.length).toBe(new Set(refunds.map(({ orderId }) => orderId)).size)
})

it('TRU-09 what is removed is gone, and the same file is not accepted again', async () => {
  const me = await newPerson()
  const bytes = new TextEncoder().encode(`SECRET ${'x'.repeat(5000)}`)
  const upload = await uploadBytes(me.client, bytes)
  await writeFile(join(dir, 'copy.mp4'), bytes)
  const found = await operator('reports', 'find', '--file', join(dir, 'copy.mp4'))
  expect(found.lines).toEqual([expect.stringContaining(upload._id)])
  const { receiptNumber } = await report('gone@example.com')
  expect(await operator('reports', 'remove', receiptNumber)).toMatchObject({ isDone: false })
  await operator('reports', 'hold', receiptNumber, upload._id, '--note', 'looks right')
  expect(await operator('reports', 'remove', receiptNumber)).toMatchObject({ isDone: true })
  await finishDeletions(server.deps)
  expect(await server.deps.store.head(`uploads/${upload._id}`)).toBeNull()
  expect(await server.deps.db.select({ sha256: blockedFiles.sha256 }).from(blockedFiles)).toEqual([
    { sha256: createHash('sha256').update(bytes).digest('hex') },
  ])
  expect((await me.client.get(`/v1/upload-requests/${upload._id}`)).status).toBe(451)
  expect(await operator('reports', 'release', receiptNumber)).toMatchObject({ isDone: false })

  const stranger = await newPerson()
  const again = await uploadBytes(stranger.client, bytes)
  const { signal } = new AbortController()
  await validateUpload(server.deps, { uploadRequestId: again._id, signal })
  const answer = await stranger.client.get<{ uploadRequest: Schemas['UploadRequest'] }>(
    `/v1/upload-requests/${again._id}`,
  )
  expect(answer.body.uploadRequest).toMatchObject({ isFailed: true, failureCode: 'not-accepted' })
  expect(await server.deps.store.head(`uploads/${again._id}`)).toBeNull()

  const [kept] = await server.deps.db
    .select({ id: reports.id })
    .from(reports)
    .where(eq(reports.receiptNumber, receiptNumber))
  const steps = await server.deps.db
    .select({ step: reportSteps.step, actor: reportSteps.actor, note: reportSteps.note })
    .from(reportSteps)
    .where(eq(reportSteps.reportId, kept?.id ?? ''))
    .orderBy(reportSteps.id)
  expect(steps).toEqual([
    { step: 'received', actor: 'reporter', note: null },
    { step: 'held', actor: 'operator:test', note: 'looks right' },
    { step: 'removed', actor: 'operator:test', note: null },
  ])
})
