import { startFirefox } from '#tests/setup/firefox.ts'
import { describeMediaWorker } from '#tests/suites/media-worker.ts'

describeMediaWorker({ name: 'Firefox', start: startFirefox })
