import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { desc, eq } from 'drizzle-orm'
import { createFakeHuman, humanToken } from '#tests/fakes/human.ts'
import { CLIENT_ID, CLIENT_SECRET, type FakeGoogle } from '#tests/fakes/google/server.ts'
import { PLAN_PRICE } from '#tests/fakes/stripe/account.ts'
import { WEBHOOK_SECRET } from '#tests/fakes/stripe/notices.ts'
import { SECRET_KEY, type FakeStripe } from '#tests/fakes/stripe/server.ts'
import { createTestClient, type TestClient } from '#tests/setup/client.ts'
import { createTestDatabase } from '#tests/setup/database.ts'
import { keptRuns } from '#tests/setup/kept-runs.ts'
import { withoutFaces, withoutSearches } from '#tests/setup/no-searches.ts'
import type { Replacements } from '#server/compose.ts'
import type { EmbeddedPostgres } from '#server/db/embedded/launch.ts'
import { mails } from '#server/db/schema.ts'
import type { Deps } from '#server/deps.ts'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import type { Reach } from '#server/net/outgoing.ts'
import { startServer } from '#server/process/startup.ts'

/** How a test server differs from the usual one. */
export interface TestServerOptions {
  /**
   * Also runs background jobs, except searches ahead of an edit. Off by default, so that rows stay
   * as the test made them.
   */
  readonly isWorker?: boolean
  /** Environment variables beside those the set-up needs. */
  readonly env?: Readonly<Record<string, string>>
  readonly clock?: () => Date
  /** The real proof of work instead of the fake that takes `humanToken`. */
  readonly isHumanChecked?: boolean
  /** Lets imports reach servers of the test. */
  readonly reach?: Reach
  /** Lets people connect their drive of this Google. */
  readonly google?: FakeGoogle
  /** Takes cards by this account, and lives by its clock. */
  readonly stripe?: FakeStripe
  /** A database to clone, where no test run has one. */
  readonly template?: EmbeddedPostgres['connection']
}

/** A person who is signed in, with the client that holds their cookies. */
export interface SignedUp {
  readonly client: TestClient
  readonly userId: string
  readonly email: string
}

/** The real server on a free port with a database and folder of its own. */
export interface TestServer {
  readonly origin: string
  /** Where `/metrics` is; null unless the test sets its port. */
  readonly metricsPort: number | null
  readonly deps: Deps
  /**
   * Lines that the server logged, parsed; `error` lines in a test that expects none are a failure
   * worth showing.
   */
  readonly logged: readonly { readonly level: string; readonly event: string }[]
  createClient(): TestClient
  /** Signs up by the six digits of the mail, with a new address unless one is given. */
  signUp(email?: string): Promise<SignedUp>
  /** The newest mail to an address, or null. */
  lastMail(email: string): Promise<{ subject: string; text: string } | null>
  /**
   * A server that was asked whether it is ready waits up to 30 s for its balancer to ask again,
   * unless `hurry` aborts, which cuts off calls that still run as well.
   */
  stop(hurry?: AbortSignal): Promise<void>
}

const GOOGLE_KEYS = { GOOGLE_CLIENT_ID: CLIENT_ID, GOOGLE_CLIENT_SECRET: CLIENT_SECRET }
const STRIPE_KEYS = {
  STRIPE_SECRET_KEY: SECRET_KEY,
  STRIPE_PUBLISHABLE_KEY: 'pk_test_fake',
  STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
  STRIPE_PRICE_ID: PLAN_PRICE,
}

/** Starts a server; call `stop` in `afterAll`. */
export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-server-'))
  const database = await createTestDatabase(options.template)
  const logged: { level: string; event: string }[] = []
  const log = createLog((line) => {
    logged.push(JSON.parse(line) as { level: string; event: string })
  })
  const settings = readSettings({
    NODE_ENV: 'test',
    PORT: '0',
    ONECUT_DATA_DIR: folder,
    // Documents of frames are answered at the origin that the client of a test keeps cookies of.
    ONECUT_FRAME_ORIGIN: 'none',
    ONECUT_ROLE: options.isWorker === true ? 'all' : 'api',
    ...(options.stripe === undefined ? {} : STRIPE_KEYS),
    ...(options.google === undefined ? {} : GOOGLE_KEYS),
    ...options.env,
  })
  const clock = options.clock ?? options.stripe?.account.clock
  const replacements: Replacements = {
    connection: database.connection,
    ...(clock === undefined ? {} : { clock }),
    ...(options.stripe === undefined ? {} : { stripe: options.stripe.transport }),
    ...(options.google === undefined
      ? {}
      : { google: options.google.places, reach: options.google.reach }),
    ...(options.reach === undefined ? {} : { reach: options.reach }),
    toolRunner: withoutFaces(keptRuns),
    ...(options.isHumanChecked === true ? {} : { human: createFakeHuman() }),
  }
  const server = await startServer(settings, log, { replacements })
  if (options.isWorker === true) withoutSearches(server.deps)
  const createClient = (): TestClient => createTestClient(server.origin)

  async function lastMail(email: string): Promise<{ subject: string; text: string } | null> {
    const [mail] = await database.db
      .select()
      .from(mails)
      .where(eq(mails.recipient, email))
      .orderBy(desc(mails.createdAt), desc(mails.id))
      .limit(1)
    return mail ?? null
  }

  async function signUp(email = `creator-${crypto.randomUUID()}@example.com`): Promise<SignedUp> {
    const client = createClient()
    const asked = await client.post('/v1/auth/magic-link/signup', {
      user: { email },
      captchaToken: humanToken,
      redirectUri: '/',
    })
    if (asked.status !== 202)
      throw new Error(`Signing up answered ${asked.status}: ${JSON.stringify(asked.body)}`)
    const code = /\b\d{6}\b/.exec(
      (await lastMail(email))?.text.replaceAll(/https?:\S+/g, '') ?? '',
    )?.[0]
    const signedIn = await client.post<{ user: { _id: string } }>('/v1/auth/magic-link/code', {
      email,
      code,
    })
    if (signedIn.status !== 200)
      throw new Error(`The code answered ${signedIn.status}: ${JSON.stringify(signedIn.body)}`)
    return { client, userId: signedIn.body.user._id, email }
  }

  return {
    origin: server.origin,
    metricsPort: server.metricsPort,
    deps: server.deps,
    logged,
    createClient,
    signUp,
    lastMail,
    async stop(hurry) {
      await server.stop(hurry)
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
