import '#src/styles/index.css'
import type { QueryClient } from '@tanstack/react-query'
import { Dexie, type Table } from 'dexie'
import { createStore } from 'jotai'
import { Fragment, StrictMode, useEffect } from 'react'
import { createMemoryRouter, Outlet, useLocation } from 'react-router'
import { expect } from 'vitest'
import type { Locator } from 'vitest/browser'
import { cleanup, render } from 'vitest-browser-react/pure'
import { createGuards } from '#src/app/guards/guards.ts'
import { PageRoot } from '#src/app/PageRoot.tsx'
import { createInstall } from '#src/app/pwa/install.ts'
import { createUpdate, type UpdateCommands } from '#src/app/pwa/update.ts'
import { createRoutes } from '#src/app/routes.tsx'
import { TOAST_AUTO_CLOSE_MS } from '#spec/numbers.ts'
import { createQueryClient } from '#src/hooks/sync/query-client.ts'
import { MINUTE_MS, SECOND_MS, type Clock } from '#src/lib/time.ts'
import { composePage, type PageLocal } from '#src/local/compose.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import { newSalt, wrapDataKey, writeAppLock } from '#src/local/db/app-lock.ts'
import { openDeviceDb, writeLastUserId } from '#src/local/db/device-db.ts'
import { newDataKey, sealKeysOf } from '#src/local/db/seal.ts'
import { FACTS } from '#src/local/db/facts.ts'
import type { BrowserGetter } from '#src/local/kept/by-browser.ts'
import { entryOf } from '#src/local/db/library-entry.ts'
import { createToasts, type ToastClock, type ToastCommands } from '#src/ui/toasts.ts'
import { unsavedWorkAtom } from '#src/ui/unsaved-work-atoms.ts'
import { createFakeClock, type FakeClock } from '#tests/fakes/fake-clock.ts'
import { answersFor, CAPABILITIES, cookiesOf, CREATOR, meOf, type Person } from './creator.ts'
import {
  createFakeServer,
  pageOfAnother,
  unreachable,
  type Answers,
  type FakeServer,
} from './fake-server.ts'
import { holdTables } from './hold-tables.ts'
import { letQueriesEnd } from './open-transactions.ts'
import { createFakeUploads, type FakeUploads, type UploadsOptions } from './fake-uploads.ts'

/** When every screen test happens. */
export const NOW = Date.parse('2026-11-21T10:00:00.000Z')

/** What this device keeps, by table of the account's database. */
export type Rows = {
  readonly [
    Name in keyof AccountDb as AccountDb[Name] extends Table ? Name : never
  ]?: AccountDb[Name] extends Table<infer Row, infer _Key, infer _Insert> ? readonly Row[] : never
}

type Network = 'online' | 'server-away' | 'offline' | 'portal' | 'gateway-broken'

export interface ScreenOptions {
  /** Address with query. */
  readonly path: string
  /** Null: signed out. A creator with a profession unless given. */
  readonly person?: Person | null
  /** What the device keeps; nothing but who the person is unless given. */
  readonly rows?: Rows
  /** True: this device was never used by this person. */
  readonly isNewDevice?: boolean
  /** Answers that differ from those of `answersFor`. */
  readonly answers?: Answers
  /**
   * `server-away`: calls fail. `offline`: the browser says so too. `portal`: a captive portal
   * answers everything with its page. `gateway-broken`: a gateway answers everything with 502.
   */
  readonly network?: Network
  readonly uploads?: UploadsOptions
  /** The browser's own downloads; none unless given. */
  readonly browserGetter?: BrowserGetter
  /** With the app lock on, and opened. */
  readonly isLockable?: true
  /** Tables that this device is too busy to read until `letRead`. */
  readonly heldTables?: readonly (keyof Rows)[]
}

/** The open page, and everything around it that a test may look at or change. */
export interface Screen {
  readonly server: FakeServer
  readonly clock: FakeClock
  readonly uploads: FakeUploads
  readonly local: PageLocal
  readonly update: UpdateCommands
  readonly toasts: ToastCommands
  /** The account's database; throws while signed out. */
  readonly db: AccountDb
  /** The address that is shown now. */
  path(): string
  /** Resolves when React has drawn the page that the address leads to, as `sendTo` and `goBack`. */
  goTo(path: string): Promise<void>
  /** As a form would that is sent to a page. */
  sendTo(path: string): Promise<void>
  goBack(): Promise<void>
  /** Replaces the cookies, as signing in in another tab does. */
  signIn(person: Person | null): void
  /** Removes all cookies. `isTold`: the browser tells the page. */
  dropCookies(isTold: boolean): void
  setNetwork(network: Network): void
  /** Lets the device's clock run, step by step, until something is on the screen. */
  letTimePassUntil(locator: Locator): Promise<void>
  /** Ends what `heldTables` began. */
  letRead(): Promise<void>
}

/** A browser may run the timers of a page behind others once a second: then ten steps must do. */
const STEP_MS = 5 * SECOND_MS

