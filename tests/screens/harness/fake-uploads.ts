import type { Store } from 'jotai'
import type { MediaBridge } from '#src/bridge/media-bridge.ts'
import type { UploadBridge } from '#src/bridge/upload-bridge.ts'
import { progressAtom } from '#src/hooks/uploads/progress-atoms.ts'
import type { Uploads } from '#src/hooks/uploads/uploads-context.ts'
import { err, ok } from '#src/lib/result.ts'
import type { PageLocal } from '#src/local/compose.ts'
import { browserFiles } from '#src/local/db/account-files.ts'
import { createMaker } from '#src/local/made/maker.ts'
import type { UploadProgress } from '#src/local/uploads/api.ts'
import { createWebLocks } from '#src/local/uploads/adapters/web-locks.ts'

/** What a test wants to be different of the workers that a page talks to. */
export interface UploadsOptions {
  readonly bridge?: Partial<UploadBridge>
  readonly media?: Partial<MediaBridge>
  /** What the browser says of its room; it does not say unless given. */
  readonly storage?: Parameters<typeof createMaker>[0]['storage']
  readonly progress?: readonly UploadProgress[]
}

/** Both bridges without a worker behind them, and the commands that the screen gave. */
export interface FakeUploads extends Uploads {
  /** `<command> <upload id>`, oldest first. */
  readonly commands: readonly string[]
  /** The driver of an upload reports. */
  report(progress: UploadProgress): void
}

/**
 * Commands succeed and change no row; the media worker reads nothing, and has no answer to what
 * this device can make.
 */
export function createFakeUploads(
  store: Store,
  local: PageLocal,
  options: UploadsOptions,
): FakeUploads {
  const commands: string[] = []
  const command = (name: string) => async (uploadId: string) => {
    commands.push(`${name} ${uploadId}`)
    return ok(undefined)
  }
  const bridge: UploadBridge = {
    start: command('start'),
    pause: command('pause'),
    resume: command('resume'),
    retryNow: command('retryNow'),
    discard: command('discard'),
    undoDiscard: command('undoDiscard'),
    provideFile: command('provideFile'),
    startOver: command('startOver'),
    handOver: command('handOver'),
    signedIn: async () => undefined,
    networkBack: async () => undefined,
    stop: async () => undefined,
    locks: createWebLocks(navigator.locks),
    heldFile: () => null,
    heldFiles: () => [],
    abilities: () => ({ isInstalled: false, hasBackgroundSync: false, hasBackgroundFetch: false }),
    ...options.bridge,
  }
  const unavailable = async () => err({ code: 'probe/engine-unavailable' as const })
  const media: MediaBridge = {
    probe: unavailable,
    deepCheck: unavailable,
    poster: unavailable,
    filmstrip: unavailable,
    pictures: unavailable,
    preview: unavailable,
    canMake: () => new Promise(() => undefined),
    make: unavailable,
    findMoments: unavailable,
    keepEngine: async () => undefined,
    cancel: () => undefined,
    isReading: () => false,
    release: async () => undefined,
    ...options.media,
  }
  const maker = createMaker({
    ...local,
    media,
    account: local.account,
    files: browserFiles(),
    storage: options.storage ?? {},
    locks: bridge.locks,
  })
  local.onSignOut(maker.stop)
  const report = (progress: UploadProgress): void =>
    store.set(progressAtom, (newest) => new Map([...newest, [progress.uploadId, progress]]))
  for (const progress of options.progress ?? []) report(progress)
  return { bridge, media, maker, commands, report }
}
