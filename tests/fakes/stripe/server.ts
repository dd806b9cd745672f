import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import { createAccount, found, idOf, Refusal, type FakeAccount } from './account.ts'
import { decodeForm } from './form.ts'
import { listOf } from './objects.ts'
import {
  configurationList,
  customerCreate,
  customerSearch,
  endpointList,
  invoiceList,
  invoiceUpdate,
  ofPayment,
  portalCreate,
  refundCreate,
  retrieve,
  sessionCreate,
  subscriptionUpdate,
} from './params.ts'

export const SECRET_KEY = 'sk_test_fake'
const API_VERSION = '2026-10-28.endive'
const KEYS_LIVE_MS = 24 * 3_600_000
/** The search of customers finds new ones after this time. */
const SEARCH_LAG_S = 60

/**
 * What happens to the next requests. `lost-answer`: Stripe does what it is asked for, and the line
 * breaks before its answer. `stall`: nothing comes.
 */
export type Fault = 'server-error' | 'rate-limit' | 'lost-answer' | 'stall'

/** One request as it came. */
interface SeenRequest {
  readonly call: string
  readonly version: string | undefined
  readonly key: string | undefined
  readonly telemetry: string | undefined
  readonly body: string
}

/** A local server that answers as Stripe does, with an account and a clock of its own. */
export interface FakeStripe {
  readonly account: FakeAccount
  /** For the client of an adapter. */
  readonly transport: { readonly host: string; readonly port: number; readonly protocol: 'http' }
  readonly seen: readonly SeenRequest[]
  /** The next requests meet these, one each; null lets one pass. */
  fail(...faults: readonly (Fault | null)[]): void
  stop(): Promise<void>
}

interface KeptAnswer {
  readonly body: string
  readonly answer: Answer
  readonly at: number
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

/** Starts one; every account begins at the same moment. */
export async function startFakeStripe(startedAt = '2026-01-31T12:00:00Z'): Promise<FakeStripe> {
  const account = createAccount(startedAt)
  const faults: (Fault | null)[] = []
  const seen: SeenRequest[] = []
  const kept = new Map<string, KeptAnswer>()
  const server = createServer((request, response) => {
    void answer(request, response)
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://fake')
    const call = `${request.method ?? 'GET'} ${url.pathname}`
    const body = request.method === 'POST' ? await text(request) : url.search.slice(1)
    const key = headerOf(request, 'idempotency-key')
    seen.push({
      call,
      body,
      key,
      version: headerOf(request, 'stripe-version'),
      telemetry: headerOf(request, 'x-stripe-client-telemetry'),
    })
    const fault = faults.shift()
    if (fault === 'stall') return
    if (fault === 'server-error') return send(response, refused(500, 'api_error'))
    if (fault === 'rate-limit') return send(response, refused(429, 'invalid_request_error'))
    const answered = checkCaller(request) ?? onceFor(key, body, () => run(account, call, body))
    if (fault === 'lost-answer') return void response.destroy()
    send(response, answered)
  }

  /** Repeats the answer to a key for a day, refusals included, and refuses it for another body. */
  function onceFor(key: string | undefined, body: string, work: () => Answer): Answer {
    const at = account.clock().getTime()
    const earlier = key === undefined ? undefined : kept.get(key)
    if (earlier !== undefined && at - earlier.at < KEYS_LIVE_MS)
      return earlier.body === body ? earlier.answer : refused(400, 'idempotency_error')
    const made = work()
    if (key !== undefined) kept.set(key, { body, answer: structuredClone(made), at })
    return made
  }

  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    account,
    transport: {
      host: '127.0.0.1',
      port: (server.address() as AddressInfo).port,
      protocol: 'http',
    },
    seen,
    fail: (...next) => faults.push(...next),
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function headerOf(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name]
  return Array.isArray(value) ? value[0] : value
}

let requests = 0

function send(response: ServerResponse, { status, body }: Answer): void {
  requests += 1
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': `req_fake${requests}`,
  })
  response.end(JSON.stringify(body))
}

function refused(status: number, type: string, facts: object = {}): Answer {
  return { status, body: { error: { type, message: `Refused: ${type}`, ...facts } } }
}

function checkCaller(request: IncomingMessage): Answer | null {
  if (headerOf(request, 'authorization') !== `Bearer ${SECRET_KEY}`)
    return refused(401, 'invalid_request_error')
  if (headerOf(request, 'stripe-version') !== API_VERSION)
    return refused(400, 'invalid_request_error', { param: 'Stripe-Version' })
  return null
}

function run(account: FakeAccount, call: string, body: string): Answer {
  try {
    for (const [pattern, work] of Object.entries(CALLS)) {
      const id = idIn(pattern, call)
      if (id !== null) return { status: 200, body: work(account, decodeForm(body), id) }
    }
    return refused(404, 'invalid_request_error', { message: `Unrecognized request: ${call}` })
  } catch (error) {
    if (error instanceof Refusal) return { status: error.status, body: { error: error.error } }
    if (error instanceof v.ValiError)
      return refused(400, 'invalid_request_error', { message: error.message })
    throw error
  }
}

/** The id in a path that has this pattern; empty when it names none, null for another path. */
function idIn(pattern: string, call: string): string | null {
  const [before = '', after = ''] = pattern.split(':id')
  if (!pattern.includes(':id')) return pattern === call ? '' : null
  if (!call.startsWith(before) || !call.endsWith(after)) return null
  const id = call.slice(before.length, call.length - after.length)
  return id === '' || id.includes('/') ? null : id
}

