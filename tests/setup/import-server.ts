/**
 * The real server, whose fetches reach a host of the test on this machine instead of the Internet,
 * and whose Google is where `TEST_GOOGLE_PLACES` (JSON) says.
 */
import type { GooglePlaces } from '#server/drives/google.ts'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { startServer } from '#server/process/startup.ts'

const server = await startServer(readSettings(process.env), createLog(), {
  replacements: {
    google: JSON.parse(process.env['TEST_GOOGLE_PLACES'] ?? '{}') as GooglePlaces,
    reach: {
      protocol: 'https:',
      answerMs: 2_000,
      isReachable: (address) => address === '127.0.0.1',
      resolve: async () => await Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
    },
  },
})
process.once('SIGINT', () => void server.stop().then(() => process.exit(0)))
process.stdout.write(`${server.announcement}\n`)
