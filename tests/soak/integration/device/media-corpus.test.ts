import { afterAll, beforeAll, it } from 'vitest'
import { CORPUS, makeCorpus } from '#tests/fixtures/media-corpus.ts'
import { expectReportOfFfprobe } from '#tests/setup/corpus-report.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'

let device: DevicePage
let paths: ReadonlyMap<string, string>
beforeAll(async () => {
  paths = await makeCorpus()
  device = await openDevicePage()
})
afterAll(async () => {
  await device.close()
})

it.each(CORPUS.filter(({ says }) => typeof says !== 'string'))(
  'UPL-12 $name: the report is that of ffprobe, and only the rules $says speak',
  async (file) => {
    await expectReportOfFfprobe(device, paths.get(file.name) ?? '', file)
  },
)