type Work = (account: FakeAccount, fields: unknown, id: string) => unknown

const CALLS: Readonly<Record<string, Work>> = {
  'GET /v1/customers/search': ({ objects, clock }, fields) => {
    const { query } = v.parse(customerSearch, fields)
    const [, name = '', value = ''] = /^metadata\['(\w+)'\]:'([^']+)'$/.exec(query) ?? []
    const nowS = clock().getTime() / 1000
    const data = [...objects.customers.values()].filter(
      (one) => one.metadata[name] === value && one.created + SEARCH_LAG_S <= nowS,
    )
    return { object: 'search_result', data, has_more: false, next_page: null, url: '' }
  },
  'POST /v1/customers': (account, fields) =>
    account.createCustomer(v.parse(customerCreate, fields)),
  'DELETE /v1/customers/:id': (account, _fields, id) => account.deleteCustomer(id),
  'POST /v1/checkout/sessions': (account, fields) =>
    account.createSession(v.parse(sessionCreate, fields)),
  'GET /v1/checkout/sessions/:id': ({ objects }, fields, id) =>
    expanded(objects, found(objects.sessions, id), fields),
  'GET /v1/subscriptions/:id': ({ objects }, fields, id) =>
    expanded(objects, found(objects.subscriptions, id), fields),
  'POST /v1/subscriptions/:id': (account, fields, id) =>
    account.updateSubscription(id, v.parse(subscriptionUpdate, fields)),
  'DELETE /v1/subscriptions/:id': (account, _fields, id) => account.cancelSubscription(id),
  'POST /v1/invoices/:id': (account, fields, id) =>
    account.updateInvoice(id, v.parse(invoiceUpdate, fields)),
  'GET /v1/account': ({ settings }) => settings.account,
  'GET /v1/prices/:id': ({ objects }, fields, id) =>
    expanded(objects, found(objects.prices, id), fields),
  'GET /v1/webhook_endpoints': ({ settings }, fields) => {
    const { limit = 10 } = v.parse(endpointList, fields)
    return listOf(newest(settings.endpoints, limit), '/v1/webhook_endpoints')
  },
  'GET /v1/billing_portal/configurations': ({ settings }, fields) => {
    const { is_default: isDefault } = v.parse(configurationList, fields)
    const all = [settings.portal].filter(
      (one) => isDefault === undefined || one.is_default === isDefault,
    )
    return listOf(all, '/v1/billing_portal/configurations')
  },
  'POST /v1/billing_portal/sessions': (account, fields) =>
    account.openPortal(v.parse(portalCreate, fields)),
  'GET /v1/invoices': ({ objects }, fields) => {
    const { subscription, status, limit = 10, expand = [] } = v.parse(invoiceList, fields)
    found(objects.subscriptions, subscription)
    const data = newest(
      [...objects.invoices.values()].filter(
        (one) =>
          idOf(one.parent?.subscription_details?.subscription) === subscription &&
          (status === undefined || one.status === status),
      ),
      limit,
    )
    if (!expand.includes('data.payments')) return listOf(data, '/v1/invoices')
    const payments = [...objects.invoicePayments.values()]
    return listOf(
      data.map((one) => ({
        ...one,
        payments: listOf(
          payments.filter(({ invoice }) => invoice === one.id),
          '/v1/invoice_payments',
        ),
      })),
      '/v1/invoices',
    )
  },
  'GET /v1/payment_intents/:id': ({ objects }, fields, id) =>
    expanded(objects, found(objects.intents, id), fields),
  'GET /v1/refunds': ({ objects }, fields) => {
    const { payment_intent, limit = 10 } = v.parse(ofPayment, fields)
    found(objects.intents, payment_intent)
    const mine = [...objects.refunds.values()].filter(
      (one) => one.payment_intent === payment_intent,
    )
    return listOf(newest(mine, limit), '/v1/refunds')
  },
  'POST /v1/refunds': (account, fields) => account.createRefund(v.parse(refundCreate, fields)),
  'GET /v1/disputes': ({ objects }, fields) => {
    const { payment_intent, limit = 10 } = v.parse(ofPayment, fields)
    found(objects.intents, payment_intent)
    const mine = [...objects.disputes.values()].filter(
      (one) => one.payment_intent === payment_intent,
    )
    return listOf(newest(mine, limit), '/v1/disputes')
  },
}

function newest<Item>(items: readonly Item[], limit: number): Item[] {
  return items.toReversed().slice(0, limit)
}

/** A copy with whole objects in the place of the ids that `expand` names. */
function expanded(objects: FakeAccount['objects'], object: object, fields: unknown): object {
  const { expand = [] } = v.parse(retrieve, fields)
  const byId = new Map<string, object>(
    [
      objects.customers,
      objects.methods,
      objects.intents,
      objects.charges,
      objects.subscriptions,
    ].flatMap((made) => [...made]),
  )
  const copy = structuredClone(object)
  for (const path of expand) {
    let place: Record<string, unknown> | undefined = copy as Record<string, unknown>
    for (const name of path.split('.')) {
      const part: unknown = place?.[name]
      if (place !== undefined && typeof part === 'string')
        place[name] = structuredClone(byId.get(part)) ?? part
      const next: unknown = place?.[name]
      place =
        typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : undefined
    }
  }
  return copy
}
