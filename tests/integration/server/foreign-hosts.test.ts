import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectRoot } from '#scripts/project-root.ts'
import { sourceFiles } from '#scripts/source-files.ts'
import { API_ROOT, loadContract } from '#server/http/contract.ts'
import { startFakeStripe } from '#tests/fakes/stripe/server.ts'
import { payer } from '#tests/setup/payments.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let me: SignedUp
beforeAll(async () => {
  server = await startTestServer()
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop(AbortSignal.abort())
})

/** The sources of a policy that are no keyword, no hash and no bytes of the page's own. */
const foreignIn = (policy: string): string[] =>
  policy
    .split(/[\s;]+/)
    .filter((word) => /[.:*]/.test(word) && !/^(?:'.*'|blob:|data:)$/.test(word))

const PLAIN_ROUTES = [
  '/',
  '/dev/mail',
  '/editors/ready',
  '/edits',
  '/login',
  '/sw.js',
  '/nothing-here',
  '/editors/pay/nothing',
  '/editors/connect/dropbox',
  '/editors/connect/google-picker',
]

it.each([
  ["default-src 'self' https://js.example", 1],
  ['connect-src *; frame-src pay.example', 2],
  ["script-src 'self' 'sha256-a.b'; img-src blob: data:", 0],
])('counts the foreign hosts of %j', (policy, count) => {
  expect(foreignIn(policy)).toHaveLength(count)
})

it('no answer of a server that moves no money may name a foreign host in its policy', async () => {
  const { calls, foreign } = await walk(me)
  expect(calls).toBeGreaterThan(60)
  expect(foreign).toEqual([])
})

it('with Stripe, only the document that takes a payment names foreign hosts', async () => {
  const stripe = await startFakeStripe()
  const shop = await startTestServer({ stripe })
  try {
    const person = await shop.signUp()
    const { payUrl } = await payer(person.client).buy(2000)
    const { headers } = await person.client.get(payUrl)
    const hosts = foreignIn(headers.get('content-security-policy') ?? '')
    expect(hosts).toContain('https://js.stripe.com')
    expect(hosts.every((host) => host.endsWith('.stripe.com'))).toBe(true)
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    expect(headers.get('permissions-policy')).toContain(
      'payment=(self "https://js.stripe.com" "https://checkout.stripe.com")',
    )
    const { calls, foreign } = await walk(person)
    expect(calls).toBeGreaterThan(60)
    expect(foreign).toEqual([])
  } finally {
    await shop.stop(AbortSignal.abort())
    await stripe.stop()
  }
})

/** Asks every route once; what names foreign hosts, and how many routes there are. */
async function walk({ client }: SignedUp) {
  const contract = await loadContract()
  const calls = contract.operations.map(({ method, path }) => ({
    method: method.toUpperCase(),
    path: `${API_ROOT}${path.replaceAll(/\{\w+\}/g, crypto.randomUUID())}`,
  }))
  const pages = PLAIN_ROUTES.map((path) => ({ method: 'GET', path }))
  // The last call of all signs out.
  const inOrder = [...pages, ...calls.toSorted((a) => (a.path.endsWith('/logout') ? 1 : -1))]
  const foreign: string[] = []
  for (const { method, path } of inOrder) {
    const { headers } = await client.call(method, path)
    for (const host of foreignIn(headers.get('content-security-policy') ?? ''))
      foreign.push(`${method} ${path}: ${host}`)
  }
  return { calls: inOrder.length, foreign }
}

it('nothing that runs in a browser imports a payment SDK or names its host', async () => {
  const files = await sourceFiles(projectRoot, ['src', 'workers'])
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(projectRoot, file), 'utf8')] as const),
  )
  const SDK = /from '(?:@?stripe|@?paypal|braintree|@?adyen|@?square)|js\.stripe\.com|paypal\.com/
  expect(texts.length).toBeGreaterThan(300)
  expect(texts.filter(([, text]) => SDK.test(text)).map(([file]) => file)).toEqual([])
})
