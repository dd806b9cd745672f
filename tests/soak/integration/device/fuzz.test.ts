import { afterAll, beforeAll, it } from 'vitest'
import { runs } from '#tests/seeds.ts'
import { expectAnswersOfBroken } from '#tests/setup/broken-files.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'

let device: DevicePage
beforeAll(async () => {
  device = await openDevicePage()
})
afterAll(() => device.close())

it('answers for each of many broken files: no hang, no crash, nothing unhandled', async () => {
  await expectAnswersOfBroken(device, runs(20))
})
