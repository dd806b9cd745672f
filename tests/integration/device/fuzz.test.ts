import { afterAll, beforeAll, it } from 'vitest'
import { expectAnswersOfBroken } from '#tests/setup/broken-files.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'

let device: DevicePage
beforeAll(async () => {
  device = await openDevicePage()
})
afterAll(() => device.close())

it('answers for each of six broken files: no hang, no crash, nothing unhandled', async () => {
  await expectAnswersOfBroken(device, 6)
})
