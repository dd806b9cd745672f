import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { attest, photograph } from './flow-helpers.ts'
import { expect, test, FAILED_REQUESTS } from './quiet.ts'
import type { components } from '#openapi/schema.gen.ts'
import { FAST_NETWORK, HALFWAY_NETWORK } from '#tests/faults/faults.ts'
import { MIB, PART_BYTES, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'
import { expectHalfway, expectWhole } from '#tests/faults/upload-run.ts'
import { patience } from '#tests/setup/patience.ts'
import { booked } from '#tests/setup/booked.ts'
import { moveTestClock } from '#tests/setup/test-clock.ts'

type Schemas = components['schemas']

// Calls are refused between the trial and the subscription. Nothing begins offline; without a
// service worker the page loads less.
test.use({ expectedNoise: FAILED_REQUESTS, serviceWorkers: 'block' })

const DEVICE = 'life'
/** Two parts arrive at once; the other two would take half a minute. */
const NETWORK = { ...HALFWAY_NETWORK, totalBytesPerSecond: 200_000 }
const DAY_MS = 24 * 3_600_000

/** A creator's first months: what was booked at the end is what the screens said on the way. */
test.describe('a first week to a fourth month', () => {
  let world: FaultWorld
  let folder: string
  let clock: string
  test.beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'onecut-months-'))
    clock = join(folder, 'clock')
    await moveTestClock(clock, 0)
    world = await startFaultWorld(
      // The story is not about logging in again after 90 days.
      { ONECUT_TEST_CLOCK: clock, ONECUT_SESSION_DAYS: '400' },
      'tests/setup/clock-server.ts',
    )
  })
  test.afterAll(async () => {
    await world.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  /** Moves the server to a day after the sign-up, and lets it do what is due. */
  async function goToDay(day: number): Promise<void> {
    await moveTestClock(clock, day * DAY_MS)
    process.kill(world.server.pid() ?? 0, 'SIGUSR2')
  }

  test('JOB-07 SUB-03 WAL-09 the trial runs out in mid-upload, and months are paid, missed, cancelled and paid again', async ({
    context,
    page,
  }) => {
    const { origin } = world.proxy
    const file = await world.makeFile('scene.mp4', 3 * PART_BYTES + MIB)
    await signInContext(context, world.client, DEVICE)
    world.proxy.setNetwork(DEVICE, NETWORK)
    const uploadRequestId = await beginUpload(page, origin, chooseByInput(file.path))
    await expectHalfway(world, DEVICE, 2)

    // The trial ends while the order is on its way: any call sent later would tell the page before.
    await context.route(
      '**/v2/media-jobs',
      async (route) => {
        await goToDay(8)
        await expect.poll(spendable).toBe(0)
        await route.continue()
      },
      { times: 1 },
    )
    await page.getByRole('button', { name: 'Thumbnail Video', exact: true }).click()
    await attest(page)
    await page.getByRole('button', { name: 'Submit for Editing' }).click()
    await expect(page.getByRole('alertdialog', { name: 'Subscription Required' })).toBeVisible()
    await photograph(page, 'months-required', false)
    const before = world.proxy.ledger.receivedBytes(DEVICE)
    await page.getByRole('link', { name: 'Subscribe Now' }).click()
    const sessionId = await pay(page)
    await photograph(page, 'months-subscribed')
    await expect
      .poll(() => world.proxy.ledger.receivedBytes(DEVICE), {
        message: 'the upload goes on while the person pays',
      })
      .toBeGreaterThan(before)
    await page.getByRole('link', { name: 'Back to Your Order' }).click()
    // What was refused is sent again by itself.
    await page.getByRole('button', { name: 'Pay & Complete Order' }).click()
    await expect(page.getByText('Order is fully paid!')).toBeVisible({ timeout: patience(60) })
    world.proxy.setNetwork(DEVICE, FAST_NETWORK)
    await page.goto(`${origin}/uploads/${uploadRequestId}/media-jobs/new`)
    await expectDone(page)
    // The reload of this page costs what was on its way.
    await expectWhole(world, DEVICE, uploadRequestId, file, 1)
    const begun = [
      ['trial-grant', 1000],
      ['subscription-grant', 1900],
      ['order-payment', -300],
    ]
    expect(await moved(), world.server.log()).toEqual(begun)
    expect(await spendable()).toBe(1600)

    // The second month; what was left of the first one has expired.
    await goToDay(40)
    await expect.poll(spendable).toBe(1900)
    await page.goto(`${origin}/wallets`)
    await page.getByRole('link', { name: 'Add $50' }).click()
    await pay(page)
    expect(await spendable()).toBe(6900)

    // The third month is not paid.
    await page.goto(`${origin}/editors/pay/${sessionId}`)
    await page.getByRole('button', { name: 'Let renewals fail' }).click()
    await goToDay(70)
    await expect.poll(statuses).toEqual(['payment-problem'])
    await page.goto(`${origin}/subscriptions`)
    await expect(page.getByText('Your last payment did not go through')).toBeVisible()
    await expectAccessible(page)
    await photograph(page, 'months-problem')
    await page.goto(`${origin}/editors/pay/${sessionId}`)
    await page.getByRole('button', { name: 'Let renewals succeed' }).click()
    await goToDay(72)
    await expect.poll(statuses).toEqual(['active'])
    expect(await spendable()).toBe(6900)

    // Cancelled, kept, cancelled again, over.
    await page.goto(`${origin}/subscriptions`)
    await cancel(page)
    await page.getByRole('button', { name: 'Keep my subscription' }).click()
    await expect(page.getByText('Active', { exact: true })).toBeVisible()
    await cancel(page)
    await photograph(page, 'months-canceling')
    await goToDay(105)
    await expect.poll(statuses).toEqual(['expired'])
    await expect.poll(spendable).toBe(5000)

    await page.goto(`${origin}/uploads/new`)
    await expect(page.getByRole('alertdialog', { name: 'Subscription Required' })).toBeVisible()
    await page.getByRole('link', { name: 'Subscribe Now' }).click()
    await pay(page)
    await page.getByRole('link', { name: 'Back to Your Order' }).click()
    await expect(page.getByLabel('Choose a video')).toBeAttached()
    expect((await statuses()).toSorted()).toEqual(['active', 'expired'])
    expect(await moved()).toEqual([
      ...begun,
      ['subscription-grant', 1900],
      ['purchase', 5000],
      ['subscription-grant', 1900],
      ['subscription-grant', 1900],
    ])
    expect(await spendable()).toBe(6900)
  })

  /** Pays what the frame asks for; returns the id of its session. */
  async function pay(page: Page): Promise<string> {
    const frame = page.locator('iframe[title="Payment"]')
    const inner = frame.contentFrame()
    await expect(inner.getByText('TEST - no money moves')).toBeVisible()
    const address = await frame.getAttribute('src')
    await inner.getByRole('button', { name: 'Pay', exact: true }).click()
    await expect(page.getByText('Payment successful')).toBeVisible({ timeout: patience(60) })
    return address?.split('/').at(-1) ?? ''
  }

  async function cancel(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Cancel Subscription' }).click()
    await page
      .getByRole('alertdialog', { name: 'Cancel Subscription?' })
      .getByRole('button', { name: 'Cancel Subscription' })
      .click()
    await expect(page.getByText('Cancels at period end').first()).toBeVisible()
  }

  async function statuses(): Promise<readonly string[]> {
    const { body } = await world.client.get<{
      walletSubscriptions: Schemas['WalletSubscription'][]
    }>('/v1/wallet-subscriptions')
    return body.walletSubscriptions.map(({ status }) => status)
  }

  /** What moved tokens, without what expired. */
  async function moved(): Promise<(readonly [string, number])[]> {
    return (await booked(world.client)).filter(([kind]) => kind !== 'expiry')
  }

  async function spendable(): Promise<number> {
    const { body } = await world.client.get<{ wallets: Schemas['Wallet'][] }>('/v1/wallets')
    return body.wallets.reduce((sum, { spendableCoinAmount }) => sum + spendableCoinAmount, 0)
  }
})
