import { signInContext } from '#tests/faults/upload-page.ts'
import { booked } from '#tests/setup/booked.ts'
import { expect, test } from './journey.ts'
import { seedOrder } from './seed.ts'

// Nothing here begins offline; without a service worker the page loads less.
test.use({ serviceWorkers: 'block' })

/** Together 1,300 tokens: more than a new account has. */
const EDITS = [
  { mediaJobTaskPresetSlug: 'teaser-15s' },
  { mediaJobTaskPresetSlug: 'teaser-60s' },
  { mediaJobTaskPresetSlug: 'still-pack' },
  { mediaJobTaskPresetSlug: 'social-media-gif-pack' },
] as const

test('WAY-03 ORD-06 WAL-09 an order is paid in one press by tokens and the rest by card, at the second try', async ({
  context,
  page,
  server,
}) => {
  const person = await seedOrder(server, null, EDITS)
  await signInContext(context, person.client, 'direct')
  await page.goto(server.origin + person.path)
  await expect(page.getByText('Pay 1,000 now, 300 left')).toBeVisible()
  await page.getByRole('button', { name: 'Use 1,000 tokens and pay $3.00' }).click()
  const frame = page.frameLocator('iframe[title="Payment"]')
  await expect(frame.getByText('TEST - no money moves')).toBeVisible()
  const address = page.url()
  await page.reload()
  expect(page.url()).toBe(address)
  await frame.getByRole('button', { name: 'Decline' }).click()
  await expect(frame.getByText('Your card was declined. Try another one.')).toBeVisible()
  await frame.getByRole('button', { name: 'Pay', exact: true }).click()
  await expect(page.getByText('Order is fully paid!')).toBeVisible()
  expect(await booked(person.client)).toEqual([
    ['trial-grant', 1000],
    ['purchase', 300],
    ['order-payment', -1300],
  ])
})
