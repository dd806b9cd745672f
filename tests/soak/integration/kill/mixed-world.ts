import { setTimeout as delay } from 'node:timers/promises'
import type { E2eServer } from '#tests/setup/e2e-server.ts'
import { createTestClient, type TestAnswer, type TestClient } from '#tests/setup/client.ts'

/** What a server has acknowledged to a person, in the shape in which it is compared later. */
export type Fact =
  | { readonly kind: 'account'; readonly userId: string }
  | { readonly kind: 'deleted-account' }
  | { readonly kind: 'upload'; readonly id: string; readonly parts: ReadonlyMap<number, string> }
  | { readonly kind: 'completed-upload'; readonly id: string; readonly checksum: string | null }
  | { readonly kind: 'discarded-upload'; readonly id: string }
  | { readonly kind: 'deleted-video'; readonly id: string; readonly jobId: string }
  | { readonly kind: 'order'; readonly id: string; readonly state: 'placed' | 'paid' | 'canceled' }
  | { readonly kind: 'edits'; readonly jobId: string; readonly files: ReadonlyMap<string, string> }
  | { readonly kind: 'answer'; readonly call: KeyedCall; readonly answer: KeyedAnswer }

/** A write that its `Idempotency-Key` makes safe to repeat. */
export interface KeyedCall {
  readonly path: string
  readonly body: unknown
  readonly key: string
}
type KeyedAnswer = Pick<TestAnswer, 'status' | 'body'>

/** A person with the cookies of one browser, and all that the server has said to them. */
export interface Person {
  readonly client: TestClient
  readonly userId: string
  readonly email: string
  /** By what it is about; a later fact takes the place of an earlier one. */
  readonly facts: Map<string, Fact>
}

/** The door through which every call goes, so that nothing moves while the checker looks. */
export interface Gate {
  pass(): Promise<void>
  open(): void
  close(): void
}

export function createGate(): Gate {
  let opened = Promise.withResolvers<void>()
  return {
    pass: async () => await opened.promise,
    open: () => opened.resolve(),
    close: () => {
      opened = Promise.withResolvers<void>()
    },
  }
}

/** Where people live: a server that may be dead at any moment. */
export interface World {
  readonly server: E2eServer
  readonly gate: Gate
  readonly people: Set<Person>
  isOver(): boolean
}

/** Refusals that pass with time; the app tries again too. */
const PASSING = new Set([429, 503, 507])

/**
 * Repeats a call until the server answers, as the app does: no answer and refusals that pass are
 * none. A 500 is an error wherever it comes from.
 */
export async function patiently<T>(
  { gate }: Pick<World, 'gate'>,
  call: () => Promise<TestAnswer<T>>,
): Promise<TestAnswer<T>> {
  for (;;) {
    await gate.pass()
    const answer = await call().catch((error: unknown) => {
      if (!(error instanceof TypeError)) throw error
      return null
    })
    if (answer?.status === 500) throw new Error(`A call answered 500: ${textOf(answer)}`)
    if (answer !== null && !PASSING.has(answer.status)) return answer
    await delay(50)
  }
}

/** The answer of a call that must succeed, with the path in the error when it does not. */
export async function done<T>(
  world: Pick<World, 'gate'>,
  what: string,
  call: () => Promise<TestAnswer<T>>,
): Promise<T> {
  const answer = await patiently(world, call)
  if (answer.status >= 300) throw new Error(`${what} answered ${answer.status}: ${textOf(answer)}`)
  return answer.body
}

/** A write with a key: sent until it is answered, and the answer is kept as a fact. */
export async function keyed<T>(
  world: World,
  { client, facts }: Person,
  path: string,
  body: unknown,
): Promise<T> {
  const call: KeyedCall = { path, body, key: crypto.randomUUID() }
  const answer = await patiently(world, async () => await send<T>(client, call))
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${textOf(answer)}`)
  facts.set(`answer ${call.key}`, { kind: 'answer', call, answer })
  return answer.body
}

/** Sends a keyed call once. */
export async function send<T>(
  client: TestClient,
  { path, body, key }: KeyedCall,
): Promise<TestAnswer<T>> {
  return await client.post<T>(path, body, { headers: { 'idempotency-key': key } })
}

/** A client at an address of its own, so that limits for an address count people one by one. */
export function clientAt({ server }: Pick<World, 'server'>, address: string): TestClient {
  const client = createTestClient(server.origin)
  const call: TestClient['call'] = async (method, path, options = {}) =>
    await client.call(method, path, {
      ...options,
      headers: { 'x-forwarded-for': address, ...options.headers },
    })
  return {
    ...client,
    call,
    get: async (path, options) => await call('GET', path, options),
    post: async (path, body, options) => await call('POST', path, { ...options, body }),
    patch: async (path, body, options) => await call('PATCH', path, { ...options, body }),
    delete: async (path, options) => await call('DELETE', path, options),
  }
}

function textOf({ bytes }: Pick<TestAnswer, 'bytes'>): string {
  return new TextDecoder().decode(bytes).slice(0, 500)
}
