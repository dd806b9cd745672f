import type { components } from '#openapi/schema.gen.ts'
import { createApiClient, type ApiClient } from '#src/api/client.ts'
import { fakeMediaJob, fakeOrder, fakeUploadRequest, idOf } from './fake-rows.ts'

type Schemas = components['schemas']

/**
 * What happens to one request on its way. `lost-…`: no answer; before or after the server did its
 * work. `hang-…`: never answered, as if the page died.
 */
export type Fault =
  | 'none'
  | 'lost-before'
  | 'lost-after'
  | 'hang-before'
  | 'hang-after'
  | 'error-500'
  | 'error-429'
  | 'error-401'
  | 'proxy-403'

/**
 * An in-memory editor API behind `fetch`, as far as outbox and sync use it. It knows repeated
 * requests only by their key.
 */
export interface FakeApi {
  /** The client of a page that was just opened: a new one each time. */
  readonly client: ApiClient
  readonly fetch: (request: Request) => Promise<Response>
  readonly jobs: Map<string, Schemas['MediaJob']>
  readonly orders: Map<string, Schemas['Order']>
  readonly wallets: Map<string, Schemas['Wallet']>
  readonly payments: { readonly orderId: string; readonly coinAmount: number }[]
  readonly uploads: Map<string, Schemas['UploadRequest']>
  /** `METHOD /path` of each request that arrived, with its idempotency key and XSRF header. */
  readonly requests: {
    readonly line: string
    readonly key: string | null
    readonly xsrf: string | null
  }[]
  /** Faults of the next requests, first one first; then all goes well. */
  readonly faults: Fault[]
  /** Further routes, asked first: `METHOD /path` -> answer. */
  readonly routes: Map<string, (request: Request) => Response | Promise<Response>>
  /** Called when a request hangs. */
  onHang: () => void
  /** Orders are refused until the measure is known. */
  needsMeasure: boolean
}

const ORIGIN = 'http://onecut.test'

/** A server with one complete upload request `idOf(2)` whose measure is not known yet. */
export function createFakeApi(): FakeApi {
  const answers = new Map<string, Response>()
  const api: FakeApi = {
    get client() {
      return createApiClient({
        origin: ORIGIN,
        fetch: (request) => api.fetch(request),
        xsrfToken: () => Promise.resolve('xsrf-value'),
        onSessionEnded: () => undefined,
      })
    },
    fetch: async (request) => {
      const fault = api.faults.shift() ?? 'none'
      if (fault === 'lost-before') throw new TypeError('fetch failed')
      if (fault === 'hang-before') return hang(api)
      if (fault === 'proxy-403') return new Response('<h1>Forbidden</h1>', { status: 403 })
      if (fault === 'error-429') return problem(429, 'request/too-many')
      if (fault.startsWith('error-')) return problem(Number(fault.slice(6)), 'server/failed')
      const response = await answer(api, answers, request)
      if (fault === 'lost-after') throw new TypeError('fetch failed')
      return fault === 'hang-after' ? hang(api) : response
    },
    jobs: new Map(),
    orders: new Map(),
    wallets: new Map(),
    payments: [],
    uploads: new Map([
      [
        idOf(2),
        fakeUploadRequest({ state: 'completed', uploadEndedAt: '2026-11-21T09:31:00.000Z' }),
      ],
    ]),
    requests: [],
    faults: [],
    routes: new Map(),
    onHang: () => undefined,
    needsMeasure: false,
  }
  return api
}

/** An error answer in the contract's shape. */
export function problem(status: number, code: string, message = `refused: ${code}`): Response {
  return Response.json({ error: { message, code } }, { status })
}

function hang(api: FakeApi): Promise<Response> {
  api.onHang()
  return new Promise(() => undefined)
}

async function answer(
  api: FakeApi,
  answers: Map<string, Response>,
  request: Request,
): Promise<Response> {
  const path = new URL(request.url).pathname.replace('/editors/api', '')
  const line = `${request.method} ${path}`
  const key = request.headers.get('Idempotency-Key')
  api.requests.push({ line, key, xsrf: request.headers.get('X-XSRF-TOKEN') })
  const custom = api.routes.get(line)
  if (custom !== undefined) return custom(request)
  const kept = key === null ? undefined : answers.get(`${line} ${key}`)
  if (kept !== undefined) return kept.clone()
  const response = await route(api, line, request)
  if (key !== null && response.ok) answers.set(`${line} ${key}`, response.clone())
  return response
}

