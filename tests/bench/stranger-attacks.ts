/**
 * The strangers of `npm run bench -- strangers`, in a process of their own, so that the time that
 * they take to speak is not the creator's. It says when it is ready, is told its order, and answers
 * with what they were answered.
 */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { createTestClient, type TestClient } from '#tests/setup/client.ts'
import { beginUpload, sendParts } from '#tests/setup/upload.ts'

/** What the process is told. */
export interface AttackOrder {
  readonly origin: string
  readonly name: AttackName
  readonly seconds: number
  /** The cookies of accounts that the strangers have. */
  readonly accounts: readonly (readonly (readonly [string, string])[])[]
  /** Hostile files, and none that is told to be harmless. */
  readonly files: readonly Uint8Array[]
}

const AT_ONCE = 8
const answers = new Map<number, number>()
const keys = (count: number): string =>
  Array.from({ length: count }, (_, at) => `"k${at}":1`).join()
const HUGE = `{${keys(100_000)}}`
const SMALL = [
  `{${keys(190)}}`,
  `{"${'k'.repeat(15_000)}":1}`,
  `[${'[],'.repeat(90)}1]`,
  '['.repeat(16),
  `{"user":{"email":"${'a'.repeat(15_000)}"}}`,
]
let sent = 0

const told = once(process, 'message') as Promise<[AttackOrder]>
process.send?.('ready')
const [order] = await told
const ends = performance.now() + order.seconds * 1000

/** One network of one line: its /64s differ, its /48 does not. */
const ofOneLine = (): string => `2001:db8:1:${(sent % 65_536).toString(16)}::1`
/** Forty networks that have nothing in common. */
const ofForty = (): string => `203.0.${sent % 40}.9`

const stranger = createTestClient(order.origin)
const accounts = order.accounts.map((cookies): TestClient => {
  const client = createTestClient(order.origin)
  for (const [name, value] of cookies) client.cookies.set(name, value)
  return client
})
const accountOf = (nth: number): TestClient => accounts[nth % accounts.length] ?? stranger

async function call(
  client: TestClient,
  method: string,
  path: string,
  { body, from }: { readonly body?: string | Uint8Array; readonly from?: string } = {},
): Promise<void> {
  sent += 1
  const answer = await client
    .call(method, path, {
      ...(body === undefined ? {} : { body }),
      headers: from === undefined ? {} : { 'x-forwarded-for': from },
    })
    .catch(() => null)
  count(answer?.status ?? 0)
}

const LOGIN = '/v1/auth/magic-link/login'
const asked = (email: string): string =>
  JSON.stringify({ user: { email }, captchaToken: 'e30=', redirectUri: '/' })
const reported = JSON.stringify({ report: { reason: 'other', text: 'x'.repeat(4_000) } })
const edits = JSON.stringify({
  mediaJob: {
    uploadRequestId: crypto.randomUUID(),
    mediaJobTaskRequests: Array.from({ length: 19 }, () => ({
      mediaJobTaskPresetSlug: 'tube-cut',
      payload: {
        targetDuration: 0,
        introMediaAssetIds: Array.from({ length: 20 }, () => 'none'),
        outroMediaAssetIds: [],
      },
    })),
  },
})

/** Each is repeated by eight strangers at once, without a pause, until the time is over. */
const ATTACKS = {
  'bodies of 100,000 keys': async () =>
    await call(stranger, 'POST', LOGIN, { body: HUGE, from: ofOneLine() }),
  'bodies at every limit': async () =>
    await call(stranger, 'POST', LOGIN, {
      body: SMALL[sent % SMALL.length] ?? '',
      from: ofForty(),
    }),
  'what is offered to all': async () =>
    await call(stranger, 'GET', sent % 2 === 0 ? '/v1/capabilities' : '/v1/front-page', {
      from: ofOneLine(),
    }),
  'ten accounts, edits that are wrong': async (nth: number) =>
    await call(accountOf(sent + nth), 'POST', '/v2/media-jobs', { body: edits }),
  'mails and reports of forty networks': async () => {
    if (sent % 3 === 0) await call(stranger, 'GET', '/v1/human-challenges', { from: ofForty() })
    else if (sent % 3 === 1)
      await call(stranger, 'POST', LOGIN, { body: asked('victim@example.com'), from: ofForty() })
    else await call(stranger, 'POST', '/v1/reports', { body: reported, from: ofForty() })
  },
  'parts with made-up addresses': async () =>
    await call(stranger, 'PUT', `/v1/parts/${crypto.randomUUID()}/1?e=9999999999&s=forged`, {
      body: new Uint8Array(1 << 20),
      from: ofForty(),
    }),
  'slow connections': async () => {
    const { hostname, port, host } = new URL(order.origin)
    const sockets: Socket[] = []
    for (let opened = 0; opened < 250; opened += 1) {
      const socket = connect(Number(port), hostname)
      socket.on('error', () => undefined).resume()
      if (opened % 2 === 0) socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n`)
      sockets.push(socket)
    }
    await delay(Math.max(0, ends - performance.now()))
    for (const socket of sockets) socket.destroy()
  },
  'ten accounts, hostile files': async (nth: number) => {
    const bytes = order.files[sent % order.files.length] ?? new Uint8Array()
    sent += 1
    const client = accountOf(sent + nth)
    try {
      const upload = await beginUpload(client, bytes.length)
      const parts = await sendParts(client, upload, bytes)
      const body = JSON.stringify({ uploadRequest: { upload: { parts } } })
      await call(client, 'PATCH', `/v1/upload-requests/${upload._id}`, { body })
    } catch (error) {
      // Where its account has no more uploads this hour, the stranger waits.
      const status = Number(/answered (\d{3})/.exec(String(error))?.[1] ?? 0)
      count(status)
      await delay(Math.min(1000, Math.max(0, ends - performance.now())))
    }
  },
} as const

export type AttackName = keyof typeof ATTACKS

function count(status: number): void {
  answers.set(status, (answers.get(status) ?? 0) + 1)
}

await Promise.all(
  Array.from({ length: AT_ONCE }, async (_, nth) => {
    while (performance.now() < ends) await ATTACKS[order.name](nth)
  }),
)
process.send?.([...answers], () => process.disconnect())
