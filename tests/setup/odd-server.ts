/**
 * The real server with settings that its environment does not allow, for tests that would otherwise
 * take hours, and without searches ahead of edits. Beside the usual variables:
 * ONECUT_TEST_PART_BYTES, parts smaller than S3 takes; ONECUT_TEST_FULL_DISK_FLAG, the name of a
 * file: while it exists, the disk is full.
 */
import './full-disk.ts'
import { withoutSearches } from './no-searches.ts'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { startServer } from '#server/process/startup.ts'

const server = await startServer(
  { ...readSettings(process.env), partSizeBytes: Number(process.env['ONECUT_TEST_PART_BYTES']) },
  createLog(),
)
withoutSearches(server.deps)
process.once('SIGINT', () => void server.stop().then(() => process.exit(0)))
process.stdout.write(`${server.announcement}\n`)
