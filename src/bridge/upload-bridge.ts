import { syncOf } from './sync-registrations.ts'
import { createBackgroundSender } from './background-sender.ts'
import { createHandOver } from './hand-over-uploads.ts'
import { createUploadWorker, type UploadWorker } from './upload-worker.ts'
import type { PageLocal } from '#src/local/compose.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadState } from '#src/local/db/rows.ts'
import type { EngineCommands, HandOverCommands } from '#src/local/uploads/api.ts'
import { createWebLocks } from '#src/local/uploads/adapters/web-locks.ts'
import { clearLeftDrafts } from '#src/local/uploads/page/drafts.ts'
import type { UploadLocks } from '#src/local/uploads/ports.ts'
import type { BrowserSender } from '#src/local/uploads/hand-over/port.ts'
import { UPLOAD_SYNC_TAG } from '#src/local/uploads/engine/background.ts'
import { isFinal } from '#src/local/db/upload-states.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** After a crash the worker restarts on its own, but not in a tight loop. */
const RESTART_AFTER_MS = 2 * SECOND_MS

/**
 * The page's only access to the upload worker. Commands never throw; without a worker they return
 * `upload/worker-unavailable`.
 */
export interface UploadBridge extends EngineCommands, HandOverCommands {
  /**
   * Ends the worker and waits for it: afterwards no code touches the account's data. Uploads resume
   * at the next start.
   */
  stop(): Promise<void>
  /** The file of an upload, if this page received it; null otherwise. */
  heldFile(uploadId: string): File | null
  /** The files of all uploads that this page received. */
  heldFiles(): readonly File[]
  /** Locks of this origin, by which pages and workers exclude each other. */
  readonly locks: UploadLocks
  /** What this browser can do without the page. */
  abilities(): BrowserAbilities
}

interface BrowserAbilities {
  readonly isInstalled: boolean
  /** The browser wakes the service worker. */
  readonly hasBackgroundSync: boolean
  /** The browser sends on its own. */
  readonly hasBackgroundFetch: boolean
}

export interface UploadBridgePorts {
  readonly locks: () => UploadLocks
  readonly startWorker: () => Worker
  readonly isInstalled: () => boolean
  /**
   * Asks the browser to wake the service worker for uploads (Background Sync); does nothing where
   * there is none. Idempotent.
   */
  readonly askForSync: () => void
  readonly hasBackgroundSync: () => boolean
  readonly hasServiceWorker: () => boolean
  /** Calls the listener when the page may go: it is hidden, closed or left. */
  readonly onLeave: (listener: () => void) => void
  /** The browser's own sender; null where there is none. */
  readonly sender: () => BrowserSender | null
}

/**
 * Starts the worker when an account has unfinished uploads or a command needs it, follows sign-ins
 * and sign-outs, and starts it again after a crash. One per page, made in `main.tsx`.
 */
export function createUploadBridge(
  local: PageLocal,
  ports: UploadBridgePorts = BROWSER,
): UploadBridge {
  const held = new Map<string, File>()
  const locks = ports.locks()
  const sender = ports.sender()
  const handOver = createHandOver({ local, locks, held, sender })
  const worker = createUploadWorker({
    local,
    start: ports.startWorker,
    isInstalled: ports.isInstalled,
    heldFiles: () => Array.from(held, ([uploadId, file]) => ({ uploadId, file })),
    onDeath: () => void local.clock.sleep(RESTART_AFTER_MS).then(resume),
  })

  /** Starts the worker only if it has something to do: most visits need none. */
  const resume = async (): Promise<void> => {
    const account = local.account()
    if (account === null) return
    const kinds = await kindsOf(account)
    if (kinds.includes('draft'))
      void clearLeftDrafts(account.db, locks).catch(() =>
        local.log.warn('left drafts could not be cleared'),
      )
    if (kinds.some((kind) => kind !== 'draft' && !isFinal(kind))) await worker.open()
  }
  const follow = (): void => {
    const userId = local.account()?.userId ?? null
    if (userId === null) held.clear()
    void (worker.isOfAnother(userId) ? worker.stop().then(resume) : resume())
  }
  const signedIn = (): Promise<void> => worker.hint('signedIn')

  local.onSignOut(worker.stop)
  local.subscribeAccount(follow)
  local.session.subscribe(() => {
    if (local.session.current().kind === 'signed-in') void signedIn()
  })
  local.ports.onAttention(() => void worker.hint('networkBack'))
  // Not before: an event that finds a page here waits for nothing, and a browser tries three times.
  ports.onLeave(() => {
    if (worker.isRunning()) ports.askForSync()
  })
  follow()

  return {
    ...commandsOf(worker, held, handOver),
    signedIn,
    networkBack: () => worker.hint('networkBack'),
    stop: worker.stop,
    locks,
    heldFile: (uploadId) => held.get(uploadId) ?? null,
    heldFiles: () => [...new Set(held.values())],
    abilities: () => abilitiesOf(ports, sender, local.account()),
  }
}

