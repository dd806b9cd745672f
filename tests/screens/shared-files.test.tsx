import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { addSharedFiles, readSharedFiles } from '#src/local/db/shared-files.ts'
import { pending } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

const answers = { listUploadRequests: pending }
const shares = (count: number) =>
  Array.from({ length: count }, (_each, number) => ({
    shareId: `${NOW}-a`,
    number,
    name: `holiday ${number}.mp4`,
    sizeBytes: 5,
    atEpochMs: NOW,
    userId: null,
    isUsed: false,
  }))

test('PHO-03 many videos from another app are offered one by one, and removed one by one or all together', async () => {
  const { local } = await openScreen({ path: '/uploads/new', answers })
  await addSharedFiles(local.deviceDb, shares(3))
  const offered = page.getByRole('region', { name: 'Videos from other apps' })
  await expect.element(offered.getByText('holiday 2.mp4')).toBeVisible()
  await offered.getByRole('button', { name: 'Remove holiday 2.mp4' }).click()
  await offered.getByRole('button', { name: 'Remove all 2' }).click()
  await expect.element(offered).not.toBeInTheDocument()
  expect(await readSharedFiles(local.deviceDb, local.account()?.userId ?? '')).toEqual([])
})

test('PHO-03 who shares without a session is led to log in, and learns that it waits', async () => {
  const screen = await openScreen({
    path: `/uploads/new?shared=${NOW}-a`,
    person: null,
    answers: { getHumanChallenge: pending },
  })
  await expect.element(page.getByText(/^What you shared waits on this device/)).toBeVisible()
  expect(screen.path()).toBe('/login?message=shared-waits')
})
