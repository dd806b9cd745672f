/**
 * The composition root: opens everything that a process has, once, and chooses what stands behind
 * each port. It is one file so that what is chosen by which setting is seen as a whole.
 */
import { sep } from 'node:path'
import { v7 } from 'uuid'
import { isLoopback, ownHost } from './addresses.ts'
import { refuseHalfRestored } from '#server/backup/restore-mark.ts'
import { isSuperuser, openDb, type Db } from '#server/db/client.ts'
import type { Connection } from '#server/db/connection.ts'
import { keepPostgresUp } from '#server/db/embedded/keep-up.ts'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { createLeases, type Leases } from '#server/db/leases.ts'
import { awaitMigration, migrateDatabase } from '#server/db/migrate.ts'
import { isPooledByTransaction } from '#server/db/pooler.ts'
import { nameThisProcess } from '#server/db/process-name.ts'
import { loadSecrets, type Key, type Secrets } from '#server/db/secrets.ts'
import { createSecurityLog } from '#server/db/security-log.ts'
import { makeDataFolder } from './data-folder.ts'
import type { Deps } from './deps.ts'
import { createGoogleDrive, GOOGLE, type GooglePlaces } from '#server/drives/google.ts'
import { createGoogleWriter } from '#server/drives/google-writer.ts'
import type { Settings } from './env.ts'
import { createAltcha } from '#server/human/altcha.ts'
import { createRecaptcha, RECAPTCHA_HOST } from '#server/human/recaptcha.ts'
import type { HumanVerification } from '#server/human/port.ts'
import { createPgBossQueue, type StartableQueue } from '#server/jobs/pgboss.ts'
import type { Log } from './log.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { createLocalMailbox } from '#server/mail/local-mailbox.ts'
import { createSmtpMailer } from '#server/mail/smtp.ts'
import type { ToolRunner } from '#server/media/confined.ts'
import { describeConfinement } from '#server/media/confinement/describe.ts'
import { createFaceSearch } from '#server/media/faces/find-faces.ts'
import { createMeasures } from '#server/media/measures.ts'
import { resolveFfmpeg } from '#server/media/resolve.ts'
import { createLauncher } from '#server/media/tool-launcher.ts'
import type { ImportHost } from '#server/net/import-hosts.ts'
import { createOutgoing, type Reach } from '#server/net/outgoing.ts'
import { createPostForm } from '#server/net/post-form.ts'
import { GOOGLE_CALLBACK_PATH } from '#server/operations/accounts/external-auths/login.ts'
import type { DiskStore } from '#server/object-store/disk.ts'
import { openStore } from './open-store.ts'
import type { PaymentProvider } from '#server/payments/port.ts'
import type { Transport } from '#server/payments/stripe/client.ts'
import { createStripeProvider } from '#server/payments/stripe/provider.ts'
import { createTestProvider } from '#server/payments/test/provider.ts'
import type { PushService } from '#server/push/port.ts'
import { createWebPush } from '#server/push/web-push.ts'
import { readPublished, type Published } from './published.ts'
import { StartError } from './start-error.ts'
import { toolGuard } from './tool-guard.ts'

/** Everything that was opened for this process, and its end. */
export interface Composition {
  readonly deps: Deps
  readonly queue: StartableQueue
  /** The store whose part URLs this server answers itself; null for one elsewhere. */
  readonly diskStore: DiskStore | null
  /** Closes the queue, leases, store, pool and embedded database, in this order. */
  close(): Promise<void>
}

/** What tests put in place of what the settings would choose. */
export interface Replacements {
  readonly connection?: Connection
  readonly clock?: () => Date
  readonly human?: HumanVerification
  /** Another place than Stripe's own. */
  readonly stripe?: Transport
  /** Another place than Google's own. */
  readonly google?: GooglePlaces
  /** How far fetches reach: only so can one lead to a server on this machine. */
  readonly reach?: Reach
  /** Another way to run media tools. */
  readonly toolRunner?: ToolRunner
}

