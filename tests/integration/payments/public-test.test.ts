import { expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { startTestServer } from '#tests/setup/server.ts'

type Capabilities = components['schemas']['Capabilities']

it.each([
  [{}, false],
  [{ ONECUT_PUBLIC_ORIGIN: 'https://edits.example', ONECUT_ALLOW_TEST_PAYMENTS: '1' }, true],
  [{ ONECUT_PUBLIC_ORIGIN: 'https://edits.example', ONECUT_PAYMENTS: 'false' }, false],
])('a server with %j says whether its payments are a test for others: %s', async (env, isTest) => {
  const server = await startTestServer({ env })
  const { port } = server.deps.settings
  const answer = await fetch(`http://127.0.0.1:${port}/editors/api/v1/capabilities`)
  const { capabilities } = (await answer.json()) as { capabilities: Capabilities }
  await server.stop()
  expect(capabilities.payments.isPublicTest).toBe(isTest)
})
