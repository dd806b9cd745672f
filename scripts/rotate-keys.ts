/**
 * `npm run rotate-keys`: replaces the keys that sign cookies and links; servers take the new ones
 * at their next start, and accept what the old ones have signed until that ends. With
 * `-- --forget` the old ones end at once: for keys that a stranger has seen.
 */
import { parseArgs } from 'node:util'
import { rotateKeys } from '#server/db/secrets.ts'
import { readSettings } from '#server/env.ts'

try {
  const { values } = parseArgs({ options: { forget: { type: 'boolean', default: false } } })
  const file = readSettings(process.env).keysFile
  await rotateKeys({ file, clock: () => new Date() }, values)
  process.stdout.write(`The keys in ${file} are replaced; restart every server that uses them.\n`)
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