/**
 * Two readers of headers leave a small machine room for its edits; a page whose upload was not
 * measured asks again.
 */
const MEASURING = { atOnce: 2, patienceMs: 8_000, restMs: 30_000 } as const

/**
 * Picks the adapters by the settings, brings the database up to date and opens everything. Throws
 * `StartError`.
 */
export async function compose(
  settings: Settings,
  log: Log,
  replacements: Replacements = {},
): Promise<Composition> {
  const published = await prepare(settings)
  const clock = replacements.clock ?? (() => new Date())
  const { connection, session, stop } = await openDatabase(settings, replacements.connection, log)
  try {
    await prepareDatabase(settings, session).catch(describeUnreachable(settings))
    const db = await openPool(connection, log)
    const secrets = await openSecrets(settings, db, clock)
    const { testPayments } = secrets
    const shared = { db, clock, log }
    const [owner, metrics] = [await nameThisProcess(), createMetrics()]
    const storeDeps = { ...shared, session, metrics, key: secrets.partUrl, owner }
    const { diskStore, close, ...files } = await openStore(settings, storeDeps)
    const work = openWork(settings, { db, session, log, metrics, owner })
    const { queue } = work
    const ffmpeg =
      settings.role === 'migrate' ? null : await findFfmpeg(settings, log, replacements)
    const deps: Deps = {
      db,
      clock,
      newId: v7,
      settings,
      secrets,
      log,
      ...work,
      security: createSecurityLog({ clock, key: secrets.code.signing }),
      ...files,
      outgoing: createOutgoing(settings.importHosts, replacements.reach),
      ...chooseDrive(settings, replacements, log),
      mailer: settings.smtp === null ? createLocalMailbox() : createSmtpMailer(settings.smtp),
      push: choosePush(settings, replacements.reach, secrets.push),
      human: chooseHuman(settings, replacements, { ...shared, key: secrets.human }),
      payments: choosePayments(settings, replacements.stripe, { ...shared, key: testPayments }),
      published,
      ffmpeg,
      faces: ffmpeg === null ? null : createFaceSearch(ffmpeg),
      measures: createMeasures({ ...MEASURING, clock }),
    }
    return {
      deps,
      queue,
      diskStore,
      close: closing(work, [close, () => db.$client.end(), stop]),
    }
  } catch (error) {
    await stop()
    throw error
  }
}

async function openSecrets(
  { keysFile: file, keys: given, role }: Settings,
  db: Db,
  clock: () => Date,
): Promise<Secrets> {
  return await loadSecrets(db, { file, given, clock, isReadOnly: role === 'migrate' })
}

/** What says which work there is, whose it is, and how it goes. */
interface Work {
  readonly metrics: Metrics
  readonly leases: Leases
  readonly queue: StartableQueue
}

interface WorkDeps {
  readonly db: Db
  /** It listens on a channel, past a pooler. */
  readonly session: Connection
  readonly log: Log
  readonly metrics: Metrics
  readonly owner: string
}

function openWork({ role }: Settings, { db, session, log, metrics, owner }: WorkDeps): Work {
  const leases = createLeases(db, { owner, log, metrics, guard: toolGuard })
  const connection = session
  const isWorker = role !== 'api'
  const queue = createPgBossQueue({ connection, log, metrics, leases, isWorker })
  return { metrics, leases, queue }
}

/** Ends one after the other. */
function closing(
  { queue, leases }: Work,
  others: readonly (() => Promise<void>)[],
): () => Promise<void> {
  return async () => {
    await queue.stop()
    await leases.close()
    for (const end of others) await end()
  }
}

async function openPool(connection: Connection, log: Log): Promise<Db> {
  const db = openDb(connection, {
    onError: (error) => log.error('db/idle-connection', error),
    onNoConnection: (error) => log.warn('db/no-connection', { error }),
  })
  if (await isSuperuser(db))
    log.warn('db/superuser', {
      message:
        'The role of DATABASE_URL is a superuser; give Onecut a role that only owns its database (docs/confinement.md).',
    })
  return db
}

