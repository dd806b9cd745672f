import type { components } from '#openapi/schema.gen.ts'
import type { MadeFileRow, PaymentIntentRow, UploadRow } from '#src/local/db/rows.ts'

type Schemas = components['schemas']
const CREATED_AT = '2026-11-21T09:30:00.000Z'

/** A UUID-shaped id from a number, ordered like the number. */
export function idOf(number: number): string {
  return `0197a3f2-7c1e-7b90-a111-${number.toString(16).padStart(12, '0')}`
}

/** A job that waits, with the given differences. */
export function fakeMediaJob(changes: Partial<Schemas['MediaJob']> = {}): Schemas['MediaJob'] {
  return {
    _id: idOf(1),
    uploadRequestId: idOf(2),
    name: 'beach.mp4',
    tasks: [],
    mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'teaser-15s' }],
    progressRatio: 0,
    isMediaWorkflowStarted: false,
    isMediaWorkflowFailed: false,
    isUploadRequestFailed: false,
    isUploadRequestCompleted: false,
    isUploadRequestValidated: false,
    orderIsPlaced: false,
    orderId: null,
    estimatedCompletedAt: null,
    thumbnailUrl: null,
    videoDuration: null,
    isHeld: false,
    attestedAt: null,
    createdAt: CREATED_AT,
    ...changes,
  }
}

/** An open, unpaid order of 300 tokens, with the given differences. */
export function fakeOrder(changes: Partial<Schemas['Order']> = {}): Schemas['Order'] {
  return {
    _id: idOf(3),
    mediaJobId: idOf(1),
    status: 'open',
    lineItems: [],
    lineItemsTotalCoinAmount: 300,
    paidTotalCoinAmount: 0,
    refundedTotalCoinAmount: 0,
    remainingPayableCoinAmount: 300,
    walletCoinTransactions: [],
    isFullyPaid: false,
    hasPaidWalletCoinTransactions: false,
    createdAt: CREATED_AT,
    ...changes,
  }
}

/** A trial wallet of 1,000 tokens, with the given differences. */
export function fakeWallet(changes: Partial<Schemas['Wallet']> = {}): Schemas['Wallet'] {
  return {
    _id: idOf(4),
    kind: 'trial',
    coinBalance: 1000,
    spendableCoinAmount: 1000,
    creditLimitCoinAmount: 0,
    expiringLots: [],
    createdAt: CREATED_AT,
    ...changes,
  }
}

/** A payment of all that is left of the order of `fakeOrder`, sent and not answered. */
export function fakePaymentIntent(coinAmount: number): PaymentIntentRow {
  return {
    orderId: idOf(3),
    walletId: idOf(4),
    coinAmount,
    remainingPayableCoinAmount: coinAmount,
    attempt: 1,
    idempotencyKey: 'key-1',
    createdAtEpochMs: Date.parse(CREATED_AT),
  }
}

/** The welcome tokens of the wallet of `fakeWallet`, with the given differences. */
export function fakeTransaction(
  changes: Partial<Schemas['WalletCoinTransaction']> = {},
): Schemas['WalletCoinTransaction'] {
  return {
    _id: idOf(30),
    walletId: idOf(4),
    kind: 'trial-grant',
    coinAmount: 1000,
    description: 'Welcome tokens',
    coinsExpireAfterAt: '2026-11-27T09:00:00.000Z',
    orderId: null,
    subject: null,
    createdAt: '2026-11-20T09:00:00.000Z',
    ...changes,
  }
}

/** A card payment for 2,000 tokens that was just begun. */
export function fakeCheckoutSession(
  changes: Partial<Schemas['StripeCheckoutSession']> = {},
): Schemas['StripeCheckoutSession'] {
  return {
    _id: 'test_session_1',
    clientSecret: null,
    status: 'open',
    payment: 'unpaid',
    planSlug: null,
    coinAmount: 2000,
    chargedCoinAmount: 2000,
    presentation: 'frame',
    payUrl: '/editors/pay/test_session_1',
    createdAt: '2026-11-21T09:59:00.000Z',
    ...changes,
  }
}

/** An upload request that still receives bytes, with the given differences. */
export function fakeUploadRequest(
  changes: Partial<Schemas['UploadRequest']> = {},
): Schemas['UploadRequest'] {
  return {
    _id: idOf(2),
    purpose: 'media-job',
    state: 'open',
    upload: {
      provider: 's3-multipart',
      metadata: { clientFilename: 'beach.mp4', clientFileSize: 1000 },
      parts: [],
      partSize: 1000,
      partCount: 1,
      resumable: true,
      checksumSha256: null,
    },
    uploadEndedAt: null,
    metadataProcessedAt: null,
    isValidated: false,
    isFailed: false,
    failureReason: null,
    failureCode: null,
    receivedBytes: 0,
    lastReceivedAt: null,
    urlsExpireAt: null,
    sourceMetadata: null,
    findings: null,
    isHeld: false,
    createdAt: CREATED_AT,
    ...changes,
  }
}

