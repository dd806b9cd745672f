/**
 * The real server, whose fetches reach a host of the test on this machine instead of the Internet.
 */
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { startServer } from '#server/startup.ts'

const server = await startServer(readSettings(process.env), createLog(), {
  replacements: {
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