/** What the settings ask for before anything is opened. Throws `StartError`. */
async function prepare(settings: Settings): Promise<Published> {
  refusePublicTestPayments(settings)
  refuseHalfRestored(settings.dataDir)
  await makeFolders(settings)
  return await readPublished(settings.frontPageDir)
}

async function makeFolders({ dataDir, scratchDir }: Settings): Promise<void> {
  try {
    await makeDataFolder({ dataDir, scratchDir })
  } catch (error) {
    throw new StartError(
      `ONECUT_DATA_DIR is "${dataDir}", but that folder cannot be written${isBelow(scratchDir, dataDir) ? '' : `, or "${scratchDir}" of ONECUT_SCRATCH_DIR cannot`}: ${error instanceof Error ? error.message : String(error)}.`,
    )
  }
}

function isBelow(path: string, folder: string): boolean {
  return path.startsWith(folder + sep)
}

interface OpenedDatabase {
  readonly connection: Connection
  /** Past a pooler: for migrations, channels, and locks that are held longer than a transaction. */
  readonly session: Connection
  readonly stop: () => Promise<void>
}

/**
 * Brings the database up to date, or waits until another process has: of several that share one,
 * those that only answer or only work leave it to the others.
 */
async function prepareDatabase(settings: Settings, session: Connection): Promise<void> {
  const { databaseUrl, databaseSessionUrl, role } = settings
  if (databaseUrl !== null && (await isPooledByTransaction(session)))
    throw new StartError(
      `${databaseSessionUrl === null ? 'DATABASE_URL' : 'DATABASE_SESSION_URL'} leads to a pooler in transaction mode (two open connections named the same pg_backend_pid()), which keeps no locks; set DATABASE_SESSION_URL to the database itself.`,
    )
  const isLeftToOthers = databaseUrl !== null && (role === 'api' || role === 'worker')
  await (isLeftToOthers ? awaitMigration(session) : migrateDatabase(session, v7))
}

async function openDatabase(
  settings: Settings,
  given: Connection | undefined,
  log: Log,
): Promise<OpenedDatabase> {
  const stop = (): Promise<void> => Promise.resolve()
  if (given !== undefined) return { connection: given, session: given, stop }
  const { databaseUrl, databaseSessionUrl } = settings
  if (databaseUrl !== null)
    return {
      connection: { connectionString: databaseUrl },
      session: { connectionString: databaseSessionUrl ?? databaseUrl },
      stop,
    }
  const postgres = await launchPostgres(settings.dataDir)
  const keeper = keepPostgresUp(settings.dataDir, log)
  return {
    connection: postgres.connection,
    session: postgres.connection,
    stop: async () => {
      await keeper.stop()
      await postgres.stop()
    },
  }
}

function describeUnreachable(settings: Settings): (error: unknown) => never {
  return (error) => {
    const isConnection =
      error instanceof Error &&
      'code' in error &&
      typeof error.code === 'string' &&
      /^(?:E[A-Z]+|28\w{3}|3D000|08\w{3})$/.test(error.code)
    if (settings.databaseUrl !== null && isConnection)
      throw new StartError(
        `The database of DATABASE_URL cannot be used: ${error.message || error.code}.`,
      )
    throw error
  }
}

function choosePush(settings: Settings, reach: Reach | undefined, key: Key): PushService | null {
  const { pushHosts } = settings
  if (pushHosts.length === 0) return null
  return createWebPush({
    key,
    outgoing: createOutgoing(pushHosts, reach),
    contact: contactOf(settings),
  })
}

/** Push services take an address of https or of mail, and Apple's no `localhost` of https. */
function contactOf({ supportMail, publicOrigin }: Settings): string {
  if (supportMail !== null) return `mailto:${supportMail}`
  const { protocol, hostname } = new URL(publicOrigin)
  return protocol === 'https:' ? publicOrigin : `mailto:onecut@${hostname}`
}

