/**
 * `npm run advisories`: keeps what the registry knows of holes in the packages of production, with
 * the day, in scripts/advisories.json, which `npm run doctor` reads where the registry does not
 * answer. Changes nothing and fails where it does not answer now.
 */
import { writeFileSync } from 'node:fs'
import {
  askRegistry,
  KEPT_FILE,
  lockfileDigest,
  readAdvisories,
  type KeptAdvisories,
} from '#scripts/advisories.ts'

const answer = askRegistry()
const verdict = readAdvisories(answer)
process.stdout.write(`${verdict.text}\n`)
if (verdict.kind === 'unknown') process.exitCode = 1
else {
  const report = JSON.parse(answer) as unknown
  const takenAt = new Date().toISOString()
  const kept: KeptAdvisories = { takenAt, lockfile: lockfileDigest(), report }
  writeFileSync(KEPT_FILE, `${JSON.stringify(kept, null, 2)}\n`)
}
