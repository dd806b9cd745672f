import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import {
  storedPaymentMethods,
  type StoredPaymentMethod,
} from '#src/local/nouns/stored-payment-methods.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { pending, refused } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

const PATH = '/stored-payment-methods'
const EMPTY = "You don't have any stored payment methods yet."
const method = (number: number, isActive: boolean): StoredPaymentMethod => ({
  _id: idOf(number),
  provider: 'test',
  isActive,
  createdAt: '2026-11-20T10:00:00.000Z',
})

test('SUB-07 shows what this device knows of the payment methods', async () => {
  await openScreen({
    path: PATH,
    rows: { storedPaymentMethods: [storedPaymentMethods.toRow(method(1, true), NOW)] },
    answers: { listStoredPaymentMethods: pending },
  })
  await expect.element(page.getByRole('heading', { name: 'Your Payment Methods' })).toBeVisible()
  await expect.element(page.getByText('Test payment (no money moves)')).toBeVisible()
  await expect.element(page.getByText('Added on November 20, 2026')).toBeVisible()
  await expect.element(page.getByText('Active', { exact: true })).toBeVisible()
})

test('SUB-07 says that there are none only when the server does', async () => {
  const screen = await openScreen({
    path: PATH,
    answers: { listStoredPaymentMethods: refused(422, 'request/invalid', 'Not today.') },
  })
  await expect.element(page.getByText('Unable to fetch your payment methods')).toBeVisible()
  await expect.element(page.getByText(EMPTY)).not.toBeInTheDocument()
  screen.server.answer({ listStoredPaymentMethods: { storedPaymentMethods: [] } })
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(page.getByText(EMPTY)).toBeVisible()
})

test('SUB-07 the subscriptions lead to the payment methods', async () => {
  const screen = await openScreen({
    path: '/subscriptions',
    answers: {
      listWalletSubscriptions: { walletSubscriptions: [] },
      listStoredPaymentMethods: { storedPaymentMethods: [method(1, true), method(2, false)] },
    },
  })
  await page.getByRole('link', { name: 'Your Payment Methods' }).click()
  await expect.poll(screen.path).toBe(PATH)
  await expect.element(page.getByText('Inactive')).toBeVisible()
})
