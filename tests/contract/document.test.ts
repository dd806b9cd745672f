import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import createClient from 'openapi-fetch'
import { parse } from 'yaml'
import type { components, paths } from '#openapi/schema.gen.ts'
import { API_ROOT, loadContract, type Contract } from '#server/http/contract.ts'

// Section 7 of both documents of the specification, with the calls' own odd paths.
const specified = `
POST /v1/auth/magic-link/signup
POST /v1/auth/magic-link/login
DELETE /v1/auth/logout
PATCH /v1/{id}/profile
GET /v1/users/{id}/profile
GET /v1/payments/referral-codes/cookie
GET /v1/payments/referral-codes/MARA2026/validate
GET /v1/media-job-task-presets
GET /v1/media-assets
GET /v1/music-tracks
POST /v2/upload-requests
PATCH /v1/upload-requests/{id}
GET /v1/upload-requests/{id}
GET /v1/upload-requests/{id}/metadata
POST /v1/media-assets
POST /v2/media-jobs
POST /v1/orders
GET /v1/external-auths
GET /v1/external-auth/google-oauth/login
GET /v1/payments/wallet-subscriptions/stripe/checkout-sessions/cs_1
POST /v1/payments/wallet-subscriptions/stripe/checkout-sessions
GET /v1/wallet-subscriptions
GET /v1/wallet-subscriptions/{id}
POST /v1/wallet-subscriptions/{id}/cancel
GET /v1/wallets
GET /v1/wallets/{id}
GET /v1/wallets/{id}/wallet-coin-transactions
GET /v1/stored-payment-methods
GET /v1/payments/wallet-coin-transactions/stripe/checkout-sessions/cs_1
POST /v1/payments/wallet-coin-transactions/stripe/checkout-sessions
GET /v1/orders/{id}
POST /v1/payments/orders/{id}/wallet-coin-transactions
GET /v1/media-jobs/{id}
GET /v1/media-jobs/{id}/orders
GET /v1/orders/{id}/media-jobs
GET /v1/media-jobs/paginated
GET /v1/payments/referral-codes
POST /v1/payments/referral-codes
GET /v1/payments/referral-code-redemptions
GET /v1/payments/referral-code-redemption
DELETE /v1/external-auths/{id}
`
  .trim()
  .split('\n')

const id = '0197a3f2-7c1e-7b90-a111-000000000003'
let contract: Contract
beforeAll(async () => {
  contract = await loadContract()
})

