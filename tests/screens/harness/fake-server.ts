import { parse } from 'yaml'
import contract from '#openapi/openapi.yaml?raw'
import type { operations } from '#openapi/schema.gen.ts'
import { answerRange } from '#tests/fakes/fake-results.ts'

type OperationId = keyof operations
type Responses<Id extends OperationId> = operations[Id]['responses']
type SuccessStatus = 200 | 201 | 202
type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } }
  ? Body
  : never

/** What the contract lets an operation answer when all goes well. */
export type Body<Id extends OperationId> = {
  [Status in keyof Responses<Id> & SuccessStatus]: JsonOf<Responses<Id>[Status]>
}[keyof Responses<Id> & SuccessStatus]

/** An end of a call other than its usual success. */
type End =
  | {
      readonly end: 'refused'
      readonly status: number
      readonly code: string
      readonly message: string
      readonly retryAfterS: number | null
    }
  | { readonly end: 'done'; readonly status: number; readonly body?: unknown }
  | { readonly end: 'unreachable' }
  | { readonly end: 'pending' }
  | { readonly end: 'page'; readonly status: number }
  | { readonly end: 'file'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly end: 'picture'; readonly picture: Blob }

/** One request as the server got it. */
export interface Call {
  readonly operation: OperationId
  /** The values of the path's parameters. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
  readonly idempotencyKey: string | null
}

type Answer<Id extends OperationId> = Body<Id> | End
/** Answers by the contract's operation id: a body, an end, or a function of the call. */
export type Answers = {
  readonly [Id in OperationId]?: Answer<Id> | ((call: Call) => Answer<Id> | Promise<Answer<Id>>)
}

/** The server refuses, with an error in the contract's shape. */
export function refused(status: number, code: string, message = `Refused: ${code}`): End {
  return { end: 'refused', status, code, message, retryAfterS: null }
}
/** The server refuses the call for a time. */
export function tooMany(message: string, retryAfterS: number): End {
  return { end: 'refused', status: 429, code: 'request/too-many', message, retryAfterS }
}
/** The request gets no answer. */
export const unreachable: End = { end: 'unreachable' }
/** The request is never answered: the screen stays as it is while it waits. */
export const pending: End = { end: 'pending' }
/** Something on the way answers with a page of its own: a gateway, or with 200 a captive portal. */
export function pageOfAnother(status: number): End {
  return { end: 'page', status }
}
/** A success that is not the first one of the contract, or that has no body. */
export function done(status = 204, body?: unknown): End {
  return { end: 'done', status, body }
}

/** The bytes of a finished file, or the part that is asked for. */
export function file(bytes: Uint8Array<ArrayBuffer>): End {
  return { end: 'file', bytes }
}

/** A picture as the server has it. */
export function picture(of: Blob): End {
  return { end: 'picture', picture: of }
}

/** The editor API as a table of answers. Unlike a real server it keeps nothing. */
export interface FakeServer {
  readonly fetch: (request: Request) => Promise<Response>
  /** Changes answers from now on. */
  answer(answers: Answers): void
  /** Every operation ends like this until `comeBack`, whatever its answer. */
  goAway(end: End): void
  comeBack(): void
  /** The requests of one operation, oldest first; also those that got no answer. */
  calls(operation: OperationId): readonly Call[]
  /** Operations that were called and have no answer in this test. */
  readonly unanswered: ReadonlySet<string>
}

export function createFakeServer(first: Answers): FakeServer {
  const answers = new Map<string, unknown>(Object.entries(first))
  const calls: Call[] = []
  const unanswered = new Set<string>()
  let away: End | null = null
  return {
    fetch: async (request) => {
      // Like a browser, which does not send it.
      request.signal.throwIfAborted()
      const call = await readCall(request)
      calls.push(call)
      if (away !== null) return respond(request, call, away)
      if (!answers.has(call.operation)) {
        unanswered.add(call.operation)
        throw new TypeError('Failed to fetch')
      }
      const given = answers.get(call.operation)
      return respond(request, call, typeof given === 'function' ? await given(call) : given)
    },
    answer: (more) => {
      for (const [operation, given] of Object.entries(more)) answers.set(operation, given)
    },
    goAway: (end) => {
      away = end
    },
    comeBack: () => {
      away = null
    },
    calls: (operation) => calls.filter((call) => call.operation === operation),
    unanswered,
  }
}

/**
 * An answer of JSON whose text is known. The client reads it twice, and the browser's own way, by
 * a copy of a stream, is a twenty-fifth of what a screen test costs.
 */
class KnownAnswer extends Response {
  readonly #text: string
  constructor(body: unknown, status: number, headers: Readonly<Record<string, string>> = {}) {
    super(null, { status, headers: { 'content-type': 'application/json', ...headers } })
    this.#text = JSON.stringify(body)
  }
  override clone(): Response {
    return this
  }
  override text(): Promise<string> {
    return Promise.resolve(this.#text)
  }
  override json(): Promise<unknown> {
    return Promise.resolve(JSON.parse(this.#text))
  }
}

async function respond(request: Request, call: Call, given: unknown): Promise<Response> {
  if (!isEnd(given)) return new KnownAnswer(given, successOf(call.operation))
  switch (given.end) {
    case 'refused':
      return new KnownAnswer(
        { error: { message: given.message, code: given.code } },
        given.status,
        given.retryAfterS === null ? {} : { 'retry-after': String(given.retryAfterS) },
      )
    case 'done':
      return given.body === undefined
        ? new Response(null, { status: given.status })
        : new KnownAnswer(given.body, given.status)
    case 'page':
      return new Response('<!doctype html><h1>Not Onecut</h1>', { status: given.status })
    case 'file':
      return answerRange(request, given.bytes)
    case 'picture':
      return new Response(given.picture)
    case 'unreachable':
      throw new TypeError('Failed to fetch')
    case 'pending':
      return new Promise((_, reject) => {
        request.signal.addEventListener('abort', () => reject(request.signal.reason))
      })
  }
}

function isEnd(given: unknown): given is End {
  return typeof given === 'object' && given !== null && 'end' in given
}

interface Operation {
  readonly operation: OperationId
  readonly method: string
  readonly path: RegExp
  readonly success: number
}

interface ContractOperation {
  readonly operationId: OperationId
  readonly responses: Readonly<Record<string, unknown>>
}

const METHODS: readonly string[] = ['get', 'post', 'put', 'patch', 'delete']

// The contract of this repository, whose shape the contract's own tests check.
const { paths } = parse(contract) as {
  paths: Record<string, Record<string, ContractOperation>>
}
/** Fixed paths first: `/v1/media-jobs/paginated` is no `/v1/media-jobs/{id}`. */
const OPERATIONS: readonly Operation[] = Object.entries(paths)
  .sort(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
  .flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => METHODS.includes(method))
      .map(([method, { operationId, responses }]) => ({
        operation: operationId,
        method: method.toUpperCase(),
        path: new RegExp(`/editors/api${path.replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
        success: Number(Object.keys(responses).find((status) => status.startsWith('2')) ?? 200),
      })),
  )

function successOf(operation: OperationId): number {
  return OPERATIONS.find((each) => each.operation === operation)?.success ?? 200
}

async function readCall(request: Request): Promise<Call> {
  const url = new URL(request.url)
  const found = OPERATIONS.find(
    ({ method, path }) => method === request.method && path.test(url.pathname),
  )
  if (found === undefined)
    throw new Error(`${request.method} ${url.pathname} is not in the contract`)
  const text = request.body === null ? '' : await request.clone().text()
  return {
    operation: found.operation,
    params: { ...found.path.exec(url.pathname)?.groups },
    query: url.searchParams,
    body: text === '' ? null : (JSON.parse(text) as unknown),
    idempotencyKey: request.headers.get('Idempotency-Key'),
  }
}