/** An upload of this device that runs, with the given differences. */
export function fakeUploadRow(changes: Partial<UploadRow> = {}): UploadRow {
  return {
    id: 'local-upload',
    uploadRequestId: null,
    idempotencyKey: 'random-1',
    purpose: 'media-job',
    file: { name: 'beach.mp4', sizeBytes: 1000, lastModifiedEpochMs: 1, type: 'video/mp4' },
    state: { kind: 'uploading' },
    epoch: 1,
    plan: null,
    safeBytes: 0,
    probe: null,
    fingerprint: null,
    createdAtEpochMs: 1,
    updatedAtEpochMs: 1,
    ...changes,
  }
}

/** A teaser that this device made, with the given differences. */
export function fakeMadeFileRow(changes: Partial<MadeFileRow> = {}): MadeFileRow {
  return {
    id: 'made-1',
    uploadId: 'local-upload',
    videoName: 'beach.mp4',
    slug: 'teaser-15s',
    payload: undefined,
    editName: '15s Teaser',
    state: {
      kind: 'ready',
      files: [{ fileName: 'beach-teaser.mp4', contentType: 'video/mp4', sizeBytes: 2_000_000 }],
    },
    createdAtEpochMs: Date.parse(CREATED_AT),
    seenAtEpochMs: null,
    ...changes,
  }
}

/** A subscription that renews in a month, with the given differences. */
export function fakeSubscription(
  changes: Partial<Schemas['WalletSubscription']> = {},
): Schemas['WalletSubscription'] {
  return {
    _id: idOf(50),
    planSlug: 'standard',
    status: 'active',
    usableUntil: '2026-12-24T09:30:00.000Z',
    expiresAt: '2026-12-21T09:30:00.000Z',
    cancelAtPeriodEnd: false,
    topUpCoinAmount: 1900,
    createdAt: CREATED_AT,
    ...changes,
  }
}

/** A purchase of 5,000 tokens yesterday, all of them unused, with the given differences. */
export function fakePayment(changes: Partial<Schemas['Payment']> = {}): Schemas['Payment'] {
  return {
    _id: idOf(60),
    kind: 'tokens',
    state: 'paid',
    amountCents: 5000,
    taxCents: 0,
    refundedCents: 0,
    currency: 'usd',
    coinAmount: 5000,
    receiptNumber: '2026-000123',
    orderId: null,
    walletSubscriptionId: null,
    withdrawableUntil: '2026-12-04T10:00:00.000Z',
    withdrawableCoinAmount: 5000,
    withdrawableCents: 5000,
    withdrawnAt: null,
    withdrawnCents: 0,
    paidAt: '2026-11-20T10:00:00.000Z',
    ...changes,
  }
}

/** A video of 12 s that was read, with the given differences. */
export function fakeMediaAsset(
  changes: Partial<Schemas['MediaAsset']> = {},
): Schemas['MediaAsset'] {
  return {
    _id: idOf(40),
    name: 'Opening logo',
    uploadRequestId: idOf(41),
    format: {
      slug: 'video',
      thumbnailUrl: null,
      previewUrl: null,
      duration: 12_000,
      width: 1920,
      height: 1080,
    },
    sizeBytes: 5_000_000,
    isHeld: false,
    createdAt: CREATED_AT,
    ...changes,
  }
}

/** A review that waits: three faces in two shots of a minute, one of them uncertain. */
export function fakeFaceReview(
  changes: Partial<Schemas['FaceReview']> = {},
): Schemas['FaceReview'] {
  const box = (atMs: number, x: number) => ({ atMs, x, y: 0.2, width: 0.15, height: 0.25 })
  return {
    taskId: idOf(70),
    state: 'waiting',
    until: null,
    revision: 0,
    decisions: { uncovered: [], added: [], wholly: [] },
    finding: {
      version: 1,
      tracks: [
        {
          id: 't1',
          startMs: 0,
          endMs: 12_000,
          boxes: [box(0, 0.2), box(9000, 0.4)],
          certainty: 0.95,
        },
        { id: 't2', startMs: 3000, endMs: 4000, boxes: [box(3500, 0.7)], certainty: 0.3 },
        { id: 't3', startMs: 31_000, endMs: 58_000, boxes: [box(40_000, 0.5)], certainty: 0.8 },
      ],
      shots: [
        { startMs: 0, endMs: 30_000 },
        { startMs: 30_000, endMs: 60_000 },
      ],
    },
    durationMs: 60_000,
    width: 1920,
    height: 1080,
    ...changes,
  }
}
