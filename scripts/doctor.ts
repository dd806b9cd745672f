/**
 * `npm run doctor`: looks at what this server depends on elsewhere, with the settings of the
 * environment and the packages of the lockfile, and says what to mend. Changes nothing; fails when
 * something is wrong. `npm run doctor -- store` looks at the bucket instead, where it writes below
 * `doctor/`, and removes that.
 */
import {
  askRegistry,
  keptVerdict,
  lockedPackages,
  readAdvisories,
  readKept,
} from '#scripts/advisories.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isLoopback } from '#server/addresses.ts'
import { examineBackups } from '#server/backup/known.ts'
import {
  adviceOn,
  readSettings,
  scriptsOfOthers,
  SettingError,
  type Settings,
} from '#server/env.ts'
import { readSystemPackages, systemVerdict } from '#scripts/system-packages.ts'
import { findFaceModels } from '#server/media/faces/face-models.ts'
import { examineStripe } from '#server/payments/stripe/doctor.ts'

const PREFIX = { good: 'right  ', bad: 'WRONG  ', unknown: '' } as const

try {
  if (process.argv[2] === 'store') await lookAtStore()
  else await lookAtAll()
} catch (error) {
  if (!(error instanceof SettingError)) throw error
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 2
}

async function lookAtStore(): Promise<void> {
  const { s3, publicOrigin } = readSettings(process.env)
  if (s3 === null) {
    say('S3_BUCKET is not set: files are on the disk, below ONECUT_DATA_DIR.')
    return
  }
  const { examineStore } = await import('#server/object-store/s3/doctor.ts')
  const findings = await examineStore({ place: s3, publicOrigin })
  for (const { verdict, text } of findings)
    say(`${{ right: 'right  ', wrong: 'WRONG  ', unknown: '' }[verdict]}${text}`)
  if (findings.some(({ verdict }) => verdict === 'wrong')) process.exitCode = 1
}

async function lookAtAll(): Promise<void> {
  const asked = readAdvisories(askRegistry())
  const known = [asked]
  const now = new Date()
  if (asked.kind === 'unknown')
    known.push(keptVerdict(readKept(), { now, locked: lockedPackages() }))
  known.push(systemVerdict(readSystemPackages(), now))
  for (const { kind, text } of known) say(`${PREFIX[kind]}${text}`)
  if (known.some(({ kind }) => kind === 'bad')) process.exitCode = 1

  const models = findFaceModels()
  say(
    'missing' in models
      ? `Faces cannot be searched, so edits that hide them are not offered: the optional package ${models.missing} is not installed. Run npm ci without --omit=optional.`
      : 'right  The models of the face search are installed.',
  )

  const settings = readSettings(process.env)
  for (const advice of adviceOn(settings)) say(`WRONG  ${advice}`)
  await lookAtBackups(settings)
  const { stripe, publicOrigin, frameOrigin } = settings
  if (frameOrigin !== null)
    say(`right  Documents that load scripts of others are of ${frameOrigin}, and nothing else is.`)
  else if (scriptsOfOthers(settings).length === 0)
    say(
      'ONECUT_FRAME_ORIGIN is not set: the page that takes payments is of the origin of the app. It loads no script of others now; docs/security.md says more.',
    )
  if (stripe === null) say('Payments are a test that moves no money: docs/stripe.md says more.')
  else {
    const findings = await examineStripe({ ...stripe, publicOrigin })
    for (const { isRight, text } of findings) say(`${isRight ? 'right' : 'WRONG'}  ${text}`)
    say(
      stripe.movesMoney ? 'The keys move money.' : 'The keys are of a sandbox, and move no money.',
    )
    if (!findings.every(({ isRight }) => isRight)) process.exitCode = 1
  }
  if (adviceOn(settings).length > 0) process.exitCode = 1
}

/** An installation that only this machine reaches may have none: it is said, and is no fault. */
async function lookAtBackups({ databaseUrl, dataDir, publicOrigin }: Settings): Promise<void> {
  if (databaseUrl !== null) {
    say('Backups of the database of DATABASE_URL are yours to make: nothing here knows of them.')
    return
  }
  if (!existsSync(join(dataDir, 'postgres', 'PG_VERSION'))) return
  const isPublic = !isLoopback(new URL(publicOrigin).hostname)
  for (const { isRight, text } of await examineBackups(dataDir, new Date())) {
    if (!isRight && isPublic) process.exitCode = 1
    say(`${isRight ? 'right  ' : isPublic ? 'WRONG  ' : ''}${text}`)
  }
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