function chooseHuman(
  settings: Settings,
  { human, reach }: Replacements,
  deps: { db: Db; clock: () => Date; key: Key; log: Log },
): HumanVerification {
  if (human !== undefined) return human
  if (settings.recaptcha === null) return createAltcha(deps)
  const post = createPostForm(createOutgoing([{ name: RECAPTCHA_HOST, port: 443 }], reach))
  return createRecaptcha({ ...settings.recaptcha, post, log: deps.log })
}

/**
 * Payments that move no money give tokens to everybody who finds the server, so that a public one
 * must be told that this is meant.
 */
function refusePublicTestPayments(settings: Settings): void {
  const { role, publicOrigin, takesPayments, allowsTestPayments, stripe } = settings
  const movesMoney = stripe?.movesMoney === true
  const isMeant = movesMoney || allowsTestPayments || !takesPayments || role === 'migrate'
  if (isMeant || isLoopback(new URL(publicOrigin).hostname)) return
  throw new StartError(
    `Payments are only a test here and move no money, but other people can reach ${publicOrigin}; set ONECUT_ALLOW_TEST_PAYMENTS=1 if tokens may be had for nothing, or ONECUT_PAYMENTS=false if edits cost none.`,
  )
}

function choosePayments(
  { host, port, stripe }: Settings,
  transport: Transport | undefined,
  parts: { db: Db; clock: () => Date; key: Key; log: Log },
): PaymentProvider {
  if (stripe !== null) {
    const { clock, log } = parts
    return createStripeProvider({ ...stripe, clock, log, ...(transport && { transport }) })
  }
  const webhookUrl = `http://${ownHost(host)}:${port}/editors/api/v1/payments/webhooks/test`
  return createTestProvider({ ...parts, newId: v7, webhookUrl })
}

function chooseDrive(
  { googleDrive, publicOrigin }: Settings,
  { google: places = GOOGLE, reach }: Replacements,
  log: Log,
): Pick<Deps, 'googleDrive' | 'driveWriter'> {
  if (googleDrive === null) return { googleDrive: null, driveWriter: null }
  // Files are read and written at one host only, and keys are sent to no other than theirs.
  const { open } = createOutgoing([hostOf(places.api)], reach)
  const keys = createOutgoing([hostOf(places.token), hostOf(places.revoke)], reach)
  return {
    googleDrive: createGoogleDrive({
      ...googleDrive,
      redirectUri: publicOrigin + GOOGLE_CALLBACK_PATH,
      places,
      get: open,
      post: createPostForm(keys),
      log,
    }),
    driveWriter: createGoogleWriter({ api: places.api, open }),
  }
}

function hostOf(address: string): ImportHost {
  const { hostname, port } = new URL(address)
  return { name: hostname, port: port === '' ? 443 : Number(port) }
}

async function findFfmpeg(
  settings: Settings,
  log: Log,
  { toolRunner }: Replacements,
): Promise<Deps['ffmpeg']> {
  const found = await resolveFfmpeg({
    ffmpegPath: settings.ffmpegPath,
    ffprobePath: settings.ffprobePath,
    searchPath: process.env['PATH'] ?? '',
    dataDir: settings.dataDir,
    scratchDir: settings.scratchDir,
    ...(toolRunner === undefined ? {} : { runner: toolRunner }),
  })
  if (!('code' in found)) {
    const { holds, advice } = describeConfinement(found.ffmpeg.confinement, found.refused)
    log.info('media/confinement', { message: holds })
    if (advice !== null) log.warn('media/weak-confinement', { message: advice })
    // It hands on open files by /proc.
    return process.platform === 'linux' && toolRunner === undefined
      ? { ...found.ffmpeg, launcher: createLauncher() }
      : found.ffmpeg
  }
  // A path that was given is meant; one that was merely not found leaves the rest of the server
  // useful.
  if (settings.ffmpegPath !== null)
    throw new StartError(`FFMPEG_PATH is "${settings.ffmpegPath}", but ${found.message}`)
  log.warn(found.code, { message: found.message })
  return null
}