// On localhost Dexie traces every query that a closed database refuses.
Dexie.debug = false

let close: (() => Promise<void>) | null = null

/**
 * Pages that this file has opened strictly. StrictMode renders and runs each effect twice, a
 * fourteenth of what a screen test costs. The first visit to each page finds an effect that does
 * not undo itself.
 */
const strictPages = new Set<string>()

/** Lets the next visit to each page be strict. A set-up file calls it before each file. */
export function beginStrictly(): void {
  strictPages.clear()
}

/**
 * Removes what the test opened, of the page and of the device, and what it drew without a page
 * around it: the next file would find that over its own. A set-up file calls it.
 */
export async function closeOpenScreen(): Promise<void> {
  await close?.()
  close = null
  await cleanup()
}

/**
 * Opens an address of the app in this browser: real routes, screens, database and locks; a fake
 * server, clock and workers. Everything is removed after the test (`closeOpenScreen`).
 */
export async function openScreen(options: ScreenOptions): Promise<Screen> {
  const person = options.person === undefined ? CREATOR : options.person
  const clock = createFakeClock(NOW)
  const server = createFakeServer({ ...answersFor(person), ...options.answers })
  setNetwork(server, options.network ?? 'online')
  if (options.isLockable === true && person !== null) await lockApp(person)
  const letRead = person === null ? async () => undefined : await fill(person, options)
  let cookies = cookiesOf(person)
  let tellOfCookies = (): void => undefined
  const keptLog = { keep: () => undefined, read: () => Promise.resolve([]) }
  const local = await composePage(
    {
      origin: window.location.origin,
      fetch: server.fetch,
      clock,
      readCookies: () => cookies,
      writeCookie: (assignment) => {
        if (/Max-Age=0|1970/i.test(assignment)) cookies = ''
      },
      isVisible: () => true,
      onTouch: () => undefined,
      onAttention: () => () => undefined,
      onCookieChange: (listener) => {
        tellOfCookies = listener
        return () => undefined
      },
      endPushes: () => Promise.resolve(),
      browserGetter: options.browserGetter ?? null,
      reload: () => undefined,
    },
    keptLog,
    options.isLockable === true && person !== null
      ? async () => ({ userId: person.userId, keys: await sealKeysOf(newDataKey()) })
      : undefined,
  )
  const store = createStore()
  const toasts = createToasts(store, TOAST_AUTO_CLOSE_MS, toastClock(clock))
  const update = createUpdate({
    store,
    isAtStake: () => store.get(unsavedWorkAtom) > 0,
    isTouched: () => true,
    reload: () => undefined,
    onReadyOffline: () => undefined,
  })
  const uploads = createFakeUploads(store, local, options.uploads ?? {})
  const queries = createQueryClient()
  const guards = createGuards({ local, storage: sessionStorage, origin: window.location.origin })
  const drawn = { key: '' }
  const onDrawn = (key: string): void => {
    drawn.key = key
  }
  const routes = { element: <DrawnPlace onDrawn={onDrawn} />, children: createRoutes(guards) }
  const router = createMemoryRouter([routes], { initialEntries: [options.path] })
  const isDrawn = () =>
    expect.poll(() => drawn.key === router.state.location.key, { interval: 5 }).toBe(true)
  close = async () => {
    await letRead()
    await closeScreen(local, uploads.maker, server, queries)
  }
  const Mode = strictPages.has(pageOf(options.path)) ? Fragment : StrictMode
  strictPages.add(pageOf(options.path))
  await render(
    <Mode>
      <PageRoot
        local={local}
        store={store}
        uploads={uploads}
        queries={queries}
        pwa={{ install: createInstall(store, window), update }}
        toasts={toasts}
        router={router}
      />
    </Mode>,
  )
  return {
    server,
    clock,
    uploads,
    local,
    update,
    toasts,
    get db() {
      const account = local.account()
      if (account === null) throw new Error('no account is open')
      return account.db
    },
    path: () => router.state.location.pathname + router.state.location.search,
    goTo: (path) => router.navigate(path).then(isDrawn),
    sendTo: (path) =>
      router.navigate(path, { formMethod: 'post', formData: new FormData() }).then(isDrawn),
    goBack: async () => {
      const leftKey = router.state.location.key
      await router.navigate(-1)
      // Going back begins only after that.
      await expect.poll(() => router.state.location.key).not.toBe(leftKey)
      await isDrawn()
    },
    signIn: (other) => {
      cookies = cookiesOf(other)
      local.session.refresh()
    },
    dropCookies: (isTold) => {
      cookies = ''
      if (isTold) tellOfCookies()
    },
    setNetwork: (network) => setNetwork(server, network),
    letTimePassUntil: async (locator) => {
      await expect
        .poll(
          async () => {
            await clock.advance(STEP_MS)
            return locator.elements().length
          },
          { interval: 10 },
        )
        .toBeGreaterThan(0)
    },
    letRead,
  }
}