describe('the contract', () => {
  it.each(specified)('serves %s', (call) => {
    const [method = '', path = ''] = call.split(' ')
    expect(operationOf(method, path.replace('{id}', id))).toBeTruthy()
  })

  it('EDT-02 tells the paginated list from a job of that id', () => {
    expect(operationOf('GET', '/v1/media-jobs/paginated')).toBe('listMediaJobsPage')
    expect(operationOf('GET', `/v1/media-jobs/${id}`)).toBe('getMediaJob')
  })

  it('AUT-12 keeps the odd profile path apart from the paths it could be read as', () => {
    expect(operationOf('PATCH', `/v1/${id}/profile`)).toBe('updateProfile')
    expect(operationOf('PATCH', `/v1/upload-requests/${id}`)).toBe('completeUploadRequest')
  })

  it('FMT-07 takes every task request of the specification', () => {
    expect(
      refusals(
        'createMediaJob',
        '/v2/media-jobs',
        jobOf(
          { mediaJobTaskPresetSlug: 'teaser-15s' },
          { mediaJobTaskPresetSlug: 'face-blurred-full-scene', payload: {} },
          { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@someusername' } },
          {
            mediaJobTaskPresetSlug: 'incognito-full-scene',
            payload: { obfuscateVoice: true, denoiseAudio: false },
          },
          {
            mediaJobTaskPresetSlug: 'tube-cut',
            payload: { targetDuration: 0, introMediaAssetIds: [], outroMediaAssetIds: [id] },
          },
          {
            mediaJobTaskPresetSlug: 'team-skeet-trailer',
            payload: {
              introBrandLogoVideoMediaAssetId: id,
              outroBrandLogoVideoMediaAssetId: id,
              musicTrackId: null,
            },
          },
          { mediaJobTaskPresetSlug: 'short-trailer-gif', payload: { includeKumshot: false } },
          {
            mediaJobTaskPresetSlug: 'uniform-sampling',
            payload: {
              maximumDuration: 10_000,
              segmentCount: 60,
              offsetStartMs: 0,
              offsetEndMs: 0,
              introMediaAssetIds: [],
              outroMediaAssetIds: [],
            },
          },
        ),
      ),
    ).toEqual([])
  })

  it('OPT-05 names the one field that is out of range, in the variant that was meant', () => {
    const payload = {
      maximumDuration: 9_999,
      segmentCount: 10,
      offsetStartMs: 0,
      offsetEndMs: 0,
      introMediaAssetIds: [],
      outroMediaAssetIds: [],
    }
    expect(
      refusals(
        'createMediaJob',
        '/v2/media-jobs',
        jobOf({ mediaJobTaskPresetSlug: 'uniform-sampling', payload }),
      ),
    ).toEqual(['/requestBody/mediaJob/mediaJobTaskRequests/0/payload/maximumDuration minimum'])
  })

  it('refuses a preset that does not exist, and options for a preset that has none', () => {
    expect(
      refusals('createMediaJob', '/v2/media-jobs', {
        mediaJob: {
          uploadRequestId: id,
          mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'teaser-90s' }],
        },
      }),
    ).not.toEqual([])
    expect(
      refusals('createMediaJob', '/v2/media-jobs', {
        mediaJob: {
          uploadRequestId: id,
          mediaJobTaskRequests: [{ mediaJobTaskPresetSlug: 'teaser-15s', payload: { text: 'x' } }],
        },
      }),
    ).not.toEqual([])
  })

  it('UPL-08 takes each upload method with its own ids and no other', () => {
    const metadata = { clientFilename: 'a.mp4', clientFileSize: 1 }
    const taken = (upload: unknown): readonly string[] =>
      refusals('createUploadRequest', '/v2/upload-requests', {
        uploadRequest: { idempotencyKey: 'abcdefgh-1', upload },
      })
    expect(taken({ provider: 's3-multipart', metadata })).toEqual([])
    expect(taken({ provider: 's3-singlepart', metadata })).toEqual([])
    expect(taken({ provider: 'link', link: 'https://www.dropbox.com/a' })).toEqual([])
    expect(taken({ provider: 'link', link: '' })).not.toEqual([])
    expect(taken({ provider: 'link', metadata })).not.toEqual([])
    expect(
      taken({
        provider: 'dropbox-chooser-single-file',
        metadata,
        dropboxFileId: 'id:1',
        directLink: 'https://dl.dropboxusercontent.com/1/a.mp4',
      }),
    ).toEqual([])
    expect(
      taken({
        provider: 'google-drive-picker-single-file',
        metadata,
        googleDriveFileId: '1',
        externalAuthId: id,
      }),
    ).toEqual([])
    expect(taken({ provider: 's3-multipart', metadata, googleDriveFileId: '1' })).not.toEqual([])
    expect(
      taken({
        provider: 'dropbox-chooser-single-file',
        metadata,
        dropboxFileId: 'id:1',
        directLink: 'http://dl.dropboxusercontent.com/1/a.mp4',
      }),
    ).not.toEqual([])
  })

  it('AST-04 takes an asset that is still being read', () => {
    const asset = {
      _id: id,
      name: 'Logo',
      isHeld: false,
      uploadRequestId: id,
      sizeBytes: 1,
      createdAt: '2026-11-21T09:10:00.000Z',
    }
    const mediaAssetRoom = { count: 1, maxCount: 200, bytes: 1, maxBytes: 2 }
    const answer = (format: unknown) =>
      contract.answerErrors('listMediaAssets', 200, {
        mediaAssets: [{ ...asset, format }],
        mediaAssetRoom,
      })
    expect(answer(null)).toEqual([])
    expect(answer({ slug: 'audio', previewUrl: null, duration: 1 })).toEqual([])
    expect(answer({ slug: 'audio' })).not.toEqual([])
  })

  it('fills in the defaults of parameters, also of those behind a reference', () => {
    const operation = contract.operations.find((each) => each.id === 'listUploadRequests')
    if (operation === undefined) throw new Error('not in the contract')
    const given = { path: {}, query: {}, headers: {}, body: undefined, bodyValues: 0 }
    expect(contract.checkRequest(operation, given)).toMatchObject({ query: { limit: 10 } })
  })

  it('TRU-10 finds equal things in long lists without comparing them two by two', async () => {
    const document: unknown = parse(await readFile('openapi/openapi.yaml', 'utf8'))
    const long = schemasIn(document).filter(
      ({ uniqueItems, maxItems = Infinity }) => uniqueItems === true && maxItems > 100,
    )
    expect(long).not.toEqual([])
    for (const { items } of long)
      expect(['string', 'integer', 'number'], JSON.stringify(items)).toContain(items?.type)
  })

  it('types the calls of the client, down to the variant of an option form', async () => {
    const seen: string[] = []
    const client = createClient<paths>({
      baseUrl: `http://localhost${API_ROOT}`,
      fetch: async (request) => {
        seen.push(`${request.method} ${new URL(request.url).pathname}`)
        return Response.json({ wallets: [] })
      },
    })
    const { data } = await client.GET('/v1/wallets')
    const wallets: readonly components['schemas']['Wallet'][] = data?.wallets ?? []
    expect(wallets).toEqual([])
    await client.POST('/v2/media-jobs', {
      body: jobOf({ mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: 'x' } }),
    })
    // @ts-expect-error the tube cut needs its options
    jobOf({ mediaJobTaskPresetSlug: 'tube-cut' })
    expect(seen).toEqual([`GET ${API_ROOT}/v1/wallets`, `POST ${API_ROOT}/v2/media-jobs`])
  })
})

function jobOf(
  ...mediaJobTaskRequests: components['schemas']['MediaJobTaskRequest'][]
): components['schemas']['CreateMediaJobBody'] {
  return { mediaJob: { uploadRequestId: id, mediaJobTaskRequests } }
}

interface ListSchema {
  readonly uniqueItems?: boolean
  readonly maxItems?: number
  readonly items?: { readonly type?: string }
}

/** Every object of the document. */
function schemasIn(value: unknown): readonly ListSchema[] {
  if (typeof value !== 'object' || value === null) return []
  return [value, ...Object.values(value).flatMap(schemasIn)]
}

function operationOf(method: string, path: string): string | undefined {
  return contract.paths.find(API_ROOT + path).get(method.toLowerCase())?.id
}

function refusals(operationId: string, path: string, body: unknown): readonly string[] {
  const operation = contract.operations.find(({ id: each }) => each === operationId)
  if (operation === undefined) throw new Error(`The contract has no ${operationId}`)
  const checked = contract.checkRequest(operation, {
    path: contract.paths.valuesIn(API_ROOT + path, operation.path),
    query: {},
    headers: {},
    body: structuredClone(body),
    bodyValues: 1,
  })
  if (checked.kind === 'fits') return []
  return checked.errors.map((each) => `${each.instancePath} ${each.keyword}`)
}