function abilitiesOf(
  ports: UploadBridgePorts,
  sender: BrowserSender | null,
  account: ReturnType<PageLocal['account']>,
): BrowserAbilities {
  // With an app lock the service worker has no key to what it would have to read.
  const isControlled = ports.hasServiceWorker() && account?.db.keys == null
  return {
    isInstalled: ports.isInstalled(),
    hasBackgroundSync: ports.hasBackgroundSync() && isControlled,
    hasBackgroundFetch: sender !== null && isControlled,
  }
}

/** The commands of a person; files are kept for a worker that replaces a crashed one. */
function commandsOf(
  { call }: UploadWorker,
  held: Map<string, File>,
  { handOver }: HandOverCommands,
): Omit<EngineCommands, 'signedIn' | 'networkBack'> & HandOverCommands {
  return {
    handOver,
    start: (uploadId, file) => {
      if (file !== null) held.set(uploadId, file)
      return call((remote) => remote.start(uploadId, file))
    },
    pause: (uploadId) => call((remote) => remote.pause(uploadId)),
    resume: (uploadId) => call((remote) => remote.resume(uploadId)),
    retryNow: (uploadId) => call((remote) => remote.retryNow(uploadId)),
    discard: (uploadId) => call((remote) => remote.discard(uploadId)),
    undoDiscard: (uploadId) => call((remote) => remote.undoDiscard(uploadId)),
    provideFile: (uploadId, file, handle) => {
      held.set(uploadId, file)
      return call((remote) => remote.provideFile(uploadId, file, handle))
    },
    startOver: (uploadId) => call((remote) => remote.startOver(uploadId)),
  }
}

async function kindsOf(account: {
  readonly db: AccountDb
}): Promise<readonly UploadState['kind'][]> {
  return (await account.db.uploads.toArray().catch(() => [])).map((row) => row.state.kind)
}

const BROWSER: UploadBridgePorts = {
  locks: () => createWebLocks(navigator.locks),
  startWorker: () =>
    new Worker(new URL('../../workers/upload/upload.worker.ts', import.meta.url), {
      type: 'module',
      name: 'onecut-uploads',
    }),
  isInstalled: () => matchMedia('(display-mode: standalone)').matches,
  // Development has no service worker and never gets a controller.
  hasServiceWorker: () =>
    'serviceWorker' in navigator && navigator.serviceWorker.controller !== null,
  hasBackgroundSync: () => 'SyncManager' in globalThis,
  askForSync: createAskForSync(),
  onLeave: (listener) => {
    window.addEventListener('pagehide', listener)
    document.addEventListener('visibilitychange', () => {
      if (document.visibilityState === 'hidden') listener()
    })
  },
  sender: createBackgroundSender,
}

/** A page that goes has no time to wait for its registration, so it is kept. */
function createAskForSync(): () => void {
  let sync: ReturnType<typeof syncOf> = null
  if ('serviceWorker' in navigator)
    void navigator.serviceWorker.ready.then((registration) => {
      sync = syncOf(registration, 'sync')
    })
  // Where the browser's settings refuse it, uploads continue only while a page is open, as in other
  // browsers.
  return () => void sync?.register(UPLOAD_SYNC_TAG).catch(() => undefined)
}
