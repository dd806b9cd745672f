import { describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { FACTS } from '#src/local/db/facts.ts'
import { CAPABILITIES } from './harness/creator.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

const bar = page.getByRole('complementary', { name: 'Test payments' })
const publicTest = {
  ...CAPABILITIES,
  payments: { ...CAPABILITIES.payments, cardProvider: 'test' as const, isPublicTest: true },
}

describe('a server that others can reach and whose payments move no money', () => {
  test.each(['/', '/login'])('says so to a visitor on %s', async (path) => {
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    await openScreen({
      path,
      person: null,
      answers: { getCapabilities: { capabilities: publicTest } },
    })
    await expect.element(bar).toBeVisible()
    expect(bar.element().textContent).toContain('TEST - no money moves.')
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  })

  test.each(['/edits', '/subscriptions', '/nowhere'])('says so on %s', async (path) => {
    await openScreen({
      path,
      answers: {
        getCapabilities: { capabilities: publicTest },
        listWalletSubscriptions: { walletSubscriptions: [] },
      },
    })
    await expect.element(bar).toBeVisible()
  })

  test('is known to this device without a connection', async () => {
    await openScreen({
      path: '/edits',
      isNewDevice: true,
      rows: {
        facts: [{ key: FACTS.capabilities, value: publicTest, pulledAtEpochMs: NOW }],
      },
      network: 'offline',
    })
    await expect.element(bar).toBeVisible()
  })
})

test('nothing is said where payments move money, or no other person comes', async () => {
  await openScreen({ path: '/login', person: null })
  await expect.element(page.getByRole('heading', { name: 'Log In to the product' })).toBeVisible()
  await expect.element(bar).not.toBeInTheDocument()
})