/**
 * Notes which place of the router is drawn. A navigation ends before React draws its page, and a
 * page that the next navigation overtakes is never drawn at all.
 */
function DrawnPlace({ onDrawn }: { readonly onDrawn: (key: string) => void }) {
  const { key } = useLocation()
  useEffect(() => onDrawn(key), [onDrawn, key])
  return <Outlet />
}

/** The page behind an address, whatever it shows. */
function pageOf(path: string): string {
  return path.replace(/\?.*/, '').replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, ':id')
}

/** Puts the app lock on; what this device keeps already is read as it is. */
async function lockApp({ userId }: Person): Promise<void> {
  const deviceDb = await openDeviceDb()
  await writeLastUserId(deviceDb, userId)
  await writeAppLock(deviceDb, userId, {
    ...(await wrapDataKey(userId, PASSKEY_ANSWER, newDataKey())),
    credentialId: new Uint8Array([1]),
    salt: newSalt(),
    lockAfterMs: 5 * MINUTE_MS,
    state: 'sealed',
  })
  deviceDb.close()
}

/** What the passkey of the app lock answers. */
export const PASSKEY_ANSWER = new Uint8Array(32).fill(7)

function setNetwork(server: FakeServer, network: Network): void {
  if (network === 'online') server.comeBack()
  else if (network === 'portal') server.goAway(pageOfAnother(200))
  else if (network === 'gateway-broken') server.goAway(pageOfAnother(502))
  else server.goAway(unreachable)
  // The browser's own property stands on the prototype, so deleting this one brings it back.
  if (network === 'offline')
    Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => false })
  else Reflect.deleteProperty(navigator, 'onLine')
  window.dispatchEvent(new Event(network === 'offline' ? 'offline' : 'online'))
}

/**
 * Puts what this device keeps into its database before the page opens. Resolves with what lets the
 * held tables be read.
 */
async function fill(person: Person, options: ScreenOptions): Promise<() => Promise<void>> {
  const { rows = {}, isNewDevice, answers = {} } = options
  const db = await openAccountDb(person.userId)
  const me = meOf(person)
  const known =
    isNewDevice === true
      ? []
      : [
          { key: FACTS.me, value: { user: me.user, flags: me.flags }, pulledAtEpochMs: NOW },
          { key: FACTS.profile, value: me.userProfile, pulledAtEpochMs: NOW },
          { key: FACTS.capabilities, value: offeredIn(answers), pulledAtEpochMs: NOW },
        ]
  // One transaction, because each costs more than what it writes.
  const filled = ['facts', 'libraryEntries', ...Object.keys(rows)]
  await db.transaction('rw', filled, async () => {
    await db.facts.bulkPut(known)
    for (const [name, given] of Object.entries(rows)) await db.table(name).bulkPut([...given])
    await db.libraryEntries.bulkPut((rows.mediaJobs ?? []).map(entryOf))
  })
  const { heldTables = [] } = options
  const letGo = heldTables.length === 0 ? null : await holdTables(db, heldTables)
  if (letGo === null) db.close()
  return async () => {
    await letGo?.()
    db.close()
  }
}

/**
 * What this device knows of the server is what the server says in this test: where the two differ,
 * a press on a busy machine meets what is about to go.
 */
function offeredIn({ getCapabilities: given }: Answers): typeof CAPABILITIES {
  return typeof given === 'object' && 'capabilities' in given ? given.capabilities : CAPABILITIES
}

async function closeScreen(
  local: PageLocal,
  maker: FakeUploads['maker'],
  server: FakeServer,
  queries: QueryClient,
): Promise<void> {
  await cleanup()
  setNetwork(server, 'online')
  queries.clear()
  const account = local.account()
  await maker.stop()
  await account?.stop()
  await letQueriesEnd()
  account?.db.close({ disableAutoOpen: true })
  local.session.close()
  local.channel.close()
  await letQueriesEnd()
  local.deviceDb.close({ disableAutoOpen: true })
  const databases = await indexedDB.databases()
  await Promise.all(databases.map(({ name = '' }) => removeDatabase(name)))
  await removeFiles()
  sessionStorage.clear()
  expect([...server.unanswered], 'operations called without an answer in this test').toEqual([])
}

/** What the page kept in the browser's own file system. */
async function removeFiles(): Promise<void> {
  const root = await navigator.storage.getDirectory()
  for await (const name of root.keys()) await root.removeEntry(name, { recursive: true })
}

function removeDatabase(name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.deleteDatabase(name)
    request.addEventListener('success', () => resolve())
    request.addEventListener('error', () => reject(new Error(`${name} was not removed`)))
  })
}

function toastClock(clock: Clock): ToastClock {
  return {
    now: clock.now,
    after: (delayMs, run) => {
      const cancelled = new AbortController()
      clock.sleep(delayMs, cancelled.signal).then(run, () => undefined)
      return () => cancelled.abort()
    },
  }
}