async function route(api: FakeApi, line: string, request: Request): Promise<Response> {
  const [method, path = ''] = line.split(' ')
  const segments = path.split('/')
  if (line === 'POST /v2/media-jobs')
    return createJob(api, (await request.json()) as Schemas['CreateMediaJobBody'])
  if (line === 'POST /v1/orders')
    return createOrder(api, (await request.json()) as Schemas['CreateOrderBody'])
  if (method === 'POST' && path.startsWith('/v1/payments/orders/'))
    return pay(api, segments[4] ?? '', (await request.json()) as Schemas['PayOrderBody'])
  if (line === 'GET /v1/media-jobs/paginated')
    return jobsPage(api, new URL(request.url).searchParams)
  if (method === 'GET' && path.endsWith('/metadata')) return metadata(api, segments[3] ?? '')
  if (method === 'GET' && path.startsWith('/v1/media-jobs/'))
    return one('mediaJob', 'media-jobs', api.jobs.get(segments[3] ?? ''))
  if (method === 'GET' && path.startsWith('/v1/orders/'))
    return one('order', 'orders', api.orders.get(segments[3] ?? ''))
  if (line === 'GET /v1/wallets') return Response.json({ wallets: [...api.wallets.values()] })
  if (method === 'DELETE' && path.startsWith('/v1/upload-requests/')) {
    return api.uploads.delete(segments[3] ?? '')
      ? new Response(null, { status: 204 })
      : problem(404, 'uploads/not-found')
  }
  if (line === 'DELETE /v1/auth/logout') return new Response(null, { status: 204 })
  return problem(404, 'request/not-found')
}

function one(name: string, area: string, thing: unknown): Response {
  return thing === undefined ? problem(404, `${area}/not-found`) : Response.json({ [name]: thing })
}

function createJob(api: FakeApi, body: Schemas['CreateMediaJobBody']): Response {
  const { uploadRequestId, mediaJobTaskRequests } = body.mediaJob
  if (!api.uploads.has(uploadRequestId)) return problem(404, 'uploads/not-found')
  const mediaJob = fakeMediaJob({
    _id: idOf(1000 + api.jobs.size),
    uploadRequestId,
    mediaJobTaskRequests,
    isUploadRequestCompleted: api.uploads.get(uploadRequestId)?.uploadEndedAt !== null,
  })
  api.jobs.set(mediaJob._id, mediaJob)
  return Response.json({ mediaJob }, { status: 201 })
}

function createOrder(api: FakeApi, body: Schemas['CreateOrderBody']): Response {
  const job = api.jobs.get(body.order.mediaJobId)
  if (job === undefined) return problem(404, 'media-jobs/not-found')
  if (api.needsMeasure && api.uploads.get(job.uploadRequestId)?.metadataProcessedAt === null)
    return problem(409, 'orders/metadata-pending')
  const order = fakeOrder({ _id: idOf(2000 + api.orders.size), mediaJobId: job._id })
  api.orders.set(order._id, order)
  api.jobs.set(job._id, { ...job, orderIsPlaced: true, orderId: order._id })
  return Response.json({ order }, { status: 201 })
}

function pay(api: FakeApi, orderId: string, body: Schemas['PayOrderBody']): Response {
  const order = api.orders.get(orderId)
  const { walletId, coinAmount } = body.walletCoinTransaction
  const wallet = api.wallets.get(walletId)
  if (order === undefined || wallet === undefined) return problem(404, 'orders/not-found')
  if (coinAmount > wallet.spendableCoinAmount) return problem(402, 'payments/insufficient-tokens')
  const rest = order.remainingPayableCoinAmount - coinAmount
  const paid = {
    ...order,
    remainingPayableCoinAmount: rest,
    paidTotalCoinAmount: order.paidTotalCoinAmount + coinAmount,
    isFullyPaid: rest === 0,
  }
  const lighter = {
    ...wallet,
    spendableCoinAmount: wallet.spendableCoinAmount - coinAmount,
    coinBalance: wallet.coinBalance - coinAmount,
  }
  api.orders.set(orderId, paid)
  api.wallets.set(walletId, lighter)
  api.payments.push({ orderId, coinAmount })
  return Response.json({ order: paid, wallet: lighter }, { status: 201 })
}

function metadata(api: FakeApi, id: string): Response {
  const uploadRequest = api.uploads.get(id)
  if (uploadRequest === undefined) return problem(404, 'uploads/not-found')
  return Response.json(
    { uploadRequest },
    { status: uploadRequest.metadataProcessedAt !== null || uploadRequest.isFailed ? 200 : 202 },
  )
}

/**
 * The cursor is the last item of the page before, so that jobs made or removed in between neither
 * repeat nor skip others.
 */
function jobsPage(api: FakeApi, query: URLSearchParams): Response {
  const sign = query.get('sortDirection') === 'asc' ? 1 : -1
  const by = query.get('sortBy') === 'name' ? 'name' : 'createdAt'
  const keyOf = (job: Schemas['MediaJob']): string =>
    `${by === 'name' ? job.name.toLowerCase() : job.createdAt}|${job._id}`
  const part = (query.get('name') ?? '').toLowerCase()
  const cursor = query.get('cursor')
  const listed = [...api.jobs.values()]
    .filter((job) => job.name.toLowerCase().includes(part))
    .map((job) => ({ job, key: keyOf(job) }))
    .sort((a, b) => sign * (a.key < b.key ? -1 : 1))
    .filter(({ key }) => cursor === null || (sign * (key > cursor ? 1 : -1) > 0 && key !== cursor))
  const limit = Number(query.get('limit') ?? 10)
  const page = listed.slice(0, limit)
  const nextCursor = listed.length > limit ? (page.at(-1)?.key ?? null) : null
  return Response.json({ mediaJobs: page.map(({ job }) => job), pagination: { nextCursor } })
}
