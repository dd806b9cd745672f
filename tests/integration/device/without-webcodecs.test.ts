import { startChromium } from '#tests/setup/device-page.ts'
import { withoutWebCodecs } from '#tests/setup/without-webcodecs.ts'
import { describeMediaWorker } from '#tests/suites/media-worker.ts'

describeMediaWorker({
  name: 'Chromium without WebCodecs',
  start: startChromium,
  prepare: withoutWebCodecs,
})
