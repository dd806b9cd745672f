/**
 * `npm run advisories`: keeps what the registry knows of holes in the packages of production, with
 * the day, in scripts/advisories.json, which `npm run doctor` reads without a network. Where the
 * registry does not answer, the answer before stays, the day is noted, and this fails.
 */
import { writeFileSync } from 'node:fs'
import {
  askRegistry,
  keepAdvisories,
  KEPT_FILE,
  lockedPackages,
  readAdvisories,
  readKept,
} from '#scripts/advisories.ts'

const answer = askRegistry()
const verdict = readAdvisories(answer)
process.stdout.write(`${verdict.text}\n`)
if (verdict.kind === 'unknown') process.exitCode = 1
const kept = keepAdvisories(answer, readKept(), { now: new Date(), locked: lockedPackages() })
writeFileSync(KEPT_FILE, `${JSON.stringify(kept, null, 2)}\n`)
