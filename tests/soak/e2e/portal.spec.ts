import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import type { Fault } from '#tests/faults/faults.ts'
import { signInContext } from '#tests/faults/upload-page.ts'
import { beginUpload } from '#tests/setup/upload.ts'

// Networks break here.
test.use({ expectedNoise: FAILED_REQUESTS })

/** What a real browser, with its cache and its rules for redirects, makes of foreign answers. */
let world: FaultWorld
test.beforeAll(async () => {
  world = await startFaultWorld()
})
test.afterAll(async () => {
  await world.dispose()
})

const listed = (page: Page, name: string) => page.getByRole('region', { name })
const REFUSAL = { kind: 'answer', code: 'Unauthorized' } as const
const cases: readonly (readonly [name: string, fault: Fault, bar: RegExp])[] = [
  ['page', { kind: 'portal' }, /^This network wants you to sign in first\. /],
  ['redirect', { ...REFUSAL, status: 302 }, /^This network wants you to sign in first\. /],
  ['gateway-401', { ...REFUSAL, status: 401, look: 'html' }, /^The server cannot be reached /],
]

for (const [device, fault, bar] of cases)
  test(`SAF-07 SAF-01 the ${device} of another machine ends no session, and its end is noticed`, async ({
    context,
  }) => {
    const client = await world.signUp()
    await signInContext(context, client, device)
    const page = await context.newPage()
    await page.goto(`${world.proxy.origin}/uploads/new`)
    await expect(listed(page, 'Recent uploads').getByText('Nothing here yet.')).toBeVisible()
    await page.evaluate(async () => {
      await navigator.serviceWorker.ready
    })
    world.proxy.add({ match: (request) => request.device === device, fault, times: Infinity })
    await page.reload()
    await expect(page.getByRole('status').filter({ hasText: bar })).toBeVisible()
    await expect(page.getByText(/The gateway says|accept our terms/)).toHaveCount(0)
    await photograph(page, `outage-${device}`)
    await beginUpload(client, MIB, { name: 'from elsewhere.mp4' })
    world.proxy.clear()
    const elsewhere = listed(page, 'Unfinished uploads from elsewhere')
    await expect(elsewhere.getByRole('heading', { name: 'from elsewhere.mp4' })).toBeVisible()
    await expect(page.getByRole('status').filter({ hasText: bar })).toHaveCount(0)
    await expect(page.getByText('Please log in again')).toHaveCount(0)
  })
