import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { projectRoot } from '#scripts/project-root.ts'
import { sourceFiles } from '#scripts/source-files.ts'
import { API_ROOT, loadContract } from '#server/http/contract.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'

let server: TestServer
let me: SignedUp
beforeAll(async () => {
  server = await startTestServer()
  me = await server.signUp()
})
afterAll(async () => {
  await server.stop()
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
]

it.each([
  ["default-src 'self' https://js.example", 1],
  ['connect-src *; frame-src pay.example', 2],
  ["script-src 'self' 'sha256-a.b'; img-src blob: data:", 0],
])('counts the foreign hosts of %j', (policy, count) => {
  expect(foreignIn(policy)).toHaveLength(count)
})

it('no answer but the document that takes payments may name a foreign host in its policy', async () => {
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
    const { headers } = await me.client.call(method, path)
    for (const host of foreignIn(headers.get('content-security-policy') ?? ''))
      foreign.push(`${method} ${path}: ${host}`)
  }
  expect(inOrder.length).toBeGreaterThan(60)
  expect(foreign).toEqual([])
})

it('nothing that runs in a browser imports a payment SDK or names its host', async () => {
  const files = await sourceFiles(projectRoot, ['src', 'workers'])
  const texts = await Promise.all(
    files.map(async (file) => [file, await readFile(join(projectRoot, file), 'utf8')] as const),
  )
  const SDK = /from '(?:@?stripe|@?paypal|braintree|@?adyen|@?square)|js\.stripe\.com|paypal\.com/
  expect(texts.length).toBeGreaterThan(300)
  expect(texts.filter(([, text]) => SDK.test(text)).map(([file]) => file)).toEqual([])
})
